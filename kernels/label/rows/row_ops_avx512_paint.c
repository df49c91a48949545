/* The inner loops with AVX-512 from rows of bits, with a value for each run, to pixels. */

#include "kernels/label/rows/row_ops_avx512.h"

#include <string.h>

/* A walk over the words of a row that knows which run each pixel belongs to. */
typedef struct {
    uint64_t word, starts, carry;
    int64_t run; /* the run that reaches into the word, -1 before the first */
} paint_walk;

static inline void enter_word(paint_walk *walk, uint64_t word, uint64_t runs)
{
    walk->word = word;
    walk->starts = runs & ~(runs << 1 | walk->carry);
    walk->carry = runs >> 63;
}

static inline void leave_word(paint_walk *walk)
{
    walk->run += _mm_popcnt_u64(walk->starts);
}

void label_avx512_paint8(const uint64_t *bits, const uint64_t *runs, int64_t width,
                         const uint8_t *values, uint8_t *out)
{
    paint_walk walk = {.run = -1};
    for (int64_t x = 0; x < width; x += 64) {
        enter_word(&walk, bits[x / 64], runs[x / 64]);
        __mmask64 lanes = _bzhi_u64(UINT64_MAX, (unsigned)(width - x < 64 ? width - x : 64));
        __m512i near = _mm512_loadu_si512(values + walk.run);
        __m512i pixels = _mm512_maskz_permutexvar_epi8(walk.word, prefix_counts(walk.starts), near);
        _mm512_mask_storeu_epi8(out + x, lanes, pixels);
        leave_word(&walk);
    }
}

void label_avx512_paint16(const uint64_t *bits, const uint64_t *runs, int64_t width,
                          const uint16_t *values, uint16_t *out)
{
    paint_walk walk = {.run = -1};
    for (int64_t x = 0; x < width; x += 64) {
        enter_word(&walk, bits[x / 64], runs[x / 64]);
        __m512i run = prefix_counts(walk.starts);
        for (int half = 0; half < 2; half++) {
            int64_t at = x + 32 * half;
            int64_t left = width - at;
            __mmask32 lanes = left >= 32 ? UINT32_MAX : left > 0 ? (1u << left) - 1 : 0;
            /* At most 16 runs begin in 32 pixels, so that one vector holds their values. */
            int64_t past = half == 0 ? 0 : _mm_popcnt_u64(walk.starts & UINT32_MAX);
            __m256i part =
                half == 0 ? _mm512_castsi512_si256(run) : _mm512_extracti64x4_epi64(run, 1);
            __m512i index =
                _mm512_sub_epi16(_mm512_cvtepu8_epi16(part), _mm512_set1_epi16((short)past));
            __m512i near = _mm512_loadu_si512(values + walk.run + past);
            __m512i pixels =
                _mm512_maskz_permutexvar_epi16((__mmask32)(walk.word >> 32 * half), index, near);
            _mm512_mask_storeu_epi16(out + at, lanes, pixels);
        }
        leave_word(&walk);
    }
}

/* Runs without gaps between them: where they begin is known. */
static inline void enter_begun(paint_walk *walk, uint64_t word, uint64_t begins)
{
    walk->word = word;
    walk->starts = begins;
}

/* 16 of a word's 64 pixels. Where no gap lies between runs they may meet 17: if the first pixel
 * begins a run, values are counted from that one. */
static inline __m512i pixels_of(const paint_walk *walk, __m512i run, int quarter,
                                const int32_t *values, bool gapless)
{
    uint64_t below = walk->starts & ((UINT64_C(1) << 16 * quarter) - 1);
    int64_t past =
        _mm_popcnt_u64(below) + (int64_t)(gapless ? walk->starts >> 16 * quarter & 1 : 0);
    __m128i part = quarter == 0   ? _mm512_castsi512_si128(run)
                   : quarter == 1 ? _mm512_extracti32x4_epi32(run, 1)
                   : quarter == 2 ? _mm512_extracti32x4_epi32(run, 2)
                                  : _mm512_extracti32x4_epi32(run, 3);
    __m512i index = _mm512_sub_epi32(_mm512_cvtepu8_epi32(part), _mm512_set1_epi32((int)past));
    __m512i near = _mm512_loadu_si512(values + walk->run + past);
    return _mm512_maskz_permutexvar_epi32((__mmask16)(walk->word >> 16 * quarter), index, near);
}

static inline void store32(int32_t *out, __m512i pixels, bool stream)
{
    if (stream) {
        _mm512_stream_si512((__m512i *)(void *)out, pixels);
    } else {
        _mm512_storeu_si512(out, pixels);
    }
}

static inline void paint_word32(const paint_walk *walk, const int32_t *values, int32_t *out,
                                bool stream, bool gapless)
{
    if (walk->starts == 0) {
        __m512i value = _mm512_set1_epi32(values[walk->run]);
        bool even = walk->word == 0 || walk->word == UINT64_MAX;
        value = walk->word == 0 ? _mm512_setzero_si512() : value;
        for (int quarter = 0; quarter < 4; quarter++) {
            if (even) {
                store32(out + 16 * quarter, value, stream);
                continue;
            }
            __mmask16 lit = (__mmask16)(walk->word >> 16 * quarter);
            store32(out + 16 * quarter, _mm512_maskz_mov_epi32(lit, value), stream);
        }
        return;
    }
    __m512i run = prefix_counts(walk->starts);
    store32(out, pixels_of(walk, run, 0, values, gapless), stream);
    store32(out + 16, pixels_of(walk, run, 1, values, gapless), stream);
    store32(out + 32, pixels_of(walk, run, 2, values, gapless), stream);
    store32(out + 48, pixels_of(walk, run, 3, values, gapless), stream);
}

/* `runs` are the first pixels of runs where these are `gapless`. Both flags are known to the
 * compiler. */
static inline void paint_row32(const uint64_t *bits, const uint64_t *runs, int64_t width,
                               const int32_t *values, int32_t *out, bool stream, bool gapless)
{
    paint_walk walk = {.run = -1};
    for (int64_t x = 0; x < width; x += 64) {
        if (gapless) {
            enter_begun(&walk, bits[x / 64], runs[x / 64]);
        } else {
            enter_word(&walk, bits[x / 64], runs[x / 64]);
        }
        if (width - x >= 64) {
            paint_word32(&walk, values, out + x, stream, gapless);
        } else {
            _Alignas(64) int32_t last[64];
            paint_word32(&walk, values, last, false, gapless);
            memcpy(out + x, last, (size_t)(width - x) * sizeof *out);
        }
        leave_word(&walk);
    }
}

void label_avx512_paint32(const uint64_t *bits, const uint64_t *runs, int64_t width,
                          const int32_t *values, int32_t *out, bool stream)
{
    if (stream && ((uintptr_t)out & 63) == 0) {
        paint_row32(bits, runs, width, values, out, true, false);
    } else {
        paint_row32(bits, runs, width, values, out, false, false);
    }
}

void label_avx512_fill32(const uint64_t *bits, const uint64_t *begins, int64_t width,
                         const int32_t *values, int32_t *out, bool stream)
{
    if (stream && ((uintptr_t)out & 63) == 0) {
        paint_row32(bits, begins, width, values, out, true, true);
    } else {
        paint_row32(bits, begins, width, values, out, false, true);
    }
}
