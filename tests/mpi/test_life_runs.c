/* Results of a grid of Life beside its cells: that nothing changes any more, hashes; and rows that
 * are put between runs. */

#include "core/world/collect.h"
#include "support/images.h"
#include "support/life_case.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 64 };

static life_case random_case(uint64_t *random, const char *rule, bool grows)
{
    life_case c = {.world = mpi_check_world(),
                   .seed = random_next(random),
                   .live = 10 + (int)random_below(random, 40),
                   .generations = MAX};
    c.options.rule = life_case_rule(rule);
    life_case_shape(&c, random, grows);
    if (random_below(random, 2) == 0) {
        life_case_cut(&c, random);
    }
    return c;
}

/* ---- still ---------------------------------------------------------------------------------- */

/* The first generation without a change, by the oracle on rank 0; 0 if there is none. */
static int64_t first_still(const life_case *c, int64_t max)
{
    int64_t still = 0;
    if (halo_world_rank(c->world) == 0) {
        life_oracle o = life_oracle_make(&c->options, c->generations);
        memcpy(o.cells, c->truth.cells, (size_t)(o.array.n[0] * o.array.n[1]));
        o.background = c->truth.background;
        for (int64_t g = 1; g <= max && still == 0; g++) {
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
static bool check_still(life_case *c, int64_t max, bool counted)
{
    halo_life_change *changes = calloc((size_t)max, sizeof *changes);
    int64_t still = first_still(c, max), count = 0;
    halo_status status = counted ? halo_life_run_counted(c->life, max, changes, &count)
                                 : halo_life_run(c->life, max);
    bool ends = still > 0 && still < max;
    int64_t wanted = still > 0 ? still : max;
    expect_case_ok(c->text, status);
    expect(halo_life_generation(c->life) == wanted, "%s: ended at %" PRId64 ", not %" PRId64,
           c->text, halo_life_generation(c->life), wanted);
    expect(!counted || count == wanted, "%s: %" PRId64 " counted", c->text, count);
    expect(still == max || (halo_life_stopped(c->life) == HALO_LIFE_STOP_STILL) == ends,
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

/* A background that changes is never still, however few cells differ from it. */
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
    expect_ok(halo_world_create_alone(&alone.world, mpi_check_world()));
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
    c.options = (halo_life_options){.rule = life_case_rule("/2/3"), .box = {.n = {ROWS, COLUMNS}}};
    static PER_RANK uint64_t hashes[HASHES];
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
        c.options.rule = life_case_rule(n % 2 == 0 ? "life" : "345/2/4");
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

/* One rank alone changes a cell of a grid whose edges were far from all others. */
static void test_rows_of_one_rank(void)
{
    life_case c = life_case_empty("B12345678/S012345678", 64, 64, HALO_LIFE_GROW);
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

MPI_CHECK_MAIN("what Life reports of a grid", {"stopping when nothing changes", test_still},
               {"stopping on a plane", test_still_growing},
               {"hashes of the same cells elsewhere", test_hash_alone},
               {"hashes of other cells", test_hash_differs},
               {"rows put between runs", test_put_some},
               {"rows that one rank puts", test_rows_of_one_rank})
