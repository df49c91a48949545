#ifndef HALOBEAT_MOTION_MATCH_H
#define HALOBEAT_MOTION_MATCH_H

#include "kernels/motion/match_context.h"

/* Where a cluster, or a piece of one, has gone. Costs are mean grey differences: over a cluster's
 * tiles, or the window around a piece's, pixels of the cluster counted three times, since what
 * surrounds a cluster tells where it lies and what is within where it belongs. All functions are
 * local. Internal to the motion kernel. */

/* A cluster at work. */
typedef struct {
    const motion_piece *pieces;
    int64_t count;
    int64_t pixels;
    motion_shift shift; /* the best so far, and its cost; weight 0 if none is known */
    motion_score score;
} motion_seeker;

/* Take the best of these shifts if it is better than the best so far; the first of equals. Those
 * beyond the radius are not looked at. Did it change? */
bool motion_seek(motion_seeker *seeker, const motion_match_context *context,
                 const motion_shift *shifts, int count);

/* Steps of one pixel as long as they are better. */
void motion_refine(motion_seeker *seeker, const motion_match_context *context);

/* From nothing: the whole radius on the smallest frames, the best six of it on larger ones, then
 * refined. */
void motion_match(motion_seeker *seeker, const motion_match_context *context);

/* A piece: the best of its own shift (known if found.cost is) and `shifts`, refined if it is
 * another one than before. The cost becomes 256 times the mean. */
void motion_place(motion_piece *piece, const motion_match_context *context,
                  const motion_shift *shifts);

#endif
