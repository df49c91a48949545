#ifndef HALOBEAT_FILTER_COLUMNS_OPS_H
#define HALOBEAT_FILTER_COLUMNS_OPS_H

#include "base/isa.h"
#include "kernels/filter/linear_ops.h"

/* Linear filters of several rows at a time, compiled for each ISA, all with the same results, those
 * of linear_ops.h. Sums across rows are written by columns, `lanes` samples from as many rows each,
 * so that sums along the rows are sums of vectors, too. Internal to the kernel.
 *
 * Windows of rows that follow each other overlap: eight (four without AVX-512) are summed together,
 * with the samples at both ends of each in registers, and a step towards their middles reads only
 * one sample more at each end.
 *
 * Sums may be fused: a product is not rounded before it is added, which is faster, but not what
 * linear_ops.h defines. Results are rounded to less digits, and the same unless a sum is too close
 * to where the rounding changes; such sums are computed again.
 *
 * Bytes have a quick way: sums of floats in any order, from the smallest weights to the largest. A
 * sum that is closer to half a grey than its `error` is marked, and has to be computed again. */

typedef struct {
    int64_t radius;
    const float *weights; /* [radius + 1] */
    float error;          /* of sums along both axes */
} filter_quick_weights;

/* Samples that the quick way does not decide: x * quick_lanes + row. */
typedef struct {
    int64_t count; /* of all, which may be more than are kept */
    int64_t most;  /* that are kept */
    int64_t *at;   /* [most] */
} filter_marks;

/* Rows of doubles that are taken together, at most. */
enum { FILTER_MOST_LANES = 8 };

/* How sums are computed. */
typedef struct {
    bool rounds;  /* to floats; otherwise they are doubles */
    bool fused;   /* they may be, where the ISA can: all samples are at least 0, and weights, too;
                   * with   `rounds` none is so small that its products are no normal floats */
    double error; /* of sums that are fused along all axes, if they become whole numbers */
} filter_sums;

typedef struct {
    int lanes, quick_lanes; /* rows together */
    bool fuses;
    /* columns[x * lanes + i] = the sum along rows[i] ... rows[i + 2 * radius], for x from 0 to
     * `count` rounded up to lanes; by type of the rows, of which 64 bytes more may be read. BIT has
     * no function. */
    void (*to_columns[HALO_SAMPLE_TYPES])(const filter_weights *w, const void *const *rows,
                                          int64_t count, const filter_sums *how, double *columns);
    /* The same sums by rows: row i of `lanes`, of floats if they are rounded, otherwise of doubles,
     * which have memory for `count` rounded up to lanes. */
    void (*across[HALO_SAMPLE_TYPES])(const filter_weights *w, const void *const *rows,
                                      int64_t count, const filter_sums *how, void *const *out);
    /* Sums along rows, of which `columns` has `radius` before and after those of the samples, and
     * memory for `lanes` more; written as samples of a type to `rows` rows, at most `lanes`. False
     * if a fused sum is too close to half a whole number: all have to be computed again. */
    bool (*to_rows[HALO_SAMPLE_TYPES])(const filter_weights *w, const double *columns,
                                       int64_t count, const filter_sums *how, int rows,
                                       void *const *out);
    /* True if sums of these floats may be fused and rounded to floats: each is 0, or at least
     * 2^-50 and finite. */
    bool (*may_fuse)(const float *row, int64_t count);
    /* The same of bytes, quick_lanes at a time. */
    void (*quick_columns)(const filter_quick_weights *w, const void *const *rows, int64_t count,
                          float *columns);
    void (*quick_rows)(const filter_quick_weights *w, const float *columns, int64_t count, int rows,
                       void *const *out, filter_marks *marks);
} filter_columns_ops;

extern const filter_columns_ops filter_columns_ops_avx512, filter_columns_ops_avx2,
    filter_columns_ops_plain;

#endif
