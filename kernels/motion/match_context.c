#include "kernels/motion/match_context.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <stdlib.h>
#include <string.h>

enum { TOP = MOTION_LEVELS - 1, MAX_CELLS = (MOTION_TILE / 2) * (MOTION_TILE / 2) };

halo_status motion_match_context_create(motion_match_context *context, int radius)
{
    *context = (motion_match_context){.radius = radius};
    size_t side = (size_t)motion_match_context_reach(context) * 2 + 1;
    memset(context->all, UINT8_MAX, sizeof context->all);
    HALO_TRY(HALO_ALLOCATE(context->costs, side * side, "costs of a search"));
    HALO_TRY(HALO_ALLOCATE(context->weights, side * side, "weights of a search"));
    return HALO_ALLOCATE(context->sums, side * side, "sums of a search");
}

void motion_match_context_free(motion_match_context *context)
{
    free(context->costs);
    free(context->weights);
    free(context->sums);
    *context = (motion_match_context){.radius = 0};
}

/* ---- full size ------------------------------------------------------------------------------- */

/* Columns or rows of a square that begins at `first`, of a plane of `n`. */
static void clip(int64_t first, int side, int64_t n, int *lo, int *hi)
{
    *lo = (int)halo_min(halo_max(-first, 0), side);
    *hi = (int)halo_max(halo_min(n - first, side), *lo);
}

void motion_stencil_set(motion_stencil *stencil, const motion_match_context *context,
                        const motion_piece *piece, int side)
{
    const motion_plane *plane = &context->one->levels[0];
    int ring = (side - MOTION_TILE) / 2, skip = MOTION_RING - ring;
    int lo, hi, top, bottom;
    stencil->side = side;
    stencil->x = piece->x - ring;
    stencil->y = piece->y - ring;
    clip(stencil->x, side, plane->columns, &lo, &hi);
    clip(stencil->y, side, plane->rows, &top, &bottom);
    stencil->weight = (int64_t)(hi - lo) * (bottom - top);
    for (int j = 0; j < side; j++) {
        uint64_t bits = piece->rows[j + skip] >> skip & ((UINT64_C(1) << side) - 1);
        stencil->weight += 2 * __builtin_popcountll(bits);
    }
    context->ops->spread(piece->rows + skip, side, skip, stencil->own);
    stencil->inside = context->all;
    if (hi - lo < side || bottom - top < side) {
        stencil->inside = stencil->part;
        for (int i = 0; i < side * side; i++) {
            int x = i % side, y = i / side;
            bool in = x >= lo && x < hi && y >= top && y < bottom;
            stencil->part[i] = in ? UINT16_MAX : 0;
        }
    }
}

static int64_t part_weight(const motion_stencil *stencil, int lo, int hi, int top, int bottom)
{
    int64_t weight = 0;
    for (int j = top; j < bottom; j++) {
        for (int i = lo; i < hi; i++) {
            int at = j * stencil->side + i;
            weight += (stencil->inside[at] & 1) + (stencil->own[at] & 2);
        }
    }
    return weight;
}

void motion_stencil_compare(const motion_stencil *stencil, const motion_match_context *context,
                            const motion_shift *shifts, int count, motion_score *scores)
{
    const motion_plane *one = &context->one->levels[0], *other = &context->other->levels[0];
    motion_square square = {.one = motion_plane_at(one, stencil->x, stencil->y),
                            .one_pitch = one->pitch,
                            .other_pitch = other->pitch,
                            .inside = stencil->inside,
                            .own = stencil->own};
    uint32_t (*whole)(const motion_square *) =
        stencil->side == MOTION_TILE ? context->ops->tile : context->ops->window;
    for (int s = 0; s < count; s++) {
        int64_t x = stencil->x + shifts[s].u, y = stencil->y + shifts[s].v;
        int lo, hi, top, bottom;
        clip(x, stencil->side, other->columns, &lo, &hi);
        clip(y, stencil->side, other->rows, &top, &bottom);
        if (lo == hi || top == bottom) {
            continue;
        }
        square.other = motion_plane_at(other, x, y);
        if (hi - lo == stencil->side && bottom - top == stencil->side) {
            scores[s].cost += whole(&square);
            scores[s].weight += stencil->weight;
        } else {
            scores[s].cost += context->ops->part(&square, stencil->side, lo, hi, top, bottom);
            scores[s].weight += part_weight(stencil, lo, hi, top, bottom);
        }
    }
}

