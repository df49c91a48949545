#ifndef HALOBEAT_FILTER_LINEAR_OPS_H
#define HALOBEAT_FILTER_LINEAR_OPS_H

#include "base/isa.h"
#include "base/sample.h"

/* The inner loops of linear filters, compiled for each ISA, all with the same results: no fused
 * multiply-add, one order of additions, that of scipy.ndimage.correlate1d with symmetric weights.
 * Internal to the kernel.
 *
 * Of a line ... a[-1] a[0] a[1] ... and weights w[0] ... w[radius] the sum is
 *
 *     a[0] * w[0], plus (a[-j] + a[j]) * w[j] for j = radius down to 1
 *
 * or with `odd` weights, of derivatives, (a[j] - a[-j]) * w[j]. */

typedef struct {
    int64_t radius;
    const double *weights; /* [radius + 1] */
    bool odd;
} filter_weights;

typedef struct {
    /* out[i] = the sum along rows[0] ... rows[2 * radius] at `first` + i, for `count` samples; by
     * type of the rows. Wide results are doubles, others floats, to which sums are rounded. Of rows
     * and `out`, 64 bytes more may be read. BIT has no function. */
    void (*across[HALO_SAMPLE_TYPES][2])(const filter_weights *w, const void *const *rows,
                                         int64_t first, int64_t count, void *out);
    /* The same along a row of floats ([0]) or doubles ([1]), which has `radius` samples before and
     * after those that are computed. Results are of the same type. */
    void (*along[2])(const filter_weights *w, const void *row, int64_t count, void *out);
    /* Samples of a type from floats or doubles: those of whole numbers are rounded to the nearest,
     * of two the even one, and cut off at the ends of the type. BIT has no function. */
    void (*store[2][HALO_SAMPLE_TYPES])(const void *row, int64_t count, void *out);
    /* Combines `count` floats ([0]) or doubles ([1]) of one to three rows: their sum, and the root
     * of the sum of their squares, rounded after each operation. `out` may be one of the rows. */
    void (*sum[2])(const void *const *rows, int terms, int64_t count, void *out);
    void (*magnitude[2])(const void *const *rows, int terms, int64_t count, void *out);
} filter_linear_ops;

extern const filter_linear_ops filter_linear_ops_avx512, filter_linear_ops_avx2,
    filter_linear_ops_plain;

#endif
