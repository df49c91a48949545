#include "kernels/label/label_array.h"
#include "support/array_layouts.h"
#include "support/images.h"
#include "support/unit_check.h"

/* halo_label_array against a flood fill: layouts, types, ranks, options, and what it refuses. */

enum { MOST_CELLS = 20000 };

/* ---- the definition -------------------------------------------------------------------------- */

typedef struct {
    int axes;
    int64_t n[HALO_AXES];
    int order; /* number of axes on which neighbours may differ at once */
    bool values, periodic[HALO_AXES];
    char structure[28]; /* or "": neighbours are those of `order` */
} fill_case;

/* The neighbour of cell `i` by `step`, one of 27, or -1. */
static int64_t neighbour(const fill_case *c, int64_t i, int step)
{
    int64_t at[HALO_AXES], to = 0;
    int moves = 0, element = step;
    for (int axis = c->axes - 1; axis >= 0; axis--) {
        int64_t n = c->n[axis], d = step % 3 - 1;
        at[axis] = i % n + d;
        i /= n;
        step /= 3;
        moves += d != 0;
        if (c->periodic[axis]) {
            at[axis] = (at[axis] + n) % n;
        }
        if (at[axis] < 0 || at[axis] >= n) {
            return -1;
        }
    }
    for (int axis = 0; axis < c->axes; axis++) {
        to = to * c->n[axis] + at[axis];
    }
    bool is = step == 0 && moves > 0 &&
              (c->structure[0] != '\0' ? c->structure[element] == '1' : moves <= c->order);
    return is ? to : -1;
}

/* Labels by flood fill, in the order of first cells. Returns the number of regions. */
static int64_t fill(const fill_case *c, int64_t cells, const double *grid, int64_t *labels)
{
    static int64_t stack[27 * MOST_CELLS];
    int64_t regions = 0;
    memset(labels, 0, (size_t)cells * sizeof *labels);
    for (int64_t first = 0; first < cells; first++) {
        bool foreground = c->values ? grid[first] < 0 || grid[first] > 0
                                    : !(grid[first] >= 0 && grid[first] <= 0);
        if (labels[first] != 0 || !foreground) {
            continue;
        }
        int64_t depth = 1;
        stack[0] = first;
        labels[first] = ++regions;
        while (depth > 0) {
            int64_t cell = stack[--depth];
            for (int step = 0; step < 27; step++) {
                int64_t to = neighbour(c, cell, step);
                bool joins = to >= 0 && labels[to] == 0 &&
                             (c->values ? grid[to] >= grid[cell] && grid[to] <= grid[cell]
                                        : !(grid[to] >= 0 && grid[to] <= 0));
                if (joins) {
                    labels[to] = regions;
                    stack[depth++] = to;
                }
            }
        }
    }
    return regions;
}

/* ---- layouts and types ----------------------------------------------------------------------- */

static const struct {
    int axes;
    int64_t n[HALO_AXES];
} shapes[] = {{1, {1}},      {1, {130}},     {2, {1, 1}},    {2, {37, 70}},   {2, {130, 65}},
              {2, {9, 300}}, {3, {1, 1, 9}}, {3, {7, 6, 5}}, {3, {20, 5, 66}}};

static const int neighbours[HALO_AXES][HALO_AXES] = {{2}, {4, 8}, {6, 18, 26}};

static int64_t cells_of(int axes, const int64_t *n)
{
    int64_t cells = 1;
    for (int axis = 0; axis < axes; axis++) {
        cells *= n[axis];
    }
    return cells;
}

/* Values that every type has; of reals also fractions and NaN. */
static void make_grid(halo_sample_type type, int64_t cells, uint64_t *random, double *grid)
{
    for (int64_t i = 0; i < cells; i++) {
        int64_t pick = random_below(random, 20);
        grid[i] = pick < 10 ? 0 : type == HALO_SAMPLE_BIT ? 1 : (double)(1 + pick % 3);
        if (halo_sample_types[type].real && pick > 17) {
            grid[i] = pick == 18 ? NAN : -0.25;
        } else if (halo_sample_types[type].real && pick == 0) {
            grid[i] = -0.0;
        }
    }
}

