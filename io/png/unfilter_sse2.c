/* Unfilters 16 rows together along a diagonal; see unfilter.h. */

#include "io/png/unfilter_body.h"

#include <emmintrin.h>
#include <string.h>

enum { LANES = 16, MAX_STEP = 8 };

/* Sixteen rows on their way. A lane is a row; vector number t has of lane k the byte
 * t - k * step. */
typedef struct {
    unsigned char *first;
    size_t bytes;
    ptrdiff_t step;
    __m128i uses_left, uses_up, is_average, is_paeth; /* by lane */
    __m128i done[MAX_STEP];                           /* the last `step` vectors, undone */
    __m128i up[MAX_STEP];                             /* what stood above them */
} diagonal;

static inline __m128i choose(__m128i mask, __m128i yes, __m128i no)
{
    return _mm_or_si128(_mm_and_si128(mask, yes), _mm_andnot_si128(mask, no));
}

/* With `low` and `high` for the smaller and the larger one of left and up: whenever twice the way
 * from the corner up to `high` is not longer than the way down to `low`, Paeth's choice is `low`,
 * and the other way round; else it is the corner. (With the corner outside, one way is zero.) No
 * number leaves eight bits: both ways together are at most 255, so the doubled one is cut at 255
 * only when the other is smaller still. */
static inline __m128i predict_paeth(__m128i left, __m128i up, __m128i corner)
{
    __m128i low = _mm_min_epu8(left, up), high = _mm_max_epu8(left, up);
    __m128i rise = _mm_subs_epu8(high, corner), fall = _mm_subs_epu8(corner, low);
    __m128i twice_rise = _mm_adds_epu8(rise, rise), twice_fall = _mm_adds_epu8(fall, fall);
    __m128i to_low = _mm_cmpeq_epi8(_mm_min_epu8(twice_rise, fall), twice_rise);
    __m128i to_high = _mm_cmpeq_epi8(_mm_min_epu8(twice_fall, rise), twice_fall);
    return choose(to_low, low, choose(to_high, high, corner));
}

/* One byte of every lane. */
static inline __m128i undo(const diagonal *d, __m128i raw, __m128i left, __m128i up, __m128i corner)
{
    __m128i odd = _mm_and_si128(_mm_xor_si128(left, up), _mm_set1_epi8(1));
    __m128i average = _mm_sub_epi8(_mm_avg_epu8(left, up), odd);
    __m128i other = _mm_or_si128(_mm_and_si128(d->uses_left, left), _mm_and_si128(d->uses_up, up));
    other = _mm_or_si128(other, _mm_and_si128(d->is_average, average));
    __m128i predicted = choose(d->is_paeth, predict_paeth(left, up, corner), other);
    return _mm_add_epi8(raw, predicted);
}

/* Rows of 16 bytes to columns and back. */
static inline void transpose(__m128i v[LANES])
{
    for (int round = 0; round < 4; round++) {
        __m128i mixed[LANES];
        for (int i = 0; i < LANES / 2; i++) {
            mixed[2 * i] = _mm_unpacklo_epi8(v[i], v[i + LANES / 2]);
            mixed[2 * i + 1] = _mm_unpackhi_epi8(v[i], v[i + LANES / 2]);
        }
        memcpy(v, mixed, sizeof mixed);
    }
}

/* At the ends of rows, which are few: inlined, these took the compiler most of a minute. */

/* The bytes of lane `k` from vector number `t` on; those outside the row are zero. */
static __attribute__((noinline)) __m128i load_edge(const diagonal *d, ptrdiff_t k, ptrdiff_t from)
{
    unsigned char bytes[LANES] = {0};
    const unsigned char *row = d->first + k * (ptrdiff_t)(d->bytes + 1);
    for (ptrdiff_t i = 0; i < LANES; i++) {
        if (from + i >= 0 && from + i < (ptrdiff_t)d->bytes) {
            bytes[i] = row[from + i];
        }
    }
    return _mm_loadu_si128((const __m128i *)(const void *)bytes);
}

static __attribute__((noinline)) void store_edge(const diagonal *d, ptrdiff_t k, ptrdiff_t from,
                                                 __m128i value)
{
    unsigned char bytes[LANES];
    _mm_storeu_si128((__m128i *)(void *)bytes, value);
    unsigned char *row = d->first + k * (ptrdiff_t)(d->bytes + 1);
    for (ptrdiff_t i = 0; i < LANES; i++) {
        if (from + i >= 0 && from + i < (ptrdiff_t)d->bytes) {
            row[from + i] = bytes[i];
        }
    }
}

