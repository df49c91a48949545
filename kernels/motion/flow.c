#include "kernels/motion/flow.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "kernels/motion/motion.h"

#include <stdlib.h>
#include <string.h>

void motion_flow_free(motion_flow *flow)
{
    halo_memory_free(flow->pieces);
    free(flow->first);
    free(flow->sums);
    *flow = (motion_flow){.pieces = NULL};
}

static halo_status make_room(motion_flow *flow, int64_t count, const motion_plane *plane)
{
    motion_flow_free(flow);
    flow->tile_rows = (plane->rows + MOTION_TILE - 1) / MOTION_TILE;
    HALO_TRY(HALO_ALLOCATE_LARGE(flow->pieces, count + 1, "pieces"));
    HALO_TRY(HALO_ALLOCATE(flow->first, flow->tile_rows + 1, "rows of pieces"));
    return HALO_ALLOCATE(flow->sums, (size_t)plane->columns * 3, "a row of flow");
}

halo_status motion_flow_share(motion_flow *flow, halo_world *world, const motion_parts *parts,
                              const motion_frame *frame)
{
    int64_t count = parts->count;
    HALO_TRY(halo_bcast(world, &count, sizeof count, 0));
    halo_status mine = make_room(flow, count, &frame->levels[0]);
    HALO_TRY(halo_agree(world, mine));
    if (halo_world_rank(world) == 0) {
        memcpy(flow->pieces, parts->pieces, (size_t)count * sizeof *flow->pieces);
    }
    HALO_TRY(halo_bcast(world, flow->pieces, (size_t)count * sizeof *flow->pieces, 0));
    int64_t next = 0;
    for (int t = 0; t <= flow->tile_rows; t++) {
        while (next < count && flow->pieces[next].y < t * MOTION_TILE) {
            next++;
        }
        flow->first[t] = next;
    }
    return HALO_OK;
}

/* The later frame between four pixels, in 65536ths of a grey step; beyond its edge the edge. */
static uint32_t grey_at(const motion_plane *plane, int64_t x256, int64_t y256)
{
    int64_t x = x256 >> 8, y = y256 >> 8;
    uint32_t right = (uint32_t)(x256 & 255), down = (uint32_t)(y256 & 255);
    if (x < 0 || x > plane->columns - 2) {
        right = x < 0 ? 0 : 256;
        x = x < 0 ? 0 : plane->columns - 2;
    }
    if (y < 0 || y > plane->rows - 2) {
        down = y < 0 ? 0 : 256;
        y = y < 0 ? 0 : plane->rows - 2;
    }
    const uint16_t *p = motion_plane_at(plane, x, y), *q = p + plane->pitch;
    return (p[0] * (256 - right) + p[1] * right) * (256 - down) +
           (q[0] * (256 - right) + q[1] * right) * down;
}

/* Add a piece's votes for the motion of one row of its window, weighted by how well the greys
 * match. */
static void add_piece(const motion_match_context *context, const motion_piece *piece, int64_t y,
                      int64_t *sums)
{
    const motion_plane *one = &context->one->levels[0], *other = &context->other->levels[0];
    const uint16_t *row = motion_plane_at(one, 0, y);
    int64_t left = piece->x - MOTION_RING;
    uint32_t own = piece->rows[y - piece->y + MOTION_RING];
    int64_t lo = halo_max(left, 0), hi = halo_min(left + MOTION_WINDOW, one->columns);
    for (int64_t x = lo; x < hi; x++) {
        int64_t there = grey_at(other, x * HALO_MOTION_ONE + piece->found.fine_u,
                                y * HALO_MOTION_ONE + piece->found.fine_v);
        int64_t off = there - ((int64_t)row[x] << 16);
        off = (off < 0 ? -off : off) >> (16 + context->drop);
        int64_t weight = (1 << 16) / ((1 + off) * (1 + off));
        weight *= (own >> (x - left) & 1) != 0 ? 4 : 1;
        sums[3 * x] += weight;
        sums[3 * x + 1] += weight * piece->found.fine_u;
        sums[3 * x + 2] += weight * piece->found.fine_v;
    }
}

void motion_flow_row(const motion_flow *flow, const motion_match_context *context, int64_t y,
                     float *out)
{
    int columns = context->one->levels[0].columns;
    memset(flow->sums, 0, (size_t)columns * 3 * sizeof *flow->sums);
    int64_t lowest = (y - MOTION_TILE - MOTION_RING + MOTION_TILE) / MOTION_TILE;
    int64_t from = halo_max(lowest, 0);
    int64_t to = halo_min((y + MOTION_RING) / MOTION_TILE, flow->tile_rows - 1);
    for (int64_t p = flow->first[from]; p < flow->first[to + 1]; p++) {
        add_piece(context, &flow->pieces[p], y, flow->sums);
    }
    for (int64_t x = 0; x < columns; x++) {
        const int64_t *s = &flow->sums[3 * x];
        double weight = (double)s[0] * HALO_MOTION_ONE;
        out[2 * x] = (float)((double)s[1] / weight);
        out[2 * x + 1] = (float)((double)s[2] / weight);
    }
}
