/* Cut lines of blocks that move, by hand or by a balancer, change no result. */

#include "core/balance/balancing.h"
#include "support/blocks.h"
#include "support/images.h"
#include "support/mixer.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdio.h>

/* In both axes enough for eight parts with a halo of three beats. */
static halo_domain domain_of(int n)
{
    return (halo_domain){
        .axes = 2, .n = {31 + n % 3, 29, 1}, .periodic = {n % 2 == 0, n % 4 < 2, false}};
}

static halo_beat *start(const halo_domain *domain, const halo_partition *partition,
                        const halo_beat_options *options)
{
    return mixer_start_parts(mpi_check_world(), domain, partition, options);
}

static halo_beat *start_strips(const halo_domain *domain, const halo_beat_options *options)
{
    halo_partition strips;
    expect(halo_partition_strips(&strips, domain, halo_world_ranks(mpi_check_world())) == HALO_OK,
           "strips");
    halo_beat *beat = start(domain, &strips, options);
    halo_partition_free(&strips);
    return beat;
}

static void expect_same(const halo_beat *still, const halo_beat *moving, const char *what, int n)
{
    halo_world *world = mpi_check_world();
    expect(mixer_digest(world, still) == mixer_digest(world, moving), "%s, case %d: other cells",
           what, n);
    expect(halo_beat_reported(still).beats == halo_beat_reported(moving).beats,
           "%s, case %d: %" PRId64 " beats", what, n, halo_beat_reported(moving).beats);
}

static void expect_owned(const halo_beat *beat, const halo_partition *partition)
{
    halo_box box = halo_partition_box(partition, halo_world_rank(mpi_check_world()));
    const halo_box *owned = &halo_beat_view(beat, 0)->owned;
    expect(halo_partition_equal(halo_beat_partition(beat), partition), "another partition");
    expect(halo_box_cells(&box) == halo_box_cells(owned), "other cells after a move");
}

/* From strips to blocks, to other blocks, and so on. */
static void test_by_hand(void)
{
    uint64_t random = 5;
    for (int n = 0; n < 16; n++) {
        halo_domain domain = domain_of(n);
        halo_beat_options options = {.beats_per_exchange = 1 + n % 3,
                                     .exchange = n % 2 == 0 ? "p2p" : "persistent"};
        halo_beat *still = start_strips(&domain, &options),
                  *moving = start_strips(&domain, &options);
        for (int moves = 0; moves < 5; moves++) {
            halo_partition to;
            int64_t some = 1 + random_below(&random, 4);
            random_blocks(&random, &domain, halo_world_ranks(mpi_check_world()),
                          options.beats_per_exchange, &to);
            expect(halo_beat_repartition(moving, &to) == HALO_OK, "%s", halo_last_message());
            expect_owned(moving, &to);
            expect(halo_beat_run(moving, some) == HALO_OK, "%s", halo_last_message());
            expect(halo_beat_run(still, some) == HALO_OK, "%s", halo_last_message());
            halo_partition_free(&to);
        }
        expect_same(still, moving, "by hand", n);
        halo_beat_destroy(&still);
        halo_beat_destroy(&moving);
    }
    EXPECT_AGREED();
}

/* What a balancer was told to have decided. */
typedef struct {
    int64_t plans[HALO_AXES], moves[HALO_AXES];
} tally;

static void count(void *context, const halo_balance_event *event)
{
    tally *all = context;
    all->plans[event->axis]++;
    all->moves[event->axis] += halo_decision_moves(&event->decision);
    int64_t end = domain_of(0).n[1] + (event->axis == 0 ? 2 : 0);
    expect(halo_cuts_are_valid(event->after, event->parts, event->after[event->parts]) &&
               event->before[event->parts] == event->after[event->parts] &&
               event->after[event->parts] >= end,
           "planned cuts of axis %d", event->axis);
}

