#ifndef HALOBEAT_LABEL_ROW_OPS_BODY_H
#define HALOBEAT_LABEL_ROW_OPS_BODY_H

/* The inner loops in plain C, compiled once for any machine and once more for AVX2. */

#include "kernels/label/rows/forest.h"
#include "kernels/label/rows/row_ops.h"

#include <string.h>

#ifdef __BMI2__
#include <immintrin.h>
#endif

static inline int64_t popcount(uint64_t word)
{
    return __builtin_popcountll(word);
}

static inline int64_t portable_count_runs(const uint64_t *bits, int64_t words)
{
    int64_t runs = 0;
    uint64_t carry = 0;
    for (int64_t i = 0; i < words; i++) {
        runs += popcount(bits[i] & ~(bits[i] << 1 | carry));
        carry = bits[i] >> 63;
    }
    return runs;
}

static inline void portable_either(const uint64_t *a, const uint64_t *b, int64_t words,
                                   uint64_t *out)
{
    for (int64_t i = 0; i < words; i++) {
        out[i] = a[i] | b[i];
    }
}

static inline int64_t portable_fold(const uint64_t *const rows[4], int64_t words, uint64_t *out)
{
    for (int64_t i = 0; i < words; i++) {
        out[i] = rows[0][i] | rows[1][i] | rows[2][i] | rows[3][i];
    }
    return portable_count_runs(out, words);
}

static inline void portable_all(const uint64_t *const rows[4], int64_t words, uint64_t *out)
{
    for (int64_t i = 0; i < words; i++) {
        out[i] = rows[0][i] & rows[1][i] & rows[2][i] & rows[3][i];
    }
}

static inline uint64_t starts_of(uint64_t row, uint64_t before)
{
    return row & ~(row << 1 | before >> 63);
}

/* The links at the edges of one word; `run` and `linked` are those before it. */
static inline void link_edges(uint64_t edges, uint64_t upper_starts, uint64_t lower_starts,
                              int32_t upper_run, int32_t lower_run, int32_t *linked,
                              label_links *links)
{
    int64_t firsts = links->firsts, others = links->others;
    int32_t before = *linked;
    for (; edges != 0; edges &= edges - 1) {
        uint64_t up_to = edges ^ (edges - 1); /* the lowest edge and all bits below it */
        int32_t u = upper_run + (int32_t)popcount(upper_starts & up_to);
        int32_t d = lower_run + (int32_t)popcount(lower_starts & up_to);
        int64_t is_first = d != before;
        links->first_upper[firsts] = u;
        links->first_lower[firsts] = d;
        links->other_upper[others] = u;
        links->other_lower[others] = d;
        firsts += is_first;
        others += 1 - is_first;
        before = d;
    }
    links->firsts = firsts;
    links->others = others;
    *linked = before;
}

/* A word that is the same in both rows, with what lies before it: its runs' first links are to
 * those straight above, and there are no others. */
static inline void stretch_word(uint64_t starts, int32_t *upper_run, int32_t *lower_run,
                                int32_t *linked, label_links *links)
{
    int32_t count = (int32_t)popcount(starts);
    if (count > 0) {
        label_links_stretch(links, *upper_run + 1, *lower_run + 1, count);
        *upper_run += count;
        *lower_run += count;
        *linked = *lower_run;
    }
}

/* `folded`, a compile-time constant: runs are not those of the pixels that touch. */
static inline void portable_link_pair(const label_row_pair *pair, label_links *links, bool folded)
{
    uint64_t upper_before = 0, lower_before = 0, upper_run_before = 0, lower_run_before = 0;
    int32_t upper_run = pair->upper_first - 1, lower_run = pair->lower_first - 1;
    int32_t linked = -1; /* the lower run of the link before */
    links->firsts = links->stretch_count = links->stretch_runs = 0;
    for (int64_t i = 0; i < pair->words; i++) {
        uint64_t upper = pair->upper[i] | (folded ? pair->upper_too[i] : 0);
        uint64_t lower = pair->lower[i] | (folded ? pair->lower_too[i] : 0);
        uint64_t upper_starts = starts_of(upper, upper_before), upper_grown = upper;
        uint64_t lower_starts = starts_of(lower, lower_before), lower_grown = lower;
        uint64_t begun = upper_starts | lower_starts;
        if (!folded && pair->stretches && upper == lower && upper_starts == lower_starts) {
            upper_before = lower_before = upper;
            stretch_word(lower_starts, &upper_run, &lower_run, &linked, links);
            continue;
        }
        if (pair->diagonal) {
            upper_grown |= upper << 1 | upper_before >> 63;
            lower_grown |= lower << 1 | lower_before >> 63;
        }
        upper_before = upper;
        lower_before = lower;
        if (folded) {
            upper_starts = starts_of(pair->upper_runs[i], upper_run_before);
            lower_starts = starts_of(pair->lower_runs[i], lower_run_before);
            upper_run_before = pair->upper_runs[i];
            lower_run_before = pair->lower_runs[i];
        }
        if ((upper_starts | lower_starts) == 0 && (!folded || begun == 0)) {
            continue;
        }
        uint64_t edges = upper_grown & lower_grown & begun;
        edges &= pair->implied != NULL ? ~(upper & lower & pair->implied[i]) : UINT64_MAX;
        link_edges(edges, upper_starts, lower_starts, upper_run, lower_run, &linked, links);
        upper_run += (int32_t)popcount(upper_starts);
        lower_run += (int32_t)popcount(lower_starts);
    }
}

