#ifndef HALOBEAT_TRACE_VECTOR_H
#define HALOBEAT_TRACE_VECTOR_H

#include "kernels/trace/trace_scene.h"

#include <math.h>

/* Vector arithmetic. Internal to the kernel; its sources are compiled without contraction, so that
 * all machines round alike. */

typedef halo_trace_vector vector;

static inline vector vector_add(vector a, vector b)
{
    return (vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vector vector_less(vector a, vector b)
{
    return (vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline vector vector_times(vector a, double factor)
{
    return (vector){a.x * factor, a.y * factor, a.z * factor};
}

/* a + factor * b */
static inline vector vector_along(vector a, double factor, vector b)
{
    return (vector){a.x + factor * b.x, a.y + factor * b.y, a.z + factor * b.z};
}

/* Colours, component by component. */
static inline vector vector_filter(vector a, vector b)
{
    return (vector){a.x * b.x, a.y * b.y, a.z * b.z};
}

static inline double vector_dot(vector a, vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vector vector_cross(vector a, vector b)
{
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double vector_length(vector a)
{
    return sqrt(vector_dot(a, a));
}

static inline vector vector_unit(vector a)
{
    return vector_times(a, 1 / vector_length(a));
}

/* The component of axis 0, 1 or 2. */
static inline double vector_axis(const vector *a, int axis)
{
    return axis == 0 ? a->x : axis == 1 ? a->y : a->z;
}

static inline double vector_largest(vector a)
{
    return fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
}

#endif
