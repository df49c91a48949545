#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/filter/cap_ops.h"
#include "kernels/filter/filters.h"
#include "kernels/filter/pipeline.h"
#include "kernels/filter/rounding.h"
#include "kernels/filter/subtract.h"

#include <math.h>
#include <stdlib.h>

/* The background that a ball finds that rolls below an image (S. R. Sternberg, Biomedical image
 * processing, 1983), as scikit-image has it: an erosion by the upper half of a sphere,
 *
 *     background(p) = min over |q - p| <= R of image(q) + R - sqrt(R^2 - |q - p|^2)
 *
 * Of whole numbers what is behind the point is cut off, and so may be what the cap rises by,
 * where that gives the same: samples of 8 and 16 bits are computed as they are, and all others in
 * float64. */

static const halo_isa_variant variants[] = HALO_ISA_VARIANTS(filter_cap_ops, AVX512);

enum { MOST_RADIUS = 1024, MOST_BALL = 256, GROUP = 64, PIECE = 1024 };

/* Results; also the order of their words. */
enum { BACKGROUND, DIFFERENCE };

typedef struct {
    double radius;
    int result;
} ball;

static const halo_option options[] = {
    {HALO_OPTION_ROW(ball, "radius", REAL, radius), .min = 0, .max = MOST_RADIUS,
     .required = "it needs a radius: rolling_ball:50", .value = "R",
     .help = "Radius of the ball, in pixels, and in units of samples along their axis: larger than "
             "the objects"},
    {HALO_OPTION_ROW(ball, "result", INDEX, result), .choices = "background|difference",
     .standard = "background",
     .help = "The background, as in scikit-image; or the image minus it, as of the filter "
             "background"},
    {0}};

/* ---- the cap --------------------------------------------------------------------------------- */

static double rise_at(double radius, int64_t square)
{
    return radius - sqrt(radius * radius - (double)square);
}

static int64_t last_square(double radius)
{
    int64_t square = (int64_t)(radius * radius);
    return sqrt((double)square) > radius ? square - 1 : square;
}

/* True if sums may be those of whole numbers: none is rounded up to the next one. */
static bool rounds_alike(double radius, double most)
{
    for (int64_t s = 0, last = last_square(radius); s <= last; s++) {
        double rise = rise_at(radius, s);
        if (floor(most + rise) > most + floor(rise)) {
            return false;
        }
    }
    return true;
}

/* scikit-image subtracts heights of the sphere in the type of reals. */
static void set_rise(halo_sample_type type, double radius, int64_t square, void *rise)
{
    double height = sqrt(radius * radius - (double)square), below = floor(radius - height);
    switch (type) {
    case HALO_SAMPLE_U8:
        ((uint8_t *)rise)[square] = (uint8_t)(below < UINT8_MAX ? below : UINT8_MAX);
        break;
    case HALO_SAMPLE_U16:
        ((uint16_t *)rise)[square] = (uint16_t)below;
        break;
    case HALO_SAMPLE_F32:
        ((float *)rise)[square] = (float)radius - (float)height;
        break;
    default:
        ((double *)rise)[square] = radius - height;
    }
}

/* Samples to each side that the cap reaches: where it rises by more than samples can differ, or
 * all beyond the image, nothing is left. */
static int64_t reach_along(const filter_step *step, double radius, int axis)
{
    int64_t reach = (int64_t)radius;
    if (step->in == HALO_SAMPLE_U8 && radius > UINT8_MAX) {
        double height = radius - UINT8_MAX;
        reach = halo_min(reach, (int64_t)sqrt(radius * radius - height * height) + 1);
    }
    return axis < HALO_AXES - step->axes ? 0 : halo_min(reach, step->n[axis]);
}

static int compare_rows(const void *a, const void *b)
{
    const filter_cap_rows *one = a, *other = b;
    return (one->square > other->square) - (one->square < other->square);
}

static halo_status find_rows(filter_cap *cap, filter_cap_rows **out)
{
    filter_cap_rows *rows;
    HALO_TRY(HALO_ALLOCATE(rows, (cap->depth[0] + 1) * (cap->depth[1] + 1), "a ball"));
    *out = rows;
    cap->rows = rows;
    for (int64_t z = 0; z <= cap->depth[0]; z++) {
        for (int64_t y = 0; y <= cap->depth[1] && z * z + y * y <= cap->square; y++) {
            rows[cap->count++] = (filter_cap_rows){(int32_t)z, (int32_t)y, z * z + y * y};
        }
    }
    qsort(rows, (size_t)cap->count, sizeof *rows, compare_rows);
    return HALO_OK;
}

