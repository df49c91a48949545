/* The inner loops of distances, compiled once for each ISA (halobeat_isa_body). No include guard on
 * purpose. */

#include "kernels/distance/distance_ops.h"

#include <math.h>
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

/* Vector extensions of GCC and Clang: operators work on all lanes. */
typedef uint8_t bytes __attribute__((vector_size(HALO_ISA_BYTES), aligned(1), may_alias));
typedef uint16_t shorts __attribute__((vector_size(HALO_ISA_BYTES), aligned(2), may_alias));

enum {
    BYTES = HALO_ISA_BYTES,
    SHORTS = HALO_ISA_BYTES / 2,
    BYTE_VECTORS = DISTANCE_WORD / BYTES, /* in a word's columns */
    SHORT_VECTORS = DISTANCE_WORD / SHORTS,
};

#define ALWAYS static inline __attribute__((always_inline))

/* ---- what C has no operator for -------------------------------------------------------------- */

#if HALO_ISA_BYTES == 64
ALWAYS shorts least(shorts a, shorts b)
{
    return (shorts)_mm512_min_epu16((__m512i)a, (__m512i)b);
}
ALWAYS shorts most(shorts a, shorts b)
{
    return (shorts)_mm512_max_epu16((__m512i)a, (__m512i)b);
}
ALWAYS shorts add(shorts a, shorts b)
{
    return (shorts)_mm512_adds_epu16((__m512i)a, (__m512i)b);
}
ALWAYS bool any_above(shorts a, shorts b)
{
    return _mm512_cmpgt_epu16_mask((__m512i)a, (__m512i)b) != 0;
}
ALWAYS bytes least_bytes(bytes a, bytes b)
{
    return (bytes)_mm512_min_epu8((__m512i)a, (__m512i)b);
}
/* The state one further, or 0 where the bit is 0. */
ALWAYS bytes advance_state(bytes state, uint64_t bits, int v)
{
    (void)v;
    return (bytes)_mm512_maskz_adds_epu8(bits, (__m512i)state, _mm512_set1_epi8(1));
}
#elif HALO_ISA_BYTES == 32
ALWAYS shorts least(shorts a, shorts b)
{
    return (shorts)_mm256_min_epu16((__m256i)a, (__m256i)b);
}
ALWAYS shorts most(shorts a, shorts b)
{
    return (shorts)_mm256_max_epu16((__m256i)a, (__m256i)b);
}
ALWAYS shorts add(shorts a, shorts b)
{
    return (shorts)_mm256_adds_epu16((__m256i)a, (__m256i)b);
}
ALWAYS bool any_above(shorts a, shorts b)
{
    __m256i over = _mm256_subs_epu16((__m256i)a, (__m256i)b);
    return !_mm256_testz_si256(over, over);
}
ALWAYS bytes least_bytes(bytes a, bytes b)
{
    return (bytes)_mm256_min_epu8((__m256i)a, (__m256i)b);
}
ALWAYS bytes advance_state(bytes state, uint64_t bits, int v)
{
    const __m256i which =
        _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201);
    __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi32((int)(bits >> (v * BYTES))), which);
    __m256i ones = _mm256_cmpeq_epi8(_mm256_and_si256(spread, bit), bit);
    return (bytes)_mm256_and_si256(_mm256_adds_epu8((__m256i)state, _mm256_set1_epi8(1)), ones);
}
#else
ALWAYS shorts least(shorts a, shorts b)
{
    shorts less = (shorts)(a < b);
    return (a & less) | (b & ~less);
}
ALWAYS shorts most(shorts a, shorts b)
{
    shorts less = (shorts)(a < b);
    return (b & less) | (a & ~less);
}
ALWAYS shorts add(shorts a, shorts b)
{
    shorts sum = a + b;
    return sum | (shorts)(sum < a);
}
ALWAYS bool any_above(shorts a, shorts b)
{
    uint64_t words[HALO_ISA_BYTES / 8];
    shorts over = (shorts)(a > b);
    memcpy(words, &over, sizeof words);
    return (words[0] | words[1]) != 0;
}
ALWAYS bytes least_bytes(bytes a, bytes b)
{
    bytes less = (bytes)(a < b);
    return (a & less) | (b & ~less);
}
ALWAYS bytes advance_state(bytes state, uint64_t bits, int v)
{
    const bytes bit = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8_t low = (uint8_t)(bits >> (v * BYTES)), high = (uint8_t)(bits >> (v * BYTES + 8));
    bytes spread = {low,  low,  low,  low,  low,  low,  low,  low,
                    high, high, high, high, high, high, high, high};
    bytes further = state + 1;
    further |= (bytes)(further == 0); /* what has passed the largest stays there */
    return further & (bytes)((spread & bit) == bit);
}
#endif

