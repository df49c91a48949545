#ifndef HALOBEAT_IO_CONTOUR_CONTOURS_READ_H
#define HALOBEAT_IO_CONTOUR_CONTOURS_READ_H

#include "io/contour/contours.h"

/* Contours from tables of text. All functions are local.
 *
 * A line has a point: x,y; or x,y,contour; or contour,point,x,y, as halo_contours_write writes them
 * to a .csv; or what a first line of names says, of which x and y must be there. Commas, semicolons
 * and blanks separate. An empty line or another contour's number begins a contour. A last point
 * that is the first one once more closes it and is left out, but where points have numbers. Lines
 * that begin with # say nothing. Numbers are pixels, rounded to whole ones. */

/* What points have to be. */
typedef struct {
    int64_t width, height; /* pixels of the picture they must lie in */
    int64_t min;           /* points of a contour */
    double spacing;        /* pixels; 0: the points as they are, or else put anew along the lines */
} halo_contours_limits;

/* Add the contours of `bytes` bytes of `text` to `contours`; `path` is for messages, which name the
 * line. HALO_FORMAT for text that makes no sense, HALO_ARGUMENT for points outside the picture and
 * contours of too few points, HALO_MEMORY. After a failure some may have been added. */
halo_status halo_contours_parse(const char *path, const char *text, size_t bytes,
                                const halo_contours_limits *limits, halo_contours *contours);

/* The same for all of a file. HALO_FILE, too. */
halo_status halo_contours_read(const char *path, const halo_contours_limits *limits,
                               halo_contours *contours);

#endif