static void compare(const halo_array *labels, const int64_t *wanted, int64_t cells,
                    const char *what)
{
    int64_t wrong = 0;
    for (int64_t i = 0; i < cells; i++) {
        double got = array_value(labels, i);
        wrong += got < (double)wanted[i] || got > (double)wanted[i];
    }
    check(wrong == 0, "%s: %" PRId64 " of %" PRId64 " labels differ", what, wrong, cells);
}

typedef struct {
    halo_sample_type type, labels;
    array_layout layout, labels_layout;
    int ranks;
} way;

static void label_one(const fill_case *c, const way *w, const double *grid, const int64_t *wanted,
                      int64_t regions, int connectivity)
{
    char what[200];
    int64_t cells = cells_of(c->axes, c->n), got = -1;
    laid_array from = array_lay_values(w->layout, w->type, c->axes, c->n, grid);
    laid_array to = array_lay(w->labels_layout, w->labels, c->axes, c->n);
    bool structured = c->structure[0] != '\0';
    halo_label_array_options options = {.connectivity = structured ? 0 : connectivity,
                                        .values = c->values,
                                        .structure = structured ? c->structure : NULL};
    halo_context *context;
    snprintf(what, sizeof what, "%d axes from %" PRId64 ", %s %s to %s %s, %d neighbours, %d ranks",
             c->axes, c->n[0], halo_sample_types[w->type].name, array_layout_names[w->layout],
             halo_sample_types[w->labels].name, array_layout_names[w->labels_layout], connectivity,
             w->ranks);
    for (int axis = 0; axis < c->axes; axis++) {
        options.periodic[axis] = c->periodic[axis];
    }
    SUCCEEDS(halo_context_create(&context));
    SUCCEEDS(halo_context_set_ranks(context, w->ranks));
    SUCCEEDS(halo_label_array(context, &from.array, &to.array, &options, &got));
    check(got == regions, "%s: %" PRId64 " regions, not %" PRId64, what, got, regions);
    compare(&to.array, wanted, cells, what);
    check(array_gaps_are_kept(&to), "%s: bytes between labels were written", what);
    got = -1;
    SUCCEEDS(halo_label_array(context, &from.array, NULL, &options, &got));
    check(got == regions, "%s: %" PRId64 " regions without labels", what, got);
    halo_context_destroy(&context);
    array_free(&from);
    array_free(&to);
}

/* Symmetric, with few neighbours or many. */
static void make_structure(fill_case *c, uint64_t *random)
{
    int elements = c->axes == 1 ? 3 : c->axes == 2 ? 9 : 27;
    int64_t share = 1 + random_below(random, 3);
    for (int i = 0; i <= elements / 2; i++) {
        c->structure[i] = random_below(random, 4) < share ? '1' : '0';
        c->structure[elements - 1 - i] = c->structure[i];
    }
}

static void label_ways(bool values, bool structured, int count)
{
    static double grid[MOST_CELLS];
    static int64_t wanted[MOST_CELLS];
    static const int ranks[] = {1, 1, 2, 2, 3, 7};
    uint64_t random = 5;
    for (int i = 0; i < count; i++) {
        size_t s = (size_t)random_below(&random, COUNT(shapes));
        fill_case c = {.axes = shapes[s].axes, .values = values};
        memcpy(c.n, shapes[s].n, sizeof c.n);
        for (int axis = 0; axis < c.axes; axis++) { /* an axis of 2 would meet itself twice */
            c.periodic[axis] = random_below(&random, 4) == 0;
        }
        c.order = 1 + (int)random_below(&random, c.axes);
        way w = {.type = (halo_sample_type)random_below(&random, HALO_SAMPLE_TYPES),
                 .labels = (halo_sample_type)(HALO_SAMPLE_U16 +
                                              random_below(&random, HALO_SAMPLE_TYPES - 3)),
                 .layout = (array_layout)random_below(&random, LAYOUTS),
                 .labels_layout = (array_layout)random_below(&random, LAYOUTS),
                 .ranks = ranks[random_below(&random, COUNT(ranks))]};
        if (structured) {
            make_structure(&c, &random);
        }
        int64_t cells = cells_of(c.axes, c.n);
        make_grid(w.type, cells, &random, grid);
        int64_t regions = fill(&c, cells, grid, wanted);
        label_one(&c, &w, grid, wanted, regions, neighbours[c.axes - 1][c.order - 1]);
    }
}

