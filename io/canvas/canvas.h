#ifndef HALOBEAT_IO_CANVAS_CANVAS_H
#define HALOBEAT_IO_CANVAS_CANVAS_H

#include <stddef.h>
#include <stdint.h>

/* Drawing lines on a colour image. All functions here are local.
 *
 * A canvas is a chunk of the image's rows; coordinates are those of the whole image. An image drawn
 * in chunks, by any number of ranks, has the same bytes as one drawn at once. The colour of a pixel
 * follows from its distance to the shape, in integers, so it is also the same on every machine.
 * Shapes are clipped. */

/* Coordinates and widths are in 256ths of a pixel: (x, y) is the centre of the pixel in column x /
 * 256 of row y / 256. */
enum { HALO_CANVAS_ONE = 256 };

typedef struct {
    int64_t x, y; /* magnitude below 2^40 */
} halo_canvas_point;

typedef struct {
    int64_t first_row; /* of the image */
    int64_t rows, width;
    unsigned char *pixels; /* red, green and blue of each pixel; owned by the caller */
    size_t pitch;          /* bytes from row to row, 3 * width or more */
} halo_canvas;

/* A pen. The rim, a line in another colour on both sides, makes lines visible on any background. */
typedef struct {
    int64_t width; /* in 256ths of a pixel, up to 1024 pixels */
    int64_t rim;   /* width of the rim, in 256ths of a pixel; 0: none */
    unsigned char colour[3], rim_colour[3];
} halo_canvas_pen;

/* Sets all pixels to this colour. */
void halo_canvas_fill(const halo_canvas *canvas, const unsigned char colour[3]);

/* Copies rows of an image, `pitch` bytes apart, to the canvas. `bits` per pixel are 8 or 16 for
 * grey images, 24 or 48 for red, green and blue. Samples of 8 or 16 bits range from 0, black, to
 * `maximum`, 1 or more; larger ones count as `maximum`. */
void halo_canvas_fill_picture(const halo_canvas *canvas, const void *picture, size_t pitch,
                              int bits, int64_t maximum);

/* Blends all pixels with this colour: by `share` / 256 of the way to it. For an image that is a
 * background. */
void halo_canvas_mix(const halo_canvas *canvas, const unsigned char colour[3], int share);

/* Draws lines with round caps through [count] points, and back to the first one if `closed`; a dot
 * where two points are the same. No line's rim covers another line. */
void halo_canvas_polyline(const halo_canvas *canvas, const halo_canvas_point *points, int64_t count,
                          int closed, const halo_canvas_pen *pen);

/* Draws an arrow whose tip is at `to`; a dot if both points are the same. Its head is as long as 3
 * line widths and 2 pixels, or as the arrow if that is shorter. */
void halo_canvas_arrow(const halo_canvas *canvas, halo_canvas_point from, halo_canvas_point to,
                       const halo_canvas_pen *pen);

#endif
