/* What a grid of Life tells beside its cells: births and deaths, hashes, that nothing changes any
 * more, that it is again what it was. */

#include "core/world/collect.h"
#include "support/images.h"
#include "support/life_case.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

static halo_life_rule named(const char *name)
{
    halo_life_rule rule = {0};
    expect_ok(halo_life_rule_parse(name, &rule, NULL));
    return rule;
}

static life_case random_case(uint64_t *random, const char *rule, bool grows)
{
    life_case c = {.world = mpi_check_world(),
                   .seed = random_next(random),
                   .live = 10 + (int)random_below(random, 40),
                   .generations = MOST};
    c.options.rule = named(rule);
    life_case_shape(&c, random, grows);
    if (random_below(random, 2) == 0) {
        life_case_cut(&c, random);
    }
    return c;
}

/* ---- births and deaths --------------------------------------------------------------------- */

static void check_counted(life_case *c, int64_t generations)
{
    halo_life_change changes[MOST];
    int64_t count = -1, before = halo_life_generation(c->life);
    expect_case_ok(c->text, halo_life_run_counted(c->life, generations, changes, &count));
    expect(count == generations, "%s: %" PRId64 " of %" PRId64 " generations", c->text, count,
           generations);
    expect(halo_life_generation(c->life) == before + generations, "%s: generation", c->text);
    for (int64_t g = 0; g < count && halo_world_rank(c->world) == 0; g++) {
        life_oracle_step(&c->truth);
        expect(changes[g].generation == before + g + 1, "%s: generation %" PRId64, c->text,
               changes[g].generation);
        expect(changes[g].births == c->truth.births && changes[g].deaths == c->truth.deaths,
               "%s: %" PRId64 " births, %" PRId64 " deaths in generation %" PRId64 ", not %" PRId64
               " and %" PRId64,
               c->text, changes[g].births, changes[g].deaths, changes[g].generation,
               c->truth.births, c->truth.deaths);
    }
    life_case_check(c);
}

static void test_counts(void)
{
    static const char *const rules[] = {"life",    "highlife", "seeds",      "B3678/S34678",
                                        "B356/S1", "/2/3",     "345/2/4",    "23/3/17",
                                        "B0/S",    "B0/S8",    "B0123/S045", "B34/S3"};
    uint64_t random = 1;
    for (int n = 0; n < 72; n++) {
        life_case c = random_case(&random, rules[n % 12], n % 5 == 4);
        c.options.instructions = life_case_sets[n % 4]; /* NULL is the best */
        int64_t uncounted = random_below(&random, 9);
        if ((c.options.instructions == NULL || life_case_has_set(c.options.instructions)) &&
            life_case_start(&c)) {
            check_counted(&c, 1 + random_below(&random, 20));
            life_case_run(&c, uncounted);
            check_counted(&c, random_below(&random, 20));
        }
        life_case_end(&c);
    }
    EXPECT_AGREED();
}

/* ---- still ---------------------------------------------------------------------------------- */

/* The first generation without a change, by the oracle on rank 0; 0 if there is none. */
static int64_t first_still(const life_case *c, int64_t most)
{
    int64_t still = 0;
    if (halo_world_rank(c->world) == 0) {
        life_oracle o = life_oracle_make(&c->options, c->generations);
        memcpy(o.cells, c->truth.cells, (size_t)(o.array.n[0] * o.array.n[1]));
        o.background = c->truth.background;
        for (int64_t g = 1; g <= most && still == 0; g++) {
            life_oracle_step(&o);
            bool same = memcmp(o.cells, o.older, (size_t)(o.array.n[0] * o.array.n[1])) == 0;
            still = same ? g : 0;
        }
        life_oracle_free(&o);
    }
    expect_ok(halo_bcast(c->world, &still, sizeof still, 0));
    return still;
}

