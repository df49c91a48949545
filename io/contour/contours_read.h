#ifndef HALOBEAT_IO_CONTOUR_CONTOURS_READ_H
#define HALOBEAT_IO_CONTOUR_CONTOURS_READ_H

#include "io/contour/contours.h"

/* Contours from text files. All functions are local.
 *
 * Each line has a point: x,y or x,y,contour or contour,point,x,y, as halo_contours_write writes
 * them to a .csv. A first line with column names may give another order; x and y are required.
 * Separators are commas, semicolons and blanks. A contour begins at an empty line, or where the
 * contour number changes. If the last point of a contour repeats the first, it is dropped, except
 * where points have numbers. Lines that begin with # are comments. Coordinates are in pixels and
 * are rounded. */

/* Requirements on the points. */
typedef struct {
    int64_t width, height; /* pixels of the image that contains the points */
    int64_t min;           /* minimum number of points of a contour */
    double spacing;        /* pixels between points that are placed anew along the lines; 0: keep
                            * the points as they are */
} halo_contours_limits;

/* Adds the contours in `text` [bytes] to `contours`; `path` is used in messages, which name the
 * line. HALO_FORMAT for text that cannot be parsed, HALO_ARGUMENT for points outside the image or
 * contours with too few points, HALO_MEMORY. After a failure some contours may have been added. */
halo_status halo_contours_parse(const char *path, const char *text, size_t bytes,
                                const halo_contours_limits *limits, halo_contours *contours);

/* As halo_contours_parse, for a file; also HALO_FILE. */
halo_status halo_contours_read(const char *path, const halo_contours_limits *limits,
                               halo_contours *contours);

#endif
