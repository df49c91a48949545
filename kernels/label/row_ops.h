#ifndef HALOBEAT_LABEL_ROW_OPS_H
#define HALOBEAT_LABEL_ROW_OPS_H

#include "base/isa.h"

#include <stdbool.h>
#include <stdint.h>

/* Work on one row or a pair of rows of bits: the inner loops of region labelling, once for each
 * ISA, all with the same results. Internal to the label kernel.
 *
 * A row is `words` 64-bit words, pixel x is bit x % 64 of word x / 64, bits from the width on are
 * zero. A run is a stretch of foreground pixels; runs of a strip are counted in raster order. */

/* How the runs of a row (lower) touch those of a row before it (upper). Each link is one pair of
 * run numbers. The first link of every lower run that has any stands in `first`, the others in
 * `other`, in any order. */
typedef struct {
    int32_t *first_upper, *first_lower; /* room for the row's links and 64 more */
    int32_t *other_upper, *other_lower; /* for those of all pairs of the row */
    int64_t firsts, others;
} label_links;

typedef struct {
    const uint64_t *upper, *lower; /* the pixels that touch */
    /* Where runs are those of several rows together: more pixels that touch, and the rows whose
     * runs are linked. Else the same rows. */
    const uint64_t *upper_too, *lower_too;
    const uint64_t *upper_runs, *lower_runs;
    const uint64_t *implied; /* pixels where both rows are linked by others, or NULL */
    int64_t words;
    bool diagonal;       /* also from a column to the next */
    int32_t upper_first; /* number of the first run of each row */
    int32_t lower_first;
} label_row_pair;

typedef struct {
    /* bits = grey >= threshold for `width` pixels; the threshold may be one above the largest
     * sample, then nothing is foreground. Writes (width + 63) / 64 words. */
    void (*pack8)(const uint8_t *grey, int64_t width, uint32_t threshold, uint64_t *bits);
    void (*pack16)(const uint16_t *grey, int64_t width, uint32_t threshold, uint64_t *bits);

    /* Runs in a row. */
    int64_t (*count_runs)(const uint64_t *bits, int64_t words);

    /* out = the union of four rows. Returns the runs in it. */
    int64_t (*fold)(const uint64_t *const rows[4], int64_t words, uint64_t *out);

    /* out = a | b, and out = what is in all of four rows. */
    void (*either)(const uint64_t *a, const uint64_t *b, int64_t words, uint64_t *out);
    void (*all)(const uint64_t *const rows[4], int64_t words, uint64_t *out);

    /* Fill the first list from its beginning, and append to the other one. */
    void (*link)(const label_row_pair *pair, label_links *links);

    /* labels[lower run] = labels[upper run] for `count` links. */
    void (*copy)(int32_t *labels, const int32_t *lower, const int32_t *upper, int64_t count);

    /* The same for the first links of the list where the lower run has no label yet (-1); the
     * others go to the other list. Returns how many got a label. */
    int64_t (*adopt)(int32_t *labels, label_links *links);

    /* Turn links between runs into links between their labels, in place, leaving out those whose
     * labels have the same parent: most of them, and cheaper to see in bulk. Returns how many are
     * left. */
    int64_t (*differ)(const int32_t *labels, const int32_t *parents, int32_t *upper, int32_t *lower,
                      int64_t count);

    /* Runs still labelled -1 get `next`, `next` + 1, ... in order, and parents[i] = i for these;
     * `parents` has room for 16 more. Returns the next free label. */
    int32_t (*found)(int32_t *labels, int64_t count, int32_t *parents, int32_t next);

    /* values[i] = table[labels[i]] + add. */
    void (*look_up)(const int32_t *labels, int64_t count, const int32_t *table, int32_t add,
                    int32_t *values);

    /* places[i] = how many values from `min` on, itself included, table[labels[i]] lies: 0 where it
     * is smaller. Returns whether any is not. */
    bool (*reach)(const int32_t *labels, int64_t count, const int32_t *table, int32_t min,
                  int32_t *places);

    /* Of each run of `bits`, in order: names[place] becomes `next`, `next` + 1, ... where it is
     * negative. place = places[run of `runs` that has it]. Returns the next free name. */
    int32_t (*name)(const uint64_t *bits, const uint64_t *runs, int64_t words,
                    const int32_t *places, int32_t *names, int32_t next);

    /* Pixels of a row from one value per run of `runs`, the row itself or one that contains it;
     * background pixels become 0. values[-1] and 64 bytes after the last value must be readable.
     * paint32 goes past the cache where `out` is 64-byte aligned and `stream` is set. */
    void (*paint8)(const uint64_t *bits, const uint64_t *runs, int64_t width, const uint8_t *values,
                   uint8_t *out);
    void (*paint16)(const uint64_t *bits, const uint64_t *runs, int64_t width,
                    const uint16_t *values, uint16_t *out);
    void (*paint32)(const uint64_t *bits, const uint64_t *runs, int64_t width,
                    const int32_t *values, int32_t *out, bool stream);
    void (*paint64)(const uint64_t *bits, const uint64_t *runs, int64_t width,
                    const int64_t *values, int64_t *out);
} label_row_ops;

extern const label_row_ops label_row_ops_avx512, label_row_ops_avx2, label_row_ops_plain;

/* Tables of label_row_ops. */
extern const halo_isa_variant label_row_variants[];

#endif
