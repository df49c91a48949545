#include "kernels/filter/extreme.h"
#include "kernels/filter/filters.h"
#include "kernels/filter/keys.h"
#include "kernels/filter/subtract.h"

/* Erosions and dilations by flat elements, and what is made of them. */

enum { MOST_RADIUS = 1 << 15, MOST_BALL = 512 };

/* Samples beyond the edges, of bits: those that change nothing, or 0. */
typedef enum { NEUTRAL, ZERO } edge_choice;

typedef struct {
    int shape;
    int64_t radius;
    int edge;                  /* edge_choice */
    filter_extreme extreme[2]; /* found by resolve: minima, maxima */
} morphology;

#define SHAPE_WORD(code, name) "|" name

static const halo_option rows[] = {
    {HALO_OPTION_ROW(morphology, "shape", INDEX, shape), .choices = FILTER_SHAPE_LIST(SHAPE_WORD),
     .value = "SHAPE", .required = "it needs a shape and a radius: opening:disk:3",
     .help = "Element: a box, a cross (samples that are R steps away), a disk in rows and columns, "
             "a ball"},
    {HALO_OPTION_ROW(morphology, "radius", INTEGER, radius), .min = 0, .max = MOST_RADIUS,
     .value = "R", .standard = "1", .help = "Samples of the element on each side of its middle"},
    {HALO_OPTION_ROW(morphology, "edge", INDEX, edge), .choices = "neutral|0",
     .standard = "neutral",
     .help = "Bits beyond the edges: those that change nothing, or 0 as in scipy"},
    {0}};

/* ---- top-hats -------------------------------------------------------------------------------- */

static void hat_rows(const filter_tile *tile, bool black)
{
    halo_sample_type type = tile->part->out;
    for (int64_t i = 0; i < tile->rows; i++) {
        const void *made = tile->in[i], *original = tile->original[i];
        if (tile->part->in != type) {
            filter_samples_of(type, made, tile->width, tile->out[i]);
            made = tile->out[i];
        }
        filter_subtract_row(type, black ? made : original, black ? original : made, tile->width,
                            tile->out[i]);
    }
}

static void white_rows(const filter_tile *tile)
{
    hat_rows(tile, false);
}

static void black_rows(const filter_tile *tile)
{
    hat_rows(tile, true);
}

/* ---- the filters ----------------------------------------------------------------------------- */

static halo_status check_radius(const filter_step *step, const morphology *m)
{
    bool solid =
        step->axes == HALO_AXES && m->shape != FILTER_SHAPE_BOX && m->shape != FILTER_SHAPE_DISK;
    return solid && m->radius > MOST_BALL
               ? filter_refuse(step, "a radius of %lld is not possible in a volume; use 0 to %d",
                               (long long)m->radius, MOST_BALL)
               : HALO_OK;
}

/* Elements are symmetric and have no holes, so that samples that repeat the last ones change
 * nothing, either. */
static void add_extreme(filter_step *step, morphology *m, bool greatest)
{
    filter_extreme *extreme = &m->extreme[greatest];
    filter_edge edge = {.mode = FILTER_NEAREST};
    if (step->in == HALO_SAMPLE_BIT && m->edge == ZERO) {
        edge.mode = FILTER_CONSTANT;
    }
    extreme->greatest = greatest;
    extreme->element = filter_element_of(m->shape, m->radius, step);
    filter_add_extreme(step, extreme, &edge);
}

/* Adds an erosion (`first` false) or a dilation, the other one with `both`, and what ends it. */
static halo_status resolve(filter_step *step, bool first, bool both, const filter_part *hat)
{
    morphology *m = step->params;
    bool bits = step->in == HALO_SAMPLE_BIT;
    HALO_TRY(check_radius(step, m));
    if (!bits && m->edge == ZERO) {
        return filter_refuse(step, "%s", "edge=0 is for bits; leave it out");
    }
    if (!bits) {
        filter_add_keys(step);
    }
    add_extreme(step, m, first);
    if (both) {
        add_extreme(step, m, !first);
    }
    if (hat != NULL) {
        filter_add_part(step, hat);
    } else if (!bits) {
        filter_add_samples(step);
    }
    return HALO_OK;
}

static halo_status resolve_erosion(filter_step *step)
{
    return resolve(step, false, false, NULL);
}

static halo_status resolve_dilation(filter_step *step)
{
    return resolve(step, true, false, NULL);
}

static halo_status resolve_opening(filter_step *step)
{
    return resolve(step, false, true, NULL);
}

static halo_status resolve_closing(filter_step *step)
{
    return resolve(step, true, true, NULL);
}

static halo_status resolve_white(filter_step *step)
{
    return resolve(step, false, true, &(filter_part){.rows = white_rows, .original = true});
}

static halo_status resolve_black(filter_step *step)
{
    return resolve(step, true, true, &(filter_part){.rows = black_rows, .original = true});
}

/* X(name, help, function of scipy, resolve) */
#define MORPHOLOGY_LIST(X)                                                                      \
    X(erosion, "The least sample of an element; bits stay 1 where all of the element are",      \
      "grey_erosion, binary_erosion", resolve_erosion)                                          \
    X(dilation, "The greatest sample of an element; bits become 1 where any of the element is", \
      "grey_dilation, binary_dilation", resolve_dilation)                                       \
    X(opening, "An erosion and a dilation: what is bright and smaller than the element goes",   \
      "grey_opening, binary_opening", resolve_opening)                                          \
    X(closing, "A dilation and an erosion: what is dark and smaller than the element goes",     \
      "grey_closing, binary_closing", resolve_closing)                                          \
    X(white_tophat, "The image minus its opening: what is bright and smaller than the element", \
      "white_tophat", resolve_white)                                                            \
    X(black_tophat, "The closing minus the image: what is dark and smaller than the element",   \
      "black_tophat", resolve_black)

#define FILTER(filter, text, functions, function)                                                \
    const halo_filter filter_##filter = {.name = #filter,                                        \
                                         .help = text,                                           \
                                         .authority = "scipy.ndimage." functions,                \
                                         .examples = #filter                                     \
                                         ":disk:3|" #filter ":box:2|" #filter ":ball:2|" #filter \
                                         ":cross:5|" #filter ":disk:70|" #filter ":box|" #filter \
                                         ":cross:2:edge=0",                                      \
                                         .params = rows,                                         \
                                         .params_bytes = sizeof(morphology),                     \
                                         .takes = FILTER_ANY,                                    \
                                         .resolve = function};
MORPHOLOGY_LIST(FILTER)
#undef FILTER
