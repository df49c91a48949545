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

#endif
