#include "kernels/filter/extreme.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/filter/pipeline.h"

#include <stdlib.h>

/* Minima and maxima over boxes, one axis after the other, and over elements of chords. */

static const halo_isa_variant variants[] = HALO_ISA_VARIANTS(filter_extreme_ops, AVX512);

enum { LINE = 64, GROUP = 32, BLOCK = 2048, TOGETHER = 64 };

/* Planes that are made together share extremes across planes, as far as these fit into the cache.
 */
enum { MOST_PLANES = 8, LEAST_SHARED = 4, ROOM = 1 << 18 };

typedef struct {
    const filter_extreme *what;
    const filter_extreme_loops *loops;
    halo_sample_type type;
    size_t before, pitch; /* bytes before sample 0 of the rows below, and of a row */
    char *memory;         /* of rows of extremes across planes, and of columns */
    int64_t slots;        /* the former of a plane, a ring */
    const void **row;     /* [slots] those of a group, and others of a column */
    void *column[GROUP];  /* rows of the latter */
    filter_chords chords;
    filter_element_rows call;
} extreme_state;

static int64_t window_of(const extreme_state *e, int axis)
{
    return 1 + e->what->element.before[axis] + e->what->element.after[axis];
}

/* ---- boxes ----------------------------------------------------------------------------------- */

static char *ring_row(const extreme_state *e, int64_t plane, int64_t i)
{
    return e->memory + (size_t)(plane * e->slots + i % e->slots) * e->pitch + e->before;
}

/* Row `i` of the tile's input, as extremes across planes, for each plane of the tile. */
static void make_ring_row(const extreme_state *e, const filter_tile *tile, int64_t i,
                          ptrdiff_t from, ptrdiff_t to)
{
    int64_t window = window_of(e, 0);
    const void **column = e->row + e->slots;
    void *out[MOST_PLANES];
    for (int64_t k = 0; k < window + tile->planes - 1; k++) {
        column[k] = tile->in[k * tile->in_pitch + i];
    }
    for (int64_t k = 0; k < tile->planes; k++) {
        out[k] = ring_row(e, k, i);
    }
    e->loops->columns[e->type](column, window, tile->planes, from, to, out);
}

/* Rows y to y + count - 1 of a plane of the tile. */
static void make_group(const extreme_state *e, const filter_tile *tile, int64_t plane, int64_t y,
                       int64_t count, ptrdiff_t from, ptrdiff_t to)
{
    const filter_element *element = &e->what->element;
    const ptrdiff_t bytes = (ptrdiff_t)halo_sample_types[e->type].bytes;
    const int64_t window = window_of(e, 1);
    const void *const *in = tile->in + y;
    void *ends[GROUP];
    if (e->slots > 0) {
        for (int64_t i = 0; i < count + window - 1; i++) {
            e->row[i] = ring_row(e, plane, y + i);
        }
        in = e->row;
    }
    e->loops->columns[e->type](in, window, count, from, to, e->column);
    for (int64_t i = 0; i < count; i++) {
        ends[i] = (char *)e->column[i] - element->before[2] * bytes;
    }
    e->loops->along[e->type](ends, count, window_of(e, 2), tile->width,
                             tile->out + plane * tile->rows + y);
}

static void box_rows(const filter_tile *tile)
{
    const extreme_state *e = tile->state;
    const filter_element *element = &e->what->element;
    const ptrdiff_t bytes = (ptrdiff_t)halo_sample_types[e->type].bytes;
    ptrdiff_t from = -element->before[2] * bytes & -LINE;
    ptrdiff_t to = ((tile->width + element->after[2]) * bytes + LINE - 1) & -LINE;
    int64_t next = 0;
    for (int64_t y = 0; y < tile->rows; y += GROUP) {
        int64_t count = halo_min(GROUP, tile->rows - y);
        for (; e->slots > 0 && next < y + count + window_of(e, 1) - 1; next++) {
            make_ring_row(e, tile, next, from, to);
        }
        for (int64_t plane = 0; plane < tile->planes; plane++) {
            make_group(e, tile, plane, y, count, from, to);
        }
        if (filter_tile_ends(tile, tile->planes * count * tile->width)) {
            return;
        }
    }
}

/* Returns how many planes of a volume are computed together: as many as there is room for, if the
 * element reaches across enough planes to save work; otherwise 1. */
static int64_t planes_together(const filter_step *step, const filter_part *part)
{
    const filter_element *element = &((const filter_extreme *)part->own)->element;
    int64_t row = step->n[2] * (int64_t)halo_sample_types[part->in].bytes;
    int64_t rows = GROUP + element->before[1] + element->after[1];
    bool across = element->before[0] + element->after[0] >= LEAST_SHARED;
    return across ? halo_max(1, halo_min(MOST_PLANES, ROOM / (row * rows))) : 1;
}