/* Returns whether it came to rest. */
static bool check_still(life_case *c, int64_t most, bool counted)
{
    halo_life_change *changes = calloc((size_t)most, sizeof *changes);
    int64_t still = first_still(c, most), count = 0;
    halo_status status = counted ? halo_life_run_counted(c->life, most, changes, &count)
                                 : halo_life_run(c->life, most);
    bool ends = still > 0 && still < most;
    int64_t wanted = still > 0 ? still : most;
    expect_case_ok(c->text, status);
    expect(halo_life_generation(c->life) == wanted, "%s: ended at %" PRId64 ", not %" PRId64,
           c->text, halo_life_generation(c->life), wanted);
    expect(!counted || count == wanted, "%s: %" PRId64 " counted", c->text, count);
    expect(still == most || (halo_life_stopped(c->life) == HALO_LIFE_STOP_STILL) == ends,
           "%s: stopped for reason %d", c->text, (int)halo_life_stopped(c->life));
    life_case_follow(c, wanted);
    life_case_check(c);
    free(changes);
    return ends;
}

static void test_still(void)
{
    static const char *const rules[] = {"B3/S23",        "B3/S12345",   "B45678/S2345", "/2/3",
                                        "B3/S012345678", "B/S01234567", "2/3/9",        "B5/S"};
    uint64_t random = 2;
    int ends = 0;
    for (int n = 0; n < 48; n++) {
        life_case c = random_case(&random, rules[n % 8], false);
        c.options.stop_when_still = true;
        if (c.options.parts[HALO_LIFE_COLUMNS] < 2) {
            c.options.box.n[HALO_LIFE_COLUMNS] = 1 + random_below(&random, 30);
        }
        c.live = 5 + n % 30;
        c.options.instructions = life_case_sets[n % 4];
        if ((c.options.instructions == NULL || life_case_has_set(c.options.instructions)) &&
            life_case_start(&c)) {
            ends += check_still(&c, c.generations, n % 3 == 0);
        }
        life_case_end(&c);
    }
    expect(ends >= 8, "only %d came to rest", ends);
    EXPECT_AGREED();
}

/* Where the background changes nothing is still, however little differs from it. */
static void test_still_growing(void)
{
    static const char *const rules[] = {"life", "B01/S7", "B03/S238", "B0/S", "B02/S8", "2/3/9"};
    uint64_t random = 5;
    int ends = 0;
    for (int n = 0; n < 36; n++) {
        life_case c = random_case(&random, rules[n % 6], true);
        c.options.stop_when_still = true;
        c.live = n % 2 == 0 ? 2 : 10;
        if (life_case_start(&c)) {
            ends += check_still(&c, c.generations, n % 3 == 0);
        }
        life_case_end(&c);
    }
    expect(ends >= 3, "only %d came to rest", ends);
    EXPECT_AGREED();
}

/* ---- hashes ---------------------------------------------------------------------------------- */

static halo_life_census census_of(halo_life *life)
{
    halo_life_census census = {0};
    expect_ok(halo_life_take_census(life, &census));
    return census;
}

/* The same cells on this rank alone, in a larger grid, which may be one that grows. */
static uint64_t hash_alone(const life_case *c, const halo_life_census *census)
{
    life_case alone = {.options = c->options, .live = 0, .generations = 0};
    expect_ok(halo_world_create(&alone.world, MPI_COMM_SELF, NULL));
    alone.options.box = census->live;
    for (int axis = 0; axis < HALO_LIFE_AXES; axis++) {
        alone.options.box.lo[axis] -= 3 + axis;
        alone.options.box.n[axis] += 70;
    }
    alone.options.beats_per_exchange = 0;
    memset(alone.options.parts, 0, sizeof alone.options.parts);
    uint64_t hash = 0;
    if (life_case_start(&alone)) {
        const halo_life_box *box = &alone.options.box;
        uint8_t *cells = calloc((size_t)(box->n[0] * box->n[1]), 1);
        for (int64_t y = 0; y < box->n[0]; y++) {
            for (int64_t x = 0; x < box->n[1]; x++) {
                cells[y * box->n[1] + x] =
                    (uint8_t)life_oracle_cell(&c->truth, box->lo[0] + y, box->lo[1] + x);
            }
        }
        life_case_put(&alone, cells);
        hash = census_of(alone.life).hash;
        free(cells);
    }
    life_case_end(&alone);
    halo_world_destroy(&alone.world);
    return hash;
}

/* One rank computes the hash of the oracle's cells in another grid: the ranks together must find
 * the same. */
