#define _POSIX_C_SOURCE 200809L /* setenv */
#include "kernels/life/life_array.h"
#include "kernels/life/life_topology.h"
#include "support/array_layouts.h"
#include "support/images.h"
#include "support/life_oracle.h"
#include "support/unit_check.h"

#include <pthread.h>

/* Life on arrays against the oracle: layouts, types, rules, topologies, ranks, and runs
 * that end early. */

static const int rank_numbers[] = {1, 2, 3, 5};

static halo_context *context_of(int ranks)
{
    halo_context *context;
    SUCCEEDS(halo_context_create(&context));
    SUCCEEDS(halo_context_set_ranks(context, ranks));
    return context;
}

static halo_array bytes(int64_t rows, int64_t columns, void *data)
{
    return (halo_array){.data = data,
                        .type = HALO_SAMPLE_U8,
                        .axes = 2,
                        .n = {rows, columns},
                        .stride = {columns, 1}};
}

/* ---- random grids ---------------------------------------------------------------------------- */

typedef struct {
    const char *rule, *topology;
    halo_sample_type type, out_type;
    array_layout layout, out_layout;
    int64_t n[HALO_LIFE_AXES], lo[HALO_LIFE_AXES];
    int64_t generations[2];
    int ranks;
    bool counts;
    char text[300];
} grid_case;

static const char *const rules[] = {"B3/S23",    "highlife", "B2/S/C3",   "345/2/4",
                                    "B1/S012V",  "B2-a/S12", "B03/S23",   "B0123478/S01234678",
                                    "wireworld", "B2/S345H", "B2/S3/C200"};
static const char *const topologies[] = {"plane", "dead", "torus", "cylinder", "T0,{}", "P{},0"};

static void make_case(grid_case *c, uint64_t *random, char topology[40])
{
    static const int64_t sides[] = {1, 2, 3, 17, 63, 64, 65, 90, 129};
    *c = (grid_case){.rule = rules[random_below(random, COUNT(rules))],
                     .topology = topology,
                     .layout = (array_layout)random_below(random, LAYOUTS),
                     .out_layout = (array_layout)random_below(random, LAYOUTS),
                     .ranks = rank_numbers[random_below(random, COUNT(rank_numbers))],
                     .counts = random_below(random, 3) == 0,
                     .generations = {random_below(random, 30), random_below(random, 30)}};
    for (int axis = 0; axis < HALO_LIFE_AXES; axis++) {
        c->n[axis] = sides[random_below(random, COUNT(sides))];
        c->lo[axis] = random_below(random, 2) == 0 ? 0 : random_below(random, 500) - 250;
    }
    const char *kind = topologies[random_below(random, COUNT(topologies))];
    int axis = kind[0] == 'T' ? HALO_LIFE_ROWS : HALO_LIFE_COLUMNS;
    if (strchr(kind, '{') != NULL) {
        snprintf(topology, 40, "%c%s%" PRId64 "%s", kind[0], kind[0] == 'T' ? "0," : "", c->n[axis],
                 kind[0] == 'T' ? "" : ",0");
    } else {
        snprintf(topology, 40, "%s", kind);
    }
}

/* States of at most three kinds besides dead ones. */
static double *make_cells(const grid_case *c, int states, uint64_t *random)
{
    size_t count = (size_t)(c->n[0] * c->n[1]);
    double *cells = malloc((count + 1) * sizeof *cells);
    int64_t live = 1 + random_below(random, 9);
    if (cells == NULL) {
        exit(EXIT_FAILURE);
    }
    for (size_t i = 0; i < count; i++) {
        int64_t state = states == 2 ? 1 : 1 + random_below(random, states - 1);
        cells[i] = random_below(random, 10) < live ? (double)state : 0;
    }
    return cells;
}

static bool choose_types(grid_case *c, int states, uint64_t *random)
{
    static const halo_sample_type small[] = {HALO_SAMPLE_U8, HALO_SAMPLE_I8, HALO_SAMPLE_BIT};
    c->type = (halo_sample_type)random_below(random, HALO_SAMPLE_TYPES);
    if (states > 2 && (c->type == HALO_SAMPLE_BIT || c->type == HALO_SAMPLE_I8)) {
        c->type = HALO_SAMPLE_U8;
    }
    c->out_type = small[random_below(random, states > 2 ? 2 : 3)];
    return states <= 128 || c->out_type == HALO_SAMPLE_U8;
}

