#include "kernels/filter/linear.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/filter/linear_ops.h"
#include "kernels/filter/margins.h"

#include <stdlib.h>
#include <string.h>

/* Sums along one axis after the other. Between the axes rows are floats or doubles. */

static const halo_isa_variant variants[] = HALO_ISA_VARIANTS(filter_linear_ops, AVX512);

typedef struct {
    const filter_linear_ops *ops;
    bool wide; /* rows between the axes are doubles */
    halo_sample_type between;
    filter_line line[HALO_AXES];
    filter_margins margins; /* of rows between the axes */
    char *memory;           /* of a row, and of the ring; */
    char *row, *ring;       /* sample 0 of it, and of the first row of the ring */
    char *last;             /* a row without margins */
    int64_t slots;          /* rows of the ring: of a plane, summed across planes */
    const void **table;     /* [2 * radius + 1] rows to be summed along axis 1 */
} linear;

static const double one[] = {1};

static filter_weights weights_of(const linear *l, int axis)
{
    const filter_line *line = &l->line[axis];
    return (filter_weights){line->radius, line->weights != NULL ? line->weights : one, line->odd};
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The sum along a row, and the result as samples. */
static void finish_row(const linear *l, const filter_part *part, char *row, int64_t width,
                       void *out)
{
    bool stored = part->out == l->between;
    void *sums = stored ? out : l->last;
    if (l->line[2].weights != NULL) {
        filter_weights w = weights_of(l, 2);
        filter_margins_fill(&l->margins, row);
        l->ops->along[l->wide](&w, row, width, sums);
    } else if (stored) {
        memcpy(out, row, (size_t)width * halo_sample_types[part->out].bytes);
    } else {
        sums = row;
    }
    if (!stored) {
        l->ops->store[l->wide][part->out](sums, width, out);
    }
}

static void image_rows(const linear *l, const filter_part *part, const filter_tile *tile)
{
    filter_weights w = weights_of(l, 1);
    int64_t skipped = part->depth[1] - w.radius;
    for (int64_t i = 0; i < tile->rows; i++) {
        l->ops->across[part->in][l->wide](&w, tile->in + i + skipped, tile->width, l->row);
        finish_row(l, part, l->row, tile->width, tile->out[i]);
    }
}

/* Row `y` of the plane, summed across planes. */
static void make_ring_row(const linear *l, const filter_part *part, const filter_tile *tile,
                          int64_t y, const void **column)
{
    filter_weights w = weights_of(l, 0);
    for (int64_t k = 0; k <= 2 * w.radius; k++) {
        column[k] = tile->in[k * tile->in_pitch + part->depth[1] + y];
    }
    l->ops->across[part->in][l->wide](&w, column, tile->width,
                                      l->ring + (size_t)(y % l->slots) * l->margins.pitch);
}

static void volume_rows(const linear *l, const filter_part *part, const filter_tile *tile)
{
    filter_weights w = weights_of(l, 1);
    bool wraps = part->edge.mode == FILTER_WRAP;
    int64_t next = 0;
    const void **column = l->table + 2 * w.radius + 1;
    for (int64_t y = 0; y < tile->rows; y++) {
        for (; next < (wraps ? tile->rows : halo_min(y + w.radius + 1, tile->rows)); next++) {
            make_ring_row(l, part, tile, next, column);
        }
        for (int64_t k = -w.radius; k <= w.radius; k++) {
            int64_t at = filter_edge_index(part->edge.mode, y + k, tile->rows);
            l->table[k + w.radius] =
                at < 0 ? l->margins.constant : l->ring + (size_t)(at % l->slots) * l->margins.pitch;
        }
        l->ops->across[l->between][l->wide](&w, l->table, tile->width, l->row);
        finish_row(l, part, l->row, tile->width, tile->out[y]);
    }
}

void filter_linear_rows(const filter_tile *tile)
{
    const linear *l = tile->state;
    const filter_part *part = tile->part;
    if (tile->step->axes == HALO_AXES) {
        volume_rows(l, part, tile);
    } else {
        image_rows(l, part, tile);
    }
}

/* ---- the state of a rank --------------------------------------------------------------------- */

/* Opposite edges of a plane are in the ring together where they wrap. */
static int64_t count_slots(const linear *l, const filter_step *step, const filter_part *part)
{
    int64_t rows = 2 * l->line[1].radius + 1;
    return step->axes < HALO_AXES           ? 0
           : part->edge.mode == FILTER_WRAP ? step->n[1]
                                            : halo_min(rows, step->n[1]);
}

static halo_status create(linear *l, const filter_step *step, const filter_part *part,
                          const char *instructions, filter_make_lines *make)
{
    static const char what[] = "rows of sums";
    const halo_isa_variant *variant;
    HALO_TRY(halo_isa_pick(&variant, variants, instructions));
    l->ops = variant->ops;
    l->wide = part->out != HALO_SAMPLE_F32;
    l->between = l->wide ? HALO_SAMPLE_F64 : HALO_SAMPLE_F32;
    HALO_TRY(make(step, part, l->line));
    HALO_TRY(
        filter_margins_create(&l->margins, l->between, step->n[2], l->line[2].radius, &part->edge));
    l->slots = count_slots(l, step, part);
    HALO_TRY(HALO_ALLOCATE_LARGE(l->memory,
                                 (size_t)(l->slots + 2) * l->margins.pitch + FILTER_SLACK, what));
    l->row = l->memory + l->margins.before;
    l->last = l->row + l->margins.pitch;
    l->ring = l->last + l->margins.pitch;
    return HALO_ALLOCATE(l->table, 2 * (l->line[0].radius + l->line[1].radius) + 2, what);
}

halo_status filter_linear_create(void **state, const filter_step *step, const filter_part *part,
                                 const char *instructions, filter_make_lines *make)
{
    linear *l;
    HALO_TRY(HALO_ALLOCATE(l, 1, "a filter"));
    *state = l;
    return create(l, step, part, instructions, make);
}

void filter_linear_destroy(void *state)
{
    linear *l = state;
    if (l == NULL) {
        return;
    }
    for (int axis = 0; axis < HALO_AXES; axis++) {
        free(l->line[axis].weights);
    }
    filter_margins_free(&l->margins);
    halo_memory_free(l->memory);
    free((void *)l->table);
    free(l);
}