/* Two runs touch where they overlap; diagonally, where they overlap after both were extended by one
 * pixel to the right. The overlap of two runs begins where one of them begins, so that each bit of
 * `overlap & (starts of either row)` is exactly one link. */
static inline void portable_link(const label_row_pair *pair, label_links *links)
{
    if (pair->upper == pair->upper_runs && pair->lower == pair->lower_runs) {
        portable_link_pair(pair, links, false);
    } else {
        portable_link_pair(pair, links, true);
    }
}

/* Word i of a row whose pixel x is the other row's x + 1, if it is the one `ahead`. */
static inline uint64_t begins_word(const uint64_t *row, bool ahead, int64_t i, int64_t words)
{
    return ahead ? row[i] >> 1 | (i + 1 < words ? row[i + 1] << 63 : 0) : row[i];
}

static inline void portable_link_begun(const label_begun_pair *pair, const uint64_t *edges,
                                       int64_t words, label_links *links)
{
    int32_t upper_run = pair->upper_run, lower_run = pair->lower_run, linked = -1;
    uint64_t carry = 0;
    links->firsts = 0;
    for (int64_t i = 0; i < words; i++) {
        uint64_t upper =
            begins_word(pair->upper_begins, pair->ahead == LABEL_UPPER_AHEAD, i, words);
        uint64_t lower =
            begins_word(pair->lower_begins, pair->ahead == LABEL_LOWER_AHEAD, i, words);
        uint64_t same = (edges[i] << 1 | carry) & ~upper & ~lower;
        link_edges(edges[i] & ~same, upper, lower, upper_run, lower_run, &linked, links);
        upper_run += (int32_t)popcount(upper);
        lower_run += (int32_t)popcount(lower);
        carry = edges[i] >> 63;
    }
}

static inline void portable_copy(int32_t *labels, const int32_t *lower, const int32_t *upper,
                                 int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        labels[lower[i]] = labels[upper[i]];
    }
}

static inline int64_t portable_adopt(int32_t *labels, label_links *links)
{
    int64_t others = links->others, before = others;
    for (int64_t i = 0; i < links->firsts; i++) {
        int32_t lower = links->first_lower[i], upper = links->first_upper[i];
        int32_t label = labels[lower];
        labels[lower] = label < 0 ? labels[upper] : label;
        links->other_upper[others] = upper;
        links->other_lower[others] = lower;
        others += label >= 0;
    }
    links->others = others;
    return links->firsts - (others - before);
}

static inline int64_t portable_differ(const int32_t *labels, const int32_t *parents, int32_t *upper,
                                      int32_t *lower, int64_t count)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++) {
        int32_t a = labels[upper[i]], b = labels[lower[i]];
        upper[kept] = a;
        lower[kept] = b;
        kept += parents[a] != parents[b];
    }
    return kept;
}

static inline int32_t portable_found(int32_t *labels, int64_t count, int32_t *parents, int32_t next)
{
    for (int64_t i = 0; i < count; i++) {
        int32_t label = labels[i];
        parents[next] = next; /* overwritten by the next one if this run has a label */
        labels[i] = label < 0 ? next : label;
        next += label < 0;
    }
    return next;
}

static inline int64_t portable_flatten(int32_t *parents, int64_t count, int32_t *aliases,
                                       int64_t *alias_count)
{
    return aliases != NULL ? forest_flatten_aliases(parents, count, aliases, alias_count)
                           : forest_flatten(parents, count);
}

static inline void portable_look_up(const int32_t *labels, int64_t count, const int32_t *table,
                                    int32_t add, int32_t *values)
{
    for (int64_t i = 0; i < count; i++) {
        values[i] = table[labels[i]] + add;
    }
}

static inline bool portable_reach(const int32_t *labels, int64_t count, const int32_t *table,
                                  int32_t min, const int32_t *names, int32_t *places,
                                  uint64_t *unnamed)
{
    uint64_t any = 0, word = 0;
    for (int64_t i = 0; i < count; i++) {
        int32_t place = table[labels[i]] - min + 1;
        place = place < 0 ? 0 : place;
        places[i] = names[place] < 0 ? place : 0;
        word |= (uint64_t)(places[i] != 0) << i % 64;
        if (i % 64 == 63 || i + 1 == count) {
            unnamed[i / 64] = word;
            any |= word;
            word = 0;
        }
    }
    return any != 0;
}

/* The pixels of runs whose bits in `set`, from bit `first` on, are set. Without an instruction that
 * scatters bits: of all runs. */
