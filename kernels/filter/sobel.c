#include "base/memory.h"
#include "kernels/filter/filters.h"
#include "kernels/filter/linear.h"
#include "kernels/filter/linear_ops.h"
#include "kernels/filter/margins.h"

#include <stdlib.h>
#include <string.h>

/* Sobel's and Prewitt's filters: a difference along one axis, and then sums along the others, as in
 * scipy.ndimage; or the magnitude of all differences. Samples are rounded to float32 after each
 * axis if results are of this type, as scipy does, so that the order of axes counts. */

enum { ROWS = 3, SUM = 0, DIFFERENCE = 1 };

static const halo_isa_variant variants[] = HALO_ISA_VARIANTS(filter_linear_ops, AVX512);

/* The part's `own`: middle and side weight of sums. */
typedef struct {
    double weights[2];
} gradient_kind;

typedef struct {
    int axis; /* index of its words */
    filter_edge edge;
} gradient;

/* Words of the axis: all of them, or by number from the first or the last, as scipy counts. */
#define AXES_LIST(X)              X(0, "0") X(1, "1") X(2, "2") X(-1, "-1") X(-2, "-2") X(-3, "-3")
#define AXIS_WORD(number, word)   "|" word
#define AXIS_NUMBER(number, word) (number),
static const int axis_numbers[] = {0, AXES_LIST(AXIS_NUMBER)};

static const halo_option rows[] = {
    {HALO_OPTION_ROW(gradient, "axis", INDEX, axis), .choices = "|all" AXES_LIST(AXIS_WORD),
     .standard = "all",
     .help = "The axis along which differences are taken, by scipy's number; all: the magnitude, "
             "the root of the sum of their squares"},
    FILTER_EDGE_ROWS(gradient),
    {0}};

/* ---- the state of a rank --------------------------------------------------------------------- */

typedef struct {
    const filter_linear_ops *ops;
    bool wide; /* samples between the axes are doubles */
    halo_sample_type between;
    filter_weights weights[2]; /* SUM, DIFFERENCE */
    bool magnitude;            /* of all axes */
    int terms;
    int order[HALO_AXES][HALO_AXES]; /* of each term: the axes, in their order */
    filter_margins margins;          /* of rows between the axes */
    char *memory;
    char *row[HALO_AXES][ROWS]; /* after so many axes, the rows that the next one sums */
    char *term[HALO_AXES];      /* rows of terms */
    char *samples, *wide_row;   /* a row as doubles, and its sums */
    /* Rows along which sums were taken first, and which they are, of planes at `plane`. */
    char *kept[ROWS][ROWS];
    int64_t kept_row[ROWS][ROWS], plane;
} gradient_state;

/* ---- rows ------------------------------------------------------------------------------------ */

/* The place of a row: planes and rows beyond the first of the tile. */
typedef struct {
    int64_t z, y;
} place;

static const void *input_row(const filter_tile *tile, place at)
{
    const int64_t *depth = tile->part->depth;
    return tile->in[(at.z + depth[0]) * tile->in_pitch + depth[1] + at.y];
}

static bool is_constant(const filter_tile *tile, place at)
{
    const int64_t *n = tile->step->n;
    int64_t z = tile->plane + at.z, y = tile->row + at.y;
    return tile->part->edge.mode == FILTER_CONSTANT && (z < 0 || z >= n[0] || y < 0 || y >= n[1]);
}

/* Sums along a row of the input; `w` has one sample on each side. */
static void sum_input(const gradient_state *s, const filter_tile *tile, const filter_weights *w,
                      place at, void *out)
{
    static const double one[] = {1};
    const filter_weights copy = {0, one, false};
    const void *row = input_row(tile, at);
    int64_t width = tile->width;
    double *samples = (double *)(void *)s->samples;
    s->ops->across[tile->part->in][true](&copy, &row, -1, width + 2, samples);
    s->ops->along[true](w, samples + 1, width, s->wide ? out : s->wide_row);
    if (!s->wide) {
        s->ops->store[true][HALO_SAMPLE_F32](s->wide_row, width, out);
    }
}

