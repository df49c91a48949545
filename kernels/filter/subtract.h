#ifndef HALOBEAT_FILTER_SUBTRACT_H
#define HALOBEAT_FILTER_SUBTRACT_H

#include "base/sample.h"

/* Pure. out[i] = a[i] - b[i] for samples of a row, as numpy has it: whole numbers wrap, and of bits
 * it is those of `a` that `b` has not. `out` may be one of both. Internal to the kernels. */
void filter_subtract_row(halo_sample_type type, const void *a, const void *b, int64_t width,
                         void *out);

#endif
