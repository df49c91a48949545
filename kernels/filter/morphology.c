#include "kernels/filter/bits.h"
#include "kernels/filter/extreme.h"
#include "kernels/filter/filters.h"
#include "kernels/filter/keys.h"

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

/* a - b for samples, as numpy has it. */
#define SUBTRACT(code, c_type)                                                          \
    static void subtract_##code(const void *a, const void *b, int64_t width, void *out) \
    {                                                                                   \
        const c_type *from = a, *less = b;                                              \
        c_type *to = out;                                                               \
        for (int64_t i = 0; i < width; i++) {                                           \
            to[i] = (c_type)(from[i] - less[i]);                                        \
        }                                                                               \
    }
SUBTRACT(U8, uint8_t)
SUBTRACT(U16, uint16_t)
SUBTRACT(U32, uint32_t)
SUBTRACT(U64, uint64_t)
SUBTRACT(F32, float)
SUBTRACT(F64, double)

static void subtract_bits(const void *a, const void *b, int64_t width, void *out)
{
    const uint64_t *from = a, *less = b;
    uint64_t *to = out;
    for (int64_t i = 0; i < (width + FILTER_WORD - 1) / FILTER_WORD; i++) {
        to[i] = from[i] & ~less[i];
    }
    to[width / FILTER_WORD - (width % FILTER_WORD == 0)] &= filter_last_bits(width);
}

/* Differences of signed numbers have the bits of those of unsigned ones. */
static void subtract(halo_sample_type type, const void *a, const void *b, int64_t width, void *out)
{
    static void (*const by_type[HALO_SAMPLE_TYPES])(const void *, const void *, int64_t, void *) = {
        [HALO_SAMPLE_BIT] = subtract_bits, [HALO_SAMPLE_U8] = subtract_U8,
        [HALO_SAMPLE_I8] = subtract_U8,    [HALO_SAMPLE_U16] = subtract_U16,
        [HALO_SAMPLE_I16] = subtract_U16,  [HALO_SAMPLE_U32] = subtract_U32,
        [HALO_SAMPLE_I32] = subtract_U32,  [HALO_SAMPLE_U64] = subtract_U64,
        [HALO_SAMPLE_I64] = subtract_U64,  [HALO_SAMPLE_F32] = subtract_F32,
        [HALO_SAMPLE_F64] = subtract_F64};
    by_type[type](a, b, width, out);
}

static void hat_rows(const filter_tile *tile, bool black)
{
    halo_sample_type type = tile->part->out;
    for (int64_t i = 0; i < tile->rows; i++) {
        const void *made = tile->in[i], *original = tile->original[i];
        if (tile->part->in != type) {
            filter_samples_of(type, made, tile->width, tile->out[i]);
            made = tile->out[i];
        }
        subtract(type, black ? made : original, black ? original : made, tile->width, tile->out[i]);
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
