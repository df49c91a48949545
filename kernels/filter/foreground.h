#ifndef HALOBEAT_FILTER_FOREGROUND_H
#define HALOBEAT_FILTER_FOREGROUND_H

#include "kernels/filter/filter.h"
#include "kernels/label/threshold/threshold.h"

/* Rows of samples as foreground, for filters of bits. Internal to the kernels; local. */

/* A row as a view of two axes. */
halo_view filter_row_view(halo_sample_type type, const void *row, int64_t width);

/* The range of samples that are not 0. */
halo_key_range filter_nonzero(halo_sample_type type);

/* Adds a part that makes bits of samples, 1 where they are not 0; none if they are bits. */
void filter_add_nonzero(filter_step *step);

#endif
