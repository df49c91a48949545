#ifndef HALOBEAT_LABEL_ROW_OPS_AVX512_H
#define HALOBEAT_LABEL_ROW_OPS_AVX512_H

#include "kernels/label/rows/row_ops.h"

#include <immintrin.h>

/* Common functions of the loops with AVX-512. Internal to them: functions of label_row_ops, and
 * counting. */

void label_avx512_link(const label_row_pair *pair, label_links *links);
void label_avx512_link_begun(const label_begun_pair *pair, const uint64_t *edges, int64_t words,
                             label_links *links);
void label_avx512_either(const uint64_t *a, const uint64_t *b, int64_t words, uint64_t *out);
void label_avx512_all(const uint64_t *const rows[4], int64_t words, uint64_t *out);
int64_t label_avx512_fold(const uint64_t *const rows[4], int64_t words, uint64_t *out);
int64_t label_avx512_count_runs(const uint64_t *bits, int64_t words);
void label_avx512_paint8(const uint64_t *bits, const uint64_t *runs, int64_t width,
                         const uint8_t *values, uint8_t *out);
void label_avx512_paint16(const uint64_t *bits, const uint64_t *runs, int64_t width,
                          const uint16_t *values, uint16_t *out);
void label_avx512_paint32(const uint64_t *bits, const uint64_t *runs, int64_t width,
                          const int32_t *values, int32_t *out, bool stream);
void label_avx512_fill32(const uint64_t *bits, const uint64_t *begins, int64_t width,
                         const int32_t *values, int32_t *out, bool stream);

/* For each of 64 pixels: the number of bits set up to and including it. */
static inline __m512i prefix_counts(uint64_t bits)
{
    const __m512i bytes_below =
        _mm512_set_epi64(0x00ffffffffffffff, 0x0000ffffffffffff, 0x000000ffffffffff, 0xffffffff,
                         0xffffff, 0xffff, 0xff, 0);
    const __m512i own_byte = _mm512_set_epi64(
        0x0707070707070707, 0x0606060606060606, 0x0505050505050505, 0x0404040404040404,
        0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
    const __m512i up_to = _mm512_set1_epi64((int64_t)0xff7f3f1f0f070301);
    const __m512i low_byte =
        _mm512_broadcast_i32x4(_mm_set_epi64x(0x0808080808080808, 0x0000000000000000));
    __m512i all = _mm512_set1_epi64((int64_t)bits);
    __m512i below = _mm512_popcnt_epi64(_mm512_and_si512(all, bytes_below));
    __m512i within =
        _mm512_popcnt_epi8(_mm512_and_si512(_mm512_shuffle_epi8(all, own_byte), up_to));
    return _mm512_add_epi8(_mm512_shuffle_epi8(below, low_byte), within);
}

#endif