/* ---- smaller frames -------------------------------------------------------------------------- */

/* A cell of a smaller frame in which the piece has pixels: `weight` of them. */
typedef struct {
    int x, y;
    uint32_t value, weight;
} cell;

static int cells_of(const motion_match_context *context, const motion_piece *piece, int level,
                    cell *cells)
{
    const motion_plane *plane = &context->one->levels[level];
    int side = 1 << level, across = MOTION_TILE >> level, count = 0;
    for (int c = 0; c < across * across; c++) {
        int left = c % across, top = c / across;
        uint32_t weight = 0, bits = ((1U << side) - 1) << (left * side + MOTION_RING);
        for (int j = 0; j < side; j++) {
            weight +=
                (uint32_t)__builtin_popcount(piece->rows[MOTION_RING + top * side + j] & bits);
        }
        int x = (piece->x >> level) + left, y = (piece->y >> level) + top;
        if (weight > 0 && motion_plane_has(plane, x, y)) {
            cells[count++] = (cell){x, y, *motion_plane_at(plane, x, y), weight};
        }
    }
    return count;
}

/* One cell at every shift, each looked up on its own: near an edge. */
static void compare_at_edge(const motion_plane *other, const cell *at, const motion_shift *shifts,
                            int count, motion_score *scores)
{
    for (int s = 0; s < count; s++) {
        int x = at->x + shifts[s].u, y = at->y + shifts[s].v;
        if (motion_plane_has(other, x, y)) {
            int there = *motion_plane_at(other, x, y);
            scores[s].cost += (int64_t)at->weight * abs(there - (int)at->value);
            scores[s].weight += at->weight;
        }
    }
}

void motion_compare_coarsely(const motion_match_context *context, const motion_piece *piece,
                             int level, const motion_shift *shifts, int count, motion_score *scores)
{
    const motion_plane *other = &context->other->levels[level];
    cell cells[MAX_CELLS];
    int n = cells_of(context, piece, level, cells);
    ptrdiff_t steps[MOTION_MAX_COARSE];
    uint32_t costs[MOTION_MAX_COARSE] = {0}, weight = 0;
    int reach = 0; /* of the furthest shift */
    for (int s = 0; s < count; s++) {
        int u = abs(shifts[s].u), v = abs(shifts[s].v);
        reach = u > reach ? u : reach;
        reach = v > reach ? v : reach;
        steps[s] = shifts[s].v * other->pitch + shifts[s].u;
    }
    for (int c = 0; c < n; c++) {
        const cell *at = &cells[c];
        if (at->x < reach || at->y < reach || at->x + reach >= other->columns ||
            at->y + reach >= other->rows) {
            compare_at_edge(other, at, shifts, count, scores);
            continue;
        }
        const uint16_t *there = motion_plane_at(other, at->x, at->y);
        weight += at->weight;
        for (int s = 0; s < count; s++) {
            costs[s] += at->weight * (uint32_t)abs((int)there[steps[s]] - (int)at->value);
        }
    }
    for (int s = 0; s < count; s++) {
        scores[s].cost += costs[s];
        scores[s].weight += weight;
    }
}

void motion_slide(const motion_match_context *context, const motion_piece *piece)
{
    const motion_plane *other = &context->other->levels[TOP];
    cell cells[MAX_CELLS];
    int n = cells_of(context, piece, TOP, cells), reach = motion_match_context_reach(context);
    int64_t side = 2 * reach + 1;
    memset(context->sums, 0, (size_t)(side * side) * sizeof *context->sums);
    for (int c = 0; c < n; c++) {
        int64_t left = halo_max(-reach, -cells[c].x);
        int64_t right = halo_min(reach, other->columns - 1 - cells[c].x);
        for (int64_t v = halo_max(-reach, -cells[c].y);
             v <= halo_min(reach, other->rows - 1 - cells[c].y); v++) {
            int64_t at = (v + reach) * side + reach + left;
            context->ops->slide(motion_plane_at(other, cells[c].x + left, cells[c].y + v),
                                cells[c].value, cells[c].weight, right - left + 1,
                                context->sums + at);
            for (int64_t i = 0; i <= right - left; i++) {
                context->weights[at + i] += cells[c].weight;
            }
        }
    }
    for (int64_t i = 0; i < side * side; i++) {
        context->costs[i] += context->sums[i];
    }
}
