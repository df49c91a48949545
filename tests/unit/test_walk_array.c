#include "kernels/walk/walk_array.h"
#include "support/array_layouts.h"
#include "support/array_progress.h"
#include "support/images.h"
#include "support/unit_check.h"
#include "support/walk_exact.h"

/* Walkers in arrays against walkers one task after the other: layouts, types, ranks, options, and
 * what it refuses. */

static const int rank_numbers[] = {1, 2, 3, 5};

static halo_context *context_of(int ranks)
{
    halo_context *context;
    SUCCEEDS(halo_context_create(&context));
    SUCCEEDS(halo_context_set_ranks(context, ranks));
    return context;
}

/* ---- random media ---------------------------------------------------------------------------- */

typedef struct {
    walk_picture picture; /* x is the last axis of the array */
    halo_sample_type type;
    array_layout layout;
    halo_walk_array_options options;
    int ranks;
    char text[200];
} medium_case;

static void make_case(medium_case *c, uint64_t *random)
{
    static const int64_t sides[] = {1, 3, 17, 64, 65};
    int axes = 2 + (int)random_below(random, 2);
    int64_t n[HALO_WALK_AXES] = {sides[random_below(random, COUNT(sides))],
                                 sides[random_below(random, COUNT(sides))],
                                 axes == 3 ? 1 + random_below(random, 3) : 1};
    bool flows = random_below(random, 5) == 0;
    c->picture = walk_picture_make(axes, n[0], n[1], n[2]);
    for (int64_t i = 1; i < n[0] * n[1] * n[2]; i++) {
        c->picture.fluid[i] = random_below(random, 3) > 0;
    }
    c->options = (halo_walk_array_options){
        .walkers = 1 + random_below(random, 3000),
        .steps = 1 + random_below(random, 100),
        .conductivity = random_below(random, 3) == 0 ? .5 : 0,
        .seed = {random_below(random, 1000), random_below(random, 2) == 0},
        .edges = {.count = random_below(random, 2) == 0 ? axes : 1}};
    c->options.every =
        random_below(random, 2) == 0 ? 0 : 1 + random_below(random, c->options.steps);
    for (int axis = 0; axis < c->options.edges.count; axis++) {
        c->options.edges.along[axis] = (halo_walk_edges)random_below(random, HALO_WALK_EDGE_KINDS);
    }
    for (int axis = 0; axis < axes; axis++) {
        int given = axis < c->options.edges.count ? axis : 0;
        c->picture.edges[axes - 1 - axis] = c->options.edges.along[given];
    }
    c->picture.conductivity = c->options.conductivity;
    if (flows && c->picture.edges[0] != HALO_WALK_REFLECTING && n[1] > 2) {
        for (int64_t i = 0; i < n[0] * n[1] * n[2]; i++) { /* all rows but the first are open */
            c->picture.fluid[i] = i / n[0] % n[1] > 0;
        }
        c->options.flow = .05;
    }
    c->type = (halo_sample_type)random_below(random, HALO_SAMPLE_TYPES);
    c->layout = (array_layout)random_below(random, LAYOUTS);
    c->ranks = rank_numbers[random_below(random, COUNT(rank_numbers))];
}

/* The same walkers, without arrays and ranks. */
static int64_t *walk_alone(const medium_case *c, int64_t every, halo_walk_facts *facts)
{
    uint64_t *bits;
    halo_walk_options options = walk_picture_options(&c->picture, &bits);
    halo_walk *walk;
    int64_t walkers = c->options.walkers, tasks = halo_walk_tasks(walkers);
    int64_t width = halo_walk_records(c->options.steps, every) * halo_walk_sums(c->picture.axes);
    int64_t *sums = calloc((size_t)(tasks * width), sizeof *sums);
    options.seed = c->options.seed.given ? (uint64_t)c->options.seed.value : 1;
    options.flow = c->options.flow;
    if (bits == NULL || sums == NULL) {
        exit(EXIT_FAILURE);
    }
    SUCCEEDS(halo_walk_create(&walk, &options));
    for (int64_t task = 0; task < tasks; task++) {
        halo_walk_run(walk, task * halo_walk_task_size(walkers),
                      halo_walk_task_walkers(walkers, task), c->options.steps, every,
                      sums + task * width);
    }
    *facts = halo_walk_describe(walk);
    halo_walk_destroy(&walk);
    free(bits);
    return sums;
}

