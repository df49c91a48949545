#ifndef HALOBEAT_IO_CANVAS_CANVAS_H
#define HALOBEAT_IO_CANVAS_CANVAS_H

#include <stddef.h>
#include <stdint.h>

/* Drawing lines on a picture in colour. All functions here are local.
 *
 * A canvas is a chunk of the picture's rows, and places are those of the whole picture: a picture
 * that is drawn in chunks, each by anyone, has the same bytes as one that is drawn whole. A pixel's
 * colour follows from its distance to what is drawn, in whole numbers, so it is the same on every
 * machine too. What lies outside is left out; a shape may be anywhere. */

/* Places and widths count in 256ths of a pixel: (x, y) is the middle of the pixel in column
 * x / 256 of row y / 256. */
enum { HALO_CANVAS_ONE = 256 };

typedef struct {
    int64_t x, y; /* below 2^40 either way */
} halo_canvas_point;

typedef struct {
    int64_t first_row; /* of the picture */
    int64_t rows, width;
    unsigned char *pixels; /* red, green, blue of each; the caller's */
    size_t pitch;          /* bytes from a row to the next, 3 * width or more */
} halo_canvas;

/* What lines are drawn with. The rim makes them stand out from whatever is below. */
typedef struct {
    int64_t width; /* 256ths of a pixel, up to 1024 pixels */
    int64_t rim;   /* the same, of a line in another colour on both sides of it, or 0 */
    unsigned char colour[3], rim_colour[3];
} halo_canvas_pen;

/* Make all pixels this colour. */
void halo_canvas_fill(const halo_canvas *canvas, const unsigned char colour[3]);

/* Put the rows of a picture there, one every `pitch` bytes: pixels of `bits` 8 or 16 are greys, of
 * 24 or 48 red, green and blue. Samples have 8 or 16 bits, from 0, black, to `maximum`, 1 or more;
 * what is larger counts as `maximum`. */
void halo_canvas_fill_picture(const halo_canvas *canvas, const void *picture, size_t pitch,
                              int bits, int64_t maximum);

/* Take all pixels `share` of 256 of the way to this colour, for a picture that is a background. */
void halo_canvas_mix(const halo_canvas *canvas, const unsigned char colour[3], int share);

/* Lines with round ends from each of `count` points to the next, and, if `closed`, back to the
 * first one; a dot where two are the same. The rim of none lies above another. */
void halo_canvas_polyline(const halo_canvas *canvas, const halo_canvas_point *points, int64_t count,
                          int closed, const halo_canvas_pen *pen);

/* A line with a head whose tip is at `to`; a dot if both are the same. The head is 3 widths and 2
 * pixels long, in a short arrow as long as that. */
void halo_canvas_arrow(const halo_canvas *canvas, halo_canvas_point from, halo_canvas_point to,
                       const halo_canvas_pen *pen);

#endif
