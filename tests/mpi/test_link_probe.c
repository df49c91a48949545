/* Links between strips measured on chains and rings, with ranks that have none, at any time. */

#define _POSIX_C_SOURCE 200809L /* nanosleep */

#include "core/balance/link_probe.h"
#include "core/world/collect.h"
#include "support/images.h"
#include "support/mpi_check.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 20, KEPT = 16 };

static halo_link_probe *new_probe(void)
{
    halo_link_probe *links;
    if (halo_link_probe_create(&links, mpi_check_world()) != HALO_OK) {
        abort();
    }
    return links;
}

/* The neighbours of this rank among those that have strips, -1 for none. */
static void find_neighbours(const bool *has_strip, bool goes_round, int neighbours[HALO_ENDS])
{
    int rank = my_rank(), ranks = all_ranks();
    neighbours[HALO_LOW] = neighbours[HALO_HIGH] = -1;
    for (int step = 1; has_strip[rank] && step <= ranks; step++) {
        int low = rank - step, high = rank + step;
        if (neighbours[HALO_LOW] < 0 && (goes_round || low >= 0) &&
            has_strip[(low + ranks) % ranks]) {
            neighbours[HALO_LOW] = (low + ranks) % ranks;
        }
        if (neighbours[HALO_HIGH] < 0 && (goes_round || high < ranks) && has_strip[high % ranks]) {
            neighbours[HALO_HIGH] = high % ranks;
        }
    }
}

static void measure(halo_link_probe *links, const int neighbours[HALO_ENDS], size_t bytes)
{
    halo_status status = halo_link_probe_measure(links, neighbours, bytes);
    expect_ok(status);
}

/* The figures of an end must agree with the measurements. */
static void expect_plausible(const halo_link_probe *links, const int neighbours[HALO_ENDS],
                             size_t bytes)
{
    int rank = my_rank();
    double slower = 0;
    for (int end = 0; end < HALO_ENDS; end++) {
        halo_link link = halo_link_probe_link(links, end);
        int other = neighbours[end];
        expect(link.neighbour == other, "neighbour %d, not %d", link.neighbour, other);
        if (other < 0 || other == rank) {
            expect(link.latency_seconds == 0 && link.bytes_per_second == 0,
                   "a link to nobody: %g s, %g/s", link.latency_seconds, link.bytes_per_second);
            continue;
        }
        expect(link.latency_seconds > 0 && isfinite(link.latency_seconds), "latency %g s to %d",
               link.latency_seconds, other);
        expect(isfinite(link.bytes_per_second) && link.bytes_per_second >= 0, "speed %g to %d",
               link.bytes_per_second, other);
        expect(bytes > 0 || link.bytes_per_second == 0, "nothing travels at %g/s",
               link.bytes_per_second);
        double transfer = link.bytes_per_second > 0 ? (double)bytes / link.bytes_per_second : 0;
        slower = fmax(slower, link.latency_seconds + transfer);
    }
    double seconds = halo_link_probe_seconds(links);
    expect(fabs(seconds - slower) <= 1e-12 * slower, "a halo takes %g s, not %g", seconds, slower);
}

static void measure_all_ranks(bool goes_round)
{
    bool has_strip[64];
    for (int r = 0; r < 64; r++) {
        has_strip[r] = true;
    }
    int neighbours[HALO_ENDS];
    find_neighbours(has_strip, goes_round, neighbours);
    halo_link_probe *links = new_probe();
    static const size_t sizes[] = {0, 1, 16384, 100000, HALO_LINK_MAX_BYTES, 3000000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        measure(links, neighbours, sizes[i]);
        expect_plausible(links, neighbours, sizes[i]);
    }
    /* While nothing is forgotten yet, the least can only become less. */
    double min[HALO_ENDS] = {HUGE_VAL, HUGE_VAL};
    for (int round = 0; round < ROUNDS; round++) {
        measure(links, neighbours, 4096);
        expect_plausible(links, neighbours, 4096);
        for (int end = 0; round < KEPT && end < HALO_ENDS; end++) {
            double latency = halo_link_probe_link(links, end).latency_seconds;
            expect(latency <= min[end], "round %d: %g s after %g s", round, latency, min[end]);
            min[end] = latency;
        }
    }
    halo_link_probe_destroy(&links);
    expect(links == NULL, "not NULL");
    halo_link_probe_destroy(&links);
}

static void test_chain(void)
{
    measure_all_ranks(false);
    EXPECT_AGREED();
}

static void test_ring(void)
{
    measure_all_ranks(true);
    EXPECT_AGREED();
}

static void test_before(void)
{
    halo_link_probe *links = new_probe();
    for (int end = 0; end < HALO_ENDS; end++) {
        halo_link link = halo_link_probe_link(links, end);
        expect(link.neighbour == -1 && link.latency_seconds == 0 && link.bytes_per_second == 0,
               "a link before there is one");
    }
    expect(halo_link_probe_seconds(links) == 0, "time without a link");
    halo_link_probe_destroy(&links);
    EXPECT_AGREED();
}

/* Strips come and go, the domain goes round or not, halos are of any size. */
static void test_changes(void)
{
    enum { CASES = 60 };
    int ranks = all_ranks();
    uint64_t random = 17;
    halo_link_probe *links = new_probe();
    for (int i = 0; i < CASES; i++) {
        bool has_strip[64] = {false}, goes_round = random_below(&random, 2) != 0;
        for (int r = 0; r < ranks; r++) {
            has_strip[r] = random_below(&random, 3) != 0;
        }
        int neighbours[HALO_ENDS], times = 1 + (int)random_below(&random, 3);
        find_neighbours(has_strip, goes_round, neighbours);
        size_t bytes = (size_t)random_below(&random, random_below(&random, 2) != 0 ? 9 : 200000);
        for (int t = 0; t < times; t++) {
            measure(links, neighbours, bytes);
            expect_plausible(links, neighbours, bytes);
        }
    }
    halo_link_probe_destroy(&links);
    EXPECT_AGREED();
}

/* Is what is known of all links of all ranks far less than `seconds`? */
static bool all_are_fast(const halo_link_probe *links, double seconds)
{
    int64_t slow = 0;
    for (int end = 0; end < HALO_ENDS; end++) {
        slow += halo_link_probe_link(links, end).latency_seconds >= .5 * seconds;
    }
    expect_ok(halo_allreduce_max(mpi_check_world(), &slow, 1));
    return slow == 0;
}

/* A rank that comes late makes no link slow. A machine that is busy does so for a time, but not for
 * as many times as are kept; lateness would every time. */
static void test_lateness(void)
{
    static const struct timespec late = {.tv_nsec = 200000000};
    int rank = my_rank(), ranks = all_ranks();
    bool has_strip[64], fast = false;
    for (int r = 0; r < ranks; r++) {
        has_strip[r] = true;
    }
    int neighbours[HALO_ENDS];
    find_neighbours(has_strip, true, neighbours);
    halo_link_probe *links = new_probe();
    for (int i = 0; i < KEPT && !fast; i++) {
        if (rank == ranks / 2) {
            nanosleep(&late, NULL);
        }
        measure(links, neighbours, 1000);
        fast = all_are_fast(links, 1e-9 * (double)late.tv_nsec);
    }
    expect_plausible(links, neighbours, 1000);
    expect(fast, "%d times a link was as slow as a rank was late", KEPT);
    halo_link_probe_destroy(&links);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("links", {"before measuring", test_before}, {"a chain", test_chain},
               {"a ring", test_ring}, {"changing strips", test_changes},
               {"late ranks", test_lateness})
