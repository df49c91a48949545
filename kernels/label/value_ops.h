#ifndef HALOBEAT_LABEL_VALUE_OPS_H
#define HALOBEAT_LABEL_VALUE_OPS_H

#include "base/isa.h"
#include "kernels/label/label_value.h"
#include "kernels/label/row_ops.h"

#include <stdint.h>

/* Operations on rows of values that give rows of bits (see row_ops.h), for each ISA. Local;
 * internal to the label kernel. */

/* The maximum difference of values: `whole` for integers, `real` for reals. */
typedef struct {
    uint64_t whole;
    double real;
} label_delta;

/* Sets bits to those of values that are not NaN and, if there is a background, not equal to it; the
 * type has the background's value. */
typedef void label_lit(const void *values, int64_t width, const double *background, uint64_t *bits);

/* Clears those bits x at which a[x] and b[x] differ by more than delta. Values of words without a
 * bit are not read. */
typedef void label_close(const void *a, const void *b, int64_t width, const label_delta *delta,
                         uint64_t *bits);

/* Two rows: where runs begin, and the last run before them. `ahead`: the row whose pixels x stand
 * for x + 1. */
typedef enum { LABEL_NONE_AHEAD, LABEL_UPPER_AHEAD, LABEL_LOWER_AHEAD } label_ahead;

typedef struct {
    const uint64_t *upper_begins, *lower_begins;
    int32_t upper_run, lower_run;
    label_ahead ahead;
} label_begun_pair;

/* Pixels of two rows that may be linked from column x of the near row to x + 1 of the far row. */
typedef struct {
    const uint64_t *near, *far; /* their foreground */
    const uint64_t *near_begins, *far_begins;
    const uint64_t *straight;   /* columns at which both rows are linked */
    const uint64_t *settled[2]; /* pixels of the lower row that need no link; or NULL */
    bool lower_is_far;
} label_aslant_rows;

enum { LABEL_VALUE_SIZES = 4 };

typedef struct {
    label_lit *lit[HALO_LABEL_VALUE_F64 + 1];
    label_close *close[HALO_LABEL_VALUE_F64 + 1];
    label_close *equal[LABEL_VALUE_SIZES]; /* for 1, 2, 4 and 8 bytes: delta 0, for integers */

    /* Replaces the pixels that belong to the same run as the one before them by those that begin
     * runs, in place. Returns the number of runs. */
    int64_t (*begin)(const uint64_t *bits, int64_t words, uint64_t *begins);

    /* Sets `edges` to these pixels, by the column of the near row, except those that are implied:
     * column x of both rows is linked and the far row's x is joined to its x + 1, or x + 1 of both
     * is linked and the near row's x is joined to its x + 1. Returns true if there are any. */
    bool (*aslant)(const label_aslant_rows *rows, int64_t words, uint64_t *edges);

    /* Edges are pixels at which two rows are linked. A link is an edge whose run, above or below,
     * differs from that of the edge before it. Lists are as of label_row_ops.link. */
    void (*emit)(const label_begun_pair *pair, const uint64_t *edges, int64_t words,
                 label_links *links);

    /* out[x] = values[k - 1], where k runs begin up to x, and 0 in the background. `begins` has the
     * first pixel of every run. values[-1] and 64 bytes after the last value must be readable. */
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

/* The variants of label_value_ops. */
extern const halo_isa_variant label_value_variants[];

#endif
