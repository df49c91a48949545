#ifndef HALOBEAT_LABEL_RANGE_OPS_H
#define HALOBEAT_LABEL_RANGE_OPS_H

#include "base/isa.h"
#include "kernels/label/label_value.h"

#include <stdint.h>

/* Comparing rows of samples of any type with thresholds, for each ISA. Local; internal to the label
 * kernel. */

/* Sets bits to those of values from *low to *high, which have the type of the values (of BIT, bytes
 * of 0 or 1). Those of NaN are 0. Of BIT, bits past the width are undefined. */
typedef void label_within(const void *values, int64_t width, const void *low, const void *high,
                          uint64_t *bits);

/* Statistics of the values of a row. */
typedef struct {
    int64_t finite, nans; /* number of finite values, and of NaN */
    /* The minimum and maximum finite value, of the type of the values, if there are any. */
    _Alignas(8) unsigned char least[8], most[8];
} label_span;

typedef void label_find_span(const void *values, int64_t width, label_span *span);

/* Bits have no span. */
typedef struct {
    label_within *within[HALO_SAMPLE_F64 + 1];
    label_find_span *span[HALO_SAMPLE_F64 + 1];
} label_range_ops;

/* Those of `instructions`, or else the best that this machine has. */
const label_range_ops *label_range_ops_of(const char *instructions);

extern const label_range_ops label_range_ops_avx512, label_range_ops_avx2, label_range_ops_plain;

#endif