static halo_status create_box(extreme_state *e, const filter_step *step, int64_t planes)
{
    const filter_element *element = &e->what->element;
    size_t bytes = halo_sample_types[e->type].bytes;
    int64_t rows = step->axes == HALO_AXES ? step->n[1] : GROUP;
    int64_t count = halo_min(rows, GROUP);
    e->before = ((size_t)element->before[2] * bytes + 2 * LINE - 1) & (size_t)-LINE;
    e->pitch = e->before +
               (((size_t)(step->n[2] + element->after[2]) * bytes + 4 * LINE - 1) & (size_t)-LINE);
    e->slots = window_of(e, 0) > 1 ? count + window_of(e, 1) - 1 : 0;
    int64_t ring = e->slots * planes;
    HALO_TRY(HALO_ALLOCATE_LARGE(e->memory, (size_t)(ring + count) * e->pitch, "rows"));
    for (int64_t i = 0; i < count; i++) {
        e->column[i] = e->memory + (size_t)(ring + i) * e->pitch + e->before;
    }
    return HALO_ALLOCATE(e->row, e->slots + window_of(e, 0) + planes - 1, "rows");
}

/* ---- other elements -------------------------------------------------------------------------- */

static void element_rows(const filter_tile *tile)
{
    extreme_state *e = tile->state;
    const int64_t most = (TOGETHER + e->call.batch - 1) / e->call.batch * e->call.batch;
    e->call.width = tile->width;
    for (int64_t y = 0; y < tile->rows; y += most) {
        e->call.rows = tile->in + y;
        e->call.count = halo_min(most, tile->rows - y);
        e->call.out = tile->out + y;
        e->loops->element[e->type](&e->call);
        if (filter_tile_ends(tile, e->call.count * tile->width)) {
            return;
        }
    }
}

static halo_status create_element(extreme_state *e, const filter_step *step,
                                  const filter_part *part)
{
    int64_t bytes = (int64_t)halo_sample_types[e->type].bytes, reach = e->what->element.before[2];
    HALO_TRY(filter_chords_find(&e->chords, &e->what->element, step->n[1] + 2 * part->depth[1]));
    e->call.chords = &e->chords;
    e->call.block = halo_max(BLOCK, 8 * reach * bytes) / bytes;
    e->call.block = halo_min(e->call.block, step->n[2]);
    e->call.pitch = (size_t)((e->call.block + 2 * reach) * bytes + 8 * LINE) & (size_t)-LINE;
    e->call.batch = halo_max(1, BLOCK / (e->call.block * bytes));
    HALO_TRY(HALO_ALLOCATE_LARGE(
        e->memory, (size_t)(e->call.batch * e->chords.levels + 1) * e->call.pitch, "rows"));
    e->call.scratch = e->memory;
    return HALO_ALLOCATE(e->call.shifted, 2 * reach + 1, "rows");
}

/* ---- the state of a rank --------------------------------------------------------------------- */

static halo_status create(void **state, const filter_step *step, const filter_part *part,
                          const char *instructions)
{
    const halo_isa_variant *variant;
    extreme_state *e;
    HALO_TRY(halo_isa_pick(&variant, variants, instructions));
    HALO_TRY(HALO_ALLOCATE(e, 1, "a filter"));
    *state = e;
    e->what = part->own;
    e->loops = &((const filter_extreme_ops *)variant->ops)->of[e->what->greatest];
    e->type = part->in;
    return e->what->element.shape == FILTER_SHAPE_BOX
               ? create_box(e, step, planes_together(step, part))
               : create_element(e, step, part);
}

static void destroy(void *state)
{
    extreme_state *e = state;
    if (e != NULL) {
        halo_memory_free(e->memory);
        free((void *)e->row);
        free((void *)e->call.shifted);
        filter_chords_free(&e->chords);
        free(e);
    }
}

void filter_add_extreme(filter_step *step, const filter_extreme *extreme, const filter_edge *edge)
{
    filter_part *part = filter_add_part(
        step, &(filter_part){.create = create, .destroy = destroy, .edge = *edge, .own = extreme});
    part->out = part->in;
    part->rows = element_rows;
    if (extreme->element.shape == FILTER_SHAPE_BOX) {
        part->rows = box_rows;
        part->planes = part->in == HALO_SAMPLE_BIT ? 0 : planes_together(step, part);
    }
    if (part->in == HALO_SAMPLE_BIT) {
        part->create = filter_extreme_bits_create;
        part->destroy = filter_extreme_bits_destroy;
        part->rows = filter_extreme_bits_rows;
    }
    for (int axis = 0; axis < HALO_AXES; axis++) {
        part->depth[axis] = extreme->element.before[axis];
    }
}
