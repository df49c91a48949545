#ifndef HALOBEAT_MOTION_MATCH_H
#define HALOBEAT_MOTION_MATCH_H

#include "kernels/motion/match_context.h"

/* Finding the motion of a cluster, or a piece of one. Costs are mean grey differences over a
 * cluster's tiles, or the window around a piece's tile. Pixels of the cluster count three times:
 * the surroundings show where it is, and its own pixels where it belongs. All functions are local.
 * Internal to the motion kernel. */

/* A cluster whose motion is being searched. */
typedef struct {
    const motion_piece *pieces;
    int64_t count;
    int64_t pixels;
    motion_shift shift; /* the best shift so far, and its cost; weight 0 if unknown */
    motion_score score;
} motion_seeker;

/* Tries these shifts: takes the best one if it is better than the best so far; the first of equals.
 * Shifts beyond the radius are ignored. Returns true if the best shift has changed. */
bool motion_seek(motion_seeker *seeker, const motion_match_context *context,
                 const motion_shift *shifts, int count);

/* Takes steps of one pixel as long as they improve the score. */
void motion_refine(motion_seeker *seeker, const motion_match_context *context);

/* A search without a start: the whole radius on the smallest frames, the best six of it on larger
 * ones, then refinement. */
void motion_match(motion_seeker *seeker, const motion_match_context *context);

/* Finds the motion of a piece: the best of its own shift (known if found.cost is) and `shifts`,
 * refined if it differs from the one before. The cost is set to 256 times the mean. */
void motion_place(motion_piece *piece, const motion_match_context *context,
                  const motion_shift *shifts);

#endif