/* Two factors of the ranks, the first at most the second. */
static void factors(int ranks, int parts[HALO_AXES])
{
    parts[0] = 1;
    for (int i = 2; i * i <= ranks; i++) {
        parts[0] = ranks % i == 0 ? i : parts[0];
    }
    parts[1] = ranks / parts[0];
    parts[2] = 1;
}

static void balance(const char *balancer, int n, tally *all)
{
    enum { BEATS = 24 };
    int parts[HALO_AXES];
    factors(halo_world_ranks(mpi_check_world()), parts);
    halo_domain domain = domain_of(n);
    halo_partition blocks;
    halo_balance_options balance_options = {
        .balancer = balancer, .every = 1, .tell = count, .context = all};
    halo_beat_options options = {.beats_per_exchange = 1 + n % 2};
    expect(halo_partition_blocks(&blocks, &domain, parts) == HALO_OK, "blocks");
    halo_beat *still = start(&domain, &blocks, &options);
    halo_balancing *balancing = NULL;
    expect(halo_balancing_create(&balancing, mpi_check_world(), &balance_options) == HALO_OK, "%s",
           halo_last_message());
    options.balancing = balancing;
    halo_beat *moving = start(&domain, &blocks, &options);
    expect(halo_beat_run(still, BEATS) == HALO_OK, "%s", halo_last_message());
    expect(halo_beat_run(moving, BEATS) == HALO_OK, "%s", halo_last_message());
    expect_same(still, moving, balancer, n);
    halo_beat_destroy(&still);
    halo_beat_destroy(&moving);
    halo_balancing_destroy(&balancing);
    halo_partition_free(&blocks);
}

/* Lines of both axes have moved, or the test has shown nothing. */
static void test_at_random(void)
{
    int parts[HALO_AXES];
    factors(halo_world_ranks(mpi_check_world()), parts);
    tally all = {0};
    for (int n = 0; n < 12; n++) {
        char name[32];
        snprintf(name, sizeof name, "random:seed=%d", 3 + n);
        balance(name, n, &all);
    }
    for (int axis = 0; axis < 2; axis++) {
        expect(parts[axis] == 1 || all.moves[axis] >= 20,
               "only %" PRId64 " moves in %" PRId64 " plans of axis %d", all.moves[axis],
               all.plans[axis], axis);
    }
    EXPECT_AGREED();
}

static void test_by_measuring(void)
{
    static const char *const balancers[] = {"lb1", "lb2", "diffusion", "chain", "none"};
    tally all = {0};
    for (int n = 0; n < 10; n++) {
        balance(balancers[n % 5], n, &all);
    }
    EXPECT_AGREED();
}

/* One rank's reason is everybody's, and nothing has moved. */
static void test_refused(void)
{
    int ranks = halo_world_ranks(mpi_check_world());
    halo_domain domain = domain_of(0);
    halo_beat *still = start_strips(&domain, NULL), *beat = start_strips(&domain, NULL);
    halo_partition other;
    expect(halo_partition_strips(&other, &domain, ranks + 1) == HALO_OK, "strips");
    expect(halo_beat_repartition(beat, &other) == HALO_ARGUMENT, "a part too many");
    halo_partition_free(&other);
    halo_domain smaller = domain;
    smaller.n[1]--;
    expect(halo_partition_strips(&other, &smaller, ranks) == HALO_OK, "strips");
    expect(halo_beat_repartition(beat, &other) == HALO_ARGUMENT, "a column too few");
    halo_partition_free(&other);
    expect(halo_beat_run(beat, 3) == HALO_OK && halo_beat_run(still, 3) == HALO_OK, "%s",
           halo_last_message());
    expect_same(still, beat, "refused", 0);
    halo_beat_destroy(&beat);
    halo_beat_destroy(&still);
    EXPECT_AGREED();
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"from any parts to any others", test_by_hand},
        {"cut lines moved at random", test_at_random},
        {"cut lines moved by what was measured", test_by_measuring},
        {"refused moves", test_refused},
        CU_TEST_INFO_NULL,
    };
    return mpi_check_run(argc, argv, "blocks_move", tests);
}
