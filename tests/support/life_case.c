#include "support/life_case.h"

#include "core/world/collect.h"
#include "support/images.h"
#include "support/mpi_check.h"
#include "support/need.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CELLS = 40000 }; /* of a random grid: the oracle takes its time */

const char *const life_case_sets[] = {"avx512", "avx2", "plain", NULL};

static bool leads(const life_case *c)
{
    return halo_world_rank(c->world) == 0;
}

/* ---- making a case ------------------------------------------------------------------------- */

halo_life_rule life_case_rule(const char *name)
{
    halo_life_rule rule = {0};
    expect_ok(halo_life_rule_parse(name, &rule, NULL));
    return rule;
}

life_case life_case_empty(const char *rule, int64_t rows, int64_t columns, halo_life_edge edges)
{
    life_case c = {.world = mpi_check_world(), .live = 0};
    c.options = (halo_life_options){
        .rule = life_case_rule(rule), .box = {.n = {rows, columns}}, .edges = {edges, edges}};
    return c;
}

bool life_case_has_set(const char *name)
{
    halo_life_options options = {.rule = {.born = 1 << 3, .survive = 3 << 2, .states = 2},
                                 .box = {.n = {1, 1}}};
    halo_world *world;
    halo_life *life;
    options.instructions = name;
    if (halo_world_create_alone(&world, mpi_check_world()) != HALO_OK) {
        return false;
    }
    bool has = halo_life_create(&life, world, &options) == HALO_OK;
    if (has) {
        halo_life_destroy(&life);
    }
    halo_world_destroy(&world);
    return has;
}

void life_case_shape(life_case *c, uint64_t *random, bool grows)
{
    static const int64_t widths[] = {1,   2,   3,   5,   31,  63,   64,   65,   127,  128, 129,
                                     500, 511, 512, 513, 514, 1023, 1024, 1025, 1536, 1600};
    static const int depths[] = {0, 0, 1, 2, 3, 7, 8, 16, 20};
    static const char *const votes[] = {NULL,          "allreduce", "tree",
                                        "coordinator", "broadcast", "pipeline"};
    static const char *const exchanges[] = {NULL, "p2p", "persistent"};
    int ranks = halo_world_ranks(c->world);
    halo_life_options *o = &c->options;
    o->vote = votes[random_below(random, 6)];
    o->exchange = exchanges[random_below(random, 3)];
    o->beats_per_exchange = depths[random_below(random, sizeof depths / sizeof depths[0])];
    int64_t depth = o->beats_per_exchange > 0 ? o->beats_per_exchange : 8;
    /* Few rows, or just enough for the halo, or a little more. */
    int64_t heights[] = {1 + random_below(random, 4), depth * ranks, depth * ranks + 1,
                         depth * ranks + random_below(random, 20), 1 + random_below(random, 40)};
    o->box.n[HALO_LIFE_ROWS] = heights[random_below(random, 5)];
    do {
        o->box.n[HALO_LIFE_COLUMNS] =
            widths[random_below(random, grows ? 11 : sizeof widths / sizeof widths[0])];
    } while (o->box.n[0] * o->box.n[1] > MAX_CELLS);
    for (int axis = 0; axis < HALO_LIFE_AXES; axis++) {
        o->edges[axis] = random_below(random, 2) == 0 ? HALO_LIFE_DEAD : HALO_LIFE_WRAP;
        o->box.lo[axis] = random_below(random, 3) == 0 ? random_below(random, 1000) - 500 : 0;
    }
    if (grows) {
        int64_t which = random_below(random, 4); /* both every second time */
        o->edges[which % 2] = HALO_LIFE_GROW;
        o->edges[which < 2 ? 1 - which % 2 : which % 2] = HALO_LIFE_GROW;
    }
    for (int axis = 0; axis < HALO_LIFE_AXES; axis++) {
        /* Beside dead edges B0 would bring lines without end to life. */
        if (grows && (o->rule.born & 1) != 0 && o->edges[axis] == HALO_LIFE_DEAD) {
            o->edges[axis] = HALO_LIFE_WRAP;
        }
    }
}

/* The columns of blocks that divide the ranks, from 2 on if there are any. */
static int choose_columns(int ranks, uint64_t *random)
{
    int columns;
    do {
        columns = 1 + (int)random_below(random, ranks);
    } while (ranks % columns != 0 || (columns == 1 && ranks > 1));
    return columns;
}

