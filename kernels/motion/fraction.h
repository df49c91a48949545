#ifndef HALOBEAT_MOTION_FRACTION_H
#define HALOBEAT_MOTION_FRACTION_H

#include "kernels/motion/match_context.h"

/* The fraction of a pixel of a motion, by iterating the step that would remove the differences if
 * grey were linear between pixels (B. D. Lucas and T. Kanade, 1981). Sums are integers, so that
 * they are the same in any order. Local. Internal to the motion kernel. */

/* For `count` pieces together, compared over squares of `side`: sets found->fine_u and ->fine_v
 * from found->u and ->v. Steps that increase the differences are not taken. */
void motion_fraction(const motion_match_context *context, const motion_piece *pieces, int64_t count,
                     int side, motion_found *found);

#endif
