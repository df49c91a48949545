#include "kernels/watershed/watershed_array.h"
#include "support/array_layouts.h"
#include "support/array_progress.h"
#include "support/images.h"
#include "support/unit_check.h"
#include "support/watershed_naive.h"

#include <math.h>

/* Watersheds of arrays against the naive definition: layouts, types, ranks, masks, minima, lines,
 * mirrored images, and what is refused. */

enum { MOST = 1600 };

static halo_context *context_of(int ranks, const char *instructions)
{
    halo_context *context;
    SUCCEEDS(halo_context_create(&context));
    SUCCEEDS(halo_context_set_ranks(context, ranks));
    halo_context_set_instructions(context, instructions);
    return context;
}

/* ---- random images --------------------------------------------------------------------------- */

typedef struct {
    halo_sample_type type, marker_type, mask_type, label_type;
    array_layout layout, marker_layout, mask_layout, label_layout;
    int axes, order, ranks;
    int64_t n[3];
    bool masked, line, minima;
    double levels, height;
    double image[MOST], markers[MOST], mask[MOST];
    char text[300];
} image_case;

static int64_t cells_of(const image_case *c)
{
    return c->n[0] * c->n[1] * c->n[2];
}

/* Samples of the type, up to the largest one: what is outside the mask must not be taken for it. */
static double sample_of(const image_case *c, double level)
{
    const halo_sample_type_entry *type = &halo_sample_types[c->type];
    if (type->real) {
        return level / 8 - 3;
    }
    switch (c->type) {
    case HALO_SAMPLE_U8:
        return UINT8_MAX - level;
    case HALO_SAMPLE_I8:
        return INT8_MAX - level;
    case HALO_SAMPLE_U16:
        return UINT16_MAX - level * 5;
    case HALO_SAMPLE_I16:
        return INT16_MAX - level * 500;
    case HALO_SAMPLE_U32:
        return UINT32_MAX - level * 1e7;
    case HALO_SAMPLE_I32:
        return INT32_MAX - level * 3e7;
    case HALO_SAMPLE_BIT:
        return level > 2;
    default:
        return level;
    }
}

/* Noise, smoothed in some images by means of four, so that they have plateaus and lakes. */
static void make_image(image_case *c, uint64_t *random)
{
    int64_t cells = cells_of(c), columns = c->n[2];
    int smooth = (int)random_below(random, 3);
    for (int64_t i = 0; i < cells; i++) {
        c->image[i] = (double)random_below(random, (int64_t)c->levels);
    }
    for (int pass = 0; pass < smooth; pass++) {
        for (int64_t i = 0; i + columns + 1 < cells; i++) {
            c->image[i] = floor((c->image[i] + c->image[i + 1] + c->image[i + columns] +
                                 c->image[i + columns + 1]) /
                                4);
        }
    }
    int64_t sources = 1 + random_below(random, 12);
    memset(c->markers, 0, sizeof c->markers);
    for (int64_t i = 0; i < sources; i++) {
        c->markers[random_below(random, cells)] = (double)(1 + random_below(random, 100));
    }
    for (int64_t i = 0; i < cells; i++) {
        c->image[i] = sample_of(c, c->image[i]);
        c->mask[i] = random_below(random, 6) != 0;
    }
}

static void make_case(image_case *c, uint64_t *random)
{
    static const int64_t sides[] = {1, 2, 3, 7, 9, 12, 20, 33, 40};
    static const halo_sample_type whole[] = {HALO_SAMPLE_U8, HALO_SAMPLE_I16, HALO_SAMPLE_I32,
                                             HALO_SAMPLE_I64, HALO_SAMPLE_F64};
    static const double levels[] = {2, 6, 30, 120};
    c->axes = 1 + (int)random_below(random, 3);
    c->n[0] = c->axes > 2 ? sides[random_below(random, 5)] : 1;
    c->n[1] = c->axes > 1 ? sides[random_below(random, c->axes > 2 ? 6 : 9)] : 1;
    c->n[2] = sides[random_below(random, c->axes > 2 ? 6 : 9)];
    c->order = 1 + (int)random_below(random, c->axes);
    c->ranks = 1 + (int)random_below(random, 5);
    c->type = (halo_sample_type)random_below(random, HALO_SAMPLE_TYPES);
    c->marker_type = whole[random_below(random, COUNT(whole))];
    c->mask_type = (halo_sample_type)random_below(random, HALO_SAMPLE_TYPES);
    c->label_type = whole[random_below(random, COUNT(whole))];
    c->layout = (array_layout)random_below(random, LAYOUTS);
    c->marker_layout = (array_layout)random_below(random, LAYOUTS);
    c->mask_layout = (array_layout)random_below(random, LAYOUTS);
    c->label_layout = (array_layout)random_below(random, LAYOUTS);
    c->masked = random_below(random, 2) == 0;
    c->line = random_below(random, 4) == 0;
    c->minima = random_below(random, 3) == 0;
    c->levels = levels[random_below(random, COUNT(levels))];
    c->height = (double)random_below(random, 3) * (halo_sample_types[c->type].real ? .25 : 1);
    make_image(c, random);
}

