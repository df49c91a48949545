#ifndef HALOBEAT_LABEL_VALUE_OPS_H
#define HALOBEAT_LABEL_VALUE_OPS_H

#include "base/isa.h"
#include "kernels/label/label_value.h"

#include <stdint.h>

/* Rows of values to rows of bits, as row_ops.h has them, once for each ISA. Local; internal to the
 * label kernel. */

/* How far values may differ: `whole` of whole numbers, `real` of reals. */
typedef struct {
    uint64_t whole;
    double real;
} label_delta;

typedef void label_lit(const void *values, int64_t width, uint64_t *bits);
typedef void label_close(const void *a, const void *b, int64_t width, const label_delta *delta,
                         uint64_t *bits);

typedef struct {
    label_lit *lit[HALO_LABEL_VALUE_F64 + 1];     /* neither 0 nor NaN */
    label_close *close[HALO_LABEL_VALUE_F64 + 1]; /* a[x] and b[x] differ by at most delta */
    label_close *equal[HALO_LABEL_VALUE_F64 + 1]; /* they are equal */

    /* out[x] = values[k] where k runs are begun up to x, less one, and 0 in the background.
     * `begins` has the first pixel of every run. */
    void (*fill8)(const uint64_t *bits, const uint64_t *begins, int64_t width,
                  const uint8_t *values, uint8_t *out);
    void (*fill16)(const uint64_t *bits, const uint64_t *begins, int64_t width,
                   const uint16_t *values, uint16_t *out);
    void (*fill32)(const uint64_t *bits, const uint64_t *begins, int64_t width,
                   const int32_t *values, int32_t *out);
    void (*fill64)(const uint64_t *bits, const uint64_t *begins, int64_t width,
                   const int64_t *values, int64_t *out);
} label_value_ops;

extern const label_value_ops label_value_ops_avx512, label_value_ops_avx2, label_value_ops_plain;

/* Tables of label_value_ops. */
extern const halo_isa_variant label_value_variants[];

#endif
