#include "kernels/chan_vese/rows.h"

#include <string.h>

/* The loops of rows.h. Included by one file for each instruction set, which defines before
 *     VECTOR_BYTES        16, 32 or 64
 *     ANY(vector)         is a bit of it set?
 * and, of 64 samples that can be read,
 *     within8, within16   which of them are in a set, as bits
 *     sum8, sum16         the sum of those whose bits are set. */

typedef uint64_t vec __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef vec vec_anywhere __attribute__((aligned(8)));

enum { VECTOR_WORDS = VECTOR_BYTES / 8, TOP = CHAN_VESE_WORD - 1 };

static ALWAYS vec load(const uint64_t *from)
{
    return *(const vec *)(const void *)from;
}

static ALWAYS void store(uint64_t *to, vec value)
{
    *(vec *)(void *)to = value;
}

/* For each pixel the one before it, the one after it. */
static ALWAYS vec left_of(const uint64_t *row, vec here)
{
    return here << 1 | *(const vec_anywhere *)(const void *)(row - 1) >> TOP;
}

static ALWAYS vec right_of(const uint64_t *row, vec here)
{
    return here >> 1 | *(const vec_anywhere *)(const void *)(row + 1) << TOP;
}

/* Samples of a word; of the last one a copy, if it is not complete. */
static ALWAYS const void *greys_of(const chan_vese_shape *shape, const void *greys, int64_t word,
                                   size_t bytes, void *copy)
{
    const char *at = (const char *)greys + (size_t)word * CHAN_VESE_WORD * bytes;
    int64_t left = shape->width - word * CHAN_VESE_WORD;
    if (left >= CHAN_VESE_WORD) {
        return at;
    }
    memcpy(copy, at, (size_t)left * bytes);
    return copy;
}

/* ---- the force --------------------------------------------------------------------------------
 */

static ALWAYS uint64_t members(const void *greys, const chan_vese_set *set, size_t bytes)
{
    return (bytes == 1 ? within8(greys, set) : within16(greys, set)) & set->any;
}

/* Bits of `edges` whose grey has that sign. */
static uint64_t look_up(const int8_t *signs, const void *greys, uint64_t edges, int sign,
                        size_t bytes)
{
    uint64_t found = 0;
    for (uint64_t rest = edges; rest != 0; rest &= rest - 1) {
        int i = __builtin_ctzll(rest);
        uint32_t grey = bytes == 1 ? ((const uint8_t *)greys)[i] : ((const uint16_t *)greys)[i];
        found |= (uint64_t)(signs[grey] == sign) << i;
    }
    return found;
}

static ALWAYS uint64_t push_word(const chan_vese_force *force, const void *greys, uint64_t cells,
                                 uint64_t edges, size_t bytes)
{
    uint64_t in, out;
    if (force->scattered) {
        in = look_up(force->signs, greys, edges, -1, bytes);
        out = look_up(force->signs, greys, edges, 1, bytes);
    } else {
        in = members(greys, &force->in, bytes);
        out = force->ties ? members(greys, &force->out, bytes) : ~in;
    }
    return (cells | (edges & in)) & ~(edges & out);
}

static ALWAYS void push_row(const chan_vese_shape *shape, const chan_vese_force *force,
                            const uint64_t *const rows[3], const void *greys, uint64_t *out,
                            size_t bytes)
{
    uint16_t copy[CHAN_VESE_WORD] = {0};
    for (int64_t i = 0; i < shape->words; i += VECTOR_WORDS) {
        const uint64_t *row = rows[1] + i;
        vec here = load(row);
        vec along = left_of(row, here) ^ right_of(row, here) ^ (here & load(shape->ends + i));
        vec across = load(rows[0] + i) ^ load(rows[2] + i);
        vec edges = (along | across) & load(shape->all + i);
        store(out + i, here);
        if (!ANY(edges)) {
            continue;
        }
        for (int w = 0; w < VECTOR_WORDS; w++) {
            if (edges[w] != 0) {
                const void *of_word = greys_of(shape, greys, i + w, bytes, copy);
                out[i + w] = push_word(force, of_word, here[w], edges[w], bytes);
            }
        }
    }
}

static void push8(const chan_vese_shape *shape, const chan_vese_force *force,
                  const uint64_t *const rows[3], const void *greys, uint64_t *out)
{
    push_row(shape, force, rows, greys, out, 1);
}

static void push16(const chan_vese_shape *shape, const chan_vese_force *force,
                   const uint64_t *const rows[3], const void *greys, uint64_t *out)
{
    push_row(shape, force, rows, greys, out, 2);
}

/* ---- smoothing --------------------------------------------------------------------------------
 */

/* Lines through a pixel: with the pixel itself, the two at their ends. */
static void sup_inf(const chan_vese_shape *shape, const uint64_t *const rows[3], uint64_t *out)
{
    for (int64_t i = 0; i < shape->words; i += VECTOR_WORDS) {
        const uint64_t *a = rows[0] + i, *b = rows[1] + i, *c = rows[2] + i;
        vec above = load(a), here = load(b), below = load(c);
        vec pairs = (left_of(b, here) & right_of(b, here)) | (above & below) |
                    (left_of(a, above) & right_of(c, below)) |
                    (right_of(a, above) & left_of(c, below));
        store(out + i, here & pairs);
    }
}

static void inf_sup(const chan_vese_shape *shape, const uint64_t *const rows[3], uint64_t *out)
{
    for (int64_t i = 0; i < shape->words; i += VECTOR_WORDS) {
        const uint64_t *a = rows[0] + i, *b = rows[1] + i, *c = rows[2] + i;
        vec above = load(a), here = load(b), below = load(c);
        vec pairs = (left_of(b, here) | right_of(b, here)) & (above | below) &
                    (left_of(a, above) | right_of(c, below)) &
                    (right_of(a, above) | left_of(c, below));
        store(out + i, here | pairs);
    }
}

/* ---- what came of it --------------------------------------------------------------------------
 */

static ALWAYS int64_t sum_of(const void *greys, uint64_t bits, size_t bytes)
{
    return bits == 0 ? 0 : bytes == 1 ? sum8(greys, bits) : sum16(greys, bits);
}

static ALWAYS void commit_row(const chan_vese_shape *shape, const uint64_t *fresh,
                              const void *greys, uint64_t *cells, chan_vese_change *change,
                              size_t bytes)
{
    uint16_t copy[CHAN_VESE_WORD] = {0};
    for (int64_t i = 0; i < shape->words; i += VECTOR_WORDS) {
        vec now = load(fresh + i), differ = now ^ load(cells + i);
        if (!ANY(differ)) {
            continue;
        }
        store(cells + i, now);
        for (int w = 0; w < VECTOR_WORDS; w++) {
            if (differ[w] != 0) {
                const void *of_word = greys_of(shape, greys, i + w, bytes, copy);
                uint64_t came = differ[w] & now[w], went = differ[w] & ~now[w];
                change->changed += __builtin_popcountll(differ[w]);
                change->inside += __builtin_popcountll(came) - __builtin_popcountll(went);
                change->grey += sum_of(of_word, came, bytes) - sum_of(of_word, went, bytes);
            }
        }
    }
}

static void commit8(const chan_vese_shape *shape, const uint64_t *fresh, const void *greys,
                    uint64_t *cells, chan_vese_change *change)
{
    commit_row(shape, fresh, greys, cells, change, 1);
}

static void commit16(const chan_vese_shape *shape, const uint64_t *fresh, const void *greys,
                     uint64_t *cells, chan_vese_change *change)
{
    commit_row(shape, fresh, greys, cells, change, 2);
}