static laid_array lay_medium(const medium_case *c, uint64_t *random)
{
    static double values[WALK_PICTURE_CELLS];
    int axes = c->picture.axes;
    int64_t n[HALO_AXES] = {1, 1, 1}, cells = 1;
    bool real = halo_sample_types[c->type].real;
    for (int axis = 0; axis < axes; axis++) {
        n[axis] = c->picture.n[axes - 1 - axis];
        cells *= n[axis];
    }
    for (int64_t i = 0; i < cells; i++) {
        int64_t pick = random_below(random, 3);
        double fluid = !real || pick == 0 ? 1 : pick == 1 ? NAN : -1e-30;
        values[i] = c->picture.fluid[i] != 0 ? fluid : 0;
    }
    return array_lay_values(c->layout, c->type, axes, n, values);
}

static bool same_motion(const halo_walk_motion *a, const halo_walk_motion *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static void compare(const medium_case *c, const halo_walk_result *result)
{
    int64_t steps = c->options.steps;
    int64_t every = c->options.every > 0 ? c->options.every : (steps + 63) / 64;
    halo_walk_facts facts;
    int64_t *sums = walk_alone(c, every, &facts);
    const halo_walk_samples samples = {.axes = c->picture.axes,
                                       .walkers = c->options.walkers,
                                       .steps = steps,
                                       .every = every,
                                       .sums = sums};
    halo_walk_array_report report = halo_walk_result_get_report(result);
    check(report.records == halo_walk_records(steps, every) && report.every == every &&
              report.walkers == c->options.walkers && report.steps == steps &&
              report.axes == c->picture.axes && report.fluid == facts.fluid &&
              report.cells == facts.cells,
          "%s: the report", c->text);
    for (int axis = 0; axis < c->picture.axes; axis++) {
        int turned = c->picture.axes - 1 - axis;
        bool drifts = turned == 0 && fabs(c->options.flow) > 0;
        for (int64_t record = 0; record < report.records; record++) {
            halo_walk_motion wanted = halo_walk_estimate(&samples, record, turned, drifts);
            halo_walk_motion got = halo_walk_result_get_motion(result, record, axis);
            check(same_motion(&got, &wanted), "%s: axis %d, record %" PRId64, c->text, axis,
                  record);
        }
        halo_walk_motion last = halo_walk_estimate(&samples, report.records - 1, turned, drifts);
        halo_walk_axis_report found = halo_walk_result_get_axis(result, axis);
        halo_walk_number element = halo_walk_result_get_tensor(result, axis, axis);
        NEAR(found.diffusivity.value, last.slope.value / 2, 1e-12);
        NEAR(found.relative.value, last.slope.value / facts.free_slope, 1e-12);
        NEAR(found.relative.error, last.slope.error / facts.free_slope, 1e-12);
        NEAR(element.value, found.relative.value, 0);
        NEAR(element.error, found.relative.error, 0);
        bool none = found.confined || drifts;
        check(isnan(found.tortuosity.value) == none, "%s: tortuosity", c->text);
        if (!none) {
            NEAR(found.tortuosity.value * found.relative.value, 1, 1e-12);
        }
    }
    free(sums);
}

TEST("the walkers of tasks one after the other, in all layouts and types, with all ranks")
{
    uint64_t random = 9;
    for (int i = 0; i < 60; i++) {
        static medium_case c;
        make_case(&c, &random);
        laid_array medium = lay_medium(&c, &random);
        halo_context *context = context_of(c.ranks);
        halo_walk_result *result;
        snprintf(c.text, sizeof c.text,
                 "case %d: %" PRId64 "x%" PRId64 "x%" PRId64 ", %s %s, %d ranks", i, c.picture.n[2],
                 c.picture.n[1], c.picture.n[0], halo_sample_types[c.type].name,
                 array_layout_names[c.layout], c.ranks);
        SUCCEEDS(halo_walk_array(context, &medium.array, &c.options, &result));
        compare(&c, result);
        halo_walk_result_destroy(&result);
        halo_context_destroy(&context);
        array_free(&medium);
    }
}

/* ---- the tensor ------------------------------------------------------------------------------ */

enum { SIDE = 48 };

static halo_array plain(int64_t rows, int64_t columns, uint8_t *data)
{
    return (halo_array){.data = data,
                        .type = HALO_SAMPLE_U8,
                        .axes = 2,
                        .n = {rows, columns},
                        .stride = {columns, 1}};
}

/* Fluid in slanted layers: walkers go down and to the right at once. */
static void make_layers(uint8_t medium[SIDE][SIDE])
{
    for (int i = 0; i < SIDE * SIDE; i++) {
        int y = i / SIDE, x = i % SIDE;
        medium[y][x] = (x - y + SIDE) % 6 < 4;
    }
}

enum { HALF_WAY = 512, STEPS = 2 * HALF_WAY };

/* What the mean products of displacements along two axes grow by in the second half of all walkers'
 * ways. */
static void find_growth(const halo_walk *walk, int64_t walkers, double growth[2][2])
{
    static int32_t places[STEPS + 1][HALO_WALK_AXES];
    memset(growth, 0, 2 * sizeof growth[0]);
    for (int64_t i = 0; i < walkers; i++) {
        halo_walk_trace(walk, i, STEPS, places);
        for (int pair = 0; pair < 4; pair++) {
            int a = pair / 2, b = pair % 2;
            double product[2];
            for (int half = 0; half < 2; half++) {
                const int32_t *place = places[(half + 1) * HALF_WAY];
                product[half] = (double)(place[a] - places[0][a]) * (place[b] - places[0][b]);
            }
            growth[a][b] += (product[1] - product[0]) / (double)walkers;
        }
    }
}

TEST("elements of the tensor beside its diagonal, from the walkers' ways")
{
    static uint8_t medium[SIDE][SIDE];
    uint64_t bits[SIDE] = {0};
    const halo_array array = plain(SIDE, SIDE, &medium[0][0]);
    const halo_walk_array_options options = {.walkers = 500, .steps = STEPS, .every = 64};
    double growth[2][2];
    halo_walk_options same = {.axes = 2, .n = {SIDE, SIDE, 1}, .fluid = bits, .seed = 1};
    halo_walk_result *result;
    halo_walk *walk;
    make_layers(medium);
    for (int i = 0; i < SIDE * SIDE; i++) {
        bits[i / SIDE] |= (uint64_t)medium[i / SIDE][i % SIDE] << i % SIDE;
    }
    SUCCEEDS(halo_walk_array(NULL, &array, &options, &result));
    SUCCEEDS(halo_walk_create(&walk, &same));
    find_growth(walk, 500, growth);
    for (int a = 0; a < 2; a++) {
        for (int b = 0; b < 2; b++) {
            NEAR(halo_walk_result_get_tensor(result, a, b).value,
                 growth[1 - a][1 - b] / HALF_WAY * 2, 1e-9);
        }
    }
    halo_walk_number across = halo_walk_result_get_tensor(result, 0, 1);
    check(across.value > across.error && across.error > 0, "across: %g +- %g", across.value,
          across.error);
    check(isnan(halo_walk_result_get_tensor(result, 0, 2).value) &&
              isnan(halo_walk_result_get_axis(result, 2).relative.value) &&
              isnan(halo_walk_result_get_axis(result, -1).tortuosity.value) &&
              isnan(halo_walk_result_get_motion(result, 1000000, 0).slope.value),
          "axes and records that there are not");
    halo_walk_destroy(&walk);
    halo_walk_result_destroy(&result);
    check(result == NULL, "destroyed");
}

TEST("options by name, and what is standard")
{
    halo_walk_array_options named = {0};
    SUCCEEDS(halo_options_set_defaults(halo_walk_array_rows, &named));
    check(named.walkers == 0 && named.steps == 0 && !named.seed.given, "defaults");
    SUCCEEDS(halo_options_set(halo_walk_array_rows, &named, "walk", "edges", "mirrored,periodic"));
    check(named.edges.count == 2 && named.edges.along[0] == HALO_WALK_MIRRORED &&
              named.edges.along[1] == HALO_WALK_PERIODIC,
          "edges");
    SUCCEEDS(halo_options_set(halo_walk_array_rows, &named, "walk", "seed", "0"));
    SUCCEEDS(halo_options_set(halo_walk_array_rows, &named, "walk", "flow", "-.1"));
    check(named.seed.given && named.seed.value == 0 && named.flow < 0, "seed, flow");
    FAILS(HALO_ARGUMENT, "edges takes periodic, reflecting or mirrored",
          halo_options_set(halo_walk_array_rows, &named, "walk", "edges", "open"));
    static uint8_t medium[SIDE][SIDE];
    const halo_array array = plain(SIDE, SIDE, &medium[0][0]);
    halo_walk_result *result;
    make_layers(medium);
    SUCCEEDS(halo_walk_array(NULL, &array, &(halo_walk_array_options){.steps = 10}, &result));
    halo_walk_array_report report = halo_walk_result_get_report(result);
    check(report.walkers == 100000 && report.every == 1 && report.records == 10, "standard");
    halo_walk_result_destroy(&result);
}

/* ---- refusals, progress ---------------------------------------------------------------------- */

TEST("what is refused, with the remedy")
{
    static uint8_t medium[SIDE][SIDE];
    halo_array array = plain(SIDE, SIDE, &medium[0][0]);
    halo_walk_result *result;
#define REFUSES(words, ...)                                                                 \
    FAILS(HALO_ARGUMENT, words,                                                             \
          halo_walk_array(NULL, &array, &(halo_walk_array_options){__VA_ARGS__}, &result)); \
    check(result == NULL, "made")
    REFUSES("none of the medium's 2304 cells is fluid", .walkers = 5);
    make_layers(medium);
    REFUSES("-1 walkers are not possible; take 1 to 1073741824", .walkers = -1);
    REFUSES("-2 steps are not possible; take 1 to 67108864", .steps = -2);
    REFUSES("records every 9000 of 8192 steps are not possible; take 1 to all", .every = 9000);
    REFUSES("there are edges for 3 axes, and the medium has 2", .edges = {.count = 3});
    REFUSES("edges of kind 7 are not known", .edges = {.along = {(halo_walk_edges)7}});
    REFUSES("a conductivity of -1 is not possible; take 0 to", .conductivity = -1);
    REFUSES("a flow of 2 cells a step is not possible; take -1 to 1", .flow = 2);
    REFUSES("there is no channel for a flow", .flow = .1);
    REFUSES("cannot leave a medium with reflecting edges", .flow = .1,
            .edges = {.along = {HALO_WALK_REFLECTING}, .count = 1});
    array.axes = 1;
    REFUSES("the medium has 1 axis, and must have 2 to 3", .walkers = 5);
    array = plain(0, SIDE, &medium[0][0]);
    REFUSES("the medium has no elements, so there is nowhere to walk", .walkers = 5);
#undef REFUSES
}

TEST("a function of progress is called on the caller's thread, and cancels, also long walks")
{
    static uint8_t medium[SIDE][SIDE];
    const halo_array array = plain(SIDE, SIDE, &medium[0][0]);
    make_layers(medium);
    for (int ranks = 1; ranks <= 3; ranks++) {
        halo_context *context = context_of(ranks);
        halo_walk_result *result;
        array_progress w = array_progress_until(2);
        halo_context_set_progress(context, array_progress_watch, &w);
        FAILS(HALO_CANCELLED, "cancelled",
              halo_walk_array(context, &array,
                              &(halo_walk_array_options){.walkers = 1 << 20, .steps = 1 << 18},
                              &result));
        check(w.calls == 2 && result == NULL, "%d calls", w.calls);
        halo_context_set_instructions(context, "sse9");
        FAILS(HALO_ARGUMENT, "sse9", halo_walk_array(context, &array, NULL, &result));
        halo_context_destroy(&context);
    }
}
