#ifndef HALOBEAT_TRACE_CONVEX_H
#define HALOBEAT_TRACE_CONVEX_H

#include "kernels/trace/vector.h"

/* Polygons in a plane. Pure; internal to the kernel. */

/* Twice its area along its normal (Newell's method): counterclockwise as seen from where it points
 * to. 0 if it has no area. */
vector trace_polygon_normal(const vector *corners, int64_t count);

/* Does it turn to one side only, and once around? */
bool trace_polygon_is_convex(const vector *corners, int64_t count, vector normal);

/* Is a point of its plane inside? `normal` says along which axis it is looked at. */
bool trace_polygon_has(const vector *corners, int64_t count, vector normal, vector point);

#endif
