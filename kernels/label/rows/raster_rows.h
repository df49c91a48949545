#ifndef HALOBEAT_LABEL_RASTER_ROWS_H
#define HALOBEAT_LABEL_RASTER_ROWS_H

#include "core/field/field.h"

/* The owned rows of images and volumes: row r of a volume is row r % n of plane r / n, where n is
 * the number of rows that the view owns in each plane. Local; internal to the label kernel. */

static inline int64_t label_view_width(const halo_view *view)
{
    return view->owned.n[view->axes - 1];
}

static inline int64_t label_view_rows(const halo_view *view)
{
    return view->owned.n[0] * (view->axes == HALO_AXES ? view->owned.n[1] : 1);
}

static inline void *label_view_row(const halo_view *view, int64_t r)
{
    int64_t rows = view->owned.n[1];
    return view->axes == HALO_AXES ? halo_row_of_plane(view, r / rows, r % rows)
                                   : halo_row(view, r);
}

/* The rows of an image of two axes that follow each other without a gap, as a single row: what
 * treats pixels one by one pays for each row. Other views are returned as they are. */
static inline halo_view label_view_joined(const halo_view *view)
{
    halo_view joined = *view;
    int64_t width = view->owned.n[1];
    if (view->axes == 2 && view->cell_bits != HALO_BIT &&
        view->stride[0] == width * view->stride[1]) {
        joined.owned.n[1] = view->owned.n[0] * width;
        joined.owned.n[0] = joined.owned.n[1] > 0 ? 1 : 0;
    }
    return joined;
}

#endif
