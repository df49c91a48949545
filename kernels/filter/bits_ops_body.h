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

/* Vectors that are computed together: of one row, or of as many rows, of which each has its own
 * part of the scratch memory. */
typedef struct {
    const filter_bit_rows *call;
    int64_t y, at; /* the first row and word */
    char *scratch; /* of the first row */
    bool any;
} bits_block;

static ALWAYS size_t scratch_of_row(const filter_bit_rows *call)
{
    return (size_t)call->chords->levels * call->pitch;
}

/* Joins the rows of each level and those before it, to the scratch rows. */
static ALWAYS void join_levels(const bits_block *b, const int many, const bool across)
{
    const filter_chords *c = b->call->chords;
    const void *const *rows = b->call->rows + b->y;
    const size_t step = across ? scratch_of_row(b->call) : (size_t)HALO_ISA_BYTES;
    char *to = b->scratch + b->at * (int64_t)sizeof(uint64_t);
    const words none = {0};
    words v[TOGETHER];
    for (int k = 0; k < many; k++) {
        v[k] = b->any ? none : ~none;
    }
    int64_t i = 0;
    for (int64_t level = 0; level < c->levels; level++, to += b->call->pitch) {
        for (; i < c->begin[level + 1]; i++) {
            const void *const *row = rows + c->row[i];
            for (int k = 0; k < many; k++) {
                const uint64_t *at = (const uint64_t *)row[across ? k : 0] + b->at;
                words w = load(across ? at : at + k * WORDS);
                v[k] = join(v[k], w, b->any);
            }
        }
        for (int k = 0; k < many; k++) {
            memcpy(to + (size_t)k * step, &v[k], sizeof *v);
        }
    }
}

/* Joins bits that are `x` places further in the row; vectors are `step` bytes apart. */
static ALWAYS void join_shifted(words *v, const char *row, int64_t x, size_t step, bool any,
                                const int many)
{
    const char *from = row + (x >> 6) * (int64_t)sizeof(uint64_t);
    int low = (int)(x & (FILTER_WORD - 1)), high = FILTER_WORD - low;
    for (int k = 0; k < many; k++, from += step) {
        const uint64_t *at = (const void *)from;
        v[k] = join(v[k], low == 0 ? load(at) : load(at) >> low | load(at + 1) << high, any);
    }
}

static ALWAYS void join_shifts(const bits_block *b, words *v, const int many, const bool across)
{
    const filter_chords *c = b->call->chords;
    const size_t step = across ? scratch_of_row(b->call) : (size_t)HALO_ISA_BYTES;
    const char *scratch = b->scratch + b->at * (int64_t)sizeof(uint64_t);
    const char *middle = scratch + (size_t)c->level[0] * b->call->pitch;
    for (int k = 0; k < many; k++) {
        memcpy(&v[k], middle + (size_t)k * step, sizeof *v);
    }
    for (int64_t x = 1; x <= c->half[0]; x++) {
        const char *row = scratch + (size_t)c->level[x] * b->call->pitch;
        join_shifted(v, row, x, step, b->any, many);
        join_shifted(v, row, -x, step, b->any, many);
    }
}

static ALWAYS void put(const bits_block *b, int row, const words *v, int64_t bytes)
{
    memcpy((uint64_t *)b->call->out[b->y + row] + b->at, v, (size_t)bytes);
}

/* Rows are computed one by one, or if they are narrow several together. */
static ALWAYS void levels_rows(bits_block b, const int rows)
{
    const int64_t reach = b.call->chords->half[0];
    const int64_t to = (b.call->width + reach + FILTER_WORD - 1) / FILTER_WORD;
    b.at = -((reach + FILTER_WORD - 1) / FILTER_WORD);
    for (; rows == 1 && b.at + TOGETHER * WORDS <= to; b.at += TOGETHER * WORDS) {
        join_levels(&b, TOGETHER, false);
    }
    for (; b.at < to; b.at += WORDS) {
        join_levels(&b, rows, true);
    }
}

static ALWAYS void shifts_rows(bits_block b, const int rows)
{
    const int64_t count = (b.call->width + FILTER_WORD - 1) / FILTER_WORD;
    words v[TOGETHER];
    b.at = 0;
    for (; rows == 1 && b.at + TOGETHER * WORDS <= count; b.at += TOGETHER * WORDS) {
        join_shifts(&b, v, TOGETHER, false);
        put(&b, 0, v, sizeof v);
    }
    for (; b.at < count; b.at += WORDS) {
        join_shifts(&b, v, rows, true);
        for (int k = 0; k < rows; k++) {
            put(&b, k, &v[k], halo_min(WORDS, count - b.at) * (int64_t)sizeof(uint64_t));
        }
    }
    for (int k = 0; k < rows; k++) {
        ((uint64_t *)b.call->out[b.y + k])[count - 1] &= filter_last_bits(b.call->width);
    }
}

/* The levels of all outputs of a batch come before what is shifted: what was stored at once before
 * is loaded late where it is not in the same place. */
static ALWAYS void element_rows(const filter_bit_rows *call, int64_t y, int64_t rows, bool any)
{
    const size_t step = scratch_of_row(call);
    bool narrow = call->width < TOGETHER * WORDS * FILTER_WORD;
    for (int shifts = 0; shifts < 2; shifts++) {
        for (int64_t i = 0; i < rows;) {
            bits_block b = {call, y + i, 0, call->scratch + (size_t)i * step, any};
            if (narrow && i + TOGETHER <= rows) {
                shifts ? shifts_rows(b, TOGETHER) : levels_rows(b, TOGETHER);
                i += TOGETHER;
            } else {
                shifts ? shifts_rows(b, 1) : levels_rows(b, 1);
                i++;
            }
        }
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
