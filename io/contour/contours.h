#ifndef HALOBEAT_IO_CONTOUR_CONTOURS_H
#define HALOBEAT_IO_CONTOUR_CONTOURS_H

#include "base/memory.h"
#include "core/world/world.h"

#include <stdint.h>

/* Closed contours of points on a picture's pixels, one after the other: what files of contours are
 * read into, and what contours are written and drawn from. All functions are local but
 * halo_contours_share. */

typedef struct {
    int32_t y, x; /* row and column, from 0 */
} halo_contour_point;

/* Zero-initialise it. The functions below say what it holds. */
typedef struct {
    halo_buffer starts; /* int64_t for each contour: the number of its first point */
    halo_buffer points; /* halo_contour_point for each point */
} halo_contours;

/* How many contours there are. */
static inline int64_t halo_contours_count(const halo_contours *c)
{
    return (int64_t)(c->starts.size / sizeof(int64_t));
}

/* How many points they have together. */
static inline int64_t halo_contours_point_count(const halo_contours *c)
{
    return (int64_t)(c->points.size / sizeof(halo_contour_point));
}

/* All points, [halo_contours_point_count]. They belong to the contours and are valid until a point
 * is added. */
static inline halo_contour_point *halo_contours_points(const halo_contours *c)
{
    return (halo_contour_point *)(void *)c->points.data;
}

/* The number of the first point of contour `contour`; of all points, for one after the last. */
static inline int64_t halo_contours_first(const halo_contours *c, int64_t contour)
{
    const int64_t *starts = (const int64_t *)(const void *)c->starts.data;
    return contour < halo_contours_count(c) ? starts[contour] : halo_contours_point_count(c);
}

/* The same for all contours: *firsts is [halo_contours_count + 1] and belongs to the contours. It
 * is valid until a contour is added. HALO_MEMORY. */
halo_status halo_contours_firsts(halo_contours *c, const int64_t **firsts);

/* A contour begins: the points that are added next are its own. HALO_MEMORY. */
halo_status halo_contours_begin(halo_contours *c);

/* Add a point, column and row, to the contour that was begun last. HALO_MEMORY. */
halo_status halo_contours_add(halo_contours *c, int32_t x, int32_t y);

/* Add a circle as a contour of `count` points at even angles, rounded to pixels; the middle, column
 * and row, and the radius in pixels. HALO_MEMORY. */
halo_status halo_contours_add_circle(halo_contours *c, double x, double y, double radius,
                                     int64_t count);

/* Twice the area, in pixels squared, that contour `contour` encloses when `points`
 * [halo_contours_point_count] are the places of all points. Parts that it goes round in the other
 * direction count negative. */
int64_t halo_contours_double_area(const halo_contours *c, const halo_contour_point *points,
                                  int64_t contour);

/* Collective. Every rank gets the contours that rank 0 has, in place of its own, if `mine` is
 * HALO_OK on all ranks; otherwise the agreed status is returned. HALO_MEMORY, HALO_MPI. */
halo_status halo_contours_share(halo_world *world, halo_contours *c, halo_status mine);

/* Accepts contours that were freed before. */
void halo_contours_free(halo_contours *c);

#endif
