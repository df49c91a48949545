#ifndef HALOBEAT_IO_CONTOUR_CONTOURS_H
#define HALOBEAT_IO_CONTOUR_CONTOURS_H

#include "base/memory.h"
#include "core/world/world.h"

#include <stdint.h>

/* Closed contours: lists of points on the pixels of an image, read from files, written and drawn.
 * All functions are local except halo_contours_share. */

typedef struct {
    int32_t y, x; /* row and column, from 0 */
} halo_contour_point;

/* A list of contours. Zero-initialise it; use the functions below to read it. */
typedef struct {
    halo_buffer starts; /* int64_t for each contour: the index of its first point */
    halo_buffer points; /* halo_contour_point for each point */
} halo_contours;

/* The number of contours. */
static inline int64_t halo_contours_count(const halo_contours *c)
{
    return (int64_t)(c->starts.size / sizeof(int64_t));
}

/* The number of points of all contours. */
static inline int64_t halo_contours_point_count(const halo_contours *c)
{
    return (int64_t)(c->points.size / sizeof(halo_contour_point));
}

/* All points, [halo_contours_point_count]. Owned by the contours, valid until a point is added. */
static inline halo_contour_point *halo_contours_points(const halo_contours *c)
{
    return (halo_contour_point *)(void *)c->points.data;
}

/* The index of the first point of contour `contour`; for halo_contours_count, the number of
 * points. */
static inline int64_t halo_contours_first(const halo_contours *c, int64_t contour)
{
    const int64_t *starts = (const int64_t *)(const void *)c->starts.data;
    return contour < halo_contours_count(c) ? starts[contour] : halo_contours_point_count(c);
}

/* As halo_contours_first for all contours: *firsts is [halo_contours_count + 1], owned by the
 * contours and valid until a contour is added. HALO_MEMORY. */
halo_status halo_contours_firsts(halo_contours *c, const int64_t **firsts);

/* Begins a contour, to which the next points are added. HALO_MEMORY. */
halo_status halo_contours_begin(halo_contours *c);

/* Adds a point, by column and row, to the last contour. HALO_MEMORY. */
halo_status halo_contours_add(halo_contours *c, int32_t x, int32_t y);

/* Adds a circle, as a contour of `count` points at equal angles, rounded to pixels; the centre is
 * given by column and row, the radius in pixels. HALO_MEMORY. */
halo_status halo_contours_add_circle(halo_contours *c, double x, double y, double radius,
                                     int64_t count);

/* Twice the area, in square pixels, that contour `contour` encloses if `points`
 * [halo_contours_point_count] are the positions of all points. Parts of the contour that turn the
 * other way count negative. */
int64_t halo_contours_double_area(const halo_contours *c, const halo_contour_point *points,
                                  int64_t contour);

/* The area in square pixels that all contours enclose together if `points` are the positions, in
 * units of 1 / `unit` pixel. */
double halo_contours_area(const halo_contours *c, const halo_contour_point *points, int64_t unit);

/* The mean distance in pixels from the points to such `points`. */
double halo_contours_mean_distance(const halo_contours *c, const halo_contour_point *points,
                                   int64_t unit);

/* Collective. Replaces the contours of every rank by those of rank 0 if `mine` is HALO_OK on all
 * ranks; otherwise returns the agreed failure. HALO_MEMORY, HALO_TRANSPORT. */
halo_status halo_contours_share(halo_world *world, halo_contours *c, halo_status mine);

/* Frees the contours. Accepts contours that were freed before. */
void halo_contours_free(halo_contours *c);

#endif