TEST("the labels of a flood fill, in all layouts and types")
{
    label_ways(false, false, unit_cases(500));
}

TEST("the same where neighbours must be equal")
{
    label_ways(true, false, unit_cases(250));
}

TEST("the labels of a flood fill by structures of any kind")
{
    label_ways(false, true, unit_cases(300));
    label_ways(true, true, unit_cases(150));
}

/* ---- options --------------------------------------------------------------------------------- */

/* Regions of 1, 2 and 3 elements, of which the last touches the right edge. */
static uint8_t row[] = {0, 1, 0, 2, 2, 0, 3, 3, 3};
static const int64_t row_n[] = {sizeof row};

static void expect_row(const halo_label_array_options *options, const int32_t *wanted)
{
    int32_t labels[COUNT(row)];
    int64_t regions, most = 0;
    halo_array from = array_plain(HALO_SAMPLE_U8, 1, row_n, row);
    halo_array to = array_plain(HALO_SAMPLE_I32, 1, row_n, labels);
    SUCCEEDS(halo_label_array(NULL, &from, &to, options, &regions));
    for (size_t i = 0; i < COUNT(row); i++) {
        check(labels[i] == wanted[i], "element %zu: %d, not %d", i, labels[i], wanted[i]);
        most = wanted[i] > most ? wanted[i] : most;
    }
    check(regions == most, "%" PRId64 " regions", regions);
}

TEST("filters, deltas and backgrounds, by members and by rows")
{
    halo_label_array_options by_name = {0};
    expect_row(&(halo_label_array_options){.min_area = 2}, (int32_t[]){0, 0, 0, 1, 1, 0, 2, 2, 2});
    expect_row(&(halo_label_array_options){.max_area = 2}, (int32_t[]){0, 1, 0, 2, 2, 0, 0, 0, 0});
    expect_row(&(halo_label_array_options){.largest = 1}, (int32_t[]){0, 0, 0, 0, 0, 0, 1, 1, 1});
    expect_row(&(halo_label_array_options){.clear_border = true},
               (int32_t[]){0, 1, 0, 2, 2, 0, 0, 0, 0});
    expect_row(&(halo_label_array_options){.values = true, .background = "none"},
               (int32_t[]){1, 2, 3, 4, 4, 5, 6, 6, 6});
    expect_row(&(halo_label_array_options){.values = true, .background = "3"},
               (int32_t[]){1, 2, 3, 4, 4, 5, 0, 0, 0});
    expect_row(&(halo_label_array_options){.values = true, .background = "none", .delta = "2"},
               (int32_t[]){1, 1, 1, 1, 1, 1, 2, 2, 2});
    SUCCEEDS(halo_options_set_defaults(halo_label_array_rows, &by_name));
    SUCCEEDS(halo_options_set(halo_label_array_rows, &by_name, "label", "min-area", "2"));
    SUCCEEDS(halo_options_set(halo_label_array_rows, &by_name, "label", "connectivity", "2"));
    expect_row(&by_name, (int32_t[]){0, 0, 0, 1, 1, 0, 2, 2, 2});
}

TEST("labels in place of the image, and arrays without elements")
{
    int32_t both[] = {5, 0, 7, 7};
    static const int64_t n[] = {4}, none[] = {3, 0};
    int64_t regions;
    halo_array array = array_plain(HALO_SAMPLE_I32, 1, n, both);
    halo_array empty = array_plain(HALO_SAMPLE_F64, 2, none, NULL);
    halo_array labels = array_plain(HALO_SAMPLE_I32, 2, none, NULL);
    SUCCEEDS(halo_label_array(NULL, &array, &array, NULL, &regions));
    SUCCEEDS(halo_label_array(NULL, &array, NULL, NULL, NULL));
    check(regions == 2 && both[0] == 1 && both[1] == 0 && both[2] == 2 && both[3] == 2, "in place");
    SUCCEEDS(halo_label_array(NULL, &empty, &labels, NULL, &regions));
    check(regions == 0, "%" PRId64 " regions", regions);
}

