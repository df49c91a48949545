/* Unfilters 64 rows together along a diagonal; see unfilter.h. */

#include "io/png/unfilter_body.h"

#include <immintrin.h>
#include <string.h>

#define ALWAYS static inline __attribute__((always_inline))

enum { LANES = 64, COLUMNS = 16, MAX_STEP = 8 };

/* A lane is a row; vector number t has of lane k the byte t - k * step. */
typedef struct {
    unsigned char *first;
    ptrdiff_t bytes, stride, step;
    __mmask64 is_sub, is_up, is_average, is_paeth; /* by lane */
    __m512i done[MAX_STEP];                        /* the last `step` vectors, undone */
    __m512i up[MAX_STEP];                          /* what stood above them */
} diagonal;

/* One byte of every lane; predict_paeth in unfilter_sse2.c says why Paeth is right. */
ALWAYS __m512i undo(const diagonal *d, __m512i raw, __m512i left, __m512i up, __m512i corner)
{
    /* (left ^ up) & 1: what the average, which rounds up, has too much. */
    __m512i odd = _mm512_ternarylogic_epi64(left, up, _mm512_set1_epi8(1), 0x28);
    __m512i predicted = _mm512_maskz_mov_epi8(d->is_sub, left);
    predicted = _mm512_mask_mov_epi8(predicted, d->is_up, up);
    predicted = _mm512_mask_sub_epi8(predicted, d->is_average, _mm512_avg_epu8(left, up), odd);
    predicted = _mm512_mask_mov_epi8(predicted, d->is_paeth, corner);
    __m512i low = _mm512_min_epu8(left, up), high = _mm512_max_epu8(left, up);
    __m512i rise = _mm512_subs_epu8(high, corner), fall = _mm512_subs_epu8(corner, low);
    __mmask64 to_low = _mm512_mask_cmple_epu8_mask(d->is_paeth, _mm512_adds_epu8(rise, rise), fall);
    __mmask64 to_high =
        _mm512_mask_cmple_epu8_mask(d->is_paeth, _mm512_adds_epu8(fall, fall), rise);
    predicted = _mm512_mask_mov_epi8(predicted, to_high, high);
    predicted = _mm512_mask_mov_epi8(predicted, to_low, low);
    return _mm512_add_epi8(raw, predicted);
}

/* Rows of 16 bytes to columns and back, in each quarter by itself. */
ALWAYS void transpose(__m512i v[COLUMNS])
{
    for (int round = 0; round < 4; round++) {
        __m512i mixed[COLUMNS];
        for (int i = 0; i < COLUMNS / 2; i++) {
            mixed[2 * i] = _mm512_unpacklo_epi8(v[i], v[i + COLUMNS / 2]);
            mixed[2 * i + 1] = _mm512_unpackhi_epi8(v[i], v[i + COLUMNS / 2]);
        }
        for (int i = 0; i < COLUMNS; i++) {
            v[i] = mixed[i];
        }
    }
}

/* Which of the 16 bytes of a row from `from` on exist. */
ALWAYS __mmask16 existing(const diagonal *d, ptrdiff_t from)
{
    ptrdiff_t begin = from < 0 ? -from : 0;
    ptrdiff_t end = d->bytes - from < COLUMNS ? d->bytes - from : COLUMNS;
    if (begin >= end) {
        return 0;
    }
    return (__mmask16)(((1u << end) - 1) & ~((1u << begin) - 1));
}

/* Bytes outside the row are zero, and are not touched: `from` may point there. */
ALWAYS __m128i load_row(const diagonal *d, ptrdiff_t k, ptrdiff_t from, bool edge)
{
    const unsigned char *row = d->first + k * d->stride;
    if (!edge) {
        return _mm_loadu_si128((const __m128i *)(const void *)(row + from));
    }
    return _mm_maskz_loadu_epi8(existing(d, from),
                                (const void *)((uintptr_t)row + (uintptr_t)from));
}

ALWAYS void store_row(const diagonal *d, ptrdiff_t k, ptrdiff_t from, bool edge, __m128i value)
{
    unsigned char *row = d->first + k * d->stride;
    if (edge) {
        void *there = (void *)((uintptr_t)row + (uintptr_t)from);
        _mm_mask_storeu_epi8(there, existing(d, from), value);
    } else {
        _mm_storeu_si128((__m128i *)(void *)(row + from), value);
    }
}

