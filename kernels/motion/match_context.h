#ifndef HALOBEAT_MOTION_MATCH_CONTEXT_H
#define HALOBEAT_MOTION_MATCH_CONTEXT_H

#include "kernels/motion/frame.h"
#include "kernels/motion/parts.h"

#include <stdbool.h>

enum { MOTION_MAX_COARSE = 150 }; /* shifts compared at a time on reduced frames */

/* The frames that a worker compares, and the radius. Internal to the motion kernel. */

typedef struct {
    const motion_frame *one, *other; /* the earlier and the later frame */
    const motion_match_ops *ops;
    int radius;
    int drop;       /* bits of 16-bit samples beyond those of 8-bit frames */
    int64_t *costs; /* of the coarse search: [side * side], and as many weights */
    int64_t *weights;
    uint32_t *sums;
    uint16_t all[MOTION_WINDOW * MOTION_WINDOW]; /* the mask of a square within the frame */
} motion_match_context;

/* A sum of grey differences and its total weight: pixels of a piece count three times, those around
 * them in the same square once. */
typedef struct {
    int64_t cost, weight;
} motion_score;

/* A piece with its masks in the form that operations need. */
typedef struct {
    int side, x, y; /* side of its square; position of the square's first pixel */
    int64_t weight; /* of the whole square */
    const uint16_t *inside;
    uint16_t own[MOTION_WINDOW * MOTION_WINDOW], part[MOTION_WINDOW * MOTION_WINDOW];
} motion_stencil;

/* Local. Frames and operations are owned by the caller. HALO_MEMORY; free it in any case. */
halo_status motion_match_context_create(motion_match_context *context, int radius);

/* Local. Accepts a zeroed context. */
void motion_match_context_free(motion_match_context *context);

/* The maximum number of steps of the coarse search in each direction. */
static inline int motion_match_context_reach(const motion_match_context *context)
{
    int step = 1 << (MOTION_LEVELS - 1);
    return (context->radius + step - 1) / step;
}

/* Local. Sets the stencil of a piece; the square is the tile or the window. Stencils must not be
 * copied. */
void motion_stencil_set(motion_stencil *stencil, const motion_match_context *context,
                        const motion_piece *piece, int side);

/* Local. Adds the scores of the piece at each of `count` shifts. */
void motion_stencil_compare(const motion_stencil *stencil, const motion_match_context *context,
                            const motion_shift *shifts, int count, motion_score *scores);

/* Local. As motion_stencil_compare on reduced frames, for the piece's own pixels, for at most
 * MOTION_MAX_COARSE shifts of that level. */
void motion_compare_coarsely(const motion_match_context *context, const motion_piece *piece,
                             int level, const motion_shift *shifts, int count,
                             motion_score *scores);

/* Local. As motion_compare_coarsely for all shifts within the radius, on the smallest frames, into
 * `costs` and `weights`. */
void motion_slide(const motion_match_context *context, const motion_piece *piece);

/* True if the first score is better. Scores with less than half of the weight `all` are never
 * better; neither are equal ones. */
static inline bool motion_score_better(motion_score one, motion_score other, int64_t all)
{
    if (one.weight <= 0 || 2 * one.weight < all) {
        return false;
    }
    return other.weight <= 0 || 2 * other.weight < all ||
           (double)one.cost * (double)other.weight < (double)other.cost * (double)one.weight;
}

#endif
