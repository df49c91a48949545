#ifndef HALOBEAT_IO_CANVAS_PICTURE_H
#define HALOBEAT_IO_CANVAS_PICTURE_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Pictures of grids of cells.
 *
 * A picture consists of dots. A dot is a cell, or a square of cells if the picture is smaller than
 * the grid. In the first step every rank adds up the brightness of its own cells in each dot; the
 * sums are integers, so that their sums over all ranks do not depend on the distribution of rows.
 * In the second step the rank that has the sums (rank 0, for a movie) turns dots into pixels:
 * indices into a palette of 256 colours, from dark to bright. All functions are local. */
typedef struct halo_picture halo_picture;

/* How the dot of a cell that has died is drawn. */
#define HALO_PICTURE_STYLE_LIST(X)                        \
    X(TRAIL, trail, "dots fade over the next few frames") \
    X(PLAIN, plain, "every frame shows its own cells only")

typedef enum {
#define HALO_PICTURE_STYLE_ENUM(code, name, help) HALO_PICTURE_##code,
    HALO_PICTURE_STYLE_LIST(HALO_PICTURE_STYLE_ENUM)
#undef HALO_PICTURE_STYLE_ENUM
} halo_picture_style;

/* The part of the grid to show. Where it lies outside the grid the picture has background. */
typedef struct {
    int64_t x, y;          /* its upper left cell */
    int64_t width, height; /* cells, at least 1 */
} halo_picture_window;

typedef struct {
    halo_picture_window window;
    int scale;  /* 1 to 256: pixels per cell, in width and height; -2 and less: cells per pixel;
                 * 0 means 1 */
    int states; /* number of states of a cell, 2 to 256; 2 for rows of bits, more for rows of
                 * bytes */
    halo_picture_style style;
} halo_picture_options;

typedef struct {
    int64_t columns, rows;
} halo_picture_size;

enum { HALO_PICTURE_COLOURS = 256, HALO_PICTURE_PALETTE_BYTES = 3 * HALO_PICTURE_COLOURS };

/* Parses a scale, N or 1/N. HALO_ARGUMENT, with the allowed values. */
halo_status halo_picture_scale_parse(const char *text, int *scale);

/* The scale, at most `max_scale` pixels per cell, at which width x height cells make the largest
 * picture of at most `columns` x `rows` pixels. All arguments are at least 1. */
int halo_picture_scale_to_fit(int64_t width, int64_t height, int64_t columns, int64_t rows,
                              int max_scale);

/* Creates a picture; the caller destroys it. HALO_ARGUMENT, with a remedy, for an invalid window or
 * scale, or more than 2^31 - 1 pixels on a side; HALO_MEMORY. */
halo_status halo_picture_create_sized(halo_picture **out, const halo_picture_options *options,
                                      size_t options_bytes);
#define halo_picture_create(...) \
    halo_picture_create_sized(__VA_ARGS__, sizeof(halo_picture_options))

/* Frees the picture and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_picture_destroy(halo_picture **picture);

/* The size of the picture in dots, which says how large the sums of halo_picture_add are, and in
 * pixels. */
halo_picture_size halo_picture_dots(const halo_picture *picture);
halo_picture_size halo_picture_pixels(const halo_picture *picture);

/* [HALO_PICTURE_PALETTE_BYTES] red, green and blue of each colour; owned by the picture. */
const unsigned char *halo_picture_palette(const halo_picture *picture);

/* Cells of the grid in memory. */
typedef struct {
    int64_t x, y;        /* position of the first cell of the first row */
    int64_t width, rows; /* number of cells in a row, and of rows; 0 or more */
    const void *cells;   /* with two states a bit per cell: cell i of a row is bit i % 64 of word
                          * i / 64. Otherwise a byte per cell: 0 dead, 1 alive, 2 and more dying */
    size_t pitch;        /* bytes from row to row; for bits a multiple of 8 */
} halo_picture_cells;

/* Adds the cells within the window to `sums`, which has an entry for each dot, row by row from dot
 * row `first` on, for at least the dot rows that contain any of the cells. Sums start from 0; the
 * functions below expect sums over all ranks. */
void halo_picture_add(const halo_picture *picture, const halo_picture_cells *cells, int64_t first,
                      int64_t *sums);

/* Writes the brightness, 0 to 255, of dot rows `first` to `first + count - 1` to `levels`: 0 if all
 * cells are dead, clearly above 0 otherwise. `levels` and `sums` are [count * columns of dots]. */
void halo_picture_levels(const halo_picture *picture, int64_t first, int64_t count,
                         const int64_t *sums, unsigned char *levels);

/* Draws dot rows `first` to `first + count - 1` of the next frame: pixel rows `pitch` bytes apart,
 * each dot row makes pixels.rows / dots.rows of them. Since trails depend on earlier frames, a rank
 * that draws a dot row must draw it in every frame. */
void halo_picture_draw(halo_picture *picture, int64_t first, int64_t count, const int64_t *sums,
                       unsigned char *pixels, size_t pitch);

#endif