/* All cells of the grid and some beyond it. */
static void compare_cells(const grid_case *c, halo_context *context, halo_life_array *life,
                          const life_oracle *truth, const halo_life_box *box, const char *when)
{
    const int64_t margin = 5;
    int64_t n[] = {box->n[0] + 2 * margin, box->n[1] + 2 * margin}, wrong = 0;
    laid_array out = array_lay(c->out_layout, c->out_type, 2, n);
    SUCCEEDS(halo_life_array_get_cells(life, context, box->lo[0] - margin, box->lo[1] - margin,
                                       &out.array));
    for (int64_t i = 0; i < n[0] * n[1]; i++) {
        int64_t y = box->lo[0] - margin + i / n[1], x = box->lo[1] - margin + i % n[1];
        int state = (int)array_value(&out.array, i);
        state = c->out_type == HALO_SAMPLE_I8 ? (uint8_t)state : state;
        wrong += state != life_oracle_cell(truth, y, x);
    }
    check(wrong == 0, "%s, %s: %" PRId64 " cells differ", c->text, when, wrong);
    check(array_gaps_are_kept(&out), "%s: bytes between cells were written", c->text);
    array_free(&out);
}

static void compare(const grid_case *c, halo_context *context, halo_life_array *life,
                    const life_oracle *truth, int64_t generation, const char *when)
{
    halo_life_array_report report = halo_life_array_get_report(life);
    halo_life_census census = life_oracle_census(truth);
    check(report.generation == generation, "%s, %s: generation %" PRId64, c->text, when,
          report.generation);
    check(report.population == census.population, "%s, %s: %" PRId64 " live, not %" PRId64, c->text,
          when, report.population, census.population);
    check(memcmp(&report.live, &census.live, sizeof census.live) == 0, "%s, %s: live cells' box",
          c->text, when);
    for (int axis = 0; axis < HALO_LIFE_AXES; axis++) {
        bool grows = truth->edges[axis] == HALO_LIFE_GROW;
        check(report.box.n[axis] == (grows ? census.live.n[axis] : c->n[axis]) &&
                  (grows ? census.live.n[0] == 0 || report.box.lo[axis] == census.live.lo[axis]
                         : report.box.lo[axis] == c->lo[axis]),
              "%s, %s: the grid's box along axis %d", c->text, when, axis);
    }
    compare_cells(c, context, life, truth, &report.box, when);
}

static void run_case(const grid_case *c, const halo_life_options *options, const double *cells)
{
    int64_t total = c->generations[0] + c->generations[1],
            generation = 8; /* even: with B0 the oracle begins so */
    life_oracle truth = life_oracle_make(options, total);
    laid_array from = array_lay_values(c->layout, c->type, 2, c->n, cells);
    halo_life_array_options given = {.rule = c->rule,
                                     .topology = c->topology,
                                     .row = c->lo[0],
                                     .column = c->lo[1],
                                     .generation = generation};
    halo_context *context = context_of(c->ranks);
    halo_life_array *life;
    for (int64_t i = 0; i < c->n[0] * c->n[1]; i++) {
        life_oracle_set(&truth, c->lo[0] + i / c->n[1], c->lo[1] + i % c->n[1], (int)cells[i]);
    }
    SUCCEEDS(halo_life_array_create(&life, context, &from.array, &given));
    array_free(&from);
    compare(c, context, life, &truth, generation, "at first");
    for (int run = 0; run < 2; run++) {
        int64_t populations[30] = {0}, wrong = 0;
        SUCCEEDS(halo_life_array_run(life, context, c->generations[run],
                                     c->counts ? populations : NULL));
        for (int64_t g = 0; g < c->generations[run]; g++) {
            life_oracle_step(&truth);
            wrong += c->counts && populations[g] != life_oracle_census(&truth).population;
        }
        generation += c->generations[run];
        check(wrong == 0, "%s: %" PRId64 " populations differ", c->text, wrong);
        compare(c, context, life, &truth, generation, run == 0 ? "then" : "in the end");
    }
    halo_life_array_destroy(&life);
    check(life == NULL, "destroyed");
    halo_context_destroy(&context);
    life_oracle_free(&truth);
}

TEST("the cells of the oracle, in all layouts and types, with rules, topologies and ranks")
{
    uint64_t random = 3;
    int done = 0, cases = unit_cases(150);
    for (int i = 0; i < cases; i++) {
        grid_case c;
        char name[40];
        make_case(&c, &random, name);
        halo_life_options options = {.box = {{c.lo[0], c.lo[1]}, {c.n[0], c.n[1]}}};
        halo_life_topology topology;
        SUCCEEDS(halo_life_rule_parse(c.rule, &options.rule, NULL));
        SUCCEEDS(halo_life_topology_parse(c.topology, &topology));
        memcpy(options.edges, topology.edges, sizeof options.edges);
        bool possible = choose_types(&c, options.rule.states, &random);
        bool endless = topology.edges[0] == HALO_LIFE_GROW || topology.edges[1] == HALO_LIFE_GROW;
        bool ends = topology.edges[0] == HALO_LIFE_DEAD || topology.edges[1] == HALO_LIFE_DEAD;
        /* Infinite space that comes to life beside an edge is not understood. */
        if (!possible || ((options.rule.born & 1) != 0 && endless && ends)) {
            continue;
        }
        snprintf(c.text, sizeof c.text,
                 "case %d: %s, %s, %" PRId64 "x%" PRId64 ", %s %s to %s %s, %d ranks", i, c.rule,
                 c.topology, c.n[0], c.n[1], halo_sample_types[c.type].name,
                 array_layout_names[c.layout], halo_sample_types[c.out_type].name,
                 array_layout_names[c.out_layout], c.ranks);
        double *cells = make_cells(&c, options.rule.states, &random);
        run_case(&c, &options, cells);
        free(cells);
        done++;
    }
    check(done > cases * 2 / 3, "%d cases", done);
}

