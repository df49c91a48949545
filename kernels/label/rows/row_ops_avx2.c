/* The inner loops with AVX2 and BMI. Links come from the portable loops, whose bit scans BMI makes
 * fast; packing and painting are vectorised by hand. */

#include "kernels/label/rows/row_ops_body.h"

#include <immintrin.h>

static uint64_t reached8(const uint8_t *grey, __m256i limit)
{
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)grey);
    __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(grey + 32));
    __m256i low_foreground = _mm256_cmpeq_epi8(_mm256_max_epu8(low, limit), low);
    __m256i high_foreground = _mm256_cmpeq_epi8(_mm256_max_epu8(high, limit), high);
    return (uint32_t)_mm256_movemask_epi8(low_foreground) |
           (uint64_t)(uint32_t)_mm256_movemask_epi8(high_foreground) << 32;
}

static void pack8(const uint8_t *grey, int64_t width, uint32_t threshold, uint64_t *bits)
{
    int64_t whole = threshold <= UINT8_MAX ? width / 64 : 0;
    __m256i limit = _mm256_set1_epi8((char)threshold);
    for (int64_t i = 0; i < whole; i++) {
        bits[i] = reached8(grey + 64 * i, limit);
    }
    portable_pack8(grey + 64 * whole, width - 64 * whole, threshold, bits + whole);
}

static uint32_t reached16(const uint16_t *grey, __m256i limit)
{
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)grey);
    __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(grey + 16));
    __m256i low_foreground = _mm256_cmpeq_epi16(_mm256_max_epu16(low, limit), low);
    __m256i high_foreground = _mm256_cmpeq_epi16(_mm256_max_epu16(high, limit), high);
    /* Packing interleaves the 128-bit halves; the permutation puts them in order. */
    __m256i foreground =
        _mm256_permute4x64_epi64(_mm256_packs_epi16(low_foreground, high_foreground), 0xd8);
    return (uint32_t)_mm256_movemask_epi8(foreground);
}

static void pack16(const uint16_t *grey, int64_t width, uint32_t threshold, uint64_t *bits)
{
    int64_t whole = threshold <= UINT16_MAX ? width / 64 : 0;
    __m256i limit = _mm256_set1_epi16((short)threshold);
    for (int64_t i = 0; i < whole; i++) {
        const uint16_t *at = grey + 64 * i;
        bits[i] = reached16(at, limit) | (uint64_t)reached16(at + 32, limit) << 32;
    }
    portable_pack16(grey + 64 * whole, width - 64 * whole, threshold, bits + whole);
}

/* Bit i of a byte as byte i, 0 or 1. */
static inline uint64_t spread(uint64_t byte)
{
    return _pdep_u64(byte, UINT64_C(0x0101010101010101));
}

/* 8 pixels; the multiplication adds up the starts to the left of each. */
static inline __m256i pixels_of(uint64_t starts, uint64_t foreground, const int32_t *near)
{
    uint64_t run = spread(starts) * UINT64_C(0x0101010101010101);
    __m256i index = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((int64_t)run));
    __m256i mask = _mm256_cvtepi8_epi32(_mm_cvtsi64_si128((int64_t)(spread(foreground) * 0xff)));
    __m256i values = _mm256_loadu_si256((const __m256i *)(const void *)near);
    return _mm256_and_si256(_mm256_permutevar8x32_epi32(values, index), mask);
}

static inline void store32(int32_t *out, __m256i pixels, bool stream)
{
    if (stream) {
        _mm256_stream_si256((__m256i *)(void *)out, pixels);
    } else {
        _mm256_storeu_si256((__m256i *)(void *)out, pixels);
    }
}

static inline void paint_word32(uint64_t word, uint64_t starts, const int32_t *near, int32_t *out,
                                bool stream)
{
    if (starts == 0 && (word == 0 || word == UINT64_MAX)) {
        __m256i fill = word == 0 ? _mm256_setzero_si256() : _mm256_set1_epi32(near[0]);
        for (int i = 0; i < 64; i += 8) {
            store32(out + i, fill, stream);
        }
        return;
    }
    for (int i = 0; i < 64; i += 8) {
        uint64_t begun = starts >> i & 0xff;
        store32(out + i, pixels_of(begun, word >> i & 0xff, near), stream);
        near += popcount(begun);
    }
}

static void paint32(const uint64_t *bits, const uint64_t *runs, int64_t width,
                    const int32_t *values, int32_t *out, bool stream)
{
    const int32_t *near = values - 1;
    uint64_t carry = 0;
    bool past_cache = stream && ((uintptr_t)out & 31) == 0;
    for (int64_t x = 0; x < width; x += 64) {
        uint64_t word = bits[x / 64], run = runs[x / 64], starts = run & ~(run << 1 | carry);
        if (width - x >= 64) {
            paint_word32(word, starts, near, out + x, past_cache);
        } else {
            int32_t last[64];
            paint_word32(word, starts, near, last, false);
            memcpy(out + x, last, (size_t)(width - x) * sizeof *out);
        }
        near += popcount(starts);
        carry = run >> 63;
    }
}

/* Where no gap lies between runs, 8 pixels may meet 9 of them. If the first pixel begins a run, its
 * run is the first value, and not one that only the pixel before them has. */
static inline void fill_word32(uint64_t word, uint64_t begun, const int32_t *near, int32_t *out)
{
    if (begun == 0) {
        paint_word32(word, begun, near, out, false);
        return;
    }
    for (int i = 0; i < 64; i += 8) {
        uint64_t now = begun >> i & 0xff;
        store32(out + i, pixels_of(now & 0xfe, word >> i & 0xff, near + (now & 1)), false);
        near += popcount(now);
    }
}

static void fill32(const uint64_t *bits, const uint64_t *begins, int64_t width,
                   const int32_t *values, int32_t *out, bool stream)
{
    (void)stream;
    const int32_t *near = values - 1;
    for (int64_t x = 0; x < width; x += 64) {
        uint64_t begun = begins[x / 64];
        if (width - x >= 64) {
            fill_word32(bits[x / 64], begun, near, out + x);
        } else {
            int32_t last[64];
            fill_word32(bits[x / 64], begun, near, last);
            memcpy(out + x, last, (size_t)(width - x) * sizeof *out);
        }
        near += popcount(begun);
    }
}

const label_row_ops label_row_ops_avx2 = {
    .pack8 = pack8,
    .pack16 = pack16,
    .count_runs = portable_count_runs,
    .fold = portable_fold,
    .either = portable_either,
    .all = portable_all,
    .link = portable_link,
    .link_begun = portable_link_begun,
    .copy = portable_copy,
    .adopt = portable_adopt,
    .differ = portable_differ,
    .found = portable_found,
    .flatten = portable_flatten,
    .look_up = portable_look_up,
    .reach = portable_reach,
    .name = portable_name,
    .paint8 = portable_paint8,
    .paint16 = portable_paint16,
    .paint32 = paint32,
    .paint64 = portable_paint64,
    .fill32 = fill32,
};
