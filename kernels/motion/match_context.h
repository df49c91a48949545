#ifndef HALOBEAT_MOTION_MATCH_CONTEXT_H
#define HALOBEAT_MOTION_MATCH_CONTEXT_H

#include "kernels/motion/frame.h"
#include "kernels/motion/parts.h"

#include <stdbool.h>

enum { MOTION_MAX_COARSE = 150 }; /* shifts compared at a time on smaller frames */

/* Where a worker compares: both frames, and how far it may look. Internal to the motion kernel. */

typedef struct {
    const motion_frame *one, *other; /* the earlier and the later frame */
    const motion_match_ops *ops;
    int radius;
    int drop;       /* bits of 16 beyond those of 8-bit frames */
    int64_t *costs; /* of the coarse search: [side * side], and as many weights */
    int64_t *weights;
    uint32_t *sums;
    uint16_t all[MOTION_WINDOW * MOTION_WINDOW]; /* the mask of a square within the frame */
} motion_match_context;

/* A sum of grey differences and what it is a sum over: a piece's pixels three times, those around
 * them in the same square once. */
typedef struct {
    int64_t cost, weight;
} motion_score;

/* A piece with its masks as operations want them. */
typedef struct {
    const motion_piece *piece;
    int side, x, y; /* of its square; the place of its first pixel */
    int64_t weight; /* of the whole square */
    const uint16_t *inside;
    uint16_t own[MOTION_WINDOW * MOTION_WINDOW], part[MOTION_WINDOW * MOTION_WINDOW];
} motion_stencil;

/* Local. Frames and operations are the caller's. HALO_MEMORY; free it in any case. */
halo_status motion_match_context_create(motion_match_context *context, int radius);

/* Local. Accepts a zeroed context. */
void motion_match_context_free(motion_match_context *context);

/* Most steps of the coarse search each way. */
static inline int motion_match_context_reach(const motion_match_context *context)
{
    int step = 1 << (MOTION_LEVELS - 1);
    return (context->radius + step - 1) / step;
}

/* Local. The square is the tile or the window. Stencils must not be copied. */
void motion_stencil_set(motion_stencil *stencil, const motion_match_context *context,
                        const motion_piece *piece, int side);

/* Local. Add what the piece has at each of `count` shifts. */
void motion_stencil_compare(const motion_stencil *stencil, const motion_match_context *context,
                            const motion_shift *shifts, int count, motion_score *scores);

/* Local. The same on smaller frames, of the piece's own pixels, for at most MOTION_MAX_COARSE
 * shifts of that level. */
void motion_compare_coarsely(const motion_match_context *context, const motion_piece *piece,
                             int level, const motion_shift *shifts, int count,
                             motion_score *scores);

/* Local. The same for all shifts that the context can reach, on the smallest frames, into `costs`
 * and `weights`. */
void motion_slide(const motion_match_context *context, const motion_piece *piece);

/* Is the one better? Scores of less than half of `all` are no good at all; ties are not better. */
static inline bool motion_score_better(motion_score one, motion_score other, int64_t all)
{
    if (one.weight <= 0 || 2 * one.weight < all) {
        return false;
    }
    return other.weight <= 0 || 2 * other.weight < all ||
           (double)one.cost * (double)other.weight < (double)other.cost * (double)one.weight;
}

#endif