static inline void load(const diagonal *d, ptrdiff_t t, bool edge, __m128i v[LANES])
{
    for (ptrdiff_t k = 0; k < LANES; k++) {
        ptrdiff_t from = t - k * d->step;
        if (edge) {
            v[k] = load_edge(d, k, from);
        } else {
            const unsigned char *row = d->first + k * (ptrdiff_t)(d->bytes + 1);
            v[k] = _mm_loadu_si128((const __m128i *)(const void *)(row + from));
        }
    }
}

static inline void store(const diagonal *d, ptrdiff_t t, bool edge, const __m128i v[LANES])
{
    for (ptrdiff_t k = 0; k < LANES; k++) {
        ptrdiff_t from = t - k * d->step;
        if (edge) {
            store_edge(d, k, from, v[k]);
        } else {
            unsigned char *row = d->first + k * (ptrdiff_t)(d->bytes + 1);
            _mm_storeu_si128((__m128i *)(void *)(row + from), v[k]);
        }
    }
}

/* Vectors t to t + 15. `step` is d->step, known to the compiler. */
static inline __attribute__((always_inline)) void block(diagonal *d, ptrdiff_t t, bool edge,
                                                        int step)
{
    __m128i v[LANES];
    __m128i done[LANES + MAX_STEP], up[LANES + MAX_STEP];
    const unsigned char *top_row = d->first - (ptrdiff_t)(d->bytes + 1);
    __m128i above =
        edge ? load_edge(d, -1, t) : _mm_loadu_si128((const __m128i *)(const void *)(top_row + t));
    load(d, t, edge, v);
    transpose(v);
    for (int i = 0; i < step; i++) {
        done[i] = d->done[i];
        up[i] = d->up[i];
    }
    for (int i = 0; i < LANES; i++) {
        /* A lane's upper neighbour is the lane before, `step` vectors ago. */
        __m128i top = _mm_and_si128(above, _mm_cvtsi32_si128(255));
        above = _mm_srli_si128(above, 1);
        up[i + step] = _mm_or_si128(_mm_slli_si128(done[i], 1), top);
        done[i + step] = undo(d, v[i], done[i], up[i + step], up[i]);
    }
    for (int i = 0; i < step; i++) {
        d->done[i] = done[LANES + i];
        d->up[i] = up[LANES + i];
    }
    memcpy(v, done + step, sizeof v);
    transpose(v);
    store(d, t, edge, v);
}

static inline __attribute__((always_inline)) void walk(diagonal *d, int step)
{
    ptrdiff_t skew = (ptrdiff_t)(LANES - 1) * step, bytes = (ptrdiff_t)d->bytes;
    for (ptrdiff_t t = 0; t < bytes + skew; t += LANES) {
        if (t >= skew && t + LANES <= bytes) {
            block(d, t, false, step);
        } else {
            block(d, t, true, step);
        }
    }
}

static __m128i lanes_of(const diagonal *d, int one, int other)
{
    unsigned char mask[LANES];
    for (size_t k = 0; k < LANES; k++) {
        int type = *(d->first + k * (d->bytes + 1) - 1);
        mask[k] = type == one || type == other ? 255 : 0;
    }
    return _mm_loadu_si128((const __m128i *)(const void *)mask);
}

static void unfilter_sixteen(unsigned char *first, size_t bytes, int step)
{
    diagonal d = {.first = first, .bytes = bytes, .step = step};
    d.uses_left = lanes_of(&d, SUB, SUB);
    d.uses_up = lanes_of(&d, UP, UP);
    d.is_average = lanes_of(&d, AVERAGE, AVERAGE);
    d.is_paeth = lanes_of(&d, PAETH, PAETH);
    UNFILTER_WALK(walk, &d, step)
}

static void unfilter_sse2(unsigned char *first, int64_t rows, size_t bytes, int step)
{
    int64_t done = unfilter_groups(first, rows, bytes, step, LANES, unfilter_sixteen);
    halo_png_unfilter_ops_plain.unfilter(first + (size_t)done * (bytes + 1), rows - done, bytes,
                                         step);
}

const halo_png_unfilter_ops halo_png_unfilter_ops_sse2 = {unfilter_sse2};
