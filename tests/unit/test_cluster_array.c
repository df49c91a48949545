#include "kernels/cluster/cluster_array.h"
#include "kernels/cluster/lab.h"
#include "support/array_layouts.h"
#include "support/cluster_case.h"
#include "support/images.h"
#include "support/unit_check.h"

/* halo_cluster_array against k-means by its definition, in all layouts and types. */

enum { MOST = 4000, CHANNELS = HALO_CLUSTER_CHANNELS };

/* ---- images ---------------------------------------------------------------------------------- */

/* An image as elements of an array, and as the cells that they become. */
typedef struct {
    halo_sample_type type;
    bool colour;
    const char *range;
    double elements[CHANNELS * MOST];
    int64_t white;                   /* of the cells, or of the colours that become L, a and b */
    int32_t values[CHANNELS * MOST]; /* of greys or colours, before that */
} test_image;

static int64_t pick_value(cluster_picture kind, int64_t x, int64_t y, int64_t top, uint64_t *random)
{
    switch (kind) {
    case CLUSTER_constant:
        return top / 3;
    case CLUSTER_checks:
        return (x / 5 + y / 4) % 2 == 0 ? top : 0;
    case CLUSTER_slope:
        return (3 * x + 2 * y) * top / 1000 % top + random_below(random, 2);
    default:
        return random_below(random, top + 1);
    }
}

/* Elements of a type that has greys as they are, or over a range. */
static void make_image(test_image *picture, const int64_t *n, cluster_picture kind,
                       uint64_t *random)
{
    enum { BYTES = 255, SHORTS = 65535 };
    bool real = halo_sample_types[picture->type].real;
    bool bytes = picture->type == HALO_SAMPLE_U8 || picture->type == HALO_SAMPLE_I8;
    int64_t top = picture->type == HALO_SAMPLE_BIT ? 1 : bytes ? BYTES : SHORTS;
    picture->range = NULL;
    picture->white = picture->type == HALO_SAMPLE_I8 ? SHORTS : top;
    for (int64_t i = 0; i < n[0] * n[1] * (picture->colour ? CHANNELS : 1); i++) {
        int64_t at = picture->colour ? i / CHANNELS : i;
        int64_t value = pick_value(kind, at % n[1], at / n[1], top, random);
        picture->values[i] = (int32_t)value;
        picture->elements[i] = (double)value;
        if (real) { /* from 0 to 1, in steps that a float has */
            double share = (double)(value / 2) / 32768;
            picture->elements[i] = picture->colour ? share : 100 * share - 20;
            picture->values[i] = (int32_t)floor(share * 100 * SHORTS / 100 + .5);
            picture->range = picture->colour ? NULL : "-20..80";
        } else if (picture->type == HALO_SAMPLE_I8) {
            picture->elements[i] = (double)(value - 128);
            picture->values[i] = (int32_t)(value * 257);
            picture->range = "-128..127";
        } else if (picture->type == HALO_SAMPLE_I16) {
            picture->elements[i] = (double)(value - 32768);
            picture->range = "-32768..32767";
        } else if (picture->colour && !bytes && picture->type != HALO_SAMPLE_U16) {
            picture->range = "0..65535";
        }
    }
}

/* The reference has the cells of the image. */
static void take_image(cluster_case *c, const test_image *picture)
{
    int64_t pixels = c->rows * c->columns;
    bool bytes = picture->white == 255;
    if (!picture->colour) {
        memcpy(c->values, picture->values, (size_t)pixels * sizeof *c->values);
        return;
    }
    halo_lab *lab;
    SUCCEEDS(halo_lab_create(&lab, bytes ? 8 : 16));
    for (int64_t i = 0; i < pixels; i++) {
        uint16_t shorts[CHANNELS];
        uint8_t rgb[CHANNELS];
        int16_t out[CHANNELS];
        for (int k = 0; k < CHANNELS; k++) {
            shorts[k] = (uint16_t)picture->values[CHANNELS * i + k];
            rgb[k] = (uint8_t)picture->values[CHANNELS * i + k];
        }
        halo_lab_row(lab, bytes ? (void *)rgb : (void *)shorts, 1, out);
        for (int k = 0; k < CHANNELS; k++) {
            c->values[CHANNELS * i + k] = out[k];
        }
    }
    halo_lab_destroy(&lab);
}

