/* Options that a grid of Life accepts and refuses, and ways to stop it. */

#include "core/balance/balancing.h"
#include "core/world/collect.h"
#include "support/life_case.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is refused ------------------------------------------------------------------------- */

static void refuse(const halo_life_options *options, halo_status wanted, const char *about)
{
    halo_life *life = NULL;
    halo_status status = halo_life_create(&life, mpi_check_world(), options);
    int64_t same[] = {(int64_t)status, -(int64_t)status};
    expect_fails(status, wanted, about);
    expect(strlen(halo_last_message()) > 10, "%s: no message", about);
    expect(halo_allreduce_max(mpi_check_world(), same, 2) == HALO_OK && same[0] == -same[1],
           "%s: ranks disagree", about);
    halo_life_destroy(&life);
}

static void test_refused(void)
{
    static const struct {
        halo_life_options options;
        const char *about;
    } bad[] = {
        {{.rule = {.born = 8, .survive = 12, .states = 1}, .box = {.n = {9, 9}}}, "1 state"},
        {{.rule = {.born = 8, .survive = 12, .states = 257}, .box = {.n = {9, 9}}}, "257"},
        {{.rule = {.born = 8, .survive = 12, .states = 2}, .box = {.n = {0, 9}}}, "0"},
        {{.rule = {.born = 8, .survive = 12, .states = 2}, .box = {.n = {9, -5}}}, "-5"},
        {{.rule = {.born = 8, .survive = 12, .states = 2},
          .box = {.n = {9, 9}},
          .beats_per_exchange = -1},
         "-1"},
        {{.rule = {.born = 8, .survive = 12, .states = 2},
          .box = {.n = {9, 9}},
          .instructions = "mmx"},
         "mmx"},
        {{.rule = {.born = 8, .survive = 12, .states = 2}, .box = {.n = {9, 9}}, .vote = "lottery"},
         "lottery"},
        {{.rule = {.born = 8, .survive = 12, .states = 2},
          .box = {.n = {9, 9}},
          .exchange = "pigeon"},
         "pigeon"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        refuse(&bad[i].options, HALO_ARGUMENT, bad[i].about);
    }
    EXPECT_AGREED();
}

static void test_refused_blocks(void)
{
    int ranks = all_ranks();
    const halo_life_options good = {
        .rule = life_case_rule("life"), .box = {.n = {100, 64 * ranks}}, .parts = {1, ranks}};
    halo_life_options bad = good;
    halo_life *life;
    bad.parts[HALO_LIFE_ROWS] = 2;
    refuse(&bad, HALO_ARGUMENT, "as many blocks as ranks");
    bad.parts[HALO_LIFE_ROWS] = -1;
    refuse(&bad, HALO_ARGUMENT, "as many blocks as ranks");
    if (ranks > 1) {
        const halo_balance_options balance = {.balancer = "chain"};
        bad = good;
        bad.box.n[HALO_LIFE_COLUMNS]--;
        refuse(&bad, HALO_RANKS, "too many for a grid of");
        bad = good;
        bad.beats_per_exchange = 65;
        refuse(&bad, HALO_ARGUMENT, "halo depth of 65");
        bad = good;
        expect_ok(halo_balancing_create(&bad.balancing, mpi_check_world(), &balance));
        refuse(&bad, HALO_ARGUMENT, "between strips only");
        halo_balancing_destroy(&bad.balancing);
        expect_ok(halo_life_create(&life, mpi_check_world(), &good));
        expect(halo_life_move(life, halo_life_cuts(life)) == HALO_ARGUMENT, "blocks have moved");
        halo_life_destroy(&life);
    }
    EXPECT_AGREED();
}

/* A state that the rule lacks; only rows of the own strip that there are. */
static void test_bad_rows(void)
{
    life_case c = life_case_empty("345/2/4", 40, 10, HALO_LIFE_WRAP);
    bool started = life_case_start(&c);
    const int64_t *cuts = started ? halo_life_cuts(c.life) + halo_world_rank(c.world) : NULL;
    if (started && cuts[0] < cuts[1]) {
        uint8_t row[64] = {1, 2, 3, 3, 0, 3};
        size_t bytes = halo_life_row_bytes(c.life);
        expect(bytes >= 10 && bytes % 8 == 0 && bytes <= sizeof row, "%zu bytes of a row", bytes);
        expect_ok(halo_life_put_rows(c.life, cuts[0], 1, row, bytes));
        row[9] = 4;
        expect(halo_life_put_rows(c.life, cuts[0], 1, row, bytes) == HALO_ARGUMENT, "state 4 of 4");
        row[9] = 255;
        expect(halo_life_put_rows(c.life, cuts[0], 1, row, bytes) == HALO_ARGUMENT, "state 255");
    }
    life_case_end(&c);
    EXPECT_AGREED();
}

/* The place of blocks is reported, and rows cannot be read before they have been brought together.
 */
static void test_report(void)
{
    int ranks = all_ranks();
    halo_life_options options = {
        .rule = life_case_rule("life"), .box = {.n = {100, 64 * ranks + 5}}, .parts = {1, ranks}};
    halo_life *life;
    expect_ok(halo_life_create(&life, mpi_check_world(), &options));
    halo_life_report report = halo_life_get_report(life);
    int64_t sums[2] = {report.own.n[0] * report.own.n[1], report.own.lo[1] % 64};
    expect_ok(halo_allreduce_sum(mpi_check_world(), sums, 2));
    expect(sums[0] == options.box.n[0] * options.box.n[1] && sums[1] == 0,
           "blocks of %" PRId64 " cells together", sums[0]);
    expect(report.parts[0] == 1 && report.parts[1] == ranks, "%d x %d parts", report.parts[0],
           report.parts[1]);
    expect(halo_life_soup(life, 0.5, 1) == HALO_OK && halo_life_run(life, 3) == HALO_OK, "%s",
           halo_last_message());
    uint64_t *row = calloc(1, halo_life_row_bytes(life));
    const int64_t *cuts = halo_life_cuts(life) + my_rank();
    size_t bytes = halo_life_row_bytes(life);
    expect(ranks == 1 || halo_life_get_rows(life, cuts[0], 1, row, bytes) == HALO_ARGUMENT,
           "rows were read too early");
    expect(halo_life_stage(life) == HALO_OK &&
               halo_life_get_rows(life, cuts[0], 1, row, bytes) == HALO_OK,
           "%s", halo_last_message());
    free(row);
    halo_life_destroy(&life);
    EXPECT_AGREED();
}

/* ---- watching -------------------------------------------------------------------------------- */

typedef struct {
    int64_t stop_after, calls, last;
    int rank;
} watcher;

/* Only the last rank wants to stop. */
static bool watch(void *context, int64_t generation)
{
    watcher *w = context;
    w->calls++;
    expect(generation > w->last, "generation %" PRId64 " after %" PRId64, generation, w->last);
    w->last = generation;
    return generation >= w->stop_after && w->rank == all_ranks() - 1;
}

static void test_watch(void)
{
    for (int grows = 0; grows < 2; grows++) {
        watcher w = {.stop_after = 30, .last = 7, .rank = my_rank()};
        life_case c = life_case_empty("life", 40, 40, grows ? HALO_LIFE_GROW : HALO_LIFE_WRAP);
        c.options.beats_per_exchange = 4;
        c.options.watch = watch;
        c.options.context = &w;
        c.live = 40;
        c.generations = 1000;
        if (life_case_start(&c)) {
            halo_life_set_generation(c.life, 7);
            expect_ok(halo_life_run(c.life, 1000));
            int64_t at = halo_life_generation(c.life), same[] = {at, -at};
            expect(halo_life_stopped(c.life) == HALO_LIFE_STOP_WATCHER, "stopped for reason %d",
                   (int)halo_life_stopped(c.life));
            expect(at >= 30 && at < 1000, "stopped at %" PRId64, at);
            expect(w.calls > 0 && w.last == at, "%" PRId64 " calls, the last at %" PRId64, w.calls,
                   w.last);
            expect(halo_allreduce_max(c.world, same, 2) == HALO_OK && same[0] == -same[1],
                   "ranks stopped at different generations");
            if (at < 1000) {
                life_case_follow(&c, at - 7);
                life_case_check(&c);
            }
        }
        life_case_end(&c);
    }
    EXPECT_AGREED();
}

static bool always(void *context, int64_t generation)
{
    *(int64_t *)context = generation;
    return true;
}

/* A glider soon needs a larger grid, in the middle of what its watcher wishes. */
static void test_watch_glider(void)
{
    static const int depths[] = {1, 16, 64, 200};
    for (int n = 0; n < 4; n++) {
        int64_t last = 0;
        life_case c = life_case_empty("life", 3, 3, HALO_LIFE_GROW);
        c.options.beats_per_exchange = depths[n];
        c.options.watch = always;
        c.options.context = &last;
        if (life_case_start(&c)) {
            uint8_t glider[9] = {0, 1, 0, 0, 0, 1, 1, 1, 1};
            life_case_put(&c, glider);
            for (int run = 0; run < 3; run++) {
                int64_t from = halo_life_generation(c.life);
                expect_ok(halo_life_run(c.life, 4000));
                int64_t did = halo_life_generation(c.life) - from;
                expect(halo_life_stopped(c.life) == HALO_LIFE_STOP_WATCHER, "depth %d: reason %d",
                       depths[n], (int)halo_life_stopped(c.life));
                /* Ranks hear of votes that many supersteps later, and then of the request. */
                int64_t lateness = 0;
                while (1 << lateness < all_ranks()) {
                    lateness++;
                }
                expect(did > 0 && did <= (2 + 2 * lateness) * depths[n],
                       "depth %d: %" PRId64 " generations", depths[n], did);
            }
        }
        life_case_end(&c);
    }
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("control of Life", {"options that make no sense", test_refused},
               {"blocks that make no sense", test_refused_blocks},
               {"rows that make no sense", test_bad_rows}, {"what is reported", test_report},
               {"stopping on request", test_watch},
               {"stopping a glider on its way", test_watch_glider})
