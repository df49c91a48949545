#ifndef HALOBEAT_LABEL_GREY_RUN_H
#define HALOBEAT_LABEL_GREY_RUN_H

#include "core/field/field.h"
#include "kernels/label/label_region.h"
#include "kernels/label/label_value.h"

/* Adds the sum and extremes of the grey values of columns begin to end - 1 of a row to `part`.
 * Local; internal to the label kernel. */
typedef void label_grey_run(const void *row, int64_t begin, int64_t end, halo_region *part);

/* Local. The function for cells of 1, 8 or 16 bits; if `grey` is NULL, one that adds nothing. */
label_grey_run *label_grey_run_of(const halo_view *grey);

/* Local. The function for keys of values of a type. */
label_grey_run *label_value_run_of(halo_sample_type type);

#endif
