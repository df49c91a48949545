/* Grids that grow: no cell is lost, wherever it goes. */

#include "support/images.h"
#include "support/life_case.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <string.h>

static halo_life_rule named(const char *name)
{
    halo_life_rule rule = {0};
    expect_ok(halo_life_rule_parse(name, &rule, NULL));
    return rule;
}

static life_case plane_case(const char *rule, int64_t rows, int64_t columns, int64_t generations)
{
    life_case c = {.world = mpi_check_world(), .live = 0, .generations = generations};
    c.options = (halo_life_options){.rule = named(rule),
                                    .box = {.n = {rows, columns}},
                                    .edges = {HALO_LIFE_GROW, HALO_LIFE_GROW}};
    return c;
}

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
        life_case c = plane_case("life", 3, 3, 0);
        glider(cells, mirror);
        if (life_case_start(&c)) {
            life_case_put(&c, cells);
            halo_life_census census = {0};
            expect_ok(halo_life_take_census(c.life, &census));
            uint64_t hash = census.hash;
            expect_ok(halo_life_run(c.life, 6000));
            expect_ok(halo_life_take_census(c.life, &census));
            int64_t y = mirror & 1 ? -1500 : 1500, x = mirror & 2 ? -1500 : 1500;
            expect(census.population == 5 && census.live.n[0] == 3 && census.live.n[1] == 3 &&
                       census.live.lo[0] == y && census.live.lo[1] == x,
                   "glider %d: %" PRId64 " cells, at %" PRId64 ", %" PRId64, mirror,
                   census.population, census.live.lo[0], census.live.lo[1]);
            expect(census.hash != hash, "the hash does not know places");
            expect(halo_life_report_of(c.life).enlargements > 0, "the grid was never enlarged");
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
        life_case c = plane_case("life", 3, 3, 160);
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

static void test_r_pentomino(void)
{
    static const uint8_t cells[9] = {0, 1, 1, 1, 1, 0, 0, 1, 0};
    for (int depth = 0; depth <= 2; depth += 2) {
        life_case c = plane_case("life", 3, 3, 100);
        c.options.beats_per_exchange = halo_world_ranks(c.world) == 1 ? depth : 0;
        if (life_case_start(&c)) {
            life_case_put(&c, cells);
            for (int64_t g = 0; g < 100; g += 25) {
                life_case_run(&c, 25);
            }
        }
        life_case_end(&c);
    }
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("grids of Life that grow", {"gliders in all directions", test_gliders},
               {"what was kept", test_keep}, {"the R-pentomino", test_r_pentomino})