/* ---- options --------------------------------------------------------------------------------- */

TEST("a glider on a plane, whose grid follows it, and by names of options")
{
    static uint8_t glider[3][3] = {{0, 1, 0}, {0, 0, 1}, {1, 1, 1}}, got[3][3];
    halo_array cells = bytes(3, 3, glider), out = bytes(3, 3, got);
    halo_life_array_options options = {0};
    halo_life_array *life;
    SUCCEEDS(halo_options_set_defaults(halo_life_array_rows, &options));
    SUCCEEDS(halo_options_set(halo_life_array_rows, &options, "life", "topology", "plane"));
    SUCCEEDS(halo_options_set(halo_life_array_rows, &options, "life", "row", "-4"));
    SUCCEEDS(halo_life_array_create(&life, NULL, &cells, &options));
    SUCCEEDS(halo_life_array_run(life, NULL, 4000, NULL));
    halo_life_array_report report = halo_life_array_get_report(life);
    check(report.population == 5 && report.generation == 4000, "population, generation");
    check(report.box.lo[0] == 996 && report.box.lo[1] == 1000 && report.box.n[0] == 3 &&
              report.box.n[1] == 3,
          "at %" PRId64 ", %" PRId64, report.box.lo[0], report.box.lo[1]);
    CU_ASSERT_STRING_EQUAL(report.rule, "B3/S23");
    CU_ASSERT_STRING_EQUAL(report.topology, "plane");
    SUCCEEDS(halo_life_array_get_cells(life, NULL, 996, 1000, &out));
    CU_ASSERT_EQUAL(memcmp(got, glider, sizeof got), 0);
    halo_life_array_destroy(&life);
}

TEST("an array in the middle of a grid as Golly writes it, behind the rule")
{
    static uint8_t row[] = {1, 1, 1}, got[9][9];
    halo_array cells = bytes(1, 3, row), out = bytes(9, 9, got);
    halo_life_array_options options = {.rule = "B3/S23:T9,7"};
    halo_life_array *life;
    SUCCEEDS(halo_life_array_create(&life, NULL, &cells, &options));
    halo_life_array_report report = halo_life_array_get_report(life);
    check(report.box.n[0] == 7 && report.box.n[1] == 9 && report.box.lo[0] == -3 &&
              report.box.lo[1] == -3,
          "the grid");
    SUCCEEDS(halo_life_array_run(life, NULL, 1, NULL));
    SUCCEEDS(halo_life_array_get_cells(life, NULL, -4, -4, &out));
    for (int i = 0; i < 81; i++) {
        int y = i / 9 - 4, x = i % 9 - 4;
        check(got[i / 9][i % 9] == (x == 1 && y >= -1 && y <= 1), "row %d, column %d", y, x);
    }
    halo_life_array_destroy(&life);
}

TEST("a run that ends when nothing changes, and bytes that are not 1")
{
    static uint8_t block[2][2] = {{255, 2}, {7, 1}};
    halo_array cells = bytes(2, 2, block);
    halo_life_array_options options = {.stop_when_still = true, .topology = "torus"};
    halo_life_array *life;
    int64_t populations[9];
    options.topology = "plane";
    SUCCEEDS(halo_life_array_create(&life, NULL, &cells, &options));
    SUCCEEDS(halo_life_array_run(life, NULL, 9, populations));
    halo_life_array_report report = halo_life_array_get_report(life);
    check(report.still && report.generation == 1 && report.population == 4, "still");
    for (int i = 0; i < 9; i++) {
        check(populations[i] == 4, "population %d: %" PRId64, i, populations[i]);
    }
    halo_life_array_destroy(&life);
    cells.type = HALO_SAMPLE_BIT; /* true, whatever the byte */
    options = (halo_life_array_options){.rule = "B2/S/C3"};
    SUCCEEDS(halo_life_array_create(&life, NULL, &cells, &options));
    check(halo_life_array_get_report(life).population == 4, "true bytes");
    halo_life_array_destroy(&life);
}