void life_case_cut(life_case *c, uint64_t *random)
{
    static const int64_t more[] = {0, 1, 63, 64, 65, 100, 200, 448, 513};
    static const int depths[] = {0, 1, 2, 5, 16, 63, 64};
    halo_life_options *o = &c->options;
    int ranks = halo_world_ranks(c->world);
    o->parts[HALO_LIFE_COLUMNS] = choose_columns(ranks, random);
    o->parts[HALO_LIFE_ROWS] = ranks / o->parts[HALO_LIFE_COLUMNS];
    o->beats_per_exchange = depths[random_below(random, sizeof depths / sizeof depths[0])];
    int64_t depth = o->beats_per_exchange > 0 ? o->beats_per_exchange : 8,
            high = o->parts[HALO_LIFE_ROWS];
    int64_t heights[] = {1 + random_below(random, 4), depth * high,
                         depth * high + random_below(random, 20), 1 + random_below(random, 40)};
    do {
        o->box.n[HALO_LIFE_ROWS] = heights[random_below(random, 4)];
        o->box.n[HALO_LIFE_COLUMNS] =
            o->edges[HALO_LIFE_COLUMNS] == HALO_LIFE_GROW && random_below(random, 2) == 0
                ? 1 + random_below(random, 100)
                : 64 * (int64_t)o->parts[HALO_LIFE_COLUMNS] +
                      more[random_below(random, sizeof more / sizeof more[0])];
    } while (o->box.n[0] * o->box.n[1] > MAX_CELLS && high > 1 && o->beats_per_exchange > 0);
}

static void name_case(life_case *c)
{
    static const char *const edges[] = {"dead", "wrap", "grow"};
    const halo_life_options *o = &c->options;
    char rule[HALO_LIFE_RULE_TEXT];
    halo_life_rule_print(&o->rule, rule);
    snprintf(c->text, sizeof c->text,
             "%s, %d x %d, %" PRId64 " rows (%s) of %" PRId64 " (%s) from %" PRId64 ", %" PRId64
             ", halo %d, %s, %d %%, seed %" PRIu64,
             rule, o->parts[0], o->parts[1], o->box.n[0], edges[o->edges[0]], o->box.n[1],
             edges[o->edges[1]], o->box.lo[0], o->box.lo[1], o->beats_per_exchange,
             o->instructions != NULL ? o->instructions : "best", c->live, c->seed);
}

/* Does the halo take more rows than the smallest part has? */
static bool too_deep(const life_case *c)
{
    int parts = c->options.parts[HALO_LIFE_ROWS];
    int64_t rows =
        c->options.box.n[HALO_LIFE_ROWS] / (parts > 0 ? parts : halo_world_ranks(c->world));
    return c->options.beats_per_exchange > (rows > 0 ? rows : 1);
}

bool life_case_start(life_case *c)
{
    const halo_life_options *o = &c->options;
    int64_t cells = o->box.n[0] * o->box.n[1];
    uint64_t random = c->seed;
    name_case(c);
    halo_status status = halo_life_create(&c->life, c->world, o);
    bool refused = status == HALO_RANKS && too_deep(c);
    expect(status == HALO_OK || refused, "%s: %s", c->text, halo_last_message());
    if (status != HALO_OK) {
        c->life = NULL;
        return false;
    }
    if (leads(c)) {
        c->truth = life_oracle_make(o, c->generations);
    }
    uint8_t *first = need_zeroed((size_t)cells, 1);
    for (int64_t cell = 0; cell < cells; cell++) {
        int64_t states = random_below(&random, 2) == 0 ? 1 : o->rule.states - 1;
        bool dead = random_below(&random, 100) >= c->live;
        first[cell] = (uint8_t)(dead ? 0 : 1 + random_below(&random, states));
    }
    life_case_put(c, first);
    free(first);
    return true;
}

void life_case_end(life_case *c)
{
    halo_life_destroy(&c->life);
    life_oracle_free(&c->truth);
}

/* ---- rows in and out ----------------------------------------------------------------------- */

static void encode(const halo_life *life, const uint8_t *cells, int64_t columns, uint8_t *row)
{
    memset(row, 0, halo_life_row_bytes(life));
    for (int64_t x = 0; x < columns; x++) {
        if (halo_life_cell_bits(life) == 1) {
            row[x / 8] = (uint8_t)(row[x / 8] | cells[x] << x % 8);
        } else {
            row[x] = cells[x];
        }
    }
}

void life_case_put(life_case *c, const uint8_t *cells)
{
    const halo_life_box *box = &c->options.box;
    int rank = halo_world_rank(c->world);
    const int64_t *cuts = halo_life_cuts(c->life);
    size_t pitch = halo_life_row_bytes(c->life);
    int64_t rows = cuts[rank + 1] - cuts[rank];
    uint8_t *plain = need_zeroed((size_t)(rows * (int64_t)pitch), 1);
    /* A grid that grows may have been given room at once: its rows are numbered from there. */
    halo_life_box size = halo_life_size(c->life);
    uint8_t *line = need_zeroed((size_t)size.n[1], 1);
    for (int64_t y = 0; y < rows; y++) {
        int64_t from = size.lo[0] + cuts[rank] + y - box->lo[0];
        memset(line, 0, (size_t)size.n[1]);
        if (from >= 0 && from < box->n[0]) {
            memcpy(line + box->lo[1] - size.lo[1], cells + from * box->n[1], (size_t)box->n[1]);
        }
        encode(c->life, line, size.n[1], plain + y * (int64_t)pitch);
    }
    free(line);
    int64_t half = rows / 2;
    bool good = halo_life_put_rows(c->life, cuts[rank] + half, rows - half,
                                   plain + half * (int64_t)pitch, pitch) == HALO_OK;
    good = halo_life_put_rows(c->life, cuts[rank], half, plain, pitch) == HALO_OK && good;
    expect(good, "%s: rows could not be put: %s", c->text, halo_last_message());
    free(plain);
    for (int64_t y = 0; leads(c) && y < box->n[0]; y++) {
        for (int64_t x = 0; x < box->n[1]; x++) {
            life_oracle_set(&c->truth, box->lo[0] + y, box->lo[1] + x, cells[y * box->n[1] + x]);
        }
    }
}

