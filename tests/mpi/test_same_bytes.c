/* The same bytes for every run of every kernel, as a reference has them: on any number of ranks, in
 * any parts, wherever boundaries move meanwhile, by any exchange, vote and instructions, with any
 * number of beats an exchange. */

#include "same/same.h"
#include "support/images.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <string.h>

enum {
    STRIPS = WAY_BIT(cut) | WAY_BIT(boundaries) | WAY_BIT(migrate) | WAY_BIT(vote),
    HALOS = STRIPS | WAY_BIT(exchange) | WAY_BIT(corners) | WAY_BIT(packing),
    BEATS = WAY_BIT(pieces),
    DEPTH = WAY_BIT(beats_per_exchange),
    ISA = WAY_BIT(instructions)
};

/* Kernels that are not here have their own tests: test_paths.c runs paths in ways of the same kind
 * (support/ways.h), and test_graph_search.c searches graphs by every method. trace and walk are
 * tasks, which exchange nothing: tests/cli compares their files, threads.sh and threads_as_mpi.sh
 * for other ranks, trace.sh and walk.sh for other instructions and schedules.
 *
 * group, name, what differs, times that all pairs of choices meet, boundaries that must have moved
 * at random at least */
#define KERNEL_LIST(X)                                             \
    X("stencils", plate, HALOS | BEATS | DEPTH, 1, 15)             \
    X("stencils", plate_whole, HALOS | BEATS | DEPTH, 1, 15)       \
    X("stencils", heat, HALOS | BEATS | DEPTH | ISA, 2, 15)        \
    X("stencils", heat3d, HALOS | BEATS | DEPTH | ISA, 1, 10)      \
    X("stencils", pair, HALOS | BEATS | DEPTH, 1, 10)              \
    X("stencils", mixer, HALOS | BEATS | DEPTH, 2, 20)             \
    X("stencils", bits, HALOS | BEATS | DEPTH, 1, 10)              \
    X("stencils", layers, HALOS | BEATS | DEPTH, 2, 20)            \
    X("stencils", advance, HALOS | BEATS | DEPTH, 3, 0)            \
    X("pictures", synthetic, HALOS | BEATS | DEPTH, 2, 20)         \
    X("pictures", chan_vese, HALOS | BEATS | ISA, 1, 15)           \
    X("pictures", cluster, STRIPS | BEATS | ISA, 6, 10)            \
    X("pictures", snake, STRIPS | BEATS | ISA, 2, 20)              \
    X("pictures", motion, BEATS | ISA, 1, 0)                       \
    X("life", life, STRIPS | WAY_BIT(exchange) | ISA, 5, 20)       \
    X("life", life_grows, STRIPS | WAY_BIT(exchange) | ISA, 3, 20) \
    X("label", label, HALOS | ISA, 6, 20)

/* True if pairs meet as often as the list says, each time beside other choices; else they meet
 * once. */
static bool often;

/* More ranks than cores take their time. */
static int times_here(int times)
{
    return (!often || all_ranks() > 4) && times > 1 ? 1 : times;
}

static void check(same_run *run, unsigned choices, int times, int64_t moves)
{
    static PER_RANK way ways[WAY_MOST];
    int ranks = all_ranks();
    uint64_t random = choices;
    way_tally all = {0};
    for (int time = 0; time < times_here(times); time++) {
        int count = ways_make(choices, (uint64_t)(ranks * 100 + time), ways);
        for (int n = 0; n < count; n++) {
            run(&ways[n], &random, &all);
        }
    }
    /* Otherwise the test has shown nothing. */
    int64_t here = times_here(times);
    expect(all.runs > 15, "only %" PRId64 " runs", all.runs);
    expect(ranks == 1 || all.moves * times >= moves * here,
           "only %" PRId64 " moves in %" PRId64 " plans", all.moves, all.plans);
    expect(ranks < 3 || moves == 0 || all.refilled * times >= ranks * here,
           "only %" PRId64 " times did a rank without rows get some", all.refilled);
    EXPECT_AGREED();
}

#define KERNEL_TEST(group, name, choices, times, moves) \
    static void test_##name(void)                       \
    {                                                   \
        check(same_##name, choices, times, moves);      \
    }
KERNEL_LIST(KERNEL_TEST)
#undef KERNEL_TEST

int main(int argc, char **argv)
{
    const check_test tests[] = {
#define KERNEL_ENTRY(group, name, choices, times, moves) {group ": " #name, test_##name},
        KERNEL_LIST(KERNEL_ENTRY)
#undef KERNEL_ENTRY
            {NULL, NULL},
    };
    if (argc > 1 && strcmp(argv[argc - 1], "--often") == 0) {
        often = true;
        argc--;
    }
    return mpi_check_run(argc, argv, "the same bytes", tests, NULL, NULL);
}