/* ---- along the first axis -------------------------------------------------------------------- */

ALWAYS void scan_words(const distance_bits *b, uint8_t *state, uint8_t *out, ptrdiff_t out_step,
                       distance_scan what, int words)
{
    bytes now[DISTANCE_WORDS * BYTE_VECTORS];
    memcpy(now, state, (size_t)words * DISTANCE_WORD);
    const uint64_t *bits = b->bits;
    for (int64_t y = 0; y < b->rows; y++) {
        for (int i = 0; i < words * BYTE_VECTORS; i++) {
            now[i] = advance_state(now[i], bits[i / BYTE_VECTORS], i % BYTE_VECTORS);
            if (what != DISTANCE_SKIP) {
                bytes *at = (bytes *)(void *)(out + (ptrdiff_t)i * BYTES);
                *at = what == DISTANCE_LEAST ? least_bytes(*at, now[i]) : now[i];
            }
        }
        bits = (const uint64_t *)(const void *)((const char *)bits + b->step);
        out = out != NULL ? out + out_step : NULL;
    }
    memcpy(state, now, (size_t)words * DISTANCE_WORD);
}

ALWAYS void scan_as(const distance_bits *b, uint8_t *state, uint8_t *out, ptrdiff_t out_step,
                    distance_scan what)
{
    if (b->words == DISTANCE_WORDS) {
        scan_words(b, state, out, out_step, what, DISTANCE_WORDS);
        return;
    }
    distance_bits word = *b;
    for (int w = 0; w < b->words; w++) {
        scan_words(&word, state + (ptrdiff_t)w * DISTANCE_WORD,
                   out != NULL ? out + (ptrdiff_t)w * DISTANCE_WORD : NULL, out_step, what, 1);
        word.bits++;
    }
}

static void scan(const distance_bits *bits, uint8_t *state, uint8_t *out, ptrdiff_t out_step,
                 distance_scan what)
{
    switch (what) {
    case DISTANCE_SKIP:
        scan_as(bits, state, NULL, 0, DISTANCE_SKIP);
        break;
    case DISTANCE_STORE:
        scan_as(bits, state, out, out_step, DISTANCE_STORE);
        break;
    default:
        scan_as(bits, state, out, out_step, DISTANCE_LEAST);
    }
}

static void enter(const int32_t *places, int64_t count, int32_t from, int sign, uint8_t *state)
{
    for (int64_t i = 0; i < count; i++) {
        int32_t gap = (places[i] - from) * sign;
        state[i] = (uint8_t)(gap < DISTANCE_GAP ? gap : DISTANCE_GAP);
    }
}

static void leave(const uint8_t *state, int64_t count, int32_t from, int sign, int32_t *places)
{
    for (int64_t i = 0; i < count; i++) {
        places[i] = state[i] < DISTANCE_GAP ? from + sign * state[i] : places[i];
    }
}

static void square(const uint8_t *gaps, ptrdiff_t step, int64_t words, uint16_t *out)
{
    for (int64_t w = 0; w < words; w++, gaps += step, out += DISTANCE_WORD) {
        for (int i = 0; i < DISTANCE_WORD; i++) {
            out[i] = (uint16_t)(gaps[i] * gaps[i]);
        }
    }
}

static void square32(const distance_row *row, int64_t count, uint32_t *out)
{
    const uint8_t *gaps = row->gaps;
    const int32_t *above = row->above, *below = row->below;
    for (int64_t i = 0; i < count; i++) {
        int32_t up = row->layer - above[i], down = below[i] - row->layer;
        int32_t far = up < down ? up : down, gap = gaps[i];
        uint32_t distance = (uint32_t)(gap == DISTANCE_GAP ? far : gap);
        bool none = gap == DISTANCE_GAP && above[i] == DISTANCE_NONE_ABOVE &&
                    below[i] == DISTANCE_NONE_BELOW;
        out[i] = none ? UINT32_MAX : distance * distance;
    }
}

/* ---- squares of 16 bits ---------------------------------------------------------------------- */

ALWAYS shorts load(const uint16_t *at)
{
    return *(const shorts *)(const void *)at;
}

/* `count` steps more from k on. */
ALWAYS void take_steps(const uint16_t *in, ptrdiff_t step, int k, int count, shorts *best)
{
    for (int t = k; t < k + count; t++) {
        const uint16_t *low = in - t * step, *high = in + t * step;
        shorts more = (shorts){0} + (uint16_t)(t < DISTANCE_GAP ? t * t : UINT16_MAX);
        for (int v = 0; v < SHORT_VECTORS; v++) {
            shorts near =
                least(load(low + (ptrdiff_t)v * SHORTS), load(high + (ptrdiff_t)v * SHORTS));
            best[v] = least(best[v], add(near, more));
        }
    }
}

