#ifndef HALOBEAT_LABEL_PART_ROWS_H
#define HALOBEAT_LABEL_PART_ROWS_H

#include "core/field/field.h"
#include "core/move/scatter_gather.h"

/* Local. Passes the rows of a view of two or three axes, one after another, to `take`, by their
 * numbers in the view, counted through all planes. Cells of 1 bit are passed as bytes, 0 and 1.
 * HALO_MEMORY, and what `take` returns. */
halo_status halo_label_part_rows(const halo_view *view, int cell_bits, halo_rows_take *take,
                                 void *context);

#endif
