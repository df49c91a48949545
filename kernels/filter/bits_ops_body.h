/* The loops of bits_ops.h, for the ISA that halobeat_isa_body chooses. */

#include "base/minmax.h"
#include "kernels/filter/bits.h"
#include "kernels/filter/bits_ops.h"

#include <stdbool.h>
#include <string.h>

#define ALWAYS inline __attribute__((always_inline))

enum { WORDS = HALO_ISA_BYTES / 8 }; /* of a vector */

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

/* Joins the rows of each level and those before it: words from `at` on, to the scratch rows. */
static ALWAYS void join_levels(const filter_bit_rows *call, int64_t y, int64_t at, char *scratch,
                               bool any)
{
    const filter_chords *c = call->chords;
    const void *const *rows = call->rows + y;
    char *to = scratch + at * (int64_t)sizeof(uint64_t);
    words v = load((const uint64_t *)rows[c->row[0]] + at);
    int64_t i = 1;
    for (int64_t level = 0; level < c->levels; level++, to += call->pitch) {
        for (; i < c->begin[level + 1]; i++) {
            v = join(v, load((const uint64_t *)rows[c->row[i]] + at), any);
        }
        memcpy(to, &v, sizeof v);
    }
}

/* Bits that are `x` places further in the row. */
static ALWAYS words shifted(const uint64_t *row, int64_t x)
{
    const uint64_t *at = row + (x >> 6);
    int low = (int)(x & (FILTER_WORD - 1));
    return low == 0 ? load(at) : load(at) >> low | load(at + 1) << (FILTER_WORD - low);
}

static ALWAYS words join_shifts(const filter_bit_rows *call, int64_t at, const char *scratch,
                                bool any)
{
    const filter_chords *c = call->chords;
    words v =
        load((const uint64_t *)(const void *)(scratch + (size_t)c->level[0] * call->pitch) + at);
    for (int64_t x = 1; x <= c->half[0]; x++) {
        const uint64_t *row = (const void *)(scratch + (size_t)c->level[x] * call->pitch);
        v = join(v, shifted(row + at, x), any);
        v = join(v, shifted(row + at, -x), any);
    }
    return v;
}

/* The levels of all outputs of a batch come before what is shifted: what was stored at once before
 * is loaded late where it is not in the same place. */
static ALWAYS void element_rows(const filter_bit_rows *call, int64_t y, int64_t rows, bool any)
{
    const int64_t reach = call->chords->half[0];
    const int64_t from = -((reach + FILTER_WORD - 1) / FILTER_WORD);
    const int64_t to = (call->width + reach + FILTER_WORD - 1) / FILTER_WORD;
    const int64_t count = (call->width + FILTER_WORD - 1) / FILTER_WORD;
    const size_t row = (size_t)call->chords->levels * call->pitch;
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t at = from; at < to; at += WORDS) {
            join_levels(call, y + i, at, call->scratch + (size_t)i * row, any);
        }
    }
    for (int64_t i = 0; i < rows; i++) {
        uint64_t *out = call->out[y + i];
        for (int64_t at = 0; at < count; at += WORDS) {
            words v = join_shifts(call, at, call->scratch + (size_t)i * row, any);
            memcpy(out + at, &v, (size_t)halo_min(WORDS, count - at) * sizeof *out);
        }
        out[count - 1] &= filter_last_bits(call->width);
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
