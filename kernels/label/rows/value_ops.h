#ifndef HALOBEAT_LABEL_VALUE_OPS_H
#define HALOBEAT_LABEL_VALUE_OPS_H

#include "base/isa.h"
#include "kernels/label/label_value.h"
#include "kernels/label/rows/row_ops.h"

#include <stdint.h>

/* Operations on rows of values that give rows of bits (see row_ops.h), for each ISA. Local;
 * internal to the label kernel. */

/* The maximum difference of values: `whole` for integers, `real` for reals. */
typedef struct {
    uint64_t whole;
    double real;
} label_delta;

/* Sets bits to those of values that are not NaN and, if there is a background, not equal to it: a
 * value of the type. */
typedef void label_lit(const void *values, int64_t width, const void *background, uint64_t *bits);

/* Clears those bits x at which a[x] and b[x] differ by more than delta. Values of words without a
 * bit are not read. Returns true if a bit is left. */
typedef bool label_close(const void *a, const void *b, int64_t width, const label_delta *delta,
                         uint64_t *bits);

/* Pixels of two rows that may be linked from column x of the near row to x + 1 of the far row. */
typedef struct {
    const uint64_t *near, *far; /* their foreground */
    const uint64_t *near_begins, *far_begins;
    const uint64_t *straight; /* columns at which both rows are linked */
} label_aslant_rows;

/* A row where closeness is transitive: equality. Rows of zeroes stand for one that is not there. */
typedef struct {
    const uint64_t *bits, *begins;  /* its foreground, and the first pixels of its runs */
    const uint64_t *above, *before; /* pixels equal to the one in the plane, and the row, before */
} label_equal_row;

/* A row, and rows beside it: the one before and the one behind in its plane, and the three of the
 * plane before. */
typedef struct {
    label_equal_row own, before, behind, above, above_before, above_behind;
} label_equal_rows;

/* Places of the pixels beside a row's pixel: in the row before of its plane and in those of the
 * plane before, of each straight or a column to the left or right. The two that are neighbours
 * along an axis (BEFORE and ABOVE) have their places here, too; the others are corners. */
typedef enum {
    LABEL_BEFORE_LEFT,
    LABEL_BEFORE,
    LABEL_BEFORE_RIGHT,
    LABEL_ABOVE_LEFT,
    LABEL_ABOVE,
    LABEL_ABOVE_RIGHT,
    LABEL_ABOVE_BEFORE_LEFT,
    LABEL_ABOVE_BEFORE,
    LABEL_ABOVE_BEFORE_RIGHT,
    LABEL_ABOVE_BEHIND_LEFT,
    LABEL_ABOVE_BEHIND,
    LABEL_ABOVE_BEHIND_RIGHT,
    LABEL_PLACES
} label_place;

enum { LABEL_VALUE_SIZES = 4 };

/* A row of values and the ones straight before it, in the plane and in the plane before, with the
 * foreground of each: zeroes stand for that of a row that is not there, and any row for its
 * values. */
typedef struct {
    const void *own, *above, *before;
    const uint64_t *bits, *above_bits, *before_bits;
} label_value_rows;

/* Find the first pixels of runs, and those that are equal to the ones in the rows before. Returns
 * how many runs there are. */
typedef int64_t label_find_equal(const label_value_rows *rows, int64_t width, uint64_t *begins,
                                 uint64_t *above, uint64_t *before);

typedef struct {
    label_lit *lit[HALO_SAMPLE_F64 + 1];
    label_close *close[HALO_SAMPLE_F64 + 1];
    label_close *equal[LABEL_VALUE_SIZES]; /* for 1, 2, 4 and 8 bytes: delta 0, for integers */

    label_find_equal *find_equal[LABEL_VALUE_SIZES]; /* likewise */

    /* Replaces the pixels that belong to the same run as the one before them by those that begin
     * runs, in place. Returns the number of runs. */
    int64_t (*begin)(const uint64_t *bits, int64_t words, uint64_t *begins);

    /* Sets `edges` to these pixels, by the column of the near row, except those that are implied:
     * column x of both rows is linked and the far row's x is joined to its x + 1, or x + 1 of both
     * is linked and the near row's x is joined to its x + 1. Returns true if there are any. */
    bool (*aslant)(const label_aslant_rows *rows, int64_t words, uint64_t *edges);

    /* Sets `out` to the links of a row to the one before it: the first pixels of stretches in which
     * both rows have one run, of the pixels equal to the ones before. Stretches with a pixel where
     * it and the one before are also equal to the ones above them are omitted. Returns true if
     * there are any. */
    bool (*open)(const label_equal_row *own, const label_equal_row *before, int64_t words,
                 uint64_t *out);

    /* Sets out + words * place, for corners, to the pixels that may be equal to their corner though
     * no link along the axes implies it (for a corner to the left or right: the left pixel of the
     * two). Returns the set of places that have any. */
    uint32_t (*corners)(const label_equal_rows *rows, int64_t words, uint64_t *out);

    /* out[x] = values[k - 1], where k runs begin up to x, and 0 in the background. `begins` has the
     * first pixel of every run. values[-1] and 64 bytes after the last value must be readable. */
    void (*fill8)(const uint64_t *bits, const uint64_t *begins, int64_t width,
                  const uint8_t *values, uint8_t *out);
    void (*fill16)(const uint64_t *bits, const uint64_t *begins, int64_t width,
                   const uint16_t *values, uint16_t *out);
    void (*fill64)(const uint64_t *bits, const uint64_t *begins, int64_t width,
                   const int64_t *values, int64_t *out);
} label_value_ops;

extern const label_value_ops label_value_ops_avx512, label_value_ops_avx2, label_value_ops_plain;

/* The variants of label_value_ops. */
extern const halo_isa_variant label_value_variants[];

#endif