/* The same; rows that were summed before are kept. */
static const void *sum_input_once(gradient_state *s, const filter_tile *tile,
                                  const filter_weights *w, place at)
{
    int64_t row = tile->row + at.y, slot = (row % ROWS + ROWS) % ROWS, plane = at.z + 1;
    if (s->kept_row[plane][slot] != row) {
        sum_input(s, tile, w, at, s->kept[plane][slot]);
        s->kept_row[plane][slot] = row;
    }
    return s->kept[plane][slot];
}

/* The row at a place after the first `passes` axes of a term, in `out` or where it is kept. */
static const void *make_row(gradient_state *s, const filter_tile *tile, int term, int passes,
                            place at, void *out)
{
    const filter_weights *w = &s->weights[passes == 1 ? DIFFERENCE : SUM];
    int axis = s->order[term][passes - 1];
    halo_sample_type from = passes == 1 ? tile->part->in : s->between;
    const void *rows_of[ROWS];
    if (axis == 2 && passes == 1) {
        return sum_input_once(s, tile, w, at);
    }
    if (axis == 2) {
        void *row = s->row[passes - 1][0];
        make_row(s, tile, term, passes - 1, at, row);
        filter_margins_fill(&s->margins, row);
        s->ops->along[s->wide](w, row, tile->width, out);
        return out;
    }
    for (int k = 0; k < ROWS; k++) {
        place near = {at.z + (axis == 0 ? k - 1 : 0), at.y + (axis == 1 ? k - 1 : 0)};
        rows_of[k] = passes == 1 ? input_row(tile, near)
                     : is_constant(tile, near)
                         ? s->margins.constant
                         : make_row(s, tile, term, passes - 1, near, s->row[passes - 1][k]);
    }
    s->ops->across[from][s->wide](w, rows_of, 0, tile->width, out);
    return out;
}

static void forget_rows(gradient_state *s, int64_t plane)
{
    for (int i = 0; i < ROWS * ROWS; i++) {
        s->kept_row[i / ROWS][i % ROWS] = INT64_MIN;
    }
    s->plane = plane;
}

static void compute_rows(const filter_tile *tile)
{
    gradient_state *s = tile->state;
    size_t bytes = (size_t)tile->width * halo_sample_types[s->between].bytes;
    if (s->plane != tile->plane) {
        forget_rows(s, tile->plane);
    }
    for (int64_t i = 0; i < tile->rows; i++) {
        const void *terms[HALO_AXES];
        for (int t = 0; t < s->terms; t++) {
            terms[t] = make_row(s, tile, t, tile->step->axes, (place){0, i},
                                t == 0 ? tile->out[i] : s->term[t]);
        }
        if (s->magnitude) {
            s->ops->magnitude[s->wide](terms, s->terms, tile->width, tile->out[i]);
        } else if (terms[0] != tile->out[i]) {
            memcpy(tile->out[i], terms[0], bytes);
        }
    }
}

/* ---- creating -------------------------------------------------------------------------------- */

/* The axis of planes, rows, columns; -1: all. HALO_ARGUMENT. */
static halo_status find_axis(const filter_step *step, int *axis)
{
    const gradient *g = step->params;
    int number = axis_numbers[g->axis];
    *axis = g->axis == 0 ? -1 : HALO_AXES - (number < 0 ? 0 : step->axes) + number;
    return g->axis == 0 || (*axis >= HALO_AXES - step->axes && *axis < HALO_AXES)
               ? HALO_OK
               : filter_refuse(step, "there is no axis %d; the image has axes 0 to %d", number,
                               step->axes - 1);
}

/* Each term begins with its axis. */
static void find_orders(gradient_state *s, const filter_step *step, int chosen)
{
    for (int axis = HALO_AXES - step->axes; axis < HALO_AXES; axis++) {
        if (chosen >= 0 && axis != chosen) {
            continue;
        }
        int *order = s->order[s->terms++];
        *order++ = axis;
        for (int other = HALO_AXES - step->axes; other < HALO_AXES; other++) {
            if (other != axis) {
                *order++ = other;
            }
        }
    }
}

