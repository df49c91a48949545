#ifndef HALOBEAT_MOTION_FLOW_H
#define HALOBEAT_MOTION_FLOW_H

#include "core/world/world.h"
#include "kernels/motion/match_context.h"

/* The motion of every pixel, from that of pieces: the mean over all windows that contain it, with
 * more weight for those whose motion makes its grey agree with the later frame (as in T. Kroeger,
 * R. Timofte, D. Dai, L. Van Gool, Fast optical flow using dense inverse search, 2016), and for
 * those of its own cluster. Sums are integers. Internal to the motion kernel. */

typedef struct {
    motion_piece *pieces; /* of the whole frame, tile by tile; on every rank */
    int64_t *first;       /* [tile rows + 1]: first piece of each row of tiles */
    int64_t *sums;        /* [3 * columns]: weights, right, down */
    int tile_rows;
} motion_flow;

/* Collective. Sends rank 0's pieces to all ranks. HALO_MEMORY, HALO_TRANSPORT; the same on all
 * ranks. */
halo_status motion_flow_share(motion_flow *flow, halo_world *world, const motion_parts *parts,
                              const motion_frame *frame);

/* Local. Accepts a zeroed flow. */
void motion_flow_free(motion_flow *flow);

/* Local. Writes (u, v) in pixels for each pixel of a row. */
void motion_flow_row(const motion_flow *flow, const motion_match_context *context, int64_t y,
                     float *out);

#endif
