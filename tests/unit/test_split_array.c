#include "kernels/split/split_array.h"
#include "support/array_layouts.h"
#include "support/images.h"
#include "support/split_naive.h"
#include "support/unit_check.h"

#include <math.h>

/* Parts of objects in arrays against the naive definition: layouts, types, ranks, masks, plateaus,
 * and what is refused. */

enum { CELLS = 700 };

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
    halo_sample_type type, mask_type, label_type;
    array_layout layout, mask_layout, label_layout;
    int axes, order, ranks;
    int64_t n[3];
    halo_split_by by;
    bool masked, dark;
    double levels, h;
    double image[CELLS], mask[CELLS];
    char text[300];
} image_case;

static int64_t cells_of(const image_case *c)
{
    return c->n[0] * c->n[1] * c->n[2];
}

/* Up to the ends of the type: what is outside the mask must not be taken for it. */
static double sample_of(const image_case *c, double level)
{
    switch (c->type) {
    case HALO_SAMPLE_U8:
        return UINT8_MAX - level;
    case HALO_SAMPLE_I8:
        return INT8_MIN + level;
    case HALO_SAMPLE_I16:
        return INT16_MIN + level * 500;
    case HALO_SAMPLE_U32:
        return UINT32_MAX - level * 1e7;
    case HALO_SAMPLE_F32:
    case HALO_SAMPLE_F64:
        return level / 8 - 3;
    case HALO_SAMPLE_BIT:
        return level > 2;
    default:
        return level;
    }
}

/* Noise for intensity, smoothed in some images so that they have plateaus; and of distances
 * foreground with some pixels missing, most of them in a few rows. */
static void make_image(image_case *c, uint64_t *random)
{
    int64_t cells = cells_of(c), columns = c->n[2];
    bool smooth = random_below(random, 2) == 0, distance = c->by == HALO_SPLIT_DISTANCE;
    int64_t dense = 2 + random_below(random, 20);
    for (int64_t i = 0; i < cells; i++) {
        c->image[i] = (double)random_below(random, (int64_t)c->levels);
        c->mask[i] = random_below(random, 6) != 0;
    }
    for (int64_t i = 0; i + columns < cells && smooth; i++) {
        c->image[i] = floor((c->image[i] + c->image[i + 1] + c->image[i + columns]) / 3);
    }
    for (int64_t i = 0; i < cells; i++) {
        c->image[i] = distance ? (double)(i > 0 && random_below(random, dense) != 0)
                               : sample_of(c, c->image[i]);
    }
}

static void make_case(image_case *c, uint64_t *random)
{
    static const int64_t sides[] = {1, 2, 3, 7, 8, 13, 20, 33};
    static const double levels[] = {1, 2, 6, 30, 120}, heights[] = {0, .4, .75, 1, 3};
    static const halo_sample_type whole[] = {HALO_SAMPLE_I16, HALO_SAMPLE_I32, HALO_SAMPLE_U32,
                                             HALO_SAMPLE_F64};
    c->axes = 1 + (int)random_below(random, 3);
    c->n[0] = c->axes > 2 ? sides[random_below(random, 5)] : 1;
    c->n[1] = c->axes > 1 ? sides[random_below(random, c->axes > 2 ? 5 : 7)] : 1;
    c->n[2] = sides[random_below(random, c->axes > 2 ? 5 : 8)];
    if (c->axes > 1 && random_below(random, 6) == 0) { /* more than one piece of a row's cells */
        c->n[0] = 1;
        c->n[1] = 1 + random_below(random, 3);
        c->n[2] = 126 + random_below(random, 80);
    }
    c->order = 1 + (int)random_below(random, c->axes);
    c->ranks = 1 + (int)random_below(random, 5);
    c->by = (halo_split_by)random_below(random, 2);
    c->type = (halo_sample_type)random_below(random, HALO_SAMPLE_TYPES);
    c->mask_type = (halo_sample_type)random_below(random, HALO_SAMPLE_TYPES);
    c->label_type = whole[random_below(random, COUNT(whole))];
    c->layout = (array_layout)random_below(random, LAYOUTS);
    c->mask_layout = (array_layout)random_below(random, LAYOUTS);
    c->label_layout = (array_layout)random_below(random, LAYOUTS);
    c->masked = c->by == HALO_SPLIT_INTENSITY && random_below(random, 2) == 0;
    c->dark = c->by == HALO_SPLIT_INTENSITY && random_below(random, 2) == 0;
    c->levels = levels[random_below(random, COUNT(levels))];
    c->h = heights[random_below(random, COUNT(heights))];
    make_image(c, random);
}