static halo_status create_rows(gradient_state *s)
{
    enum { COUNT = HALO_AXES * ROWS + HALO_AXES + ROWS * ROWS };
    const size_t pitch = s->margins.pitch, doubles = sizeof(double) / sizeof(float);
    HALO_TRY(HALO_ALLOCATE_LARGE(s->memory, (COUNT + 2 * doubles) * pitch + FILTER_SLACK,
                                 "rows of differences"));
    char *at = s->memory + s->margins.before;
    for (int i = 0; i < HALO_AXES * ROWS; i++, at += pitch) {
        s->row[i / ROWS][i % ROWS] = at;
    }
    for (int i = 0; i < ROWS * ROWS; i++, at += pitch) {
        s->kept[i / ROWS][i % ROWS] = at;
    }
    for (int i = 0; i < HALO_AXES; i++, at += pitch) {
        s->term[i] = at;
    }
    s->samples = at;
    s->wide_row = at + doubles * pitch;
    return HALO_OK;
}

static halo_status create(void **out, const filter_step *step, const filter_part *part,
                          const char *instructions)
{
    static const double difference[] = {0, 1};
    const gradient_kind *kind = part->own;
    const halo_isa_variant *variant;
    gradient_state *s;
    int axis;
    HALO_TRY(HALO_ALLOCATE(s, 1, "a filter"));
    *out = s;
    HALO_TRY(halo_isa_pick(&variant, variants, instructions));
    HALO_TRY(find_axis(step, &axis));
    find_orders(s, step, axis);
    s->magnitude = axis < 0;
    s->ops = variant->ops;
    s->wide = part->out == HALO_SAMPLE_F64;
    s->between = part->out;
    s->weights[SUM] = (filter_weights){1, kind->weights, false};
    s->weights[DIFFERENCE] = (filter_weights){1, difference, true};
    forget_rows(s, INT64_MIN);
    const filter_edge edge = filter_edge_of_type(&part->edge, part->in);
    HALO_TRY(filter_margins_create(&s->margins, s->between, step->n[2], 1, &edge));
    return create_rows(s);
}

static void destroy(void *state)
{
    gradient_state *s = state;
    if (s != NULL) {
        filter_margins_free(&s->margins);
        halo_memory_free(s->memory);
    }
    free(s);
}

/* ---- the filters ----------------------------------------------------------------------------- */

static halo_status resolve(filter_step *step, const gradient_kind *kind)
{
    const gradient *g = step->params;
    filter_part part = {
        .rows = compute_rows, .create = create, .destroy = destroy, .edge = g->edge, .own = kind};
    int axis;
    HALO_TRY(find_axis(step, &axis));
    for (axis = HALO_AXES - step->axes; axis < HALO_AXES; axis++) {
        part.depth[axis] = 1;
    }
    filter_add_part(step, &part);
    return HALO_OK;
}

static halo_status resolve_sobel(filter_step *step)
{
    static const gradient_kind kind = {{2, 1}};
    return resolve(step, &kind);
}

static halo_status resolve_prewitt(filter_step *step)
{
    static const gradient_kind kind = {{1, 1}};
    return resolve(step, &kind);
}

const halo_filter filter_sobel = {
    .name = "sobel",
    .help = "Differences along an axis, smoothed by 1 2 1 along the others; without an axis "
            "their magnitude. Whole numbers become float32",
    .authority = "scipy.ndimage.sobel",
    .examples = "sobel|sobel:0|sobel:-1:mode=constant:cval=7|sobel:mode=constant:cval=7|"
                "sobel:mode=wrap:dtype=float64|sobel:-2:mode=mirror",
    .params = rows,
    .params_bytes = sizeof(gradient),
    .takes = FILTER_NUMBERS,
    .gives = FILTER_REALS,
    .real = true,
    .resolve = resolve_sobel};

const halo_filter filter_prewitt = {
    .name = "prewitt",
    .help = "Differences along an axis, summed by 1 1 1 along the others; without an axis their "
            "magnitude. Whole numbers become float32",
    .authority = "scipy.ndimage.prewitt",
    .examples = "prewitt|prewitt:0|prewitt:-1:mode=constant:cval=7|prewitt:mode=wrap",
    .params = rows,
    .params_bytes = sizeof(gradient),
    .takes = FILTER_NUMBERS,
    .gives = FILTER_REALS,
    .real = true,
    .resolve = resolve_prewitt};
