#ifndef HALOBEAT_FILTER_NAN_OPS_H
#define HALOBEAT_FILTER_NAN_OPS_H

#include "base/isa.h"

#include <stdint.h>

/* Results that are NaN, as one NaN: the sign and the bits of a NaN depend on the order in which a
 * sum is computed, and on the processor. Compiled for each ISA. Internal to the kernels. */

typedef struct {
    /* Sets all NaN of a row of floats and of doubles to that of numpy.nan. */
    void (*settle[2])(void *row, int64_t count);
} filter_nan_ops;

extern const filter_nan_ops filter_nan_ops_avx512, filter_nan_ops_avx2, filter_nan_ops_plain;

#endif