static int32_t run_truth(const image_case *c, int32_t *labels)
{
    static bool mask[CELLS];
    static double heights[CELLS];
    bool distance = c->by == HALO_SPLIT_DISTANCE;
    const split_naive naive = {.n = {c->n[0], c->n[1], c->n[2]},
                               .order = c->order,
                               .heights = heights,
                               .mask = mask,
                               .roots = distance,
                               .h = c->h,
                               .labels = labels};
    for (int64_t i = 0; i < cells_of(c); i++) {
        mask[i] = distance ? c->image[i] > 0 : !c->masked || c->mask[i] > 0;
        heights[i] = c->dark ? -c->image[i] : c->image[i];
    }
    if (distance) {
        split_naive_squares(naive.n, mask, heights);
    }
    return split_naive_run(&naive);
}

static void run_case(const image_case *c, const char *instructions)
{
    static const int neighbours[3][3] = {{2, 0, 0}, {4, 8, 0}, {6, 18, 26}};
    static int32_t truth[CELLS];
    const int64_t *n = c->n + 3 - c->axes;
    laid_array in = array_lay_values(c->layout, c->type, c->axes, n, c->image);
    laid_array mask = array_lay_values(c->mask_layout, c->mask_type, c->axes, n, c->mask);
    laid_array labels = array_lay(c->label_layout, c->label_type, c->axes, n);
    halo_context *context = context_of(c->ranks, instructions);
    halo_split_report report;
    const halo_split_array_options options = {.by = (int)c->by,
                                              .connectivity = neighbours[c->axes - 1][c->order - 1],
                                              .dark = c->dark,
                                              .h = {.given = true, .value = c->h}};
    int32_t parts = run_truth(c, truth);
    SUCCEEDS(halo_split_array(context, &in.array, c->masked ? &mask.array : NULL, &labels.array,
                              &options, &report));
    int64_t wrong = 0;
    for (int64_t i = 0; i < cells_of(c); i++) {
        double value = array_value(&labels.array, i);
        wrong += value < truth[i] || value > truth[i];
    }
    check(wrong == 0 && report.parts == parts,
          "%s: %" PRId64 " elements differ, %" PRId64 " parts and not %" PRId32, c->text, wrong,
          report.parts, parts);
    check(array_gaps_are_kept(&labels), "%s: bytes between elements were written", c->text);
    halo_context_destroy(&context);
    array_free(&in);
    array_free(&mask);
    array_free(&labels);
}

