#ifndef HALOBEAT_APP_DOTS_H
#define HALOBEAT_APP_DOTS_H

#include "core/world/world.h"

#include <stdbool.h>
#include <stddef.h>

/* Pictures that are made of dots: a dot is a cell, drawn as a square of `enlarge` pixels a side, or
 * a square of `reduce` cells a side, drawn as one pixel. Every rank adds up its own cells dot by
 * dot; the sums then go to the ranks that draw them, whole rows of dots each. They are whole
 * numbers, so that a picture has the same bytes however its cells are distributed. */
typedef struct {
    halo_world *world;
    int64_t cells[2];        /* rows, columns: of the picture */
    int64_t enlarge, reduce; /* one of the two is 1 */
    int64_t rows, columns;   /* of dots */
    int64_t *cuts;           /* [ranks + 1]: rank r draws rows of dots cuts[r] to cuts[r + 1] - 1 */
    int64_t *pixel_cuts;     /* the same of pixels */
    int64_t *spans;          /* [2 * ranks]: first row of dots with cells of a rank, and how many */
    size_t *bytes;           /* [2 * ranks]: to and from each rank */
    int64_t *sums;           /* [cuts[rank + 1] - cuts[rank]][columns] of the dots to draw */
} app_dots;

enum { APP_DOTS_SIDE = 960 /* pixels: the longer side of a movie, unless another is asked for */ };

/* Collective. Dots for a picture of `rows` x `columns` cells at this scale, as
 * halo_picture_scale_to_fit finds it; drawn by all ranks, an even share of rows each, if `shared`,
 * or else by rank 0. HALO_MEMORY; app_dots_destroy in any case. */
halo_status app_dots_create(app_dots *dots, halo_world *world, int64_t rows, int64_t columns,
                            int scale, bool shared);

/* Local. Accepts dots that are all zero. */
void app_dots_destroy(app_dots *dots);

/* Local. Add the rank's cells to `sums`, whole rows of dots from row `first` on. */
typedef halo_status app_dots_add(void *context, const app_dots *dots, int64_t first, int64_t *sums);

/* Collective. dots->sums become those of the picture: this rank has cells in rows `row` to
 * `row + rows - 1` of it (what lies outside is left out), which `add` adds to sums of 0; it is not
 * called without any. HALO_MEMORY, HALO_MPI, or what `add` returns. */
halo_status app_dots_collect(app_dots *dots, int64_t row, int64_t rows, app_dots_add *add,
                             void *context);

/* Local. Pixels of a row. */
static inline int64_t app_dots_width(const app_dots *dots)
{
    return dots->columns * dots->enlarge;
}

/* Local. Draw this rank's rows of dots as greys, a byte a pixel: the mean of each dot's cells,
 * which go from 0 to `maximum`. A dot with a negative sum is 255. */
void app_dots_paint(const app_dots *dots, int64_t maximum, unsigned char *pixels);

/* What was drawn of this rank's dots, a byte a pixel. */
typedef struct {
    const app_dots *dots;
    const unsigned char *pixels;
} app_dots_drawn;

/* Local. Copies rows of pixels out, cut by dots->pixel_cuts, as halo_rows_fill; `context` is an
 * app_dots_drawn. */
halo_status app_dots_fill(void *context, int64_t first, int64_t rows, void *out, size_t pitch);

#endif
