#include "kernels/chan_vese/row_ops.h"

#include <string.h>

/* The loops of row_ops.h. Included by one file for each ISA, which defines before
 *     VECTOR_BYTES        16, 32 or 64
 *     CHANGED(vector)     a bit for each of its words that is not 0
 * and, of 64 samples that can be read,
 *     within8, within16   which of them are in a set, as bits
 *     add8, add16         adds those whose bits are set to what no_sums begins with; of those that
 *                         `went`, what is missing to the largest sample
 *     total               what that has come to. */

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

/* For each pixel the one before it, and the one after it. */
static ALWAYS vec left_of(const uint64_t *row, vec here)
{
    return here << 1 | *(const vec_anywhere *)(const void *)(row - 1) >> TOP;
}

static ALWAYS vec right_of(const uint64_t *row, vec here)
{
    return here >> 1 | *(const vec_anywhere *)(const void *)(row + 1) << TOP;
}

/* The samples of a word; a copy for the last word if it is incomplete. */
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

/* ---- the force ------------------------------------------------------------------------------- */

static ALWAYS void find_members(const chan_vese_shape *shape, const chan_vese_set *set,
                                const void *greys, uint64_t *bits, size_t bytes)
{
    uint16_t copy[CHAN_VESE_WORD] = {0};
    int64_t words = (shape->width + TOP) / CHAN_VESE_WORD;
    for (int64_t i = 0; i < words; i++) {
        const void *of_word = greys_of(shape, greys, i, bytes, copy);
        uint64_t found = bytes == 1 ? within8(of_word, set) : within16(of_word, set);
        bits[i] = found & set->any;
    }
}

#define DEFINE_MEMBERS(name, bytes)                                                             \
    static void name(const chan_vese_shape *shape, const chan_vese_set *set, const void *greys, \
                     uint64_t *bits)                                                            \
    {                                                                                           \
        find_members(shape, set, greys, bits, bytes);                                           \
    }
DEFINE_MEMBERS(members8, 1)
DEFINE_MEMBERS(members16, 2)

static ALWAYS void push_columns(const chan_vese_shape *shape, const chan_vese_chunk *chunk,
                                int64_t i, bool ties)
{
    vec ends = load(shape->ends + i), all = load(shape->all + i);
    vec above = load(chunk->in[0] + i), here = load(chunk->in[1] + i);
    for (int64_t y = 0; y < chunk->count; y++) {
        const uint64_t *row = chunk->in[y + 1] + i;
        vec below = load(chunk->in[y + 2] + i);
        vec along = left_of(row, here) ^ right_of(row, here) ^ (here & ends);
        vec edges = (along | (above ^ below)) & all;
        vec moved = (here ^ load(chunk->drawn[y] + i)) & edges;
        if (ties) {
            moved &= ~load(chunk->undecided[y] + i);
        }
        store(chunk->out[y] + i, here ^ moved);
        above = here;
        here = below;
    }
}

static void push(const chan_vese_shape *shape, const chan_vese_chunk *chunk)
{
    bool ties = chunk->undecided[0] != NULL;
    for (int64_t i = 0; i < shape->words; i += VECTOR_WORDS) {
        if (ties) {
            push_columns(shape, chunk, i, true);
        } else {
            push_columns(shape, chunk, i, false);
        }
    }
}

/* ---- smoothing ------------------------------------------------------------------------------- */

/* A row's pixels, and for each of them its neighbours in the row. */
typedef struct {
    vec left, here, right;
} beside;

static ALWAYS beside look_beside(const uint64_t *row)
{
    vec here = load(row);
    return (beside){left_of(row, here), here, right_of(row, here)};
}

/* Lines through a pixel: with the pixel itself, the two at their ends. */
static void sup_inf(const chan_vese_shape *shape, const chan_vese_chunk *chunk)
{
    for (int64_t i = 0; i < shape->words; i += VECTOR_WORDS) {
        beside above = look_beside(chunk->in[0] + i), at = look_beside(chunk->in[1] + i);
        for (int64_t y = 0; y < chunk->count; y++) {
            beside below = look_beside(chunk->in[y + 2] + i);
            vec pairs = (at.left & at.right) | (above.here & below.here) |
                        (above.left & below.right) | (above.right & below.left);
            store(chunk->out[y] + i, at.here & pairs);
            above = at;
            at = below;
        }
    }
}

static void inf_sup(const chan_vese_shape *shape, const chan_vese_chunk *chunk)
{
    for (int64_t i = 0; i < shape->words; i += VECTOR_WORDS) {
        beside above = look_beside(chunk->in[0] + i), at = look_beside(chunk->in[1] + i);
        for (int64_t y = 0; y < chunk->count; y++) {
            beside below = look_beside(chunk->in[y + 2] + i);
            vec pairs = (at.left | at.right) & (above.here | below.here) &
                        (above.left | below.right) & (above.right | below.left);
            store(chunk->out[y] + i, at.here | pairs);
            above = at;
            at = below;
        }
    }
}

