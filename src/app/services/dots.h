#ifndef HALOBEAT_APP_SERVICES_DOTS_H
#define HALOBEAT_APP_SERVICES_DOTS_H

#include "core/world/world.h"

#include <stdbool.h>
#include <stddef.h>

/* Pictures made of dots. A dot is a cell, drawn as a square of `enlarge` pixels per side, or a
 * square of `reduce` cells per side, drawn as one pixel. Every rank adds up its own cells in each
 * dot; the sums are sent to the ranks that draw them, whole rows of dots each. Sums are integers,
 * so that a picture has the same bytes for every distribution of its cells. */
typedef struct {
    halo_world *world;
    int64_t cells[2];        /* rows and columns of the picture */
    int64_t enlarge, reduce; /* one of them is 1 */
    int64_t rows, columns;   /* number of dots */
    int64_t *cuts;           /* [ranks + 1]: rank r draws rows of dots cuts[r] to cuts[r + 1] - 1 */
    int64_t *pixel_cuts;     /* [ranks + 1]: the same in rows of pixels */
    int64_t *spans;          /* [2 * ranks]: first row of dots with cells of a rank, and number
                              * of such rows */
    size_t *bytes;           /* [2 * ranks]: bytes to and from each rank */
    int64_t *sums;           /* [cuts[rank + 1] - cuts[rank]][columns] sums of the dots to draw */
} app_dots;

enum { APP_DOTS_SIDE = 960 /* default longer side of a movie, in pixels */ };

/* Collective. Creates dots for a picture of `rows` x `columns` cells at this scale (see
 * halo_picture_scale_to_fit). If `shared`, all ranks draw an equal share of the rows; otherwise
 * rank 0 draws. HALO_MEMORY; call app_dots_destroy in any case. */
halo_status app_dots_create(app_dots *dots, halo_world *world, int64_t rows, int64_t columns,
                            int scale, bool shared);

/* Local. Frees the dots. Accepts a zeroed structure. */
void app_dots_destroy(app_dots *dots);

/* Local. Adds this rank's cells to `sums`, whole rows of dots from row `first` on. */
typedef halo_status app_dots_add(void *context, const app_dots *dots, int64_t first, int64_t *sums);

/* Collective. Sets dots->sums to those of the picture. This rank has cells in rows `row` to
 * `row + rows - 1` of it (rows outside are ignored), which `add` adds to sums of 0; it is not
 * called if there are none. HALO_MEMORY, HALO_TRANSPORT, or what `add` returns. */
halo_status app_dots_collect(app_dots *dots, int64_t row, int64_t rows, app_dots_add *add,
                             void *context);

/* Local. Pixels per row. */
static inline int64_t app_dots_width(const app_dots *dots)
{
    return dots->columns * dots->enlarge;
}

/* Local. Draws this rank's rows of dots as greys, a byte per pixel: the mean of the cells of each
 * dot, which range from 0 to `maximum`. A dot with a negative sum is 255. */
void app_dots_paint(const app_dots *dots, int64_t maximum, unsigned char *pixels);

/* The pixels drawn for this rank's dots, a byte each. */
typedef struct {
    const app_dots *dots;
    const unsigned char *pixels;
} app_dots_drawn;

/* Local. A halo_rows_fill whose context is an app_dots_drawn: copies rows of pixels, cut by
 * dots->pixel_cuts. */
halo_status app_dots_fill(void *context, int64_t first, int64_t rows, void *out, size_t pitch);

#endif
