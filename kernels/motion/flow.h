#ifndef HALOBEAT_MOTION_FLOW_H
#define HALOBEAT_MOTION_FLOW_H

#include "core/world/world.h"
#include "kernels/motion/match_context.h"

/* The motion of every pixel from that of pieces: the mean over all windows that it lies in, those
 * under which its grey agrees with the later frame's counting most (as in T. Kroeger, R. Timofte,
 * D. Dai, L. Van Gool, Fast optical flow using dense inverse search, 2016), and those of its own
 * cluster. Sums are integers. Internal to the motion kernel. */

typedef struct {
    motion_piece *pieces; /* of the whole frame, tile by tile: on every rank */
    int64_t count;
    int64_t *first; /* [tile rows + 1]: of each row of tiles */
    int64_t *sums;  /* [3 * columns]: weights, right, down */
    int tile_rows;
} motion_flow;

/* Collective. Everyone gets rank 0's pieces. HALO_MEMORY, HALO_MPI: on all ranks. */
halo_status motion_flow_share(motion_flow *flow, halo_world *world, const motion_parts *parts,
                              const motion_frame *frame);

/* Local. Accepts a zeroed flow. */
void motion_flow_free(motion_flow *flow);

/* Local. (u, v) in pixels for each pixel of a row. */
void motion_flow_row(const motion_flow *flow, const motion_match_context *context, int64_t y,
                     float *out);

#endif