/* ---- what came of it ------------------------------------------------------------------------- */

enum { TILE_ROWS = 7 }; /* 8 words of each of these rows have a bit each in a word */

/* The words of a tile that change, row by row. Processing them in one loop avoids an unpredictable
 * branch for each. */
static ALWAYS uint64_t changed_words(const chan_vese_return *rows, int64_t y, int64_t count,
                                     int64_t i)
{
    uint64_t found = 0;
    for (int64_t r = 0; r < count; r++) {
        const uint64_t *fresh = rows->fresh[y + r] + i, *cells = rows->cells[y + r] + i;
        for (int v = 0; v < CHAN_VESE_WORDS; v += VECTOR_WORDS) {
            vec differ = load(fresh + v) ^ load(cells + v);
            found |= (uint64_t)CHANGED(differ) << (r * CHAN_VESE_WORDS + v);
        }
    }
    return found;
}

/* The contribution of a word to the trace: multiplications by odd numbers and shifts that move all
 * bits. */
static ALWAYS uint64_t hash_of(uint64_t place, uint64_t differ)
{
    uint64_t mixed = differ + place * 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93;
    mixed = (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9;
    return mixed ^ mixed >> 32;
}

/* Few greys are read, far from each other: they are prefetched. */
static ALWAYS void ask_for_greys(const chan_vese_return *rows, int64_t y, int64_t i,
                                 uint64_t changed, size_t bytes)
{
    for (; changed != 0; changed &= changed - 1) {
        int place = __builtin_ctzll(changed);
        int64_t word = i + place % CHAN_VESE_WORDS;
        const char *greys = rows->greys[y + place / CHAN_VESE_WORDS];
        greys += (size_t)word * CHAN_VESE_WORD * bytes;
        __builtin_prefetch(greys);
        if (bytes == 2) {
            __builtin_prefetch(greys + CHAN_VESE_WORD);
        }
    }
}

/* Sums over changes. */
typedef struct {
    int64_t all, gone;
    uint64_t trace;
    sums added;
} account;

static ALWAYS void commit_tile(const chan_vese_shape *shape, const chan_vese_return *rows,
                               int64_t y, int64_t i, uint64_t changed, account *to, size_t bytes)
{
    uint16_t copy[CHAN_VESE_WORD] = {0};
    for (; changed != 0; changed &= changed - 1) {
        int place = __builtin_ctzll(changed);
        int64_t row = y + place / CHAN_VESE_WORDS, word = i + place % CHAN_VESE_WORDS;
        const void *greys = greys_of(shape, rows->greys[row], word, bytes, copy);
        uint64_t differ = rows->fresh[row][word] ^ rows->cells[row][word];
        uint64_t went = differ & rows->cells[row][word];
        rows->cells[row][word] ^= differ;
        to->all += __builtin_popcountll(differ);
        to->gone += __builtin_popcountll(went);
        to->trace += hash_of((uint64_t)((rows->place + row) * shape->words + word), differ);
        to->added = bytes == 1 ? add8(to->added, greys, differ, went)
                               : add16(to->added, greys, differ, went);
    }
}

static ALWAYS void commit_rows(const chan_vese_shape *shape, const chan_vese_return *rows,
                               chan_vese_change *change, size_t bytes)
{
    const int64_t max = bytes == 1 ? UINT8_MAX : UINT16_MAX;
    account sum = {.added = no_sums()};
    for (int64_t y = 0; y < rows->count; y += TILE_ROWS) {
        int64_t count = rows->count - y < TILE_ROWS ? rows->count - y : TILE_ROWS;
        uint64_t changed = changed_words(rows, y, count, 0);
        for (int64_t i = 0, next; i < shape->words; i = next) {
            next = i + CHAN_VESE_WORDS;
            uint64_t then = next < shape->words ? changed_words(rows, y, count, next) : 0;
            ask_for_greys(rows, y, next, then, bytes);
            commit_tile(shape, rows, y, i, changed, &sum, bytes);
            changed = then;
        }
    }
    change->changed += sum.all;
    change->inside += sum.all - 2 * sum.gone;
    change->grey += total(sum.added) - max * sum.gone;
    change->trace += sum.trace;
}

#define DEFINE_COMMIT(name, bytes)                                               \
    static void name(const chan_vese_shape *shape, const chan_vese_return *rows, \
                     chan_vese_change *change)                                   \
    {                                                                            \
        commit_rows(shape, rows, change, bytes);                                 \
    }
DEFINE_COMMIT(commit8, 1)
DEFINE_COMMIT(commit16, 2)
