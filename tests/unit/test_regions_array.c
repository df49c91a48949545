#include "kernels/label/regions_array.h"
#include "support/array_layouts.h"
#include "support/array_progress.h"
#include "support/images.h"
#include "support/unit_check.h"

#include <pthread.h>

/* halo_regions_array against sums that are computed element by element; and the same bytes for
 * any layout and number of ranks. tests/python compares with scikit-image. */

enum { MOST_CELLS = 20000, MOST_REGIONS = 40 };

static const int all_ranks[] = {1, 2, 3, 5};

/* ---- the definition -------------------------------------------------------------------------- */

typedef struct {
    int axes;
    int64_t n[HALO_AXES];
    int64_t cells;
    double labels[MOST_CELLS], intensity[MOST_CELLS];
} region_case;

typedef struct {
    double label, area, numbers, sum, min, max;
    double low[HALO_AXES], high[HALO_AXES], places[HALO_AXES];
} region_sums;

/* The sums of the elements of one label. */
static region_sums add_up(const region_case *c, double label)
{
    region_sums of = {.label = label, .min = INFINITY, .max = -INFINITY};
    for (int axis = 0; axis < c->axes; axis++) {
        of.low[axis] = INFINITY;
    }
    for (int64_t i = 0; i < c->cells; i++) {
        if (c->labels[i] < label || c->labels[i] > label) {
            continue;
        }
        of.area++;
        if (!isnan(c->intensity[i])) {
            of.numbers++;
            of.sum += c->intensity[i];
            of.min = fmin(of.min, c->intensity[i]);
            of.max = fmax(of.max, c->intensity[i]);
        }
        int64_t rest = i;
        for (int axis = c->axes - 1; axis >= 0; axis--) {
            double at = (double)(rest % c->n[axis]);
            rest /= c->n[axis];
            of.low[axis] = fmin(of.low[axis], at);
            of.high[axis] = fmax(of.high[axis], at + 1);
            of.places[axis] += at;
        }
    }
    return of;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static double value_at(const halo_array_table *table, const char *name, int64_t row)
{
    const halo_array_column *column = halo_array_table_find(table, name);
    if (!check(column != NULL, "there is no column %s", name)) {
        return NAN;
    }
    return column->type == HALO_SAMPLE_F64   ? ((const double *)column->values)[row]
           : column->type == HALO_SAMPLE_I64 ? (double)((const int64_t *)column->values)[row]
                                             : (double)((const uint64_t *)column->values)[row];
}

static void expect_value(const halo_array_table *table, const char *name, int64_t row,
                         double wanted, double tolerance, const char *what)
{
    double got = value_at(table, name, row);
    bool same = isnan(wanted) ? isnan(got) : fabs(got - wanted) <= tolerance;
    check(same, "%s: %s of row %" PRId64 " is %.17g, not %.17g", what, name, row, got, wanted);
}

static void expect_axis(const halo_array_table *table, const char *name, int i, int64_t row,
                        double wanted, const char *what)
{
    char of_axis[40];
    snprintf(of_axis, sizeof of_axis, "%s-%d", name, i);
    expect_value(table, of_axis, row, wanted, 1e-9, what);
}

static void expect_row(const region_case *c, const halo_array_table *table, int64_t row,
                       const region_sums *of, const char *what)
{
    const double least = of->numbers > 0 ? of->min : NAN, most = of->numbers > 0 ? of->max : NAN;
    double box = 1;
    expect_value(table, "label", row, of->label, 0, what);
    expect_value(table, "area", row, of->area, 0, what);
    for (int axis = 0; axis < c->axes; axis++) {
        expect_axis(table, "bbox", axis, row, of->low[axis], what);
        expect_axis(table, "bbox", c->axes + axis, row, of->high[axis], what);
        expect_axis(table, "centroid", axis, row, of->places[axis] / of->area, what);
        box *= of->high[axis] - of->low[axis];
    }
    expect_value(table, "extent", row, of->area / box, 1e-12, what);
    expect_value(table, "intensity_mean", row, of->sum / of->numbers, 1e-9, what);
    expect_value(table, "intensity_min", row, least, 0, what);
    expect_value(table, "intensity_max", row, most, 0, what);
}

/* True if both tables have the same bytes. */
static bool tables_are_equal(const halo_array_table *a, const halo_array_table *b)
{
    int64_t rows = halo_array_table_rows(a);
    int columns = halo_array_table_columns(a);
    bool same = rows == halo_array_table_rows(b) && columns == halo_array_table_columns(b);
    for (int i = 0; i < columns && same; i++) {
        const halo_array_column *one = halo_array_table_column(a, i);
        const halo_array_column *other = halo_array_table_column(b, i);
        same = strcmp(one->name, other->name) == 0 && one->type == other->type &&
               (rows == 0 || memcmp(one->values, other->values,
                                    (size_t)rows * halo_sample_types[one->type].bytes) == 0);
        check(same, "column %s differs", one->name);
    }
    return same;
}

/* ---- layouts and types ----------------------------------------------------------------------- */

static const struct {
    int axes;
    int64_t n[HALO_AXES];
} shapes[] = {{1, {1}},       {1, {3000}},    {2, {1, 1}},    {2, {37, 70}},    {2, {130, 65}},
              {2, {9, 1500}}, {3, {1, 1, 9}}, {3, {7, 6, 5}}, {3, {20, 15, 31}}};

/* Labels in pieces, with gaps; below 0 where the type has that. */
static void make_case(region_case *c, halo_sample_type labels, halo_sample_type intensity,
                      uint64_t *random)
{
    size_t s = (size_t)random_below(random, COUNT(shapes));
    bool negative = halo_sample_types[labels].key_min < 0 && labels != HALO_SAMPLE_U64;
    c->axes = shapes[s].axes;
    memcpy(c->n, shapes[s].n, sizeof c->n);
    c->cells = 1;
    for (int axis = 0; axis < c->axes; axis++) {
        c->cells *= c->n[axis];
    }
    double label = 0;
    for (int64_t i = 0; i < c->cells; i++) {
        if (random_below(random, 4) == 0) {
            int64_t pick = random_below(random, MOST_REGIONS);
            label = pick < 10 ? 0 : pick == 10 && negative ? -3 : (double)(3 * pick);
        }
        c->labels[i] = label;
        c->intensity[i] = (double)random_below(random, intensity == HALO_SAMPLE_BIT ? 2 : 100);
        if (halo_sample_types[intensity].real) {
            c->intensity[i] = random_below(random, 9) == 0 ? NAN : c->intensity[i] / 8 - 3;
        }
    }
}

typedef struct {
    halo_sample_type labels, intensity;
    array_layout layout, other_layout;
    int ranks;
} way;

static halo_array_table *measure(const region_case *c, const way *w, const char *properties)
{
    laid_array labels = array_lay_values(w->layout, w->labels, c->axes, c->n, c->labels);
    laid_array samples =
        array_lay_values(w->other_layout, w->intensity, c->axes, c->n, c->intensity);
    halo_regions_array_options options = {.properties = properties};
    halo_array_table *table = NULL;
    halo_context *context;
    SUCCEEDS(halo_context_create(&context));
    SUCCEEDS(halo_context_set_ranks(context, w->ranks));
    SUCCEEDS(halo_regions_array(context, &labels.array, &samples.array, &options, &table));
    check(array_gaps_are_kept(&labels) && array_gaps_are_kept(&samples), "bytes were written");
    halo_context_destroy(&context);
    array_free(&labels);
    array_free(&samples);
    return table;
}

static way choose_way(uint64_t *random)
{
    const int64_t whole = HALO_SAMPLE_F32 - HALO_SAMPLE_U8;
    return (way){.labels = (halo_sample_type)(HALO_SAMPLE_U8 + random_below(random, whole)),
                 .intensity = (halo_sample_type)random_below(random, HALO_SAMPLE_TYPES),
                 .layout = (array_layout)random_below(random, LAYOUTS),
                 .other_layout = (array_layout)random_below(random, LAYOUTS),
                 .ranks = all_ranks[random_below(random, COUNT(all_ranks))]};
}

TEST("sums over elements, in all layouts and types")
{
    static region_case c;
    uint64_t random = 11;
    for (int i = 0; i < unit_cases(150); i++) {
        way w = choose_way(&random);
        char what[160];
        make_case(&c, w.labels, w.intensity, &random);
        snprintf(what, sizeof what, "case %d: %d axes, %s %s, %s %s, %d ranks", i, c.axes,
                 halo_sample_types[w.labels].name, array_layout_names[w.layout],
                 halo_sample_types[w.intensity].name, array_layout_names[w.other_layout], w.ranks);
        halo_array_table *table = measure(&c, &w, "standard,extent");
        int64_t row = 0;
        for (double label = 1; label < 3 * MOST_REGIONS; label++) {
            const region_sums of = add_up(&c, label);
            if (of.area > 0 && row < halo_array_table_rows(table)) {
                expect_row(&c, table, row, &of, what);
            }
            row += of.area > 0;
        }
        check(row == halo_array_table_rows(table), "%s: %" PRId64 " rows, not %" PRId64, what,
              halo_array_table_rows(table), row);
        halo_array_table_destroy(&table);
    }
}

TEST("all properties have the same bytes for any number of ranks and any layout")
{
    static region_case c;
    uint64_t random = 12;
    for (int i = 0; i < 30; i++) {
        way first = choose_way(&random);
        make_case(&c, first.labels, first.intensity, &random);
        first.layout = first.other_layout = LAYOUT_C;
        first.ranks = 1;
        halo_array_table *table = measure(&c, &first, "all");
        for (size_t r = 0; r < COUNT(all_ranks); r++) {
            way w = choose_way(&random);
            w.labels = first.labels;
            w.intensity = first.intensity;
            w.ranks = all_ranks[r];
            halo_array_table *other = measure(&c, &w, "all");
            check(tables_are_equal(table, other), "case %d: %d axes, %s %s, %d ranks", i, c.axes,
                  halo_sample_types[w.labels].name, array_layout_names[w.layout], w.ranks);
            halo_array_table_destroy(&other);
        }
        halo_array_table_destroy(&table);
    }
}

/* ---- options and labels ---------------------------------------------------------------------- */

TEST("labels of 64 bits are kept exactly, and take no memory by their value")
{
    uint64_t ids[] = {UINT64_MAX, 0, UINT64_MAX - 1, UINT64_C(1) << 53, (UINT64_C(1) << 53) + 1, 7};
    static const uint64_t wanted[] = {7, UINT64_C(1) << 53, (UINT64_C(1) << 53) + 1, UINT64_MAX - 1,
                                      UINT64_MAX};
    static const int64_t n[] = {COUNT(ids)};
    halo_array labels = array_plain(HALO_SAMPLE_U64, 1, n, ids);
    halo_array_table *table;
    SUCCEEDS(halo_regions_array(NULL, &labels, NULL, NULL, &table));
    const halo_array_column *column = halo_array_table_column(table, 0);
    check(column->type == HALO_SAMPLE_U64 && halo_array_table_rows(table) == COUNT(wanted) &&
              memcmp(column->values, wanted, sizeof wanted) == 0,
          "labels");
    halo_array_table_destroy(&table);
    ids[0] = ids[2] = (uint64_t)INT64_MIN;
    ids[4] = INT64_MAX;
    labels.type = HALO_SAMPLE_I64;
    SUCCEEDS(halo_regions_array(NULL, &labels, NULL, NULL, &table));
    column = halo_array_table_column(table, 0);
    check(column->type == HALO_SAMPLE_I64 && halo_array_table_rows(table) == 3 &&
              ((const int64_t *)column->values)[2] == INT64_MAX,
          "signed labels");
    halo_array_table_destroy(&table);
}

TEST("the background as a region, and a spacing")
{
    static int8_t grid[2][3] = {{0, 4, 4}, {-1, 0, 4}};
    static const int64_t n[] = {2, 3};
    halo_regions_array_options options = {.background = true, .spacing = {2, .5}};
    halo_array labels = array_plain(HALO_SAMPLE_I8, 2, n, grid);
    halo_array_table *table;
    SUCCEEDS(halo_regions_array(NULL, &labels, NULL, &options, &table));
    check(halo_array_table_rows(table) == 2, "%" PRId64 " rows", halo_array_table_rows(table));
    expect_value(table, "label", 0, 0, 0, "background");
    expect_value(table, "area", 0, 2, 0, "background");
    expect_value(table, "area", 1, 3, 0, "4");
    expect_axis(table, "bbox", 3, 1, 3, "4");
    expect_axis(table, "centroid", 0, 1, 2 * 1. / 3, "4");
    expect_axis(table, "centroid", 1, 1, .5 * 5 / 3, "4");
    check(halo_array_table_find(table, "perimeter") == NULL, "a property that is not asked for");
    check(halo_array_table_column(table, -1) == NULL &&
              halo_array_table_column(table, halo_array_table_columns(table)) == NULL,
          "columns that are none");
    halo_array_table_destroy(&table);
    halo_array_table_destroy(&table);
}

TEST("options by name and value, and arrays without regions or elements")
{
    static uint8_t grid[2][3];
    static const int64_t n[] = {2, 3}, none[] = {0, 3};
    halo_regions_array_options options = {0};
    halo_array labels = array_plain(HALO_SAMPLE_U8, 2, n, grid);
    halo_array_table *table;
    const halo_option *rows = halo_regions_array_rows;
    SUCCEEDS(halo_options_set_defaults(rows, &options));
    SUCCEEDS(halo_options_set(rows, &options, "regions", "properties", "all"));
    SUCCEEDS(halo_options_set(rows, &options, "regions", "spacing-0", "2.5"));
    SUCCEEDS(halo_options_set(rows, &options, "regions", "spacing-1", "2.5"));
    SUCCEEDS(halo_regions_array(NULL, &labels, &labels, &options, &table));
    check(halo_array_table_rows(table) == 0 && halo_array_table_columns(table) > 20, "no regions");
    halo_array_table_destroy(&table);
    labels = array_plain(HALO_SAMPLE_U8, 2, none, NULL);
    SUCCEEDS(halo_regions_array(NULL, &labels, &labels, &options, &table));
    check(halo_array_table_rows(table) == 0 && halo_array_table_columns(table) > 20, "no elements");
    halo_array_table_destroy(&table);
}

/* ---- progress, and several calls at a time --------------------------------------------------- */

TEST("a function of progress cancels, with any number of ranks")
{
    static uint16_t grid[300][300];
    static const int64_t n[] = {300, 300};
    halo_array labels = array_plain(HALO_SAMPLE_U16, 2, n, grid);
    for (int i = 0; i < 300 * 300; i++) {
        grid[i / 300][i % 300] = (uint16_t)(i / 7);
    }
    for (size_t r = 0; r < COUNT(all_ranks); r++) {
        array_progress w = array_progress_until(1);
        halo_context *context;
        halo_array_table *table;
        SUCCEEDS(halo_context_create(&context));
        SUCCEEDS(halo_context_set_ranks(context, all_ranks[r]));
        halo_context_set_progress(context, array_progress_watch, &w);
        FAILS(HALO_CANCELLED, "cancelled",
              halo_regions_array(context, &labels, NULL,
                                 &(halo_regions_array_options){.properties = "all"}, &table));
        check(w.calls > 0 && table == NULL, "%d calls", w.calls);
        halo_context_destroy(&context);
    }
}

static void *measure_often(void *user)
{
    uint64_t random = *(uint64_t *)user;
    region_case *c = malloc(sizeof *c);
    for (int i = 0; i < 5 && c != NULL; i++) {
        way w = choose_way(&random);
        make_case(c, w.labels, w.intensity, &random);
        halo_array_table *one = measure(c, &w, "all");
        w.ranks = 1;
        halo_array_table *other = measure(c, &w, "all");
        *(uint64_t *)user = tables_are_equal(one, other) ? *(uint64_t *)user : 0;
        halo_array_table_destroy(&one);
        halo_array_table_destroy(&other);
    }
    free(c);
    return NULL;
}

TEST("several calls at a time")
{
    enum { THREADS = 3 };
    uint64_t users[THREADS] = {21, 22, 23};
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        check(pthread_create(&threads[i], NULL, measure_often, &users[i]) == 0, "a thread");
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        check(users[i] != 0, "tables differ");
    }
}
