/* Grids of Life with a known future: patterns, gliders on planes and on tori, soups. */

#include "core/world/collect.h"
#include "kernels/life/soup.h"
#include "support/images.h"
#include "support/life_case.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
    life_case c = life_case_empty(p->rule, rows, columns, HALO_LIFE_GROW);
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
        /* A future that takes longer than all others together is computed on two ranks. */
        if (patterns[n].known[0].generation < 10000 || all_ranks() == 2) {
            check_pattern(&patterns[n]);
        }
    }
    EXPECT_AGREED();
}

/* ---- gliders on planes ----------------------------------------------------------------------- */

/* Four directions of flight: the glider mirrored on each axis. */
static void glider(uint8_t cells[9], int mirror)
{
    static const uint8_t south_east[9] = {0, 1, 0, 0, 0, 1, 1, 1, 1};
    for (int y = 0; y < 3; y++) {
        for (int x = 0; x < 3; x++) {
            int from_y = mirror & 1 ? 2 - y : y, from_x = mirror & 2 ? 2 - x : x;
            cells[y * 3 + x] = south_east[from_y * 3 + from_x];
        }
    }
}

static void test_gliders(void)
{
    for (int mirror = 0; mirror < 4; mirror++) {
        uint8_t cells[9];
        int64_t steps = mirror == 1 ? 6000 : 1500; /* cells; one is long enough to be followed */
        life_case c = life_case_empty("life", 3, 3, HALO_LIFE_GROW);
        glider(cells, mirror);
        if (life_case_start(&c)) {
            life_case_put(&c, cells);
            halo_life_census census = {0};
            expect_ok(halo_life_take_census(c.life, &census));
            uint64_t hash = census.hash;
            expect_ok(halo_life_run(c.life, 4 * steps));
            expect_ok(halo_life_take_census(c.life, &census));
            int64_t y = mirror & 1 ? -steps : steps, x = mirror & 2 ? -steps : steps;
            expect(census.population == 5 && census.live.n[0] == 3 && census.live.n[1] == 3 &&
                       census.live.lo[0] == y && census.live.lo[1] == x,
                   "glider %d: %" PRId64 " cells, at %" PRId64 ", %" PRId64, mirror,
                   census.population, census.live.lo[0], census.live.lo[1]);
            halo_life_box grid = halo_life_size(c.life);
            expect(grid.n[0] < 5000 && grid.n[1] < 5000,
                   "the grid has %" PRId64 " x %" PRId64 " cells behind a glider", grid.n[1],
                   grid.n[0]);
            expect(census.hash != hash, "the hash does not know places");
            expect(halo_life_get_report(c.life).enlargements > 0, "the grid was never enlarged");
        }
        life_case_end(&c);
    }
    EXPECT_AGREED();
}

/* A glider that is kept is elsewhere later, and a blinker is not, however the grid has grown. */
static void test_keep(void)
{
    uint8_t cells[9] = {0, 0, 0, 1, 1, 1, 0, 0, 0};
    for (int flies = 0; flies < 2; flies++) {
        life_case c = life_case_empty("life", 3, 3, HALO_LIFE_GROW);
        c.generations = 160;
        bool same = flies;
        if (flies) {
            glider(cells, 3);
        }
        if (life_case_start(&c)) {
            life_case_put(&c, cells);
            expect_ok(halo_life_keep(c.life));
            life_case_run(&c, 160);
            expect_ok(halo_life_is_kept(c.life, &same));
            expect(same == !flies, "a %s is %skept", flies ? "glider" : "blinker",
                   same ? "" : "not ");
        }
        life_case_end(&c);
    }
    EXPECT_AGREED();
}

/* ---- periods --------------------------------------------------------------------------------- */

static bool is_kept(halo_life *life)
{
    bool same = false;
    expect_ok(halo_life_is_kept(life, &same));
    return same;
}

/* A glider on a torus of 10 x 13 is home after 4 * 130 generations and never before. */
static void test_period(void)
{
    enum { ROWS = 10, COLUMNS = 13 };
    uint8_t cells[ROWS * COLUMNS] = {0};
    cells[1] = cells[COLUMNS + 2] = 1;
    cells[2 * COLUMNS] = cells[2 * COLUMNS + 1] = cells[2 * COLUMNS + 2] = 1;
    life_case c = life_case_empty("life", ROWS, COLUMNS, HALO_LIFE_WRAP);
    c.generations = 520;
    if (life_case_start(&c)) {
        life_case_put(&c, cells);
        expect_ok(halo_life_keep(c.life));
        expect(is_kept(c.life), "a grid that has just been kept");
        for (int64_t g = 20; g <= 520; g += 20) {
            life_case_run(&c, 20);
            expect(is_kept(c.life) == (g == 520), "kept or not at %" PRId64, g);
        }
        life_case_run(&c, 1);
        expect(!is_kept(c.life), "one generation after the period");
        expect(halo_life_keep(c.life) == HALO_OK && is_kept(c.life), "kept anew");
    }
    life_case_end(&c);
    EXPECT_AGREED();
}

/* A flashing world is itself again after an even number of generations only. */
static void test_period_of_background(void)
{
    life_case c = life_case_empty("B0/S", 3, 3, HALO_LIFE_GROW);
    c.generations = 4;
    if (life_case_start(&c)) {
        expect_ok(halo_life_keep(c.life));
        life_case_run(&c, 1);
        expect(!is_kept(c.life), "all alive is like all dead");
        life_case_run(&c, 1);
        expect(is_kept(c.life), "all dead again is not like all dead");
    }
    life_case_end(&c);
    EXPECT_AGREED();
}

/* ---- soups ----------------------------------------------------------------------------------- */

static void check_soup(const char *rule, int64_t rows, int64_t columns, double density)
{
    life_case c = life_case_empty(rule, rows, columns, HALO_LIFE_WRAP);
    uint64_t word[20];
    int64_t wrong = 0;
    if (life_case_start(&c)) {
        const int64_t *cuts = halo_life_cuts(c.life) + halo_world_rank(c.world);
        size_t row_bytes = halo_life_row_bytes(c.life);
        uint8_t *row = calloc(row_bytes, 1);
        expect_ok(halo_life_soup(c.life, density, 99));
        for (int64_t y = cuts[0]; y < cuts[1]; y++) {
            life_soup_row(NULL, 99, halo_random_chance(density), y, columns, word);
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

MPI_CHECK_MAIN("known Life", {"known futures", test_known},
               {"gliders in all directions", test_gliders}, {"what was kept", test_keep},
               {"a glider comes home", test_period},
               {"a flashing world comes home", test_period_of_background}, {"soups", test_soups})