TEST("truths are values, too")
{
    static uint8_t truths[] = {1, 1, 0, 1, 0, 0};
    static const int32_t wanted[] = {1, 1, 2, 3, 4, 4};
    static const int64_t n[] = {COUNT(truths)};
    int32_t labels[COUNT(truths)];
    int64_t regions;
    halo_array from = array_plain(HALO_SAMPLE_BIT, 1, n, truths);
    halo_array to = array_plain(HALO_SAMPLE_I32, 1, n, labels);
    halo_label_array_options options = {.values = true, .background = "none"};
    SUCCEEDS(halo_label_array(NULL, &from, &to, &options, &regions));
    check(regions == 4 && memcmp(labels, wanted, sizeof wanted) == 0, "%" PRId64 " regions",
          regions);
    options.delta = "q";
    FAILS(HALO_ARGUMENT, "delta is q, and must be a number",
          halo_label_array(NULL, &from, &to, &options, &regions));
}

/* ---- refusals -------------------------------------------------------------------------------- */

TEST("what is refused, with the remedy")
{
    static uint8_t grid[3][300], labels[3][300];
    static const int64_t n[] = {3, 300, 1, 1}, turned[] = {300, 3};
    int64_t regions;
    halo_array from = array_plain(HALO_SAMPLE_U8, 2, n, grid),
               to = array_plain(HALO_SAMPLE_U8, 2, n, labels);
    for (int i = 0; i < 3 * 300; i++) {
        grid[i / 300][i % 300] = i / 300 % 2 == 0 && i % 2 == 0;
    }
#define REFUSES(words, ...) \
    FAILS(HALO_ARGUMENT, words, halo_label_array(NULL, &from, &to, __VA_ARGS__, &regions))
    REFUSES("300 regions are more than labels of uint8 can be; use labels of int32", NULL);
    check(regions == 300, "%" PRId64 " regions are told", regions);
    REFUSES("connectivity 7 is not possible in 2 axes; use 4 or 8",
            &(halo_label_array_options){.connectivity = 7});
    REFUSES("structure is \"111\"; that of 2 axes has 9 characters 0 or 1",
            &(halo_label_array_options){.structure = "111"});
    REFUSES("has 9 characters", &(halo_label_array_options){.structure = "010x01010"});
    REFUSES("not symmetric", &(halo_label_array_options){.structure = "100010000"});
    REFUSES("give one of them",
            &(halo_label_array_options){.structure = "010111010", .connectivity = 4});
    REFUSES("300 regions are more than labels of uint8",
            &(halo_label_array_options){.structure = "000010000"});
    REFUSES("must not be negative",
            &(halo_label_array_options){.structure = "000010000", .min_area = -1});
    REFUSES("axis 2 is to be periodic, and the array has 2 axes",
            &(halo_label_array_options){.periodic = {false, false, true}});
    REFUSES("needs values", &(halo_label_array_options){.delta = "1"});
    REFUSES("delta is x, and must be a number",
            &(halo_label_array_options){.values = true, .delta = "x"});
#undef REFUSES
    halo_array other = array_plain(HALO_SAMPLE_I32, 2, turned, labels);
    FAILS(HALO_ARGUMENT, "has 3 elements along axis 0, and the array for labels has 300",
          halo_label_array(NULL, &from, &other, NULL, &regions));
    other = array_plain(HALO_SAMPLE_BIT, 2, n, labels);
    FAILS(HALO_ARGUMENT, "regions are more than labels of bool can be; use labels of int32",
          halo_label_array(NULL, &from, &other, NULL, &regions));
    other = to;
    other.stride[0] = 0;
    FAILS(HALO_ARGUMENT, "share memory", halo_label_array(NULL, &from, &other, NULL, &regions));
    other = from;
    other.axes = 4;
    FAILS(HALO_ARGUMENT, "the image has 4 axes, and must have 1 to 3",
          halo_label_array(NULL, &other, &to, NULL, &regions));
    other = from;
    other.n[1] = -1;
    FAILS(HALO_ARGUMENT, "a length of -1 along axis 1",
          halo_label_array(NULL, &other, &to, NULL, &regions));
    other = from;
    other.n[0] = other.n[1] = INT64_MAX / 2;
    FAILS(HALO_ARGUMENT, "more elements than addresses can count",
          halo_label_array(NULL, &other, &to, NULL, &regions));
    other = from;
    other.data = NULL;
    FAILS(HALO_ARGUMENT, "the image has no data",
          halo_label_array(NULL, &other, &to, NULL, &regions));
}
