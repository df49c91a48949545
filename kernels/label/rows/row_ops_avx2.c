/* The inner loops with AVX2 and BMI. Links come from the portable loops, whose bit scans BMI makes
 * fast; painting is vectorised by hand. */

#include "kernels/label/rows/row_ops_body.h"

#include <immintrin.h>

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

/* Without a gap between runs, 8 pixels may meet 9 of them. If the first pixel begins a run, its
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
    PORTABLE_ROW_OPS,
    .paint32 = paint32,
    .fill32 = fill32,
};