static void run_truth(const image_case *c, int32_t *labels)
{
    static bool mask[MOST];
    static int32_t markers[MOST];
    const watershed_naive naive = {.n = {c->n[0], c->n[1], c->n[2]},
                                   .order = c->order,
                                   .image = c->image,
                                   .mask = mask,
                                   .markers = markers,
                                   .labels = labels};
    for (int64_t i = 0; i < cells_of(c); i++) {
        mask[i] = !c->masked || c->mask[i] > 0;
        markers[i] = (int32_t)c->markers[i];
    }
    if (c->minima) {
        watershed_naive_minima(&naive, c->height);
    }
    watershed_naive_run(&naive);
    if (c->line) {
        watershed_naive_line(&naive);
    }
}

static void run_case(const image_case *c, const char *instructions)
{
    static const int neighbours[3][3] = {{2, 0, 0}, {4, 8, 0}, {6, 18, 26}};
    static int32_t truth[MOST];
    const int64_t *n = c->n + 3 - c->axes;
    laid_array in = array_lay_values(c->layout, c->type, c->axes, n, c->image);
    laid_array markers = array_lay_values(c->marker_layout, c->marker_type, c->axes, n, c->markers);
    laid_array mask = array_lay_values(c->mask_layout, c->mask_type, c->axes, n, c->mask);
    laid_array labels = array_lay(c->label_layout, c->label_type, c->axes, n);
    halo_context *context = context_of(c->ranks, instructions);
    halo_watershed_report report;
    const halo_watershed_array_options options = {
        .connectivity = neighbours[c->axes - 1][c->order - 1],
        .line = c->line,
        .minima = {.given = c->minima, .value = c->height}};
    run_truth(c, truth);
    int32_t largest = 0;
    for (int64_t i = 0; i < cells_of(c); i++) {
        largest = truth[i] > largest ? truth[i] : largest;
    }
    if (largest <= UINT8_MAX || c->label_type != HALO_SAMPLE_U8) {
        SUCCEEDS(halo_watershed_array(context, &in.array, c->minima ? NULL : &markers.array,
                                      c->masked ? &mask.array : NULL, &labels.array, &options,
                                      &report));
        int64_t wrong = 0;
        for (int64_t i = 0; i < cells_of(c); i++) {
            double value = array_value(&labels.array, i);
            wrong += value < truth[i] || value > truth[i];
        }
        check(wrong == 0, "%s: %" PRId64 " elements differ", c->text, wrong);
        check(array_gaps_are_kept(&labels), "%s: bytes between elements were written", c->text);
    }
    halo_context_destroy(&context);
    array_free(&in);
    array_free(&markers);
    array_free(&mask);
    array_free(&labels);
}

TEST("the labels of the definition, in all layouts and types, with all ranks")
{
    static image_case c;
    uint64_t random = 7;
    for (int i = 0; i < unit_cases(600); i++) {
        make_case(&c, &random);
        snprintf(c.text, sizeof c.text,
                 "case %d: %" PRId64 "x%" PRId64 "x%" PRId64
                 ", order %d, %s, %g levels, %d ranks%s%s%s, height %g, %s, markers %s %s, mask %s",
                 i, c.n[0], c.n[1], c.n[2], c.order, halo_sample_types[c.type].name, c.levels,
                 c.ranks, c.masked ? ", mask" : "", c.line ? ", line" : "",
                 c.minima ? ", minima" : "", c.height, array_layout_names[c.layout],
                 array_layout_names[c.marker_layout], halo_sample_types[c.marker_type].name,
                 array_layout_names[c.mask_layout]);
        run_case(&c, i % 3 == 0 ? "plain" : NULL);
    }
}
