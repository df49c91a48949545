/* The loops of histogram_ops.h, for the ISA that halobeat_isa_body chooses. */

#include "kernels/filter/histogram_ops.h"

#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#define ALWAYS inline __attribute__((always_inline))

enum { GROUPS = FILTER_GROUPS, VALUES = FILTER_VALUES, SHIFT = 4, MASK = VALUES - 1 };

enum {
    BYTES = HALO_ISA_BYTES < 32 ? 16 : 32,
    LANES = BYTES / (int)sizeof(uint16_t),
    PARTS = VALUES / LANES
};

typedef uint16_t lanes __attribute__((vector_size(HALO_ISA_BYTES < 32 ? 16 : 32)));
typedef lanes lanes_u16;
typedef uint32_t lanes_u32 __attribute__((vector_size(HALO_ISA_BYTES < 32 ? 32 : 64)));
#define widen_u16(v) (v)
#define widen_u32(v) __builtin_convertvector(v, lanes_u32)

static ALWAYS lanes load(const uint16_t *at)
{
    lanes v;
    memcpy(&v, at, sizeof v);
    return v;
}

/* ---- columns --------------------------------------------------------------------------------- */

/* From ramp + 16 - k on, the first k of 16 numbers are 0, and the others 1: a sample with value k
 * counts for these. */
static const uint16_t ramp[2 * VALUES] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                          1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

static ALWAYS lanes from(unsigned k, int i)
{
    return load(ramp + VALUES - k + i);
}

static ALWAYS void count(uint16_t *counts, unsigned k, bool in)
{
    for (int i = 0; i < VALUES; i += LANES) {
        lanes v = in ? load(counts + i) + from(k, i) : load(counts + i) - from(k, i);
        memcpy(counts + i, &v, sizeof v);
    }
}

/* A sample comes in, and another goes, as far as they are there. */
static ALWAYS void move_sample(const filter_histograms *h, int64_t all, int64_t x,
                               const uint8_t *in, const uint8_t *gone)
{
    uint16_t *group = h->group + x * GROUPS, *value = h->value + x * VALUES;
    for (int i = 0; i < VALUES; i += LANES) {
        lanes v = load(group + i);
        v = in != NULL ? v + from(*in >> SHIFT, i) : v;
        v = gone != NULL ? v - from(*gone >> SHIFT, i) : v;
        memcpy(group + i, &v, sizeof v);
    }
    if (in != NULL) {
        count(value + (*in >> SHIFT) * all * VALUES, *in & MASK, true);
    }
    if (gone != NULL) {
        count(value + (*gone >> SHIFT) * all * VALUES, *gone & MASK, false);
    }
}

static void move(const filter_histograms *h, const uint8_t *const *in, const uint8_t *const *gone)
{
    const int64_t all = h->width + h->columns - 1;
    for (int64_t p = 0; p < h->planes; p++) {
        for (int64_t x = 0; x < all && in != NULL && gone != NULL; x++) {
            move_sample(h, all, x, in[p] + x, gone[p] + x);
        }
        for (int64_t x = 0; x < all && gone == NULL; x++) {
            move_sample(h, all, x, in[p] + x, NULL);
        }
        for (int64_t x = 0; x < all && in == NULL; x++) {
            move_sample(h, all, x, NULL, gone[p] + x);
        }
    }
}

/* ---- the window ------------------------------------------------------------------------------ */

/* Counts those of 16 increasing counts that are at most `rank`. */
static ALWAYS unsigned count_below_u16(const uint16_t *counts, uint32_t rank)
{
#if HALO_ISA_BYTES == 64
    __m256i v = _mm256_loadu_si256((const void *)counts), most = _mm256_set1_epi16((short)rank);
    return (unsigned)__builtin_ctz(~(unsigned)_mm256_cmple_epu16_mask(v, most));
#elif HALO_ISA_BYTES == 32
    __m256i v = _mm256_loadu_si256((const void *)counts), most = _mm256_set1_epi16((short)rank);
    __m256i below = _mm256_cmpeq_epi16(_mm256_subs_epu16(v, most), _mm256_setzero_si256());
    uint64_t bytes = (unsigned)_mm256_movemask_epi8(below);
    return (unsigned)__builtin_ctzll(~bytes) / 2;
#elif defined(__SSE2__)
    __m128i most = _mm_set1_epi16((short)rank), zero = _mm_setzero_si128();
    __m128i low = _mm_loadu_si128((const void *)counts);
    __m128i high = _mm_loadu_si128((const void *)(counts + VALUES / 2));
    low = _mm_cmpeq_epi16(_mm_subs_epu16(low, most), zero);
    high = _mm_cmpeq_epi16(_mm_subs_epu16(high, most), zero);
    return (unsigned)__builtin_ctz(~(unsigned)_mm_movemask_epi8(_mm_packs_epi16(low, high)));
#else
    unsigned below = 0;
    for (int i = 0; i < VALUES; i++) {
        below += counts[i] <= rank;
    }
    return below;
#endif
}