/* Wrong cells among this rank's rows; `wanted` is the whole grid as it is now. */
static int64_t wrong_cells(life_case *c, const uint8_t *wanted)
{
    halo_life_box size = halo_life_size(c->life);
    int rank = halo_world_rank(c->world);
    const int64_t *cuts = halo_life_cuts(c->life);
    int64_t rows = cuts[rank + 1] - cuts[rank], row_bytes = (int64_t)halo_life_row_bytes(c->life);
    int64_t pitch = row_bytes + 8, wrong = 0;
    uint8_t *found = need_zeroed((size_t)(rows * pitch), 1),
            *line = need_zeroed((size_t)row_bytes, 1);
    memset(found, 0xA5, (size_t)(rows * pitch));
    halo_status status = halo_life_stage(c->life);
    for (int64_t y = 0; y < rows && status == HALO_OK;) {
        int64_t some = y + 3 < rows ? 3 : rows - y;
        status =
            halo_life_get_rows(c->life, cuts[rank] + y, some, found + y * pitch, (size_t)pitch);
        y += some;
    }
    expect_case_ok(c->text, status);
    for (int64_t y = 0; y < rows; y++) {
        encode(c->life, wanted + (cuts[rank] + y) * size.n[1], size.n[1], line);
        for (int64_t b = 0; b < row_bytes; b++) {
            wrong += __builtin_popcount((unsigned)(found[y * pitch + b] ^ line[b]));
        }
    }
    free(found);
    free(line);
    return wrong;
}

static void check_census(life_case *c)
{
    halo_life_census found;
    expect(halo_life_take_census(c->life, &found) == HALO_OK, "%s: census", c->text);
    if (leads(c)) {
        halo_life_census wanted = life_oracle_census(&c->truth);
        expect(found.population == wanted.population,
               "%s, generation %" PRId64 ": population %" PRId64 ", not %" PRId64, c->text,
               halo_life_generation(c->life), found.population, wanted.population);
        for (int axis = 0; axis < HALO_LIFE_AXES; axis++) {
            expect(found.live.n[axis] == wanted.live.n[axis] &&
                       (found.population == 0 || found.live.lo[axis] == wanted.live.lo[axis]),
                   "%s, generation %" PRId64 ": %" PRId64 " live from %" PRId64
                   " on axis %d, not %" PRId64 " from %" PRId64,
                   c->text, halo_life_generation(c->life), found.live.n[axis], found.live.lo[axis],
                   axis, wanted.live.n[axis], wanted.live.lo[axis]);
        }
    }
}

void life_case_check(life_case *c)
{
    halo_life_box size = halo_life_size(c->life);
    uint8_t *wanted = need_zeroed((size_t)(size.n[0] * size.n[1]), 1);
    for (int64_t y = 0; leads(c) && y < size.n[0]; y++) {
        for (int64_t x = 0; x < size.n[1]; x++) {
            int state = life_oracle_cell(&c->truth, size.lo[0] + y, size.lo[1] + x);
            wanted[y * size.n[1] + x] = (uint8_t)state;
        }
    }
    expect_ok(halo_bcast(c->world, wanted, (size_t)(size.n[0] * size.n[1]), 0));
    int64_t wrong = wrong_cells(c, wanted);
    expect(wrong == 0, "%s, generation %" PRId64 ": %" PRId64 " wrong bits", c->text,
           halo_life_generation(c->life), wrong);
    free(wanted);
    check_census(c);
}

/* ---- generations --------------------------------------------------------------------------- */

void life_case_follow(life_case *c, int64_t generations)
{
    for (int64_t g = 0; leads(c) && g < generations; g++) {
        life_oracle_step(&c->truth);
    }
}

void life_case_run(life_case *c, int64_t generations)
{
    int64_t before = halo_life_generation(c->life);
    halo_status status = halo_life_run(c->life, generations);
    expect_case_ok(c->text, status);
    expect(halo_life_generation(c->life) == before + generations &&
               halo_life_stopped(c->life) == HALO_LIFE_STOP_DONE,
           "%s: at generation %" PRId64 ", stopped for reason %d", c->text,
           halo_life_generation(c->life), (int)halo_life_stopped(c->life));
    life_case_follow(c, generations);
    life_case_check(c);
}

void life_case_run_counted(life_case *c, int64_t generations)
{
    halo_life_change *changes = calloc((size_t)generations + 1, sizeof *changes);
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
    free(changes);
    life_case_check(c);
}

void life_case_replace(life_case *c)
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
    life_case_check(c);
}