/* ---- the state of a rank --------------------------------------------------------------------- */

typedef struct {
    void (*erode)(const filter_cap_call *call);
    filter_cap cap;
    filter_cap_call call;
    filter_cap_rows *rows;
    void *rise;
    size_t bytes; /* of a sample */
    int64_t rows_together;
} ball_state;

static halo_status create_cap(ball_state *b, const filter_part *part)
{
    double radius = ((const ball *)part->step->params)->radius;
    b->cap.radius = radius;
    b->cap.square = last_square(radius);
    for (int axis = 0; axis < HALO_AXES; axis++) {
        b->cap.depth[axis] = part->depth[axis];
    }
    HALO_TRY(halo_memory_create(&b->rise, (size_t)(b->cap.square + 1) * b->bytes, "a ball"));
    for (int64_t s = 0; s <= b->cap.square; s++) {
        set_rise(part->in, radius, s, b->rise);
    }
    b->cap.rise = b->rise;
    return find_rows(&b->cap, &b->rows);
}

/* Room for `rows` rows of results. */
static halo_status create_call(ball_state *b, const filter_step *step, int64_t rows)
{
    enum { BLOCK = 128 /* bytes that are computed together, at most */ };
    static const char what[] = "rows of a filter";
    filter_cap_call *call = &b->call;
    const int64_t *depth = b->cap.depth;
    call->cap = &b->cap;
    call->pieces = (step->n[2] + FILTER_CAP_PIECE - 1) / FILTER_CAP_PIECE;
    size_t line = (size_t)call->pieces * b->bytes;
    size_t pitch = (size_t)(rows + 2 * depth[1]), planes = (size_t)(2 * depth[0] + 1);
    HALO_TRY(halo_memory_create(&call->low, planes * pitch * line, what));
    HALO_TRY(halo_memory_create(&call->column, pitch * line, what));
    HALO_TRY(halo_memory_create(&call->near, (size_t)rows * line, what));
    HALO_TRY(halo_memory_create(&call->line, line, what));
    return halo_memory_create(&call->scratch, (size_t)(2 * depth[2]) * b->bytes + 2 * BLOCK, what);
}

static halo_status create(void **state, const filter_step *step, const filter_part *part,
                          const char *instructions)
{
    const halo_isa_variant *variant;
    ball_state *b;
    HALO_TRY(halo_isa_pick(&variant, variants, instructions));
    HALO_TRY(HALO_ALLOCATE(b, 1, "a filter"));
    *state = b;
    b->erode = ((const filter_cap_ops *)variant->ops)->erode[part->in];
    b->bytes = halo_sample_types[part->in].bytes;
    HALO_TRY(create_cap(b, part));
    b->rows_together = step->axes == HALO_AXES ? step->n[1] : GROUP;
    return create_call(b, step, b->rows_together);
}

static void destroy(void *state)
{
    ball_state *b = state;
    if (b != NULL) {
        halo_memory_free(b->call.low);
        halo_memory_free(b->call.column);
        halo_memory_free(b->call.near);
        halo_memory_free(b->call.line);
        halo_memory_free(b->call.scratch);
        halo_memory_free(b->rise);
        free(b->rows);
        free(b);
    }
}

static void erode_rows(const filter_tile *tile)
{
    ball_state *b = tile->state;
    filter_cap_call *call = &b->call;
    call->width = tile->width;
    for (int64_t y = 0; y < tile->rows; y += b->rows_together) {
        call->rows = halo_min(b->rows_together, tile->rows - y);
        call->in_pitch = call->rows + 2 * b->cap.depth[1];
        call->in = tile->in + y;
        call->out = tile->out + y;
        b->erode(call);
        if (filter_tile_ends(tile, call->rows * tile->width * (1 + b->cap.depth[1]))) {
            return;
        }
    }
}

/* ---- before and behind ----------------------------------------------------------------------- */

static void double_rows(const filter_tile *tile)
{
    for (int64_t i = 0; i < tile->rows; i++) {
        halo_sample_to_doubles(tile->part->in, tile->in[i], 0, tile->width, tile->out[i]);
    }
}

