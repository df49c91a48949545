#include "core/beat/beats_per_exchange.h"
#include "core/world/collect.h"
#include "support/mpi_check.h"

#include <inttypes.h>

static double overhead(double waiting, double layer, int beats)
{
    return waiting / beats + (beats - 1) * layer;
}

/* Against all numbers of beats, one after another. */
static void test_the_best(void)
{
    for (double waiting = 1e-7; waiting < 1e-2; waiting *= 1.37) {
        for (double layer = 1e-9; layer < 1e-3; layer *= 1.71) {
            for (int min = 1; min < 9; min += 3) {
                int max = min + 60, wanted = min;
                for (int beats = min; beats <= max; beats++) {
                    if (overhead(waiting, layer, beats) < overhead(waiting, layer, wanted)) {
                        wanted = beats;
                    }
                }
                int best = halo_beats_per_exchange_best(waiting, layer, min, max);
                expect(best == wanted, "%g s of waiting, %g s a layer: %d, not %d", waiting, layer,
                       best, wanted);
            }
        }
    }
    EXPECT_AGREED();
}

/* 8 messages of 2 us; 5 ps a cell in rows of 2048 and 16384. */
static void test_known_values(void)
{
    expect(halo_beats_per_exchange_best(8 * 2e-6, 2048 * 5e-12, 1, 1000) == 40,
           "rows of 2048 cells");
    expect(halo_beats_per_exchange_best(8 * 2e-6, 16384 * 5e-12, 1, 1000) == 14,
           "rows of 16384 cells");
    expect(halo_beats_per_exchange_best(8 * 2e-6, 2048 * 5e-12, 1, 40) == 40, "40 at most");
    expect(halo_beats_per_exchange_best(8 * 2e-6, 2048 * 5e-12, 1, 32) == 32, "32 at most");
    expect(halo_beats_per_exchange_best(8 * 2e-6, 16384 * 5e-12, 20, 32) == 20, "20 at least");
    expect(halo_beats_per_exchange_best(1, 0, 1, 63) == 63, "layers for nothing");
    expect(halo_beats_per_exchange_best(0, 0, 3, 63) == 3, "nothing to wait for");
    expect(halo_beats_per_exchange_best(1e300, 1e-300, 1, 7) == 7, "beyond any number");
    EXPECT_AGREED();
}

static void expect_choice(double layer_seconds, int messages, int lowest, int highest)
{
    halo_world *world = mpi_check_world();
    const halo_beats_per_exchange_costs costs = {layer_seconds, messages, 2, 50};
    int beats;
    expect_ok(halo_beats_per_exchange_choose(world, &costs, &beats));
    int64_t ends[] = {beats, -beats};
    expect(halo_allreduce_max(world, ends, 2) == HALO_OK && ends[0] == -ends[1],
           "%" PRId64 " beats here, %" PRId64 " there", ends[0], -ends[1]);
    if (halo_world_ranks(world) == 1) {
        lowest = highest = 2;
    }
    expect(lowest <= beats && beats <= highest, "%d beats for %g s a layer", beats, layer_seconds);
}

static void test_choices_are_agreed(void)
{
    int rank = my_rank();
    expect_choice(1000, 0, 2, 2);
    expect_choice(0, 0, 50, 50);
    expect_choice(0, 3, 50, 50);
    expect_choice(1e-7, 0, 2, 50);
    /* What a layer costs is each rank's own: the most counts. */
    expect_choice(rank == 0 ? 1000 : 1e-9, 8, 2, 2);
    expect_choice(1e-7 * (rank + 1), 8, 2, 50);
    EXPECT_AGREED();
}

static void test_bad_costs_are_refused(void)
{
    static const halo_beats_per_exchange_costs bad[] = {
        {1e-6, 0, 0, 5}, {1e-6, 0, 5, 4}, {1e-6, -1, 1, 5}, {-1, 0, 1, 5}, {1e9, 0, 1, 5}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        int beats;
        expect(halo_beats_per_exchange_choose(mpi_check_world(), &bad[i], &beats) == HALO_ARGUMENT,
               "costs %zu", i);
    }
    EXPECT_AGREED();
}

static int default_beats(const halo_kernel *kernel, int axes, int64_t n, int parts, bool moves)
{
    halo_domain domain = {.axes = axes, .n = {n, axes > 1 ? n : 1, axes > 2 ? n : 1}};
    halo_partition partition;
    expect_ok(halo_partition_blocks(&partition, &domain, (int[]){parts, 1, 1}));
    int beats = halo_beats_per_exchange_default(kernel, &domain, &partition, moves);
    halo_partition_free(&partition);
    return beats;
}

static halo_status ride(void *state, int64_t *sums, bool agreed)
{
    (void)state, (void)sums, (void)agreed;
    return HALO_OK;
}

static halo_status advance(halo_advance *advance)
{
    (void)advance;
    return HALO_OK;
}

static void test_default(void)
{
    halo_kernel plain = {.depth = 1}, far = {.depth = 2}, sums = {.depth = 1, .beat = ride};
    halo_kernel in_place = {.depth = 1, .in_place = true};
    halo_kernel ahead = {.depth = 1, .in_place = true, .advance = advance};
    expect(default_beats(&plain, 2, 10, 1, false) == 8, "alone");
    expect(default_beats(&plain, 3, 10, 1, false) == 4, "alone in three axes");
    expect(default_beats(&plain, 2, 256, 2, false) == 8, "128 rows a strip");
    expect(default_beats(&plain, 2, 254, 2, false) == 4, "127 rows a strip");
    expect(default_beats(&plain, 2, 40, 2, false) == 1, "20 rows a strip");
    expect(default_beats(&far, 2, 256, 2, false) == 4, "two cells far");
    expect(default_beats(&plain, 2, 256, 2, true) == 2, "strips that move");
    expect(default_beats(&sums, 2, 1000, 1, false) == 1, "sums of every beat");
    expect(default_beats(&in_place, 2, 1000, 1, false) == 1, "in place");
    expect(default_beats(&ahead, 2, 1000, 1, false) == 8, "several at once in place");
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("depth", {"the best of all numbers of beats", test_the_best},
               {"known values", test_known_values}, {"default numbers of beats", test_default},
               {"choices are agreed", test_choices_are_agreed},
               {"bad costs are refused", test_bad_costs_are_refused})
