#ifndef HALOBEAT_CLI_SNAKE_POLYGON_H
#define HALOBEAT_CLI_SNAKE_POLYGON_H

#include "cli/snake/contours.h"

/* Contours as tables of text.
 *
 * A line has a point: x,y; or x,y,contour; or contour,point,x,y, as `halobeat snake -o FILE.csv`
 * writes them; or what a first line of names says, of which x and y must be there. Commas,
 * semicolons and blanks separate. An empty line or another contour's number begins a contour. A
 * last point that is the first one once more closes it and is left out, but where points have
 * numbers. Lines that begin with # say nothing. Numbers are pixels, rounded to whole ones. */

/* What points have to be. */
typedef struct {
    int64_t width, height; /* of the picture they must lie in */
    int64_t least;         /* points of a contour */
    double spacing;        /* pixels; 0: the points as they are, or else put anew along the lines */
} snake_polygon_limits;

/* Local. Add the contours of `bytes` bytes of `text`, which is followed by a 0, to `contours`;
 * `path` is for messages, which name the line. HALO_FORMAT for text that makes no sense,
 * HALO_ARGUMENT for points outside the picture and contours of too few points, HALO_MEMORY. */
halo_status snake_polygon_read(const char *path, const char *text, size_t bytes,
                               const snake_polygon_limits *limits, snake_contours *contours);

#endif
