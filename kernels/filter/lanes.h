/* Vectors of keys (keys.h), and their minima and maxima, for the ISA that halobeat_isa_body
 * chooses: lanes_U8, load_U8, store_U8, min_U8, max_U8 and so on. A body includes it once. */

#include "kernels/filter/keys.h"

#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#define ALWAYS inline __attribute__((always_inline))

enum { BYTES = HALO_ISA_BYTES };

#define LANES_OF(code, c_type)                                                                  \
    typedef c_type lanes_##code __attribute__((vector_size(HALO_ISA_BYTES)));                   \
    static ALWAYS lanes_##code load_##code(const void *at)                                      \
    {                                                                                           \
        lanes_##code v;                                                                         \
        memcpy(&v, at, sizeof v);                                                               \
        return v;                                                                               \
    }                                                                                           \
    static ALWAYS void store_##code(void *at, lanes_##code v)                                   \
    {                                                                                           \
        memcpy(at, &v, sizeof v);                                                               \
    }                                                                                           \
    static ALWAYS __attribute__((unused))                                                       \
    lanes_##code less_##code(lanes_##code a, lanes_##code b, lanes_##code yes, lanes_##code no) \
    {                                                                                           \
        lanes_##code less = (lanes_##code)(a < b);                                              \
        return (yes & less) | (no & ~less);                                                     \
    }
FILTER_KEY_LIST(LANES_OF)
#undef LANES_OF

#define BY_LESS(code)                                                     \
    static ALWAYS lanes_##code min_##code(lanes_##code a, lanes_##code b) \
    {                                                                     \
        return less_##code(a, b, a, b);                                   \
    }                                                                     \
    static ALWAYS lanes_##code max_##code(lanes_##code a, lanes_##code b) \
    {                                                                     \
        return less_##code(a, b, b, a);                                   \
    }
#define BY_INSTRUCTION(code, vector, least, greatest)                     \
    static ALWAYS lanes_##code min_##code(lanes_##code a, lanes_##code b) \
    {                                                                     \
        return (lanes_##code)least((vector)a, (vector)b);                 \
    }                                                                     \
    static ALWAYS lanes_##code max_##code(lanes_##code a, lanes_##code b) \
    {                                                                     \
        return (lanes_##code)greatest((vector)a, (vector)b);              \
    }

#if HALO_ISA_BYTES == 64
BY_INSTRUCTION(U8, __m512i, _mm512_min_epu8, _mm512_max_epu8)
BY_INSTRUCTION(U16, __m512i, _mm512_min_epu16, _mm512_max_epu16)
BY_INSTRUCTION(I32, __m512i, _mm512_min_epi32, _mm512_max_epi32)
BY_INSTRUCTION(I64, __m512i, _mm512_min_epi64, _mm512_max_epi64)
#elif HALO_ISA_BYTES == 32
BY_INSTRUCTION(U8, __m256i, _mm256_min_epu8, _mm256_max_epu8)
BY_INSTRUCTION(U16, __m256i, _mm256_min_epu16, _mm256_max_epu16)
BY_INSTRUCTION(I32, __m256i, _mm256_min_epi32, _mm256_max_epi32)
BY_LESS(I64)
#elif defined(__SSE2__)
BY_INSTRUCTION(U8, __m128i, _mm_min_epu8, _mm_max_epu8)
/* SSE2 has minima of signed numbers only; a minus what it is above b is the less of both. */
#define LESS_OF_16(a, b)    _mm_sub_epi16(a, _mm_subs_epu16(a, b))
#define GREATER_OF_16(a, b) _mm_add_epi16(b, _mm_subs_epu16(a, b))
BY_INSTRUCTION(U16, __m128i, LESS_OF_16, GREATER_OF_16)
BY_LESS(I32)
BY_LESS(I64)
#else
BY_LESS(U8)
BY_LESS(U16)
BY_LESS(I32)
BY_LESS(I64)
#endif