static halo_sample_range range_of(const char *text)
{
    halo_sample_range range;
    SUCCEEDS(halo_sample_range_parse(text != NULL ? text : "auto", &range));
    return range;
}

/* ---- calls ----------------------------------------------------------------------------------- */

typedef struct {
    halo_sample_type labels;
    array_layout layout, labels_layout;
    int ranks;
} way;

static laid_array lay_image(const test_image *picture, array_layout layout, const int64_t *n)
{
    const int64_t all[] = {n[0], n[1], CHANNELS};
    return array_lay_values(layout, picture->type, picture->colour ? 3 : 2, all, picture->elements);
}

static double element_of(const test_image *picture, double mean)
{
    bool real = halo_sample_types[picture->type].real;
    double share = mean / (double)picture->white;
    return picture->range == NULL             ? real ? share : mean
           : real                             ? 100 * share - 20
           : picture->type == HALO_SAMPLE_I8  ? 255 * share - 128
           : picture->type == HALO_SAMPLE_I16 ? mean - 32768
                                              : mean;
}

/* Means and inertia follow from labels. */
static double value_of(const halo_array_table *table, const char *name, int64_t row)
{
    const halo_array_column *column = halo_array_table_find(table, name);
    if (!check(column != NULL, "column %s", name)) {
        return NAN;
    }
    return column->type == HALO_SAMPLE_I64 ? (double)((const int64_t *)column->values)[row]
                                           : ((const double *)column->values)[row];
}

static void check_table(const cluster_case *c, const test_image *picture, double weight,
                        const halo_cluster_array_report *report, const halo_array_table *table,
                        const char *what)
{
    static const char *const names[] = {"L", "a", "b", "red", "green", "blue"};
    double inertia = 0;
    check(halo_array_table_rows(table) == c->clusters, "%s: %" PRId64 " clusters", what,
          halo_array_table_rows(table));
    for (int k = 0; k < c->clusters; k++) {
        double sums[2 + 2 * CHANNELS] = {0}, squares = 0, unit = picture->colour ? 64 : 1;
        int64_t pixels = 0, channels = picture->colour ? CHANNELS : 1;
        for (int64_t i = 0; i < c->rows * c->columns; i++) {
            if (c->labels[i] == k) {
                double at[2 + CHANNELS] = {(double)(i % c->columns), (double)(i / c->columns)};
                pixels++;
                for (int64_t a = 0; a < channels; a++) {
                    at[2 + a] = (double)c->values[channels * i + a];
                    sums[2 + CHANNELS + a] += picture->values[channels * i + a];
                }
                for (int64_t a = 0; a < 2 + channels; a++) {
                    double scaled = at[a] * (a < 2 ? 1 : weight);
                    sums[a] += at[a];
                    squares += scaled * scaled;
                }
            }
        }
        double got = value_of(table, "pixels", k);
        check((int64_t)got == pixels, "%s: cluster %d has %g pixels, not %" PRId64, what, k, got,
              pixels);
        if (pixels == 0) {
            continue;
        }
        for (int64_t a = 0; a < 2 + channels; a++) {
            double scaled = sums[a] * (a < 2 ? 1 : weight);
            squares -= scaled * scaled / (double)pixels;
        }
        inertia += squares;
        double n = (double)pixels;
        NEAR(value_of(table, "x", k), sums[0] / n, 1e-9);
        NEAR(value_of(table, "y", k), sums[1] / n, 1e-9);
        for (int64_t a = 0; a < channels; a++) {
            double mean = sums[2 + a] / n;
            NEAR(value_of(table, picture->colour ? names[a] : "grey", k),
                 picture->colour ? mean / unit : element_of(picture, mean), 1e-6);
            if (picture->colour) {
                NEAR(value_of(table, names[CHANNELS + a], k),
                     element_of(picture, sums[2 + CHANNELS + a] / n), 1e-6);
            }
        }
    }
    NEAR(report->inertia, inertia, 1e-6 * (inertia + 1));
}

static void compare(const cluster_case *c, const halo_array *labels, const char *what)
{
    int64_t wrong = 0;
    for (int64_t i = 0; i < c->rows * c->columns; i++) {
        wrong += (int64_t)array_value(labels, i) != c->labels[i];
    }
    check(wrong == 0, "%s: %" PRId64 " labels differ", what, wrong);
}

