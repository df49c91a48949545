/* Patterns with a known future, and what a grid accepts and refuses. */

#include "core/world/collect.h"
#include "kernels/life/soup.h"
#include "support/images.h"
#include "support/life_case.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static life_case empty_case(const char *rule, int64_t rows, int64_t columns, halo_life_edge edges)
{
    life_case c = {.world = mpi_check_world(), .live = 0};
    c.options = (halo_life_options){.box = {.n = {rows, columns}}, .edges = {edges, edges}};
    expect_ok(halo_life_rule_parse(rule, &c.options.rule, NULL));
    return c;
}

/* ---- known futures --------------------------------------------------------------------------- */

typedef struct {
    const char *name, *rule;
    const char *rows[9];
    struct {
        int64_t generation, population;
    } known[3];
} pattern;

/* Populations as Golly has them. */
static const pattern patterns[] = {
    {"R-pentomino", "life", {".OO", "OO.", ".O."}, {{1103, 116}}},
    {"acorn", "life", {".O.....", "...O...", "OO..OOO"}, {{5206, 633}}},
    {"diehard", "life", {"......O.", "OO......", ".O...OOO"}, {{129, 2}, {130, 0}}},
#ifndef HALOBEAT_SANITIZED /* more of the same, which takes minutes with sanitizers */
    {"rabbits", "life", {"O...OOO", "OOO..O.", ".O....."}, {{17331, 1744}}},
#endif
    {"Gosper's glider gun",
     "life",
     {"........................O...........", "......................O.O...........",
      "............OO......OO............OO", "...........O...O....OO............OO",
      "OO........O.....O...OO..............", "OO........O...O.OO....O.O...........",
      "..........O.....O.......O...........", "...........O...O....................",
      "............OO......................"},
     {{30, 41}, {300, 86}, {3000, 536}}},
    {"one cell of the replicator", "B1357/S1357", {"O"}, {{31, 1728}, {255, 109056}}},
};

static void check_pattern(const pattern *p)
{
    int64_t rows = 0, columns = (int64_t)strlen(p->rows[0]);
    uint8_t cells[9 * 40] = {0};
    for (; rows < 9 && p->rows[rows] != NULL; rows++) {
        for (int64_t x = 0; x < columns; x++) {
            cells[rows * columns + x] = p->rows[rows][x] == 'O';
        }
    }
    life_case c = empty_case(p->rule, rows, columns, HALO_LIFE_GROW);
    if (life_case_start(&c)) {
        life_case_put(&c, cells);
        for (int k = 0; k < 3 && p->known[k].generation > 0; k++) {
            int64_t more = p->known[k].generation - halo_life_generation(c.life);
            halo_life_census census = {0};
            expect(halo_life_run(c.life, more) == HALO_OK &&
                       halo_life_take_census(c.life, &census) == HALO_OK,
                   "%s: %s", p->name, halo_last_message());
            expect(census.population == p->known[k].population,
                   "%s: %" PRId64 " cells in generation %" PRId64 ", not %" PRId64, p->name,
                   census.population, p->known[k].generation, p->known[k].population);
        }
    }
    life_case_end(&c);
}

static void test_known(void)
{
    for (size_t n = 0; n < sizeof patterns / sizeof patterns[0]; n++) {
        check_pattern(&patterns[n]);
    }
    EXPECT_AGREED();
}

static void test_torus_glider(void)
{
    uint8_t cells[64 * 64] = {[1] = 1, [64 + 2] = 1, [128] = 1, [129] = 1, [130] = 1};
    life_case c = empty_case("life", 64, 64, HALO_LIFE_WRAP);
    if (life_case_start(&c)) {
        bool same = false;
        life_case_put(&c, cells);
        expect_ok(halo_life_keep(c.life));
        expect_ok(halo_life_run(c.life, 256));
        expect(halo_life_is_kept(c.life, &same) == HALO_OK && same, "the glider is not home");
    }
    life_case_end(&c);
    EXPECT_AGREED();
}

/* ---- soups ----------------------------------------------------------------------------------- */

static void check_soup(const char *rule, int64_t rows, int64_t columns, double density)
{
    life_case c = empty_case(rule, rows, columns, HALO_LIFE_WRAP);
    uint64_t word[20];
    int64_t wrong = 0;
    if (life_case_start(&c)) {
        const int64_t *cuts = halo_life_cuts(c.life) + halo_world_rank(c.world);
        size_t row_bytes = halo_life_row_bytes(c.life);
        uint8_t *row = calloc(row_bytes, 1);
        expect_ok(halo_life_soup(c.life, density, 99));
        for (int64_t y = cuts[0]; y < cuts[1]; y++) {
            life_soup_row(99, halo_random_chance(density), y, columns, word);
            expect_ok(halo_life_get_rows(c.life, y, 1, row, row_bytes));
            for (int64_t x = 0; x < columns; x++) {
                int bit = (int)(word[x / 64] >> (x % 64) & 1);
                int state = halo_life_cell_bits(c.life) == 1 ? row[x / 8] >> x % 8 & 1 : row[x];
                wrong += bit != state;
            }
        }
        free(row);
    }
    expect(wrong == 0, "soup %g, %s: %" PRId64 " wrong cells", density, rule, wrong);
    life_case_end(&c);
}

