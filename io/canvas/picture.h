#ifndef HALOBEAT_IO_CANVAS_PICTURE_H
#define HALOBEAT_IO_CANVAS_PICTURE_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Pictures of grids of cells.
 *
 * A picture consists of dots: a dot is a cell, or a square of cells when the picture is smaller
 * than the grid. In the first step every rank adds up the brightness of its own cells dot by dot;
 * the sums are integers, so that adding them over the ranks gives the same picture however the
 * rows are spread. In the second step whoever has the sums (rank 0, for a movie) turns dots into
 * pixels: indices into a palette of 256 colours, from dark to bright. All functions are local. */
typedef struct halo_picture halo_picture;

/* What becomes of a cell's dot after its death. */
#define HALO_PICTURE_STYLE_LIST(X)                        \
    X(TRAIL, trail, "dots fade over the next few frames") \
    X(PLAIN, plain, "every frame shows its own cells only")

typedef enum {
#define HALO_PICTURE_STYLE_ENUM(code, name, help) HALO_PICTURE_##code,
    HALO_PICTURE_STYLE_LIST(HALO_PICTURE_STYLE_ENUM)
#undef HALO_PICTURE_STYLE_ENUM
} halo_picture_style;

/* The part of the grid to show. What of it lies outside the grid is background. */
typedef struct {
    int64_t x, y;          /* its upper left cell */
    int64_t width, height; /* cells, at least 1 */
} halo_picture_window;

typedef struct {
    halo_picture_window window;
    int scale;  /* 1 to 256: pixels a cell is wide and high; -2 and less: cells a pixel is wide and
                 * high; 0 for 1 */
    int states; /* 2 to 256: of the cells; 2 for rows of bits, more for rows of bytes */
    halo_picture_style style;
} halo_picture_options;

typedef struct {
    int64_t columns, rows;
} halo_picture_size;

enum { HALO_PICTURE_COLOURS = 256, HALO_PICTURE_PALETTE_BYTES = 3 * HALO_PICTURE_COLOURS };

/* Read a scale as users write it, N or 1/N. HALO_ARGUMENT, saying what is allowed. */
halo_status halo_picture_scale_parse(const char *text, int *scale);

/* The scale, at most `max_scale` pixels a cell, at which width x height cells make the largest
 * picture of at most `columns` x `rows` pixels. All are at least 1. */
int halo_picture_scale_to_fit(int64_t width, int64_t height, int64_t columns, int64_t rows,
                              int max_scale);

/* HALO_ARGUMENT for a window or scale that cannot be, or a picture of more than 2^31 - 1 pixels a
 * side, naming the remedy; HALO_MEMORY. */
halo_status halo_picture_create(halo_picture **out, const halo_picture_options *options);

/* Accepts a pointer to NULL. */
void halo_picture_destroy(halo_picture **picture);

halo_picture_size halo_picture_dots(const halo_picture *picture);
halo_picture_size halo_picture_pixels(const halo_picture *picture);

/* [HALO_PICTURE_PALETTE_BYTES] red, green, blue of each colour; the picture's own. */
const unsigned char *halo_picture_palette(const halo_picture *picture);

/* Cells of the grid as they lie in memory. */
typedef struct {
    int64_t x, y;        /* of the first cell of the first row */
    int64_t width, rows; /* cells, rows; 0 or more */
    const void *cells;   /* with two states a bit a cell, cell i of a row in bit i % 64 of word
                          * i / 64; else a byte, 0 dead, 1 alive, 2 and on dying */
    size_t pitch;        /* bytes from row to row; of bits, a multiple of 8 */
} halo_picture_cells;

/* Add the cells within the window to `sums`, which has an entry for each dot, row by row from dot
 * row `first` on, and holds at least the dot rows in which any of the cells lie. Start from 0; the
 * sums over all ranks are what the functions below expect. */
void halo_picture_add(const halo_picture *picture, const halo_picture_cells *cells, int64_t first,
                      int64_t *sums);

/* The brightness, 0 to 255, of dot rows `first` to `first + count - 1` with these sums: 0 without
 * a live cell, clearly above it with one. `levels` is [count * columns of dots], as is `sums`. */
void halo_picture_levels(const halo_picture *picture, int64_t first, int64_t count,
                         const int64_t *sums, unsigned char *levels);

/* Draw these dot rows as the next frame: pixel rows `pitch` bytes apart, one dot row making
 * pixels.rows / dots.rows of them. Trails go from frame to frame, so whoever draws a dot row once
 * has to draw it in every frame. */
void halo_picture_draw(halo_picture *picture, int64_t first, int64_t count, const int64_t *sums,
                       unsigned char *pixels, size_t pitch);

#endif
