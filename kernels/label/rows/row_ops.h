#ifndef HALOBEAT_LABEL_ROW_OPS_H
#define HALOBEAT_LABEL_ROW_OPS_H

#include "base/isa.h"

#include <stdbool.h>
#include <stdint.h>

/* The inner loops of region labelling on one row or two rows of bits, for each ISA, all with the
 * same results. Internal to the label kernel.
 *
 * A row is `words` 64-bit words, pixel x is bit x % 64 of word x / 64, bits past the width are 0. A
 * run is a maximal sequence of foreground pixels; runs of a strip are numbered in raster order. */

/* Runs upper, upper + 1, ... of a row, each of which begins straight above one of the runs lower,
 * lower + 1, ... of the next row, and is its first link. */
typedef struct {
    int32_t upper, lower, count;
} label_stretch;

/* Links between the runs of a row (lower) and of a row before it (upper) that touch, as pairs of
 * run numbers. The first link of every lower run that has any is in `first`, or in a stretch if
 * stretches are wanted, the others in `other`, in any order. */
typedef struct {
    int32_t *first_upper, *first_lower; /* room for the row's links and 64 more; the first is the
                                         * block of all four */
    int32_t *other_upper, *other_lower; /* for those of all pairs of the row */
    int64_t firsts, others;
    label_stretch *stretches; /* room for the words of the row */
    int64_t stretch_count, stretch_runs;
} label_links;

/* Add a stretch, as part of the one before where it goes on. */
static inline void label_links_stretch(label_links *links, int32_t upper, int32_t lower,
                                       int64_t count)
{
    label_stretch *next = links->stretches + links->stretch_count;
    links->stretch_runs += count;
    if (links->stretch_count > 0 && next[-1].upper + next[-1].count == upper &&
        next[-1].lower + next[-1].count == lower) {
        next[-1].count += (int32_t)count;
        return;
    }
    *next = (label_stretch){upper, lower, (int32_t)count};
    links->stretch_count++;
}

typedef struct {
    const uint64_t *upper, *lower; /* the pixels that touch */
    /* If runs are those of several rows together: the other rows of pixels that touch, and the rows
     * whose runs are linked. Otherwise the same rows. */
    const uint64_t *upper_too, *lower_too;
    const uint64_t *upper_runs, *lower_runs;
    const uint64_t *implied; /* pixels at which both rows are linked by others, or NULL */
    int64_t words;
    bool diagonal;       /* also from a column to the next */
    bool stretches;      /* wanted; the rows are those whose runs are linked, and none is implied */
    int32_t upper_first; /* number of the first run of each row */
    int32_t lower_first;
} label_row_pair;

/* Two rows of runs without gaps: the first pixels of the runs, and the last run before each row.
 * `ahead`: the row whose pixels x stand for x + 1. */
typedef enum { LABEL_NONE_AHEAD, LABEL_UPPER_AHEAD, LABEL_LOWER_AHEAD } label_ahead;

typedef struct {
    const uint64_t *upper_begins, *lower_begins;
    int32_t upper_run, lower_run;
    label_ahead ahead;
} label_begun_pair;

