#ifndef HALOBEAT_LABEL_SOLID_HULL_H
#define HALOBEAT_LABEL_SOLID_HULL_H

#include "base/memory.h"
#include "core/world/watch.h"
#include "partition/box.h"

/* The convex hull of points in three axes, exactly: coordinates are integers of at most 33 bits,
 * and determinants have 128. C. B. Barber, D. P. Dobkin, H. Huhdanpaa: The quickhull algorithm for
 * convex hulls, 1996. Local; internal to the label kernel. */

__extension__ typedef __int128 solid_wide;

typedef struct {
    int64_t at[HALO_AXES];
} solid_point;

enum { SOLID_CORNERS = 3 };

typedef struct {
    bool live;                     /* false: it was a facet of a smaller hull */
    int64_t corner[SOLID_CORNERS]; /* points, anticlockwise from outside */
    int64_t beside[SOLID_CORNERS]; /* the facet across the edge from corner i to i + 1 */
    solid_wide normal[HALO_AXES];  /* outwards */
    int64_t above;                 /* the first one in a list of points outside, or -1 */
    int64_t visit;                 /* the last point that was added in sight of it */
} solid_facet;

/* Zero-initialise it; it may be used again. */
typedef struct {
    solid_point *points; /* [capacity] */
    int64_t count, capacity;
    int64_t *next;  /* [capacity] of the list that a point is in */
    int64_t *start; /* [capacity] the new facet whose first corner a point is */
    halo_buffer facets, stack, visible, edges;
    const halo_world *world; /* watches, unless NULL */
    int64_t since;           /* for halo_watch_piece */
} solid_hull;

/* Makes place for this number of points. HALO_MEMORY. */
halo_status solid_hull_reserve(solid_hull *hull, int64_t count);

/* Finds the facets of the hull of hull->points [hull->count], of which the first four are the
 * corners of a tetrahedron with a volume. HALO_MEMORY, HALO_CANCELLED. */
halo_status solid_hull_find(solid_hull *hull);

/* Facet `i` of hull->facets. */
static inline solid_facet *solid_hull_facet(const solid_hull *hull, int64_t i)
{
    return (solid_facet *)(void *)hull->facets.data + i;
}

static inline int64_t solid_hull_facets(const solid_hull *hull)
{
    return (int64_t)(hull->facets.size / sizeof(solid_facet));
}

void solid_hull_free(solid_hull *hull);

#endif