/* Whole numbers are cut off behind the point. */
static void end_row(halo_sample_type type, const double *row, int64_t width, void *out)
{
    double values[PIECE];
    size_t bytes = halo_sample_types[type].bytes;
    bool real = halo_sample_types[type].real;
    for (int64_t x = 0; x < width; x += PIECE) {
        int64_t count = halo_min(PIECE, width - x);
        for (int64_t i = 0; i < count; i++) {
            values[i] = real ? row[x + i] : trunc(row[x + i]);
        }
        filter_round(type, values, count, (char *)out + (size_t)x * bytes);
    }
}

static void end_rows(const filter_tile *tile)
{
    for (int64_t i = 0; i < tile->rows; i++) {
        end_row(tile->part->out, tile->in[i], tile->width, tile->out[i]);
    }
}

/* The image minus its background, of which the latter may be doubles. */
static void difference_row(const filter_tile *tile, int64_t i)
{
    halo_sample_type in = tile->step->in, type = tile->part->out;
    double values[PIECE];
    const double *below = tile->in[i];
    size_t bytes = halo_sample_types[type].bytes;
    if (in == type) {
        const void *background = tile->in[i];
        if (tile->part->in != type) {
            end_row(type, below, tile->width, tile->out[i]);
            background = tile->out[i];
        }
        filter_subtract_row(type, tile->original[i], background, tile->width, tile->out[i]);
        return;
    }
    for (int64_t x = 0; x < tile->width; x += PIECE) {
        int64_t count = halo_min(PIECE, tile->width - x);
        halo_sample_to_doubles(in, tile->original[i], x, count, values);
        for (int64_t k = 0; k < count; k++) {
            values[k] -= below[x + k];
        }
        filter_round(type, values, count, (char *)tile->out[i] + (size_t)x * bytes);
    }
}

static void difference_rows(const filter_tile *tile)
{
    for (int64_t i = 0; i < tile->rows; i++) {
        difference_row(tile, i);
    }
}

/* ---- the filter ------------------------------------------------------------------------------ */

/* The type that the cap is computed in. */
static halo_sample_type cap_type(const filter_step *step)
{
    double radius = ((const ball *)step->params)->radius;
    bool own = step->in == HALO_SAMPLE_F32 || step->in == HALO_SAMPLE_F64 ||
               (step->in == HALO_SAMPLE_U8 && rounds_alike(radius, UINT8_MAX)) ||
               (step->in == HALO_SAMPLE_U16 && rounds_alike(radius, UINT16_MAX));
    return own && step->out == step->in ? step->in : HALO_SAMPLE_F64;
}

static halo_status resolve(filter_step *step)
{
    const ball *b = step->params;
    halo_sample_type type = cap_type(step);
    filter_part part = {.rows = erode_rows,
                        .create = create,
                        .destroy = destroy,
                        .edge = {.mode = FILTER_CONSTANT, .cval = HUGE_VAL}};
    if (step->axes == HALO_AXES && b->radius > MOST_BALL) {
        return filter_refuse(step, "a radius of %g is not possible in a volume; use 0 to %d",
                             b->radius, MOST_BALL);
    }
    for (int axis = 0; axis < HALO_AXES; axis++) {
        part.depth[axis] = reach_along(step, b->radius, axis);
    }
    if (type != step->in) {
        filter_add_part(step, &(filter_part){.rows = double_rows})->out = type;
    }
    filter_add_part(step, &part)->out = type;
    if (b->result == DIFFERENCE) {
        filter_add_part(step, &(filter_part){.rows = difference_rows, .original = true});
    } else if (type != step->out) {
        filter_add_part(step, &(filter_part){.rows = end_rows});
    }
    return HALO_OK;
}

const halo_filter filter_rolling_ball = {
    .name = "rolling_ball",
    .help = "The background: what a ball reaches that rolls below the image",
    .authority = "skimage.restoration.rolling_ball",
    .examples = "rolling_ball:50|rolling_ball:7:result=difference|rolling_ball:3.5|"
                "rolling_ball:4:dtype=float32|rolling_ball:300:result=difference|"
                "rolling_ball:9:result=difference:dtype=float64|rolling_ball:0",
    .params = options,
    .params_bytes = sizeof(ball),
    .takes = FILTER_NUMBERS,
    .gives = FILTER_REALS,
    .resolve = resolve};