static void test_soups(void)
{
    static const double densities[] = {0, 0.1, 0.35, 1};
    for (int n = 0; n < 12; n++) {
        check_soup(n % 3 == 2 ? "star wars" : "life", 1 + 7 * n, n % 2 == 0 ? 1000 : 129,
                   densities[n % 4]);
    }
    EXPECT_AGREED();
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refuse(const halo_life_options *options, const char *what)
{
    halo_life *life = NULL;
    halo_status status = halo_life_create(&life, mpi_check_world(), options);
    int64_t same[] = {(int64_t)status, -(int64_t)status};
    expect(status == HALO_ARGUMENT, "%s: status %d", what, (int)status);
    expect(strlen(halo_last_message()) > 10, "%s: nothing is said", what);
    expect(halo_allreduce_max(mpi_check_world(), same, 2) == HALO_OK && same[0] == -same[1],
           "%s: ranks disagree", what);
    if (status == HALO_OK) {
        halo_life_destroy(&life);
    }
}

static void test_refused(void)
{
    const halo_life_options good = {.rule = {8, 12, 2}, .box = {.n = {100, 100}}};
    halo_life_options bad = good;
    bad.rule.states = 1;
    refuse(&bad, "one state");
    bad.rule.states = 257;
    refuse(&bad, "too many states");
    bad = good;
    bad.box.n[HALO_LIFE_ROWS] = 0;
    refuse(&bad, "no rows");
    bad = good;
    bad.box.n[HALO_LIFE_COLUMNS] = -5;
    refuse(&bad, "fewer columns than none");
    bad = good;
    bad.beats_per_exchange = -1;
    refuse(&bad, "a halo less deep than none");
    bad = good;
    bad.instructions = "mmx";
    refuse(&bad, "unknown instructions");
    bad = good;
    bad.vote = "show of hands";
    refuse(&bad, "an unknown vote");
    bad = good;
    bad.exchange = "pigeon";
    refuse(&bad, "an unknown exchange");
    EXPECT_AGREED();
}

/* A state that the rule lacks; only rows of the own strip that there are. */
static void test_bad_rows(void)
{
    life_case c = empty_case("345/2/4", 40, 10, HALO_LIFE_WRAP);
    if (life_case_start(&c)) {
        const int64_t *cuts = halo_life_cuts(c.life) + halo_world_rank(c.world);
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
        life_case c = empty_case("life", 40, 40, grows ? HALO_LIFE_GROW : HALO_LIFE_WRAP);
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
        life_case c = empty_case("life", 3, 3, HALO_LIFE_GROW);
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
                expect(did > 0 && did <= 2 * depths[n], "depth %d: %" PRId64 " generations",
                       depths[n], did);
            }
        }
        life_case_end(&c);
    }
    EXPECT_AGREED();
}

/* One rank alone changes a cell of a grid whose edges were far from all others. */
static void test_rows_of_one_rank(void)
{
    life_case c = empty_case("B12345678/S012345678", 64, 64, HALO_LIFE_GROW);
    if (life_case_start(&c)) {
        expect_ok(halo_life_run(c.life, 10));
        halo_life_box box = halo_life_size(c.life);
        int last = halo_world_ranks(c.world) - 1;
        uint64_t *row = calloc(1, halo_life_row_bytes(c.life));
        row[0] = 1;
        if (halo_world_rank(c.world) == last) {
            expect(halo_life_put_rows(c.life, box.n[0] - 1, 1, row, halo_life_row_bytes(c.life)) ==
                       HALO_OK,
                   "%s", halo_last_message());
        }
        free(row);
        expect_ok(halo_life_run(c.life, 10));
        halo_life_census census = {0};
        expect_ok(halo_life_take_census(c.life, &census));
        expect(census.population == 21 * 21, "%" PRId64 " cells", census.population);
        expect(census.live.lo[0] == box.lo[0] + box.n[0] - 11 &&
                   census.live.lo[1] == box.lo[1] - 10,
               "at %" PRId64 ", %" PRId64, census.live.lo[0], census.live.lo[1]);
    }
    life_case_end(&c);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("known Life", {"known futures", test_known},
               {"a glider on a torus", test_torus_glider}, {"soups", test_soups},
               {"options that make no sense", test_refused},
               {"rows that make no sense", test_bad_rows}, {"stopping on request", test_watch},
               {"stopping a glider on its way", test_watch_glider},
               {"rows that one rank puts", test_rows_of_one_rank})
