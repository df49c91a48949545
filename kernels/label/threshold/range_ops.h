#ifndef HALOBEAT_LABEL_RANGE_OPS_H
#define HALOBEAT_LABEL_RANGE_OPS_H

#include "base/isa.h"
#include "kernels/label/label_value.h"

#include <stdint.h>

/* Comparing rows of samples of any type with thresholds, for each ISA. Local; internal to the label
 * kernel. */

/* Sets bits to those of values from *low to *high, which have the type of the values. Returns the
 * number of NaN values, whose bits are 0. */
typedef int64_t label_within(const void *values, int64_t width, const void *low, const void *high,
                             uint64_t *bits);

/* Statistics of the values of a row. */
typedef struct {
    int64_t finite, nans; /* number of finite values, and of NaN */
    /* The minimum and maximum finite value, of the type of the values, if there are any. */
    _Alignas(8) unsigned char least[8], most[8];
} label_span;

typedef void label_find_span(const void *values, int64_t width, label_span *span);

typedef struct {
    label_within *within[HALO_SAMPLE_F64 + 1];
    label_find_span *span[HALO_SAMPLE_F64 + 1];
} label_range_ops;

extern const label_range_ops label_range_ops_avx512, label_range_ops_avx2, label_range_ops_plain;

#endif
