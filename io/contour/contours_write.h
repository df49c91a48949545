#ifndef HALOBEAT_IO_CONTOUR_CONTOURS_WRITE_H
#define HALOBEAT_IO_CONTOUR_CONTOURS_WRITE_H

#include "io/contour/contours.h"

/* Writing contours to files. */

/* code, ending, description */
#define HALO_CONTOURS_FORMAT_LIST(X)                                                \
    X(CSV, ".csv", "a line for each point: contour, point, x, y")                   \
    X(JSON, ".json", "an object: width, height, and contours with area and points") \
    X(SVG, ".svg",                                                                  \
      "a drawing of the picture's size, which links the picture, with a "           \
      "closed path for each contour, pixel (0, 0) around (0, 0)")

typedef enum {
#define HALO_CONTOURS_FORMAT_ENUM(code, ending, help) HALO_CONTOURS_##code,
    HALO_CONTOURS_FORMAT_LIST(HALO_CONTOURS_FORMAT_ENUM)
#undef HALO_CONTOURS_FORMAT_ENUM
        HALO_CONTOURS_FORMATS
} halo_contours_format;

typedef struct {
    const halo_contours *contours;
    const halo_contour_point *points; /* [halo_contours_point_count] their present positions */
    int64_t unit;                     /* units of a position per pixel: 1 or 16; 0 means 1 */
    int64_t width, height;            /* pixels of the image */
    const char *picture; /* path of the image file, to which an SVG links relative to its own
                          * folder, so that both may be moved together; NULL: no image */
} halo_contours_scene;

/* Collective. Writes the contours, which only rank 0 needs, to the file `path`, in the format of
 * its ending (in lower or upper case). The file appears under its name only when it is complete.
 * HALO_ARGUMENT, HALO_FILE, HALO_MEMORY, HALO_TRANSPORT; the same on all ranks. */
halo_status halo_contours_write(halo_world *world, const char *path,
                                const halo_contours_scene *scene);

#endif