/* Counts are less than 2^31. */
static ALWAYS unsigned count_below_u32(const uint32_t *counts, uint32_t rank)
{
#if HALO_ISA_BYTES == 64
    __m512i v = _mm512_loadu_si512((const void *)counts), most = _mm512_set1_epi32((int)rank);
    return (unsigned)__builtin_ctz(~(unsigned)_mm512_cmple_epu32_mask(v, most));
#elif HALO_ISA_BYTES == 32
    __m256i low = _mm256_loadu_si256((const void *)counts), most = _mm256_set1_epi32((int)rank);
    __m256i high = _mm256_loadu_si256((const void *)(counts + VALUES / 2));
    low = _mm256_cmpgt_epi32(low, most);
    high = _mm256_cmpgt_epi32(high, most);
    unsigned above = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(high)) << VALUES / 2;
    above |= (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(low));
    return (unsigned)__builtin_ctz(above | 1U << VALUES);
#else
    unsigned below = 0;
    for (int i = 0; i < VALUES; i++) {
        below += counts[i] <= rank;
    }
    return below;
#endif
}

/* Counts of the window: [16] after one more, which is 0, so that those before a place can be read
 * for each. */
#define MAKE(name, type)                                                                           \
    /* Moves a group's counts from the window of output `from` to that of `x`. */                  \
    static ALWAYS void follow_##name(const filter_histograms *h, const uint16_t *columns,          \
                                     int64_t from, int64_t x, type *to)                            \
    {                                                                                              \
        lanes_##name sum[PARTS] = {{0}};                                                           \
        bool anew = from < 0 || 2 * (x - from) > h->columns;                                       \
        const uint16_t *in = columns + (anew ? x : from + h->columns) * VALUES;                    \
        const uint16_t *end = columns + (x + h->columns) * VALUES;                                 \
        const uint16_t *gone = columns + from * VALUES;                                            \
        if (anew) {                                                                                \
            for (; in < end; in += VALUES) {                                                       \
                for (int i = 0; i < PARTS; i++) {                                                  \
                    sum[i] += widen_##name(load(in + i * LANES));                                  \
                }                                                                                  \
            }                                                                                      \
        } else {                                                                                   \
            for (int i = 0; i < PARTS; i++) {                                                      \
                memcpy(&sum[i], to + i * LANES, sizeof sum[i]);                                    \
            }                                                                                      \
            for (; in < end; in += VALUES, gone += VALUES) {                                       \
                for (int i = 0; i < PARTS; i++) {                                                  \
                    sum[i] +=                                                                      \
                        widen_##name(load(in + i * LANES)) - widen_##name(load(gone + i * LANES)); \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        for (int i = 0; i < PARTS; i++) {                                                          \
            memcpy(to + i * LANES, &sum[i], sizeof sum[i]);                                        \
        }                                                                                          \
    }                                                                                              \
    static void make_##name(const filter_histograms *h, int64_t count, uint8_t *out)               \
    {                                                                                              \
        const int64_t all = h->width + h->columns - 1;                                             \
        type group[1 + GROUPS] = {0}, value[GROUPS][VALUES];                                       \
        int64_t at[GROUPS];                                                                        \
        memset(at, -1, sizeof at);                                                                 \
        for (int64_t x = 0; x < count; x++) {                                                      \
            follow_##name(h, h->group, x - 1, x, group + 1);                                       \
            unsigned g = count_below_##name(group + 1, h->rank);                                   \
            follow_##name(h, h->value + g * all * VALUES, at[g], x, value[g]);                     \
            at[g] = x;                                                                             \
            out[x] = (uint8_t)(g * VALUES + count_below_##name(value[g], h->rank - group[g]));     \
        }                                                                                          \
    }
MAKE(u16, uint16_t)
MAKE(u32, uint32_t)

const filter_histogram_ops HALO_ISA_OPS(filter_histogram_ops) = {move, {make_u16, make_u32}};