TEST("a plane that outgrows the memory is at a generation, from which it goes on")
{
    /* Two gliders that fly away from each other. */
    static uint8_t gliders[9][9] = {{1, 1, 1},
                                    {1},
                                    {0, 1},
                                    {0},
                                    {0},
                                    {0},
                                    {0, 0, 0, 0, 0, 0, 0, 1, 0},
                                    {0, 0, 0, 0, 0, 0, 0, 0, 1},
                                    {0, 0, 0, 0, 0, 0, 1, 1, 1}};
    const halo_array cells = bytes(9, 9, &gliders[0][0]);
    const halo_life_array_options options = {.topology = "plane"};
    for (int ranks = 1; ranks <= 3; ranks++) {
        halo_context *context = context_of(ranks);
        halo_life_array *life, *other;
        SUCCEEDS(halo_life_array_create(&life, context, &cells, &options));
        SUCCEEDS(halo_life_array_create(&other, context, &cells, &options));
        CU_ASSERT_EQUAL(setenv("HALOBEAT_MEMORY", "300K", 1), 0);
        FAILS(HALO_MEMORY, "out of memory: a grid of",
              halo_life_array_run(life, context, 1 << 20, NULL));
        CU_ASSERT_EQUAL(unsetenv("HALOBEAT_MEMORY"), 0);
        halo_life_array_report report = halo_life_array_get_report(life), same;
        check(report.generation > 0 && report.generation < 1 << 20 && report.population == 10,
              "generation %" PRId64 ", %" PRId64 " live", report.generation, report.population);
        SUCCEEDS(halo_life_array_run(life, context, 4, NULL));
        SUCCEEDS(halo_life_array_run(other, context, report.generation + 4, NULL));
        report = halo_life_array_get_report(life);
        same = halo_life_array_get_report(other);
        check(report.generation == same.generation && same.population == 10 &&
                  memcmp(&report.live, &same.live, sizeof same.live) == 0,
              "after %" PRId64 " generations", same.generation);
        halo_life_array_destroy(&life);
        halo_life_array_destroy(&other);
        halo_context_destroy(&context);
    }
}

/* ---- progress -------------------------------------------------------------------------------- */

typedef struct {
    int calls, limit;
    int64_t done, total;
    pthread_t thread;
} watching;

static bool watch(void *user, int64_t done, int64_t total)
{
    watching *w = user;
    w->calls++;
    check(pthread_equal(w->thread, pthread_self()) != 0, "another thread");
    check(done >= w->done && done <= total, "%" PRId64 " of %" PRId64, done, total);
    w->total = total;
    return w->calls >= w->limit;
}

TEST("a run that is cancelled is at a generation, from which it goes on")
{
    enum { SIDE = 256, RUN = 40000000 };
    static uint8_t grid[SIDE][SIDE];
    uint64_t random = 8;
    halo_array cells = bytes(SIDE, SIDE, grid);
    for (int i = 0; i < SIDE * SIDE; i++) {
        grid[i / SIDE][i % SIDE] = random_below(&random, 3) == 0;
    }
    for (int ranks = 1; ranks <= 3; ranks++) {
        halo_context *context = context_of(ranks);
        halo_life_array *life, *other;
        halo_life_array_options options = {.topology = "torus"};
        SUCCEEDS(halo_life_array_create(&life, context, &cells, &options));
        SUCCEEDS(halo_life_array_create(&other, context, &cells, &options));
        watching w = {.limit = 2, .thread = pthread_self()};
        halo_context_set_progress(context, watch, &w);
        FAILS(HALO_CANCELLED, "cancelled", halo_life_array_run(life, context, RUN, NULL));
        check(w.calls == 2 && w.total == RUN, "%d calls of %" PRId64, w.calls, w.total);
        halo_context_set_progress(context, NULL, NULL);
        halo_life_array_report report = halo_life_array_get_report(life), same;
        check(report.generation > 0 && report.generation < RUN, "generation %" PRId64,
              report.generation);
        SUCCEEDS(halo_life_array_run(other, context, report.generation + 10, NULL));
        SUCCEEDS(halo_life_array_run(life, context, 10, NULL));
        report = halo_life_array_get_report(life);
        same = halo_life_array_get_report(other);
        check(report.generation == same.generation && report.population == same.population &&
                  memcmp(&report.live, &same.live, sizeof same.live) == 0,
              "after %" PRId64 " generations", report.generation);
        halo_life_array_destroy(&life);
        halo_life_array_destroy(&other);
        w = (watching){.limit = 1, .thread = pthread_self()};
        halo_context_set_progress(context, watch, &w);
        FAILS(HALO_CANCELLED, "cancelled",
              halo_life_array_create(&life, context, &cells, &options));
        halo_context_set_instructions(context, "sse9");
        halo_context_set_progress(context, NULL, NULL);
        FAILS(HALO_ARGUMENT, "sse9", halo_life_array_create(&life, context, &cells, &options));
        halo_context_destroy(&context);
    }
}
