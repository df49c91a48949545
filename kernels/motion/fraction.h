#ifndef HALOBEAT_MOTION_FRACTION_H
#define HALOBEAT_MOTION_FRACTION_H

#include "kernels/motion/match_context.h"

/* The fraction of a pixel by which something has moved beyond whole ones: the step that would undo
 * the differences if grey changed evenly between pixels, again and again (B. D. Lucas and T.
 * Kanade, 1981). Sums are integers, so that they are the same whoever adds them. Local. Internal to
 * the motion kernel. */

/* Of `count` pieces together, compared over squares of `side`: fills in found->fine_u and ->fine_v
 * from found->u and ->v. What makes differences larger is not taken. */
void motion_fraction(const motion_match_context *context, const motion_piece *pieces, int64_t count,
                     int side, motion_found *found);

#endif