static inline uint64_t pixels_of_set(uint64_t runs, uint64_t starts, const uint64_t *set,
                                     int64_t first, bool reached)
{
#ifdef __BMI2__
    uint64_t bits = set[first / 64] >> first % 64;
    bits |= first % 64 != 0 ? set[first / 64 + 1] << (64 - first % 64) : 0;
    uint64_t begun = _pdep_u64(bits, starts) | (runs & 1 & ~starts & reached);
    return runs & ~(runs + begun); /* the sum carries through these runs */
#else
    (void)starts;
    (void)set;
    (void)first;
    (void)reached;
    return runs;
#endif
}

/* A branch per run would be unpredictable. */
static inline int32_t portable_name(const uint64_t *bits, const uint64_t *runs, int64_t words,
                                    const int32_t *places, const uint64_t *unnamed, int32_t *names,
                                    int32_t next)
{
    uint64_t carry = 0, run_carry = 0, reached = 0;
    int64_t run = 0;
    for (int64_t i = 0; i < words; i++) {
        uint64_t starts = bits[i] & ~(bits[i] << 1 | carry);
        uint64_t run_starts = runs[i] & ~(runs[i] << 1 | run_carry);
        uint64_t pixels = pixels_of_set(runs[i], run_starts, unnamed, run, reached != 0);
        for (uint64_t left = starts & pixels; left != 0; left &= left - 1) {
            uint64_t up_to = left ^ (left - 1);
            int32_t *name = &names[places[run - 1 + popcount(run_starts & up_to)]];
            int32_t is_new = *name < 0;
            *name = is_new ? next : *name;
            next += is_new;
        }
        run += popcount(run_starts);
        carry = bits[i] >> 63;
        run_carry = runs[i] >> 63;
        reached = pixels >> 63;
    }
    return next;
}

/* Words without a start are filled; in the others each pixel looks up the value of its run, without
 * a branch, which would be unpredictable for noise. `value` follows the current run. */
#define PORTABLE_PAINT(name, type)                                                     \
    static inline void name(const uint64_t *bits, const uint64_t *runs, int64_t width, \
                            const type *values, type *out)                             \
    {                                                                                  \
        const type *value = values - 1;                                                \
        uint64_t carry = 0;                                                            \
        for (int64_t x = 0; x < width; x += 64) {                                      \
            uint64_t word = bits[x / 64], run = runs[x / 64];                          \
            uint64_t starts = run & ~(run << 1 | carry);                               \
            int64_t n = width - x < 64 ? width - x : 64;                               \
            if (starts == 0 && (word == 0 || word == UINT64_MAX)) {                    \
                type fill = (type)(word == 0 ? 0 : *value);                            \
                for (int64_t i = 0; i < n; i++) {                                      \
                    out[x + i] = fill;                                                 \
                }                                                                      \
            } else {                                                                   \
                for (int64_t i = 0; i < n; i++) {                                      \
                    value += starts >> i & 1;                                          \
                    out[x + i] = (type)(*value & (type) - (type)(word >> i & 1));      \
                }                                                                      \
            }                                                                          \
            carry = run >> 63;                                                         \
        }                                                                              \
    }

PORTABLE_PAINT(portable_paint8, uint8_t)
PORTABLE_PAINT(portable_paint16, uint16_t)
PORTABLE_PAINT(portable_paint_32, int32_t)
PORTABLE_PAINT(portable_paint64, int64_t)

static inline void portable_paint32(const uint64_t *bits, const uint64_t *runs, int64_t width,
                                    const int32_t *values, int32_t *out, bool stream)
{
    (void)stream;
    portable_paint_32(bits, runs, width, values, out);
}

/* `value` follows the current run. */
static inline void portable_fill32(const uint64_t *bits, const uint64_t *begins, int64_t width,
                                   const int32_t *values, int32_t *out, bool stream)
{
    (void)stream;
    const int32_t *value = values - 1;
    for (int64_t x = 0; x < width; x += 64) {
        uint64_t word = bits[x / 64], begun = begins[x / 64];
        int64_t n = width - x < 64 ? width - x : 64;
        if (begun == 0 && (word == 0 || word == UINT64_MAX)) {
            int32_t same = word == 0 ? 0 : *value;
            for (int64_t i = 0; i < n; i++) {
                out[x + i] = same;
            }
            continue;
        }
        for (int64_t i = 0; i < n; i++) {
            value += begun >> i & 1;
            out[x + i] = (word >> i & 1) != 0 ? *value : 0;
        }
    }
}

/* The entries of a table that AVX2 does not change but by compiling them once more. */
#define PORTABLE_ROW_OPS                                                                 \
    .count_runs = portable_count_runs, .fold = portable_fold, .either = portable_either, \
    .all = portable_all, .link = portable_link, .link_begun = portable_link_begun,       \
    .copy = portable_copy, .adopt = portable_adopt, .differ = portable_differ,           \
    .found = portable_found, .flatten = portable_flatten, .look_up = portable_look_up,   \
    .reach = portable_reach, .name = portable_name, .paint8 = portable_paint8,           \
    .paint16 = portable_paint16, .paint64 = portable_paint64

#endif
