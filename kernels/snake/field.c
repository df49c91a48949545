#include "kernels/snake/snake_field.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/option.h"
#include "kernels/snake/fetch_rows.h"
#include "kernels/snake/snake_ops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEPT = 3,   /* blurred rows that a row of the gradient is made of */
    MARGIN = 64 /* cells beside a row, for what lies beyond the picture */
};

/* A strip's gradient in the making. */
typedef struct {
    const snake_ops *ops;
    snake_taps taps;
    const halo_view *picture;
    int64_t rows, columns;   /* of the picture */
    int64_t lo, hi;          /* of the strip */
    int64_t first;           /* row that `around` begins with */
    const char *around;      /* rows before the strip, and behind it */
    uint16_t *memory;        /* of the rows below, */
    uint16_t *across;        /* blurred across rows only, */
    uint16_t *blurred[KEPT]; /* and as a whole: row y is in y % KEPT */
    int64_t done;            /* the next row to be blurred */
} making;

static halo_status check_options(const halo_snake_field_options *options,
                                 const halo_isa_variant **variant)
{
    if (!(options->sigma >= 0 && options->sigma <= HALO_SNAKE_MAX_SIGMA)) {
        return halo_fail(HALO_ARGUMENT, "a blur of sigma %g pixels; use 0 (none) to %d",
                         options->sigma, HALO_SNAKE_MAX_SIGMA);
    }
    return halo_isa_pick(variant, snake_variants, options->instructions);
}

/* Rounded where they are made, from a function that is the same to its last digit but one on every
 * machine: a weight would have to lie that near to a half to differ. The middle one takes what is
 * left of the sum. */
