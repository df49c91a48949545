/* The loops of bits_ops.h, for the ISA that halobeat_isa_body chooses. */

#include "base/minmax.h"
#include "kernels/filter/bits.h"
#include "kernels/filter/bits_ops.h"

#include <stdbool.h>
#include <string.h>

#define ALWAYS inline __attribute__((always_inline))

enum { WORDS = HALO_ISA_BYTES / 8, TOGETHER = 4 }; /* of a vector; vectors */

typedef uint64_t words __attribute__((vector_size(HALO_ISA_BYTES)));

static ALWAYS words load(const uint64_t *at)
{
    words v;
    memcpy(&v, at, sizeof v);
    return v;
}

static ALWAYS words join(words a, words b, bool any)
{
    return any ? a | b : a & b;
}

/* Joins the rows of each level and those before it: vectors from word `at` on, to the scratch rows.
 */
static ALWAYS void join_levels(const filter_bit_rows *call, int64_t y, int64_t at, char *scratch,
                               bool any, const int many)
{
    const filter_chords *c = call->chords;
    const void *const *rows = call->rows + y;
    char *to = scratch + at * (int64_t)sizeof(uint64_t);
    words v[TOGETHER];
    for (int k = 0; k < many; k++) {
        v[k] = load((const uint64_t *)rows[c->row[0]] + at + k * WORDS);
    }
    int64_t i = 1;
    for (int64_t level = 0; level < c->levels; level++, to += call->pitch) {
        for (; i < c->begin[level + 1]; i++) {
            const uint64_t *row = (const uint64_t *)rows[c->row[i]] + at;
            for (int k = 0; k < many; k++) {
                v[k] = join(v[k], load(row + k * WORDS), any);
            }
        }
        memcpy(to, v, (size_t)many * sizeof *v);
    }
}

/* Joins bits that are `x` places further in the row. */
static ALWAYS void join_shifted(words *v, const uint64_t *row, int64_t x, bool any, const int many)
{
    const uint64_t *at = row + (x >> 6);
    int low = (int)(x & (FILTER_WORD - 1)), high = FILTER_WORD - low;
    for (int k = 0; k < many; k++, at += WORDS) {
        v[k] = join(v[k], low == 0 ? load(at) : load(at) >> low | load(at + 1) << high, any);
    }
}

static ALWAYS void join_shifts(const filter_bit_rows *call, int64_t at, const char *scratch,
                               bool any, words *v, const int many)
{
    const filter_chords *c = call->chords;
    const char *middle = scratch + (size_t)c->level[0] * call->pitch;
    memcpy(v, (const uint64_t *)(const void *)middle + at, (size_t)many * sizeof *v);
    for (int64_t x = 1; x <= c->half[0]; x++) {
        const uint64_t *row = (const void *)(scratch + (size_t)c->level[x] * call->pitch);
        join_shifted(v, row + at, x, any, many);
        join_shifted(v, row + at, -x, any, many);
    }
}

static ALWAYS void levels_row(const filter_bit_rows *call, int64_t y, char *scratch, bool any)
{
    const int64_t reach = call->chords->half[0];
    const int64_t to = (call->width + reach + FILTER_WORD - 1) / FILTER_WORD;
    int64_t at = -((reach + FILTER_WORD - 1) / FILTER_WORD);
    for (; at + TOGETHER * WORDS <= to; at += TOGETHER * WORDS) {
        join_levels(call, y, at, scratch, any, TOGETHER);
    }
    for (; at < to; at += WORDS) {
        join_levels(call, y, at, scratch, any, 1);
    }
}

static ALWAYS void shifts_row(const filter_bit_rows *call, int64_t y, const char *scratch, bool any)
{
    const int64_t count = (call->width + FILTER_WORD - 1) / FILTER_WORD;
    uint64_t *out = call->out[y];
    words v[TOGETHER];
    int64_t at = 0;
    for (; at + TOGETHER * WORDS <= count; at += TOGETHER * WORDS) {
        join_shifts(call, at, scratch, any, v, TOGETHER);
        memcpy(out + at, v, sizeof v);
    }
    for (; at < count; at += WORDS) {
        join_shifts(call, at, scratch, any, v, 1);
        memcpy(out + at, v, (size_t)halo_min(WORDS, count - at) * sizeof *out);
    }
    out[count - 1] &= filter_last_bits(call->width);
}

/* The levels of all outputs of a batch come before what is shifted: what was stored at once before
 * is loaded late where it is not in the same place. */
static ALWAYS void element_rows(const filter_bit_rows *call, int64_t y, int64_t rows, bool any)
{
    const size_t row = (size_t)call->chords->levels * call->pitch;
    for (int64_t i = 0; i < rows; i++) {
        levels_row(call, y + i, call->scratch + (size_t)i * row, any);
    }
    for (int64_t i = 0; i < rows; i++) {
        shifts_row(call, y + i, call->scratch + (size_t)i * row, any);
    }
}

static void erode(const filter_bit_rows *call)
{
    for (int64_t y = 0; y < call->count; y += call->batch) {
        element_rows(call, y, halo_min(call->batch, call->count - y), false);
    }
}

static void dilate(const filter_bit_rows *call)
{
    for (int64_t y = 0; y < call->count; y += call->batch) {
        element_rows(call, y, halo_min(call->batch, call->count - y), true);
    }
}

const filter_bits_ops HALO_ISA_OPS(filter_bits_ops) = {.element = {erode, dilate}};