static void test_hash_alone(void)
{
    static const char *const rules[] = {"life", "/2/3", "347/23/8", "B36/S125"};
    uint64_t random = 3;
    for (int n = 0; n < 40; n++) {
        life_case c = random_case(&random, rules[n % 4], n % 2 == 1);
        if (life_case_start(&c)) {
            life_case_run(&c, random_below(&random, 20));
            halo_life_census census = census_of(c.life);
            if (census.population > 0 && halo_world_rank(c.world) == 0) {
                expect(hash_alone(&c, &census) == census.hash, "%s: another hash", c.text);
            }
        }
        life_case_end(&c);
    }
    EXPECT_AGREED();
}

/* Grids that differ in one cell, a place or a state have other hashes. */
static void test_hash_differs(void)
{
    enum { ROWS = 9, COLUMNS = 70, HASHES = ROWS * COLUMNS * 2 };
    life_case c = {.world = mpi_check_world(), .live = 0};
    c.options = (halo_life_options){.rule = named("/2/3"), .box = {.n = {ROWS, COLUMNS}}};
    static uint64_t hashes[HASHES];
    uint8_t cells[ROWS * COLUMNS] = {0};
    if (life_case_start(&c)) {
        uint64_t nothing = census_of(c.life).hash;
        for (int n = 0; n < HASHES; n += 7) {
            cells[n / 2] = (uint8_t)(1 + n % 2);
            life_case_put(&c, cells);
            hashes[n] = census_of(c.life).hash;
            cells[n / 2] = 0;
            bool same = hashes[n] == nothing;
            for (int m = 0; m < n; m += 7) {
                same = same || hashes[m] == hashes[n];
            }
            expect(!same, "cell %d has a hash that another one has", n / 2);
        }
    }
    life_case_end(&c);
    EXPECT_AGREED();
}

/* ---- going on -------------------------------------------------------------------------------- */

/* A new grid at the generation and with the rows of the old one takes its place, as after reading a
 * checkpoint. */
static void replace_grid(life_case *c)
{
    halo_life *old = c->life, *new;
    halo_life_options options = c->options;
    options.box = halo_life_size(old);
    options.beats_per_exchange = 0;
    expect_ok(halo_life_create(&new, c->world, &options));
    const int64_t *cuts = halo_life_cuts(old) + halo_world_rank(c->world);
    size_t bytes = halo_life_row_bytes(old);
    int64_t rows = cuts[1] - cuts[0];
    uint8_t *data = calloc((size_t)rows + 1, bytes);
    expect(bytes == halo_life_row_bytes(new), "%s: rows of another size", c->text);
    expect_case_ok(c->text, halo_life_stage(old));
    expect(halo_life_get_rows(old, cuts[0], rows, data, bytes) == HALO_OK &&
               halo_life_put_rows(new, cuts[0], rows, data, bytes) == HALO_OK,
           "%s: %s", c->text, halo_last_message());
    halo_life_set_generation(new, halo_life_generation(old));
    free(data);
    halo_life_destroy(&c->life);
    c->life = new;
}

static void test_going_on(void)
{
    static const char *const rules[] = {"life", "B0/S", "B03/S23", "B02/S8", "/2/3", "347/23/8"};
    uint64_t random = 4;
    for (int n = 0; n < 36; n++) {
        life_case c = random_case(&random, rules[n % 6], n % 2 == 1);
        if (life_case_start(&c)) {
            life_case_run(&c, random_below(&random, 20));
            replace_grid(&c);
            life_case_check(&c);
            life_case_run(&c, random_below(&random, 20));
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
    life_case c = {.world = mpi_check_world(), .live = 0, .generations = 520};
    c.options = (halo_life_options){.rule = named("life"),
                                    .box = {.n = {ROWS, COLUMNS}},
                                    .edges = {HALO_LIFE_WRAP, HALO_LIFE_WRAP}};
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
    life_case c = {.world = mpi_check_world(), .live = 0, .generations = 4};
    c.options = (halo_life_options){
        .rule = named("B0/S"), .box = {.n = {3, 3}}, .edges = {HALO_LIFE_GROW, HALO_LIFE_GROW}};
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

MPI_CHECK_MAIN("what Life tells of a grid", {"births and deaths", test_counts},
               {"stopping when nothing changes", test_still},
               {"stopping on a plane", test_still_growing},
               {"hashes of the same cells elsewhere", test_hash_alone},
               {"hashes of other cells", test_hash_differs},
               {"going on in another grid", test_going_on}, {"a glider comes home", test_period},
               {"a flashing world comes home", test_period_of_background})