static void make_taps(snake_taps *taps, double sigma)
{
    static const double unit = 65536;
    double all[MARGIN], sum = 1;
    int radius = (int)ceil(3 * sigma);
    for (int k = 1; k <= radius; k++) {
        all[k] = exp(-k * k / (2 * sigma * sigma));
        sum += 2 * all[k];
    }
    uint32_t rest = 65536;
    taps->radius = 0;
    for (int k = 1; k <= radius; k++) {
        taps->weights[k] = (uint16_t)floor(unit * all[k] / sum + .5);
        rest -= 2u * taps->weights[k];
        taps->radius = taps->weights[k] > 0 ? k : taps->radius;
    }
    taps->weights[0] = (uint16_t)(rest < UINT16_MAX ? rest : UINT16_MAX);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The pixels of a row, or of the one at the edge beyond which it lies. */
static const void *pixels_of(const making *m, int64_t row)
{
    row = halo_min(halo_max(row, 0), m->rows - 1);
    if (row >= m->lo && row < m->hi) {
        return halo_row(m->picture, row - m->lo);
    }
    int64_t place = row < m->lo ? row - m->first : row - m->hi + m->lo - m->first;
    return m->around + place * m->columns * (m->picture->cell_bits / 8);
}

/* Pixels beyond a row's ends repeat its ends. */
static void widen(uint16_t *row, int64_t columns, int by)
{
    for (int k = 1; k <= by; k++) {
        row[-k] = row[0];
        row[columns - 1 + k] = row[columns - 1];
    }
}

static void blur_row(const making *m, int64_t row)
{
    const uint8_t *rows8[2 * MARGIN];
    const uint16_t *rows16[2 * MARGIN];
    const snake_taps *taps = &m->taps;
    bool wide = m->picture->cell_bits == 16;
    for (int k = -taps->radius; k <= taps->radius; k++) {
        rows8[taps->radius + k] = wide ? NULL : pixels_of(m, row + k);
        rows16[taps->radius + k] = wide ? pixels_of(m, row + k) : NULL;
    }
    uint16_t *out = m->blurred[row % KEPT], *across = taps->radius > 0 ? m->across : out;
    if (wide) {
        m->ops->blur_across16(taps, rows16, across, m->columns);
    } else {
        m->ops->blur_across8(taps, rows8, across, m->columns);
    }
    if (taps->radius > 0) {
        widen(across, m->columns, taps->radius);
        m->ops->blur_along(taps, across, out, m->columns);
    }
    widen(out, m->columns, 1);
}

static const uint16_t *blurred(making *m, int64_t row)
{
    row = halo_min(halo_max(row, 0), m->rows - 1);
    for (; m->done <= row; m->done++) {
        blur_row(m, m->done);
    }
    return m->blurred[row % KEPT];
}

/* The strip and the rows of its halo that lie in the picture: what others have of them, they have
 * made of the same pixels. */
static void fill(making *m, const halo_view *out)
{
    int64_t begin = halo_max(m->lo - HALO_SNAKE_REACH, 0);
    int64_t end = halo_min(m->hi + HALO_SNAKE_REACH, m->rows);
    m->done = halo_max(begin - 1, 0);
    for (int64_t y = begin; m->lo < m->hi && y < end; y++) {
        const uint16_t *above = blurred(m, y - 1), *here = blurred(m, y);
        const uint16_t *below = blurred(m, y + 1);
        m->ops->slope(above, here, below, halo_row(out, y - m->lo), m->columns);
    }
}

/* ---- the field ------------------------------------------------------------------------------- */

static halo_status check(const halo_field *picture, const int64_t *cuts, int rank,
                         const halo_snake_field_options *options, const halo_isa_variant **variant)
{
    const halo_view *view = halo_field_view(picture);
    HALO_TRY(check_options(options, variant));
    if (view->axes != 2 || (view->cell_bits != 8 && view->cell_bits != 16)) {
        return halo_fail(HALO_ARGUMENT,
                         "the gradient of a field of %d axes and %d bits a cell; use a picture of 8"
                         " or 16 bits",
                         view->axes, view->cell_bits);
    }
    if (view->owned.n[0] != cuts[rank + 1] - cuts[rank] ||
        (view->owned.n[0] > 0 && view->owned.lo[0] != cuts[rank])) {
        return halo_fail(HALO_ARGUMENT, "a picture that is not this rank's strip");
    }
    return HALO_OK;
}

int64_t halo_snake_field_bytes(const halo_box *owned)
{
    int64_t row = (owned->n[1] + 2 * HALO_SNAKE_REACH) * (int64_t)sizeof(uint16_t);
    return owned->n[0] > 0 ? (owned->n[0] + 2 * HALO_SNAKE_REACH) * row : 0;
}

/* Rows that the operations need, and the field itself. */
static halo_status make_room(making *m, halo_field **out, const halo_field *picture)
{
    halo_field_options field_options = {.movable = true};
    halo_box owned = m->picture->owned;
    owned.n[1] = m->columns;
    size_t pitch = ((size_t)m->columns + 2 * MARGIN + 31) / 32 * 32;
    HALO_TRY(HALO_ALLOCATE_LARGE(m->memory, (1 + KEPT) * pitch, "blurred rows"));
    m->across = m->memory + MARGIN;
    for (int k = 0; k < KEPT; k++) {
        m->blurred[k] = m->memory + (size_t)(k + 1) * pitch + MARGIN;
    }
    return halo_field_create_with(out, halo_field_domain(picture), &owned, 16, HALO_SNAKE_REACH,
                                  &field_options);
}

halo_status halo_snake_field_create_sized(halo_field **out, halo_world *world,
                                          const halo_field *picture, const int64_t *cuts,
                                          const halo_snake_field_options *given, halo_clock *clock,
                                          size_t given_bytes)
{
    halo_snake_field_options options;
    int rank = halo_world_rank(world);
    const halo_domain *domain = halo_field_domain(picture);
    void *around = NULL;
    const halo_isa_variant *variant;
    making m = {.picture = halo_field_view(picture),
                .rows = domain->n[0],
                .columns = domain->n[1],
                .lo = cuts[rank],
                .hi = cuts[rank + 1]};
    *out = NULL;
    halo_status status =
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_snake_field_options");
    HALO_IF_OK(status, check(picture, cuts, rank, &options, &variant));
    if (status == HALO_OK) {
        m.ops = variant->ops;
        make_taps(&m.taps, options.sigma);
        status = make_room(&m, out, picture);
    }
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        int depth = m.taps.radius + 1 + HALO_SNAKE_REACH;
        halo_stretch stretch = halo_clock_begin(world);
        status = snake_fetch_rows(world, m.picture, cuts, depth, &around);
        halo_clock_end(clock, HALO_PHASE_EXCHANGE, stretch, world);
        m.first = halo_max(m.lo - depth, 0);
        m.around = around;
    }
    if (status == HALO_OK) {
        halo_stretch stretch = halo_clock_begin(world);
        fill(&m, halo_field_view(*out));
        halo_clock_end(clock, HALO_PHASE_COMPUTE, stretch, world);
    } else {
        halo_field_destroy(out);
    }
    halo_memory_free(around);
    halo_memory_free(m.memory);
    return status;
}

/* ---- as a picture ---------------------------------------------------------------------------- */

int64_t halo_snake_field_steepest(const halo_view *gradient)
{
    int64_t steepest = 1;
    for (int64_t i = 0; i < gradient->owned.n[0]; i++) {
        const uint16_t *row = halo_row(gradient, i);
        for (int64_t x = 0; x < gradient->owned.n[1]; x++) {
            steepest = row[x] > steepest ? row[x] : steepest;
        }
    }
    return steepest;
}

void halo_snake_field_greys(const halo_view *gradient, int64_t row, int64_t steepest,
                            unsigned char *greys)
{
    enum { WHITE = 255 };
    const uint16_t *slopes = halo_row(gradient, row);
    for (int64_t x = 0; x < gradient->owned.n[1]; x++) {
        greys[x] = (unsigned char)(slopes[x] * WHITE / steepest);
    }
}