static void cluster_one(const test_image *picture, const int64_t *n,
                        const halo_cluster_array_options *options, const way *w)
{
    char what[300];
    cluster_case c = {.rows = n[0],
                      .columns = n[1],
                      .cell_bits = picture->colour        ? 48
                                   : picture->white > 255 ? 16
                                                          : 8,
                      .clusters = options->clusters};
    double weight = options->weight.given ? options->weight.value : 1;
    c.weight = halo_cluster_cell_weight(weight, picture->colour, picture->white);
    cluster_case_create(&c);
    take_image(&c, picture);
    cluster_case_begin(&c);
    c.changed = 1;
    for (int64_t beat = 0; beat < options->beats && c.changed > 0; beat++) {
        cluster_case_beat(&c);
    }
    laid_array from = lay_image(picture, w->layout, n);
    laid_array to = array_lay(w->labels_layout, w->labels, 2, n);
    halo_cluster_array_report report;
    halo_array_table *table;
    halo_context *context;
    snprintf(what, sizeof what,
             "%" PRId64 " x %" PRId64 "%s, %s %s to %s %s, %d clusters, weight %g, %d ranks", n[0],
             n[1], picture->colour ? " in colour" : "", halo_sample_types[picture->type].name,
             array_layout_names[w->layout], halo_sample_types[w->labels].name,
             array_layout_names[w->labels_layout], options->clusters, weight, w->ranks);
    SUCCEEDS(halo_context_create(&context));
    SUCCEEDS(halo_context_set_ranks(context, w->ranks));
    SUCCEEDS(halo_cluster_array(context, &from.array, &to.array, options, &table, &report));
    compare(&c, &to.array, what);
    check(array_gaps_are_kept(&to), "%s: bytes between labels were written", what);
    check(report.labels == c.clusters && report.beats == c.beats &&
              report.converged == (c.changed == 0),
          "%s: %" PRId64 " beats, not %" PRId64, what, report.beats, c.beats);
    check_table(&c, picture, c.weight, &report, table, what);
    halo_array_table_destroy(&table);
    halo_context_destroy(&context);
    cluster_case_free(&c);
    array_free(&from);
    array_free(&to);
}

static const int64_t shapes[][2] = {{1, 1}, {1, 70}, {60, 1}, {31, 33}, {64, 40}, {9, 200}};

static void cluster_ways(int count, bool colour, uint64_t random)
{
    static test_image picture;
    static const int ranks[] = {1, 2, 3, 5};
    static const char *const engines[] = {NULL, "tiles", "leaves", "brute"};
    static const double weights[] = {0, .05, 1, 3};
    static const halo_sample_type labels[] = {HALO_SAMPLE_U8,  HALO_SAMPLE_I8,  HALO_SAMPLE_U16,
                                              HALO_SAMPLE_I16, HALO_SAMPLE_I32, HALO_SAMPLE_U64};
    for (int i = 0; i < count; i++) {
        const int64_t *n = shapes[random_below(&random, COUNT(shapes))];
        way w = {.labels = labels[random_below(&random, COUNT(labels))],
                 .layout = (array_layout)random_below(&random, LAYOUTS),
                 .labels_layout = (array_layout)random_below(&random, LAYOUTS),
                 .ranks = ranks[random_below(&random, COUNT(ranks))]};
        do {
            picture.type = (halo_sample_type)random_below(&random, HALO_SAMPLE_TYPES);
        } while (colour && picture.type == HALO_SAMPLE_BIT);
        picture.colour = colour;
        make_image(&picture, n, (cluster_picture)random_below(&random, CLUSTER_PICTURES), &random);
        int64_t most = n[0] * n[1] < 100 ? n[0] * n[1] : 100;
        const halo_cluster_array_options options = {
            .clusters = 1 + (int)random_below(&random, most),
            .colour = colour,
            .weight = {weights[random_below(&random, COUNT(weights))],
                       random_below(&random, 4) > 0},
            .beats = 1 + random_below(&random, 12),
            .range = range_of(picture.range),
            .engine = engines[random_below(&random, COUNT(engines))]};
        cluster_one(&picture, n, &options, &w);
    }
}