/* Row k of every quarter of 16 goes into vector k. */
ALWAYS void load(const diagonal *d, ptrdiff_t t, bool edge, __m512i v[COLUMNS])
{
    for (ptrdiff_t k = 0; k < COLUMNS; k++) {
        ptrdiff_t from = t - k * d->step, quarter = COLUMNS * d->step;
        __m512i all = _mm512_castsi128_si512(load_row(d, k, from, edge));
        all = _mm512_inserti32x4(all, load_row(d, k + 16, from - quarter, edge), 1);
        all = _mm512_inserti32x4(all, load_row(d, k + 32, from - 2 * quarter, edge), 2);
        v[k] = _mm512_inserti32x4(all, load_row(d, k + 48, from - 3 * quarter, edge), 3);
    }
}

ALWAYS void store(const diagonal *d, ptrdiff_t t, bool edge, const __m512i v[COLUMNS])
{
    for (ptrdiff_t k = 0; k < COLUMNS; k++) {
        ptrdiff_t from = t - k * d->step, quarter = COLUMNS * d->step;
        store_row(d, k, from, edge, _mm512_castsi512_si128(v[k]));
        store_row(d, k + 16, from - quarter, edge, _mm512_extracti32x4_epi32(v[k], 1));
        store_row(d, k + 32, from - 2 * quarter, edge, _mm512_extracti32x4_epi32(v[k], 2));
        store_row(d, k + 48, from - 3 * quarter, edge, _mm512_extracti32x4_epi32(v[k], 3));
    }
}

/* Vectors t to t + 15. `step` is d->step, known to the compiler. */
ALWAYS void block(diagonal *d, ptrdiff_t t, bool edge, int step)
{
    const __m128i backwards = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i v[COLUMNS], done[COLUMNS + MAX_STEP], up[COLUMNS + MAX_STEP];
    __m128i above = _mm_shuffle_epi8(load_row(d, -1, t, edge), backwards);
    load(d, t, edge, v);
    transpose(v);
    for (int i = 0; i < step; i++) {
        done[i] = d->done[i];
        up[i] = d->up[i];
    }
    for (int i = 0; i < COLUMNS; i++) {
        /* A lane's upper neighbour is the lane before, `step` vectors ago; before the first lane
         * comes the last byte of `top`. */
        __m512i top = _mm512_inserti32x4(_mm512_setzero_si512(), above, 3);
        above = _mm_slli_si128(above, 1);
        __m512i quarters = _mm512_alignr_epi64(done[i], top, 6);
        up[i + step] = _mm512_alignr_epi8(done[i], quarters, 15);
        done[i + step] = undo(d, v[i], done[i], up[i + step], up[i]);
    }
    for (int i = 0; i < step; i++) {
        d->done[i] = done[COLUMNS + i];
        d->up[i] = up[COLUMNS + i];
    }
    for (int i = 0; i < COLUMNS; i++) {
        v[i] = done[i + step];
    }
    transpose(v);
    store(d, t, edge, v);
}

ALWAYS void walk(diagonal *d, int step)
{
    ptrdiff_t skew = (ptrdiff_t)(LANES - 1) * step;
    for (ptrdiff_t t = 0; t < d->bytes + skew; t += COLUMNS) {
        if (t >= skew && t + COLUMNS <= d->bytes) {
            block(d, t, false, step);
        } else {
            block(d, t, true, step);
        }
    }
}

ALWAYS __mmask64 lanes_of(const diagonal *d, int type)
{
    __mmask64 mask = 0;
    for (ptrdiff_t k = 0; k < LANES; k++) {
        const unsigned char *row = d->first + k * d->stride;
        mask |= (__mmask64)(row[-1] == type) << k;
    }
    return mask;
}

static void unfilter_sixty_four(unsigned char *first, size_t bytes, int step)
{
    diagonal d = {.first = first, .bytes = (ptrdiff_t)bytes, .stride = (ptrdiff_t)bytes + 1};
    d.step = step;
    d.is_sub = lanes_of(&d, SUB);
    d.is_up = lanes_of(&d, UP);
    d.is_average = lanes_of(&d, AVERAGE);
    d.is_paeth = lanes_of(&d, PAETH);
    UNFILTER_WALK(walk, &d, step)
}

static void unfilter_avx512(unsigned char *first, int64_t rows, size_t bytes, int step)
{
    int64_t done = unfilter_groups(first, rows, bytes, step, LANES, unfilter_sixty_four);
    halo_png_unfilter_ops_sse2.unfilter(first + (size_t)done * (bytes + 1), rows - done, bytes,
                                        step);
}

const halo_png_unfilter_ops halo_png_unfilter_ops_avx512 = {unfilter_avx512};