typedef struct {
    /* The number of runs in a row. */
    int64_t (*count_runs)(const uint64_t *bits, int64_t words);

    /* out = the union of four rows. Returns the number of its runs. */
    int64_t (*fold)(const uint64_t *const rows[4], int64_t words, uint64_t *out);

    /* out = a | b, and out = the intersection of four rows. */
    void (*either)(const uint64_t *a, const uint64_t *b, int64_t words, uint64_t *out);
    void (*all)(const uint64_t *const rows[4], int64_t words, uint64_t *out);

    /* Fills the first list and the stretches from their beginnings, and appends to the other
     * list. */
    void (*link)(const label_row_pair *pair, label_links *links);

    /* The same for runs without gaps, from `edges`: pixels at which two rows are linked. A link is
     * an edge whose run, above or below, differs from that of the edge before it. */
    void (*link_begun)(const label_begun_pair *pair, const uint64_t *edges, int64_t words,
                       label_links *links);

    /* labels[lower run] = labels[upper run] for `count` links. */
    void (*copy)(int32_t *labels, const int32_t *lower, const int32_t *upper, int64_t count);

    /* As `copy`, for the first links of the list (there are no stretches) whose lower run has no
     * label yet (-1); the other links are moved to the other list. Returns the number of runs that
     * got a label. */
    int64_t (*adopt)(int32_t *labels, label_links *links);

    /* Replaces links between runs by links between their labels, in place, without those whose
     * labels have the same parent, which are most of them. Returns the number left. */
    int64_t (*differ)(const int32_t *labels, const int32_t *parents, int32_t *upper, int32_t *lower,
                      int64_t count);

    /* Gives runs still labelled -1 the labels `next`, `next` + 1, ... in order, and sets parents[i]
     * = i for these; `parents` has room for 16 more. Returns the next free label. */
    int32_t (*found)(int32_t *labels, int64_t count, int32_t *parents, int32_t next);

    /* Replaces every parent of a forest (forest.h) by the number of its set; sets are numbered from
     * 0 in the order of their roots. A root with a negative parent is not numbered: its set gets
     * that negative number, and the members of such sets are written to `aliases` ([count + 1]),
     * their number to *alias_count. `aliases` is NULL if there are none. Returns the number of
     * sets. */
    int64_t (*flatten)(int32_t *parents, int64_t count, int32_t *aliases, int64_t *alias_count);

    /* values[i] = table[labels[i]] + add. */
    void (*look_up)(const int32_t *labels, int64_t count, const int32_t *table, int32_t add,
                    int32_t *values);

    /* places[i] = table[labels[i]] - min + 1, or 0 if that is not positive or its name in `names`
     * is not negative. Bit i of `unnamed` is set if places[i] is positive; whole words are written.
     * Returns true if any is positive. */
    bool (*reach)(const int32_t *labels, int64_t count, const int32_t *table, int32_t min,
                  const int32_t *names, int32_t *places, uint64_t *unnamed);

    /* For each run of `bits`, in order: if names[place] is negative it is set to `next`, `next` +
     * 1, ..., where place = places[the run of `runs` that contains it]. Runs whose bits in
     * `unnamed` are 0 have place 0 and names[0] is not negative, so that they may be omitted.
     * Returns the next free name. */
    int32_t (*name)(const uint64_t *bits, const uint64_t *runs, int64_t words,
                    const int32_t *places, const uint64_t *unnamed, int32_t *names, int32_t next);

    /* Writes pixels of a row from one value per run of `runs`, which is the row itself or contains
     * it; background pixels become 0. values[-1] and 64 bytes after the last value must be
     * readable. paint32 uses streaming stores if `out` is aligned to 64 bytes and `stream` is
     * set. */
    void (*paint8)(const uint64_t *bits, const uint64_t *runs, int64_t width, const uint8_t *values,
                   uint8_t *out);
    void (*paint16)(const uint64_t *bits, const uint64_t *runs, int64_t width,
                    const uint16_t *values, uint16_t *out);
    void (*paint32)(const uint64_t *bits, const uint64_t *runs, int64_t width,
                    const int32_t *values, int32_t *out, bool stream);
    void (*paint64)(const uint64_t *bits, const uint64_t *runs, int64_t width,
                    const int64_t *values, int64_t *out);

    /* The same as paint32, with the first pixels of runs instead of the runs. */
    void (*fill32)(const uint64_t *bits, const uint64_t *begins, int64_t width,
                   const int32_t *values, int32_t *out, bool stream);
} label_row_ops;

extern const label_row_ops label_row_ops_avx512, label_row_ops_avx2, label_row_ops_plain;

/* The variants of label_row_ops. */
extern const halo_isa_variant label_row_variants[];

#endif
