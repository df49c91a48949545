#include "kernels/filter/linear_internal.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <stdlib.h>
#include <string.h>

/* Sums along one axis after the other: across planes into a ring of rows, across rows into columns,
 * and along the rows. Between the axes samples are doubles, or floats. */

static const halo_isa_variant variants[] = HALO_ISA_VARIANTS(filter_linear_ops, AVX512);
static const halo_isa_variant columns_variants[] = HALO_ISA_VARIANTS(filter_columns_ops, AVX512);

filter_weights filter_linear_weights(const filter_linear *l, int axis)
{
    static const double one[] = {1};
    const filter_line *line = &l->line[axis];
    return (filter_weights){line->radius, line->weights != NULL ? line->weights : one, line->odd};
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Sums of a few rows, which l->rows has the input of, into rows of the result. False if they have
 * to be computed again, without fusing. */
static bool sum_group(const filter_linear *l, const filter_sums *how, const filter_part *part,
                      halo_sample_type from, int64_t width, int64_t rows, void *const *out)
{
    filter_weights across = filter_linear_weights(l, 1), along = filter_linear_weights(l, 2);
    double *columns = (double *)(void *)l->columns.column;
    l->columns_ops->to_columns[from](&across, l->rows, width, how, columns);
    filter_columns_fill(&l->columns);
    return l->columns_ops->to_rows[part->out](&along, columns, width, how, (int)rows, out);
}

void filter_linear_image_group(const filter_linear *l, const filter_tile *tile, int64_t first,
                               int64_t rows)
{
    const filter_part *part = tile->part;
    int64_t radius = l->line[1].radius, skipped = part->depth[1] - radius;
    /* Rows that are not there are sums of others, which nobody reads. */
    for (int64_t k = 0; k < 2 * radius + l->columns.lanes; k++) {
        l->rows[k] = tile->in[first + skipped + halo_min(k, 2 * radius + rows - 1)];
    }
    if (!sum_group(l, &l->how, part, part->in, tile->width, rows, tile->out + first)) {
        sum_group(l, &l->exact, part, part->in, tile->width, rows, tile->out + first);
    }
}

static void image_rows(const filter_linear *l, const filter_tile *tile)
{
    int64_t lanes = l->is_quick ? l->quick_columns.lanes : l->columns.lanes;
    for (int64_t i = 0; i < tile->rows; i += lanes) {
        int64_t rows = halo_min(lanes, tile->rows - i);
        if (l->is_quick) {
            filter_linear_quick_group(l, tile, i, rows);
        } else {
            filter_linear_image_group(l, tile, i, rows);
        }
    }
}

/* An image of one row has no others that could be summed beside it. */
static void single_row(const filter_linear *l, const filter_tile *tile, int64_t i)
{
    const filter_part *part = tile->part;
    filter_weights w = filter_linear_weights(l, 2);
    static const double one[] = {1};
    const filter_weights copy = {0, one, false};
    bool wide = l->between == HALO_SAMPLE_F64, stored = part->out == l->between;
    void *sums = stored ? tile->out[i] : l->last;
    l->ops->across[part->in][wide](&copy, tile->in + i, 0, tile->width, l->row);
    filter_margins_fill(&l->margins, l->row);
    l->ops->along[wide](&w, l->row, tile->width, sums);
    if (!stored) {
        l->ops->store[wide][part->out](sums, tile->width, tile->out[i]);
    }
}

/* ---- planes ---------------------------------------------------------------------------------- */

/* Each plane of the tile has a ring. */
static char *ring_row(const filter_linear *l, int64_t plane, int64_t y)
{
    return l->ring + (size_t)(plane * l->slots + y % l->slots) * l->margins.pitch;
}

/* Row `y` of planes `first` and on, as many as are summed together. */
static void make_ring_row(const filter_linear *l, const filter_sums *how, const filter_tile *tile,
                          int64_t first, int64_t y)
{
    const filter_part *part = tile->part;
    filter_weights w = filter_linear_weights(l, 0);
    int64_t skipped = first + part->depth[0] - w.radius, lanes = l->columns.lanes;
    int64_t planes = halo_min(lanes, tile->planes - first);
    void *out[FILTER_LINEAR_PLANES];
    for (int64_t k = 0; k < 2 * w.radius + lanes; k++) {
        int64_t plane = halo_min(k, 2 * w.radius + planes - 1) + skipped;
        l->planes[k] = tile->in[plane * tile->in_pitch + part->depth[1] + y];
    }
    for (int64_t k = 0; k < lanes; k++) {
        out[k] = k < planes ? ring_row(l, first + k, y) : l->last;
    }
    l->columns_ops->across[part->in](&w, l->planes, tile->width, how, out);
}

static bool sum_plane_group(const filter_linear *l, const filter_sums *how, const filter_tile *tile,
                            int64_t plane, int64_t y, int64_t rows)
{
    const filter_part *part = tile->part;
    int64_t radius = l->line[1].radius;
    for (int64_t k = 0; k < 2 * radius + l->columns.lanes; k++) {
        int64_t row = y - radius + halo_min(k, 2 * radius + rows - 1);
        int64_t at = filter_edge_index(part->edge.mode, row, tile->rows);
        l->rows[k] = at < 0 ? l->margins.constant : ring_row(l, plane, at);
    }
    return sum_group(l, how, part, l->between, tile->width, rows,
                     tile->out + plane * tile->rows + y);
}

static bool volume_rows(const filter_linear *l, const filter_sums *how, const filter_tile *tile)
{
    bool decided = true;
    int64_t radius = l->line[1].radius, lanes = l->columns.lanes, next = 0;
    bool wraps = tile->part->edge.mode == FILTER_WRAP;
    for (int64_t y = 0; y < tile->rows && decided; y += lanes) {
        int64_t rows = halo_min(lanes, tile->rows - y);
        int64_t end = wraps ? tile->rows : halo_min(y + rows + radius, tile->rows);
        for (; next < end; next++) {
            for (int64_t plane = 0; plane < tile->planes; plane += lanes) {
                make_ring_row(l, how, tile, plane, next);
            }
        }
        for (int64_t plane = 0; plane < tile->planes && decided; plane++) {
            decided = sum_plane_group(l, how, tile, plane, y, rows);
        }
        if (filter_tile_ends(tile, tile->planes * rows * tile->width)) {
            return true;
        }
    }
    return decided;
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* True if all samples of a layer, by its place in the table of the tile, may be fused. */
static bool check_layer(const filter_linear *l, const filter_tile *tile, int64_t k)
{
    bool solid = tile->step->axes == HALO_AXES, good = true;
    int64_t first = solid ? k * tile->in_pitch + tile->part->depth[1] : k;
    for (int64_t i = 0; i < (solid ? tile->rows : 1) && good; i++) {
        good = l->columns_ops->may_fuse(tile->in[first + i], tile->width);
    }
    return good;
}

/* Looks at layers of floats that no tile before had. */
static void check_layers(filter_linear *l, const filter_tile *tile)
{
    bool solid = tile->step->axes == HALO_AXES;
    int64_t depth = tile->part->depth[solid ? 0 : 1];
    int64_t first = (solid ? tile->plane : tile->row) - depth;
    int64_t count = (solid ? tile->planes : tile->rows) + 2 * depth;
    if (l->checked < first || l->checked > first + count) {
        l->checked = first;
        l->last_bad = INT64_MIN;
    }
    for (; l->checked < first + count; l->checked++) {
        if (!check_layer(l, tile, l->checked - first)) {
            l->last_bad = l->checked;
        }
    }
    l->how.fused = l->last_bad < first;
}

void filter_linear_rows(const filter_tile *tile)
{
    filter_linear *l = tile->state;
    if (l->checks) {
        check_layers(l, tile);
    }
    switch (tile->step->axes) {
    case HALO_AXES:
        if (!volume_rows(l, &l->how, tile)) {
            volume_rows(l, &l->exact, tile);
        }
        break;
    case HALO_AXES - 1:
        image_rows(l, tile);
        break;
    default:
        for (int64_t i = 0; i < tile->rows; i++) {
            single_row(l, tile, i);
        }
    }
}

/* ---- the state of a rank --------------------------------------------------------------------- */

/* Rows of a group whose windows pass the edge are at both ends of the plane where they wrap; with
 * other edges they are less than a radius inside of it. */
static int64_t count_slots(const filter_linear *l, const filter_step *step, const filter_part *part)
{
    int64_t rows = 2 * l->line[1].radius + l->columns.lanes;
    return step->axes < HALO_AXES           ? 0
           : part->edge.mode == FILTER_WRAP ? step->n[1]
                                            : halo_min(rows, step->n[1]);
}

static halo_status create(filter_linear *l, const filter_step *step, const filter_part *part,
                          const char *instructions)
{
    static const char what[] = "rows of sums";
    const halo_isa_variant *variant;
    HALO_TRY(halo_isa_pick(&variant, variants, instructions));
    l->ops = variant->ops;
    HALO_TRY(halo_isa_pick(&variant, columns_variants, instructions));
    l->columns_ops = variant->ops;
    l->between = part->out == HALO_SAMPLE_F32 ? HALO_SAMPLE_F32 : HALO_SAMPLE_F64;
    l->edge = filter_edge_of_type(&part->edge, part->in);
    HALO_TRY(
        filter_margins_create(&l->margins, l->between, step->n[2], l->line[2].radius, &l->edge));
    HALO_TRY(filter_columns_create(&l->columns, l->columns_ops, false, &l->margins));
    l->slots = count_slots(l, step, part);
    int64_t rings = FILTER_LINEAR_PLANES * l->slots;
    HALO_TRY(HALO_ALLOCATE_LARGE(l->memory, (size_t)(rings + 2) * l->margins.pitch + FILTER_SLACK,
                                 what));
    l->row = l->memory + l->margins.before;
    l->last = l->row + l->margins.pitch;
    l->ring = l->last + l->margins.pitch;
    HALO_TRY(HALO_ALLOCATE(l->planes, 2 * l->line[0].radius + l->columns.lanes, what));
    HALO_TRY(HALO_ALLOCATE(l->rows, 2 * (l->line[1].radius + l->columns_ops->quick_lanes), what));
    filter_linear_find_fused(l, step, part);
    return filter_linear_create_quick(l, step, part);
}

halo_status filter_linear_create(void **state, const filter_step *step, const filter_part *part,
                                 const char *instructions, filter_line line[HALO_AXES])
{
    filter_linear *l;
    HALO_TRY(HALO_ALLOCATE(l, 1, "a filter"));
    *state = l;
    memcpy(l->line, line, sizeof l->line);
    memset(line, 0, sizeof l->line);
    return create(l, step, part, instructions);
}

void filter_lines_free(filter_line line[HALO_AXES])
{
    for (int axis = 0; axis < HALO_AXES; axis++) {
        free(line[axis].weights);
        line[axis] = (filter_line){0};
    }
}

void filter_linear_destroy(void *state)
{
    filter_linear *l = state;
    if (l == NULL) {
        return;
    }
    filter_lines_free(l->line);
    filter_linear_free_quick(l);
    filter_columns_free(&l->columns);
    filter_margins_free(&l->margins);
    halo_memory_free(l->memory);
    free((void *)l->planes);
    free((void *)l->rows);
    free(l);
}