TEST("the parts of the definition, in all layouts and types, with all ranks")
{
    static image_case c;
    uint64_t random = 11;
    for (int i = 0; i < unit_cases(300); i++) {
        make_case(&c, &random);
        snprintf(c.text, sizeof c.text,
                 "case %d: %" PRId64 "x%" PRId64 "x%" PRId64
                 ", order %d, by %d, %s, %g levels, %d ranks%s%s, h %g, %s",
                 i, c.n[0], c.n[1], c.n[2], c.order, (int)c.by, halo_sample_types[c.type].name,
                 c.levels, c.ranks, c.masked ? ", mask" : "", c.dark ? ", dark" : "", c.h,
                 array_layout_names[c.layout]);
        run_case(&c, i % 3 == 0 ? "plain" : NULL);
    }
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* A path that winds over the borders of strips, where the samples rise along it: pointers leave a
 * strip and come back to it many times. */
TEST("a path that crosses borders of strips many times leads to one peak")
{
    enum { ROWS = 8, COLUMNS = 101 };
    static float samples[ROWS][COLUMNS];
    static uint8_t mask[ROWS][COLUMNS], labels[ROWS][COLUMNS];
    static const int64_t n[] = {ROWS, COLUMNS};
    float height = 0;
    for (int x = 0; x < COLUMNS; x++) {
        for (int i = 0; i < ROWS; i++) {
            int y = x / 2 % 2 == 0 ? i : ROWS - 1 - i;
            bool turn = x % 2 != 0 && y != (x / 2 % 2 == 0 ? ROWS - 1 : 0);
            mask[y][x] = !turn;
            samples[y][x] = turn ? 0 : (height += 1);
        }
    }
    const halo_array in = array_plain(HALO_SAMPLE_F32, 2, n, samples);
    const halo_array inside = array_plain(HALO_SAMPLE_U8, 2, n, mask);
    const halo_array out = array_plain(HALO_SAMPLE_U8, 2, n, labels);
    const halo_split_array_options options = {.by = HALO_SPLIT_INTENSITY, .connectivity = 4};
    for (int ranks = 1; ranks <= ROWS; ranks++) {
        halo_context *context = context_of(ranks, NULL);
        halo_split_report report;
        SUCCEEDS(halo_split_array(context, &in, &inside, &out, &options, &report));
        check(report.parts == 1 && report.peaks == 1, "%d ranks: %" PRId64 " peaks", ranks,
              report.peaks);
        halo_context_destroy(&context);
    }
}

/* ---- what is refused ------------------------------------------------------------------------- */

TEST("more parts than labels can be")
{
    static uint8_t samples[600], labels[600];
    static const int64_t n[] = {600};
    const halo_array in = array_plain(HALO_SAMPLE_U8, 1, n, samples);
    halo_array out = array_plain(HALO_SAMPLE_U8, 1, n, labels);
    for (int i = 0; i < 600; i += 2) {
        samples[i] = 1;
    }
    FAILS(HALO_ARGUMENT, "labels go up to 300, which is more than labels of uint8 can be",
          halo_split_array(NULL, &in, NULL, &out, NULL, NULL));
    out.type = HALO_SAMPLE_BIT;
    FAILS(HALO_ARGUMENT, "labels of bool", halo_split_array(NULL, &in, NULL, &out, NULL, NULL));
    memset(samples + 510, 0, 90);
    out.type = HALO_SAMPLE_U8;
    SUCCEEDS(halo_split_array(NULL, &in, NULL, &out, NULL, NULL));
    check(labels[508] == 255 && labels[509] == 0, "label %d", labels[508]);
}

TEST("arguments that are not possible")
{
    static double samples[12];
    static uint8_t labels[12];
    static const int64_t n[] = {3, 4}, other[] = {4, 3};
    const halo_array in = array_plain(HALO_SAMPLE_F64, 2, n, samples);
    const halo_array out = array_plain(HALO_SAMPLE_U8, 2, n, labels);
    const halo_array turned = array_plain(HALO_SAMPLE_U8, 2, other, labels);
    halo_split_array_options options = {.connectivity = 6};
    FAILS(HALO_ARGUMENT, "4 or 8 neighbours in 2 axes",
          halo_split_array(NULL, &in, NULL, &out, &options, NULL));
    options = (halo_split_array_options){.h = {.given = true, .value = -1}};
    FAILS(HALO_ARGUMENT, "height of -1; give 0 or more",
          halo_split_array(NULL, &in, NULL, &out, &options, NULL));
    FAILS(HALO_ARGUMENT, "a mask is for splitting by intensity",
          halo_split_array(NULL, &in, &out, &out, NULL, NULL));
    options = (halo_split_array_options){.dark = true};
    FAILS(HALO_ARGUMENT, "dark is for splitting by intensity",
          halo_split_array(NULL, &in, NULL, &out, &options, NULL));
    FAILS(HALO_ARGUMENT, "labels has 4", halo_split_array(NULL, &in, NULL, &turned, NULL, NULL));
    samples[5] = (double)NAN;
    options = (halo_split_array_options){.by = HALO_SPLIT_INTENSITY};
    FAILS(HALO_ARGUMENT, "NaN", halo_split_array(NULL, &in, NULL, &out, &options, NULL));
}
