/* Vectors of HALO_ISA_BYTES bytes, of doubles, or of at most eight floats, with operations that C's
 * operators lack. LESS and AT_MOST set bit i where the comparison holds in lane i. No include guard
 * on purpose. */

typedef double doubles __attribute__((vector_size(HALO_ISA_BYTES), may_alias));
enum { DOUBLES = HALO_ISA_BYTES / 8 };

#if HALO_ISA_BYTES == 16
typedef float floats __attribute__((vector_size(16), may_alias));
enum { FLOATS = 4 };
#else
typedef float floats __attribute__((vector_size(32), may_alias));
enum { FLOATS = 8 };
#endif

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#if HALO_ISA_BYTES == 64
#define LESS(a, b)           ((uint32_t)_mm512_cmp_pd_mask((__m512d)(a), (__m512d)(b), _CMP_LT_OQ))
#define AT_MOST(a, b)        ((uint32_t)_mm512_cmp_pd_mask((__m512d)(a), (__m512d)(b), _CMP_LE_OQ))
#define AT_MOST_FLOATS(a, b) ((uint32_t)_mm256_cmp_ps_mask((__m256)(a), (__m256)(b), _CMP_LE_OQ))
#define MIN_FLOATS(a, b)     ((floats)_mm256_min_ps((__m256)(a), (__m256)(b)))
#define MAX_FLOATS(a, b)     ((floats)_mm256_max_ps((__m256)(a), (__m256)(b)))
#elif HALO_ISA_BYTES == 32
#define MASK_OF(compared) ((uint32_t)_mm256_movemask_pd(compared))
#define LESS(a, b)        MASK_OF(_mm256_cmp_pd((__m256d)(a), (__m256d)(b), _CMP_LT_OQ))
#define AT_MOST(a, b)     MASK_OF(_mm256_cmp_pd((__m256d)(a), (__m256d)(b), _CMP_LE_OQ))
#define AT_MOST_FLOATS(a, b) \
    ((uint32_t)_mm256_movemask_ps(_mm256_cmp_ps((__m256)(a), (__m256)(b), _CMP_LE_OQ)))
#define MIN_FLOATS(a, b) ((floats)_mm256_min_ps((__m256)(a), (__m256)(b)))
#define MAX_FLOATS(a, b) ((floats)_mm256_max_ps((__m256)(a), (__m256)(b)))
#elif defined(__SSE2__)
#define LESS(a, b)           ((uint32_t)_mm_movemask_pd(_mm_cmplt_pd((__m128d)(a), (__m128d)(b))))
#define AT_MOST(a, b)        ((uint32_t)_mm_movemask_pd(_mm_cmple_pd((__m128d)(a), (__m128d)(b))))
#define AT_MOST_FLOATS(a, b) ((uint32_t)_mm_movemask_ps(_mm_cmple_ps((__m128)(a), (__m128)(b))))
#define MIN_FLOATS(a, b)     ((floats)_mm_min_ps((__m128)(a), (__m128)(b)))
#define MAX_FLOATS(a, b)     ((floats)_mm_max_ps((__m128)(a), (__m128)(b)))
#else
#define LANE_LOOP(name, vector, lanes, result, start, statement) \
    static inline result name(vector a, vector b)                \
    {                                                            \
        result r = start;                                        \
        for (int i = 0; i < (lanes); i++) {                      \
            statement;                                           \
        }                                                        \
        return r;                                                \
    }
LANE_LOOP(LESS, doubles, DOUBLES, uint32_t, 0, r |= (uint32_t)(a[i] < b[i]) << i)
LANE_LOOP(AT_MOST, doubles, DOUBLES, uint32_t, 0, r |= (uint32_t)(a[i] <= b[i]) << i)
LANE_LOOP(AT_MOST_FLOATS, floats, FLOATS, uint32_t, 0, r |= (uint32_t)(a[i] <= b[i]) << i)
LANE_LOOP(MIN_FLOATS, floats, FLOATS, floats, a, r[i] = a[i] < b[i] ? a[i] : b[i])
LANE_LOOP(MAX_FLOATS, floats, FLOATS, floats, a, r[i] = a[i] > b[i] ? a[i] : b[i])
#undef LANE_LOOP
#endif
