#ifndef HALOBEAT_IO_CONTOUR_CONTOURS_SHAPES_H
#define HALOBEAT_IO_CONTOUR_CONTOURS_SHAPES_H

#include "io/contour/contours_read.h"

/* Contours made from shapes that are described by text: "circle:X,Y,R[,N]" is a circle around
 * column X of row Y with a radius of R pixels, "grid:RxC[,N]" circles in R rows and C columns all
 * over the image, "polygon:FILE.csv" the contours of a file (contours_read.h). N is the number of
 * points of a circle; without it, points are limits.spacing apart (0: 6 pixels), and their number
 * is even. All functions are local. */

enum { HALO_CONTOURS_SHAPES = 64 /* at most */ };

/* For the implementation: use the functions below. */
typedef struct {
    size_t kind;
    const char *text;      /* as it was given; owned by the caller */
    double x, y, radius;   /* of a circle, in pixels */
    int64_t points;        /* of each circle; 0: by the spacing */
    int64_t rows, columns; /* of a grid */
    const char *path;      /* of a polygon's file; or NULL */
} halo_contours_shape;

/* A list of shapes. Zero-initialise it. */
typedef struct {
    halo_contours_shape list[HALO_CONTOURS_SHAPES];
    int count;
} halo_contours_shapes;

/* Adds the shape of `text`, which must outlive the list. HALO_ARGUMENT, with what it takes, for
 * other text, or a shape too many. */
halo_status halo_contours_shapes_parse(halo_contours_shapes *shapes, const char *text);

/* Adds the contours of all shapes to `into`, which is empty; firsts [shapes->count] becomes the
 * first contour of each shape. `name` stands before a shape's text in messages: "--init".
 * HALO_ARGUMENT for contours that do not fit in the image, have too few points, or points less than
 * a pixel apart; also as halo_contours_read. */
halo_status halo_contours_shapes_make(const halo_contours_shapes *shapes, const char *name,
                                      const halo_contours_limits *limits, halo_contours *into,
                                      int64_t *firsts);

enum { HALO_CONTOURS_CIRCLE_UNIT = 256 /* units per pixel */ };

/* In units of 1 / HALO_CONTOURS_CIRCLE_UNIT pixel, from the centre of pixel (0, 0). */
typedef struct {
    int64_t x, y, radius;
} halo_contours_circle;

/* The cells of all grids, and the largest circle in each: circles [cells], grid after grid, along
 * their rows. */
int64_t halo_contours_shapes_cells(const halo_contours_shapes *shapes);
void halo_contours_shapes_circles(const halo_contours_shapes *shapes,
                                  const halo_contours_limits *limits,
                                  halo_contours_circle *circles);

/* Adds the contours `before` of these shapes, made above with `firsts`, to `into`, which is empty;
 * but a circle of a grid whose circle of `moved` [cells] is not the one given above is made anew
 * there, with a radius that is larger by the share `margin`. HALO_ARGUMENT, HALO_MEMORY. */
halo_status halo_contours_shapes_move(const halo_contours_shapes *shapes, const char *name,
                                      const halo_contours_limits *limits,
                                      const halo_contours *before, const int64_t *firsts,
                                      const halo_contours_circle *moved, double margin,
                                      halo_contours *into);

#endif