TEST("the labels of k-means of greys, in all layouts and types")
{
    cluster_ways(unit_cases(300), false, 11);
}

TEST("the labels of k-means of colours, in all layouts and types")
{
    cluster_ways(unit_cases(150), true, 12);
}

/* ---- ranges ---------------------------------------------------------------------------------- */

static const int64_t side[] = {40, 50};
enum { PIXELS = 40 * 50 };

/* Labels of elements that are low + step * value, value from 0 to 255 of the same image. */
static void cluster_steps(halo_sample_type type, double low, double step, const char *range,
                          double weight, int32_t *out)
{
    static double elements[PIXELS];
    uint64_t random = 5;
    for (int64_t i = 0; i < PIXELS; i++) {
        elements[i] = low + step * (double)(i < 2 ? 255 * i : random_below(&random, 256));
    }
    laid_array from = array_lay_values(LAYOUT_C, type, 2, side, elements);
    laid_array to = array_lay(LAYOUT_C, HALO_SAMPLE_I32, 2, side);
    const halo_cluster_array_options options = {
        .clusters = 30, .beats = 5, .range = range_of(range), .weight = {weight, true}};
    SUCCEEDS(halo_cluster_array(NULL, &from.array, &to.array, &options, NULL, NULL));
    memcpy(out, to.array.data, PIXELS * sizeof *out);
    array_free(&from);
    array_free(&to);
}

TEST("types have the greys that the command gives them")
{
    static int32_t bytes[PIXELS], got[PIXELS];
    static const struct {
        halo_sample_type type;
        double low, step;
        const char *range;
        double weight;
    } same[] = {{HALO_SAMPLE_U16, 0, 257, NULL, 1},   {HALO_SAMPLE_I32, 0, 257, NULL, 1},
                {HALO_SAMPLE_I64, 0, 1, NULL, 257}, /* greys as they are, of which white is 65535 */
                {HALO_SAMPLE_I32, -1000, 3, NULL, 1}, {HALO_SAMPLE_F64, 0, 1. / 255, NULL, 1},
                {HALO_SAMPLE_F32, -64, .25, NULL, 1}, {HALO_SAMPLE_F64, 10, 2, "10..520", 1},
                {HALO_SAMPLE_U8, 0, 1, "0..255", 1},  {HALO_SAMPLE_I16, -5, 1, "-5..505", 2}};
    cluster_steps(HALO_SAMPLE_U8, 0, 1, NULL, 1, bytes);
    for (size_t i = 0; i < COUNT(same); i++) {
        int64_t differ = 0;
        cluster_steps(same[i].type, same[i].low, same[i].step, same[i].range, same[i].weight, got);
        for (int64_t at = 0; at < PIXELS; at++) {
            differ += got[at] != bytes[at];
        }
        /* Greys are rounded: a few pixels are as near to one centre as to another. */
        check(differ <= PIXELS / 100, "%s by %g: %" PRId64 " differ",
              halo_sample_types[same[i].type].name, same[i].step, differ);
    }
}

TEST("a compactness is the weight that it stands for")
{
    static test_image picture = {.type = HALO_SAMPLE_U8};
    uint64_t random = 9;
    make_image(&picture, side, CLUSTER_slope, &random);
    laid_array from = lay_image(&picture, LAYOUT_C, side);
    laid_array a = array_lay(LAYOUT_C, HALO_SAMPLE_U8, 2, side);
    laid_array b = array_lay(LAYOUT_C, HALO_SAMPLE_U8, 2, side);
    double weight = sqrt(PIXELS / 20.) / 255 / .1;
    halo_cluster_array_report report;
    SUCCEEDS(halo_cluster_array(NULL, &from.array, &a.array,
                                (&(halo_cluster_array_options){.clusters = 20, .compactness = .1}),
                                NULL, &report));
    NEAR(report.weight, weight, 0);
    SUCCEEDS(halo_cluster_array(
        NULL, &from.array, &b.array,
        (&(halo_cluster_array_options){.clusters = 20, .weight = {weight, true}}), NULL, &report));
    check(memcmp(a.array.data, b.array.data, PIXELS) == 0, "labels");
    array_free(&from);
    array_free(&a);
    array_free(&b);
}
