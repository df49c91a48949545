/* Grids in blocks are what they are in strips: every way to cut the ranks, halos as deep as they
 * can be. Random cells are for test_same_bytes.c. */

#include "core/balance/balancing.h"
#include "core/world/collect.h"
#include "support/images.h"
#include "support/life_case.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static halo_life_rule named(const char *name)
{
    halo_life_rule rule = {0};
    expect_ok(halo_life_rule_parse(name, &rule, NULL));
    return rule;
}

/* ---- against strips -------------------------------------------------------------------------- */

enum { COUNTED = 40 };

/* What a run comes to. */
typedef struct {
    halo_life_census census[2];
    halo_life_change changes[COUNTED];
} outcome;

static outcome run(const halo_life_options *options)
{
    outcome found = {0};
    int64_t count = 0;
    halo_life *life;
    halo_status status = halo_life_create(&life, mpi_check_world(), options);
    if (status == HALO_OK) {
        status = halo_life_soup(life, 0.35, 11);
    }
    if (status == HALO_OK) {
        status = halo_life_run(life, 70);
    }
    if (status == HALO_OK) {
        status = halo_life_take_census(life, &found.census[0]);
    }
    if (status == HALO_OK) {
        status = halo_life_run_counted(life, COUNTED, found.changes, &count);
    }
    if (status == HALO_OK) {
        status = halo_life_take_census(life, &found.census[1]);
    }
    expect(status == HALO_OK && count == COUNTED, "%d x %d: %s", options->parts[0],
           options->parts[1], halo_last_message());
    halo_life_destroy(&life);
    return found;
}

/* All ways to cut the ranks, rows that are no whole words, and one rank on both sides of another.
 */
static void test_like_strips(void)
{
    static const int64_t columns[] = {512, 777, 1024, 1111};
    static const char *const some[] = {"life", "345/2/4", "B0/S8", "B36/S125"};
    static const int depths[] = {0, 1, 13, 64};
    int ranks = all_ranks();
    for (int n = 0; n < 8; n++) {
        halo_life_options options = {.rule = named(some[n % 4]),
                                     .box = {.lo = {-7, n % 3 - 70}, .n = {64 * ranks + n, 0}}};
        options.box.n[HALO_LIFE_COLUMNS] = columns[n % 4];
        options.edges[0] = n % 2 == 0 ? HALO_LIFE_WRAP : HALO_LIFE_DEAD;
        options.edges[1] = n % 4 < 2 ? HALO_LIFE_WRAP : HALO_LIFE_DEAD;
        options.beats_per_exchange = depths[n / 2];
        outcome wanted = run(&options);
        expect(wanted.census[1].population > 0, "nothing lives");
        for (int width = 1; width <= ranks; width++) {
            options.parts[HALO_LIFE_ROWS] = ranks / width;
            options.parts[HALO_LIFE_COLUMNS] = width;
            if (ranks % width == 0) {
                outcome found = run(&options);
                expect(memcmp(&found, &wanted, sizeof found) == 0,
                       "%d x %d blocks of %" PRId64 " columns, halo %d: not as strips",
                       ranks / width, width, options.box.n[1], options.beats_per_exchange);
            }
        }
    }
    EXPECT_AGREED();
}

/* ---- across corners -------------------------------------------------------------------------- */

static int most_columns(void)
{
    int ranks = all_ranks();
    return ranks % 4 == 0 && ranks > 4 ? 4 : ranks % 2 == 0 ? 2 : ranks;
}

/* Gliders along the diagonals, through the corners of blocks that are as wide as high, are home
 * again after each round and never before. */
static void test_corners(void)
{
    enum { SIDE = 512, ROUNDS = 2 };
    static const uint8_t glider[9] = {0, 1, 0, 0, 0, 1, 1, 1, 1};
    static uint8_t cells[SIDE * SIDE];
    memset(cells, 0, sizeof cells);
    for (int i = 0; i < 9; i++) {
        int y = i / 3, x = i % 3;
        cells[(10 + y) * SIDE + 10 + x] = glider[i];                 /* down to the right */
        cells[(300 - y) * SIDE + 200 - x] |= glider[i];              /* up to the left */
        cells[(400 + y) * SIDE + SIDE - 1 - (400 + x)] |= glider[i]; /* down to the left */
    }
    for (int depth = 0; depth <= 64; depth += 16) {
        life_case c = {.world = mpi_check_world(), .live = 0, .generations = 0};
        int ranks = halo_world_ranks(c.world), columns = most_columns();
        c.options = (halo_life_options){.rule = named("life"),
                                        .box = {.n = {SIDE, SIDE}},
                                        .edges = {HALO_LIFE_WRAP, HALO_LIFE_WRAP},
                                        .parts = {ranks / columns, columns},
                                        .beats_per_exchange = depth};
        if (life_case_start(&c)) {
            life_case_put(&c, cells);
            expect_ok(halo_life_keep(c.life));
            for (int half = 1; half <= 2 * ROUNDS; half++) {
                bool same = false;
                expect(halo_life_run(c.life, 2 * SIDE) == HALO_OK &&
                           halo_life_is_kept(c.life, &same) == HALO_OK,
                       "%s", halo_last_message());
                expect(same == (half % 2 == 0), "halo %d: at home or not after %d half rounds",
                       depth, half);
            }
        }
        life_case_end(&c);
    }
    EXPECT_AGREED();
}