/* Steps that a group takes, a few at a time; -1: a minimum is too large. */
ALWAYS int relax_group(const uint16_t *in, ptrdiff_t step, const uint16_t *start, uint16_t *out)
{
    enum { FEW = 2, MORE = 4, NEAR = 9 };
    shorts best[SHORT_VECTORS], worst;
    for (int v = 0; v < SHORT_VECTORS; v++) {
        best[v] = load(start + (ptrdiff_t)v * SHORTS);
    }
    int k = 1;
    for (;;) {
        worst = best[0];
        for (int v = 1; v < SHORT_VECTORS; v++) {
            worst = most(worst, best[v]);
        }
        if (k >= DISTANCE_GAP || !any_above(worst, (shorts){0} + (uint16_t)(k * k))) {
            break;
        }
        if (k < NEAR) {
            take_steps(in, step, k, FEW, best);
            k += FEW;
        } else {
            take_steps(in, step, k, MORE, best);
            k += MORE;
        }
    }
    for (int v = 0; v < SHORT_VECTORS; v++) {
        *(shorts *)(void *)(out + (ptrdiff_t)v * SHORTS) = best[v];
    }
    return any_above(worst, (shorts){0} + (uint16_t)(DISTANCE_FAR - 1)) ? -1 : k;
}

static bool relax(const uint16_t *in, ptrdiff_t step, int64_t count, ptrdiff_t advance, int last,
                  uint16_t *out, ptrdiff_t out_advance, int64_t limit)
{
    int64_t steps = limit * count;
    for (int64_t i = 0; i < count; i++) {
        uint16_t rest[DISTANCE_WORD] = {0};
        const uint16_t *start = in;
        if (i == count - 1 && last < DISTANCE_WORD) {
            memcpy(rest, in, (size_t)last * sizeof *rest);
            start = rest;
        }
        int taken = relax_group(in, step, start, out);
        steps -= taken;
        if (taken < 0 || steps < 0) {
            return false;
        }
        in += advance;
        out += out_advance;
    }
    return true;
}

static uint16_t largest(const uint16_t *squares, int64_t count)
{
    uint16_t found = 0;
    for (int64_t i = 0; i < count; i++) {
        found = squares[i] > found ? squares[i] : found;
    }
    return found;
}

static uint32_t largest32(const uint32_t *squares, int64_t count)
{
    uint32_t found = 0;
    for (int64_t i = 0; i < count; i++) {
        found = squares[i] > found ? squares[i] : found;
    }
    return found;
}

#include "kernels/distance/distance_ops_roots.h"

/* ---- lines of any values --------------------------------------------------------------------- */

#define LINE                    distance_line32
#define CELL                    uint32_t
#define NUMBER                  uint32_t
#define IS_32                   1
#define OF(name)                name##_32
#define NONE                    UINT32_MAX
#define WEIGH(distance, weight) ((distance) * (distance))
#define REACH(value, weight)    sqrt((double)(value))
#include "kernels/distance/distance_ops_line.h"

#define LINE distance_line64
#undef IS_32
#define CELL                    uint64_t
#define NUMBER                  uint64_t
#define OF(name)                name##_64
#define NONE                    UINT64_MAX
#define WEIGH(distance, weight) ((distance) * (distance) * (weight))
#define REACH(value, weight)    sqrt((double)(value) / (double)(weight))
#include "kernels/distance/distance_ops_line.h"

/* As scipy computes it: the distance in units of length, squared. */
#define LINE                    distance_line_real
#define CELL                    double
#define NUMBER                  int64_t
#define OF(name)                name##_real
#define NONE                    ((double)INFINITY)
#define WEIGH(distance, weight) (((distance) * (weight)) * ((distance) * (weight)))
#define REACH(value, weight)    (sqrt(value) / (weight))
#include "kernels/distance/distance_ops_line.h"

const distance_ops HALO_ISA_OPS(distance_ops) = {
    .scan = scan,
    .square = square,
    .square32 = square32,
    .relax = relax,
    .solve32 = solve_32,
    .solve64 = solve_64,
    .solve_real = solve_real,
    .roots16 = roots16,
    .roots16_wide = roots16_wide,
    .roots24 = roots24,
    .roots32_wide = roots32_wide,
    .largest = largest,
    .largest32 = largest32,
    .enter = enter,
    .leave = leave,
};
