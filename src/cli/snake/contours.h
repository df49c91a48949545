#ifndef HALOBEAT_CLI_SNAKE_CONTOURS_H
#define HALOBEAT_CLI_SNAKE_CONTOURS_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/* Closed contours of points on a picture's pixels, one after the other. */

typedef struct {
    int32_t y, x; /* row and column, from 0 */
} snake_place;

/* Zero-initialise it. */
typedef struct {
    halo_buffer starts; /* int64_t for each contour: the number of its first point */
    halo_buffer places; /* snake_place for each point */
} snake_contours;

/* All local. */
static inline int64_t snake_contours_count(const snake_contours *c)
{
    return (int64_t)(c->starts.size / sizeof(int64_t));
}

static inline int64_t snake_contours_points(const snake_contours *c)
{
    return (int64_t)(c->places.size / sizeof(snake_place));
}

static inline snake_place *snake_contours_places(const snake_contours *c)
{
    return (snake_place *)(void *)c->places.data;
}

/* The number of the first point of contour `contour`; of all points, for one after the last. */
static inline int64_t snake_contours_first(const snake_contours *c, int64_t contour)
{
    const int64_t *starts = (const int64_t *)(const void *)c->starts.data;
    return contour < snake_contours_count(c) ? starts[contour] : snake_contours_points(c);
}

/* The same for all contours: [count + 1], as long as no contour is added. HALO_MEMORY. */
halo_status snake_contours_firsts(snake_contours *c, const int64_t **firsts);

/* A contour begins: the points that are added next are its. HALO_MEMORY. */
halo_status snake_contours_begin(snake_contours *c);
halo_status snake_contours_add(snake_contours *c, int32_t x, int32_t y);

/* Twice the area that contour `contour` with these places of all points encloses: pixels squared;
 * of parts that it goes round in the other direction, less. */
int64_t snake_contours_double_area(const snake_contours *c, const snake_place *places,
                                   int64_t contour);

void snake_contours_free(snake_contours *c);

#endif