/* ---- rows in and out ------------------------------------------------------------------------- */

/* Rows that are put between runs replace what was there, and no other row. */
static void test_put_some(void)
{
    uint64_t random = 3;
    for (int n = 0; n < 12; n++) {
        life_case c = {.world = mpi_check_world(),
                       .seed = random_next(&random),
                       .live = 30,
                       .generations = 60};
        c.options.rule = named(n % 2 == 0 ? "life" : "345/2/4");
        life_case_shape(&c, &random, false);
        life_case_cut(&c, &random);
        if (life_case_start(&c)) {
            life_case_run(&c, 20);
            const int64_t *cuts = halo_life_cuts(c.life);
            const halo_life_box *box = &c.options.box;
            int rank = halo_world_rank(c.world), ranks = halo_world_ranks(c.world);
            size_t bytes = halo_life_row_bytes(c.life);
            uint64_t *row = calloc(1, bytes);
            /* The first of every second rank's rows dies out. */
            if (rank % 2 == 0 && cuts[rank] < cuts[rank + 1]) {
                expect_ok(halo_life_put_rows(c.life, cuts[rank], 1, row, bytes));
            }
            for (int r = 0; r < ranks && rank == 0; r += 2) {
                for (int64_t x = 0; cuts[r] < cuts[r + 1] && x < box->n[1]; x++) {
                    life_oracle_set(&c.truth, box->lo[0] + cuts[r], box->lo[1] + x, 0);
                }
            }
            free(row);
            if (n % 3 == 0) {
                life_case_check(&c);
            }
            life_case_run(&c, 1 + n);
        }
        life_case_end(&c);
    }
    EXPECT_AGREED();
}

/* Their place is told, and rows cannot be read before they have been brought together. */
static void test_report(void)
{
    int ranks = all_ranks();
    halo_life_options options = {
        .rule = named("life"), .box = {.n = {100, 64 * ranks + 5}}, .parts = {1, ranks}};
    halo_life *life;
    expect_ok(halo_life_create(&life, mpi_check_world(), &options));
    halo_life_report report = halo_life_report_of(life);
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

/* ---- what cannot be -------------------------------------------------------------------------- */

static void refuse(halo_status wanted, const char *about, const halo_life_options *options)
{
    halo_life *life = NULL;
    halo_status status = halo_life_create(&life, mpi_check_world(), options);
    expect(status == wanted && strstr(halo_last_message(), about) != NULL,
           "status %d, not %d about \"%s\": %s", (int)status, (int)wanted, about,
           halo_last_message());
    halo_life_destroy(&life);
}

static void test_refused(void)
{
    int ranks = all_ranks();
    halo_life_options good = {
        .rule = named("life"), .box = {.n = {100, 64 * ranks}}, .parts = {1, ranks}};
    halo_life_options bad = good;
    bad.parts[HALO_LIFE_ROWS] = 2;
    refuse(HALO_ARGUMENT, "as many blocks as ranks", &bad);
    bad.parts[HALO_LIFE_ROWS] = -1;
    refuse(HALO_ARGUMENT, "as many blocks as ranks", &bad);
    if (ranks == 1) {
        EXPECT_AGREED();
        return;
    }
    bad = good;
    bad.box.n[HALO_LIFE_COLUMNS]--;
    refuse(HALO_RANKS, "too many for a grid of", &bad);
    bad = good;
    bad.beats_per_exchange = 65;
    refuse(HALO_ARGUMENT, "halo depth of 65", &bad);
    halo_balance_options balance = {.balancer = "chain"};
    bad = good;
    expect_ok(halo_balancing_create(&bad.balancing, mpi_check_world(), &balance));
    refuse(HALO_ARGUMENT, "between strips only", &bad);
    halo_balancing_destroy(&bad.balancing);
    halo_life *life;
    expect_ok(halo_life_create(&life, mpi_check_world(), &good));
    expect(halo_life_move(life, halo_life_cuts(life)) == HALO_ARGUMENT, "blocks have moved");
    halo_life_destroy(&life);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("Life in blocks", {"the same as strips", test_like_strips},
               {"gliders through corners", test_corners}, {"rows put between runs", test_put_some},
               {"what is told", test_report}, {"what is refused", test_refused})
