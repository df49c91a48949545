#ifndef HALOBEAT_TRACE_CONVEX_H
#define HALOBEAT_TRACE_CONVEX_H

#include "kernels/trace/vector.h"

/* Plane polygons. Pure; internal to the kernel. */

/* The normal with twice the polygon's area as its length (Newell's method); corners are
 * counter-clockwise as seen from where it points to. 0 if the polygon has no area. */
vector trace_polygon_normal(const vector *corners, int64_t count);

/* True if the polygon turns to one side only, and once around. */
bool trace_polygon_is_convex(const vector *corners, int64_t count, vector normal);

/* True if a point of its plane is inside. `normal` decides the axis along which it is projected. */
bool trace_polygon_has(const vector *corners, int64_t count, vector normal, vector point);

#endif
