#ifndef HALOBEAT_FILTER_LINEAR_LANES_H
#define HALOBEAT_FILTER_LINEAR_LANES_H

#include "base/sample.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

/* Vectors of doubles and floats of HALO_ISA_BYTES, of samples of any type, for the loops that
 * halobeat_isa_body compiles. Conversions are written out for x86: those of the compiler go
 * through single samples. */

#define ALWAYS static inline __attribute__((always_inline))

enum { LANES = HALO_ISA_BYTES / 8, QUICK_LANES = 2 * LANES };

typedef double reals __attribute__((vector_size(HALO_ISA_BYTES)));
typedef float half_floats __attribute__((vector_size(HALO_ISA_BYTES / 2)));
typedef float floats __attribute__((vector_size(HALO_ISA_BYTES)));
typedef int64_t wholes __attribute__((vector_size(HALO_ISA_BYTES)));
typedef uint64_t unsigned_wholes __attribute__((vector_size(HALO_ISA_BYTES)));
typedef int32_t quick_wholes __attribute__((vector_size(HALO_ISA_BYTES)));

/* ---- samples as doubles ---------------------------------------------------------------------- */

#define LOADER(code, c_type, name)                                                     \
    typedef c_type vector_##code __attribute__((vector_size(LANES * sizeof(c_type)))); \
    ALWAYS reals load_##code##_##name(const void *row, int64_t x)                      \
    {                                                                                  \
        vector_##code v;                                                               \
        memcpy(&v, (const c_type *)row + x, sizeof v);                                 \
        return __builtin_convertvector(v, reals);                                      \
    }
#define LOADER_BY_COMPILER(code, c_type, ...) LOADER(code, c_type, by_compiler)
HALO_SAMPLE_VALUE_LIST(LOADER_BY_COMPILER)
#undef LOADER_BY_COMPILER
#undef LOADER

#define LOADED_BY(code, c_type, expression)              \
    ALWAYS reals load_##code(const void *row, int64_t x) \
    {                                                    \
        const c_type *at = (const c_type *)row + x;      \
        return expression;                               \
    }
#define LOADED_BY_COMPILER(code, c_type) LOADED_BY(code, c_type, load_##code##_by_compiler(at, 0))

#if HALO_ISA_BYTES == 64
#define AT(type) (const type *)(const void *)at
LOADED_BY(U8, uint8_t, _mm512_cvtepi32_pd(_mm256_cvtepu8_epi32(_mm_loadl_epi64(AT(__m128i)))))
LOADED_BY(I8, int8_t, _mm512_cvtepi32_pd(_mm256_cvtepi8_epi32(_mm_loadl_epi64(AT(__m128i)))))
LOADED_BY(U16, uint16_t, _mm512_cvtepi32_pd(_mm256_cvtepu16_epi32(_mm_loadu_si128(AT(__m128i)))))
LOADED_BY(I16, int16_t, _mm512_cvtepi32_pd(_mm256_cvtepi16_epi32(_mm_loadu_si128(AT(__m128i)))))
LOADED_BY(U32, uint32_t, _mm512_cvtepu32_pd(_mm256_loadu_si256(AT(__m256i))))
LOADED_BY(I32, int32_t, _mm512_cvtepi32_pd(_mm256_loadu_si256(AT(__m256i))))
LOADED_BY(U64, uint64_t, _mm512_cvtepu64_pd(_mm512_loadu_si512(at)))
LOADED_BY(I64, int64_t, _mm512_cvtepi64_pd(_mm512_loadu_si512(at)))
LOADED_BY(F32, float, _mm512_cvtps_pd(_mm256_loadu_ps(at)))
#undef AT
#elif HALO_ISA_BYTES == 32
ALWAYS __m128i load_word(const void *at)
{
    int word;
    memcpy(&word, at, sizeof word);
    return _mm_cvtsi32_si128(word);
}
#define AT(type) (const type *)(const void *)at
LOADED_BY(U8, uint8_t, _mm256_cvtepi32_pd(_mm_cvtepu8_epi32(load_word(at))))
LOADED_BY(I8, int8_t, _mm256_cvtepi32_pd(_mm_cvtepi8_epi32(load_word(at))))
LOADED_BY(U16, uint16_t, _mm256_cvtepi32_pd(_mm_cvtepu16_epi32(_mm_loadl_epi64(AT(__m128i)))))
LOADED_BY(I16, int16_t, _mm256_cvtepi32_pd(_mm_cvtepi16_epi32(_mm_loadl_epi64(AT(__m128i)))))
LOADED_BY_COMPILER(U32, uint32_t)
LOADED_BY(I32, int32_t, _mm256_cvtepi32_pd(_mm_loadu_si128(AT(__m128i))))
LOADED_BY_COMPILER(U64, uint64_t)
LOADED_BY_COMPILER(I64, int64_t)
LOADED_BY(F32, float, _mm256_cvtps_pd(_mm_loadu_ps(at)))
#undef AT
#else
LOADED_BY_COMPILER(U8, uint8_t)
LOADED_BY_COMPILER(I8, int8_t)
LOADED_BY_COMPILER(U16, uint16_t)
LOADED_BY_COMPILER(I16, int16_t)
LOADED_BY_COMPILER(U32, uint32_t)
LOADED_BY_COMPILER(I32, int32_t)
LOADED_BY_COMPILER(U64, uint64_t)
LOADED_BY_COMPILER(I64, int64_t)
LOADED_BY_COMPILER(F32, float)
#endif
LOADED_BY_COMPILER(F64, double)

/* Bytes as floats. */
ALWAYS floats load_quick(const void *row, int64_t x)
{
    const uint8_t *at = (const uint8_t *)row + x;
#if HALO_ISA_BYTES == 64
    return _mm512_cvtepi32_ps(
        _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)at)));
#elif HALO_ISA_BYTES == 32
    return _mm256_cvtepi32_ps(
        _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)at)));
#else
    typedef uint8_t bytes __attribute__((vector_size(QUICK_LANES)));
    bytes v;
    memcpy(&v, at, sizeof v);
    return __builtin_convertvector(v, floats);
#endif
}

/* a * b + c, rounded once where the processor can. */
ALWAYS floats multiply_add(floats a, floats b, floats c)
{
#if HALO_ISA_BYTES == 64
    return _mm512_fmadd_ps(a, b, c);
#else
    return a * b + c;
#endif
}

/* sum + a * b; `fused`: rounded once where the processor can. */
ALWAYS reals add_product(reals a, reals b, reals sum, bool fused)
{
#if HALO_ISA_BYTES == 64
    return fused ? (reals)_mm512_fmadd_pd(a, b, sum) : sum + a * b;
#else
    (void)fused;
    return sum + a * b;
#endif
}

ALWAYS bool any_set(wholes bits)
{
#if HALO_ISA_BYTES == 64
    return _mm512_test_epi64_mask((__m512i)bits, (__m512i)bits) != 0;
#else
    int64_t all = 0;
    for (int i = 0; i < LANES; i++) {
        all |= bits[i];
    }
    return all != 0;
#endif
}

/* ---- rounding -------------------------------------------------------------------------------- */

ALWAYS half_floats round_to_floats(reals value)
{
#if HALO_ISA_BYTES == 64
    return _mm512_cvtpd_ps(value);
#elif HALO_ISA_BYTES == 32
    return _mm256_cvtpd_ps(value);
#else
    return __builtin_convertvector(value, half_floats);
#endif
}

/* The doubles that are left of values that are rounded to floats. */
ALWAYS reals through_floats(reals value)
{
#if HALO_ISA_BYTES == 64
    return _mm512_cvtps_pd(_mm512_cvtpd_ps(value));
#elif HALO_ISA_BYTES == 32
    return _mm256_cvtps_pd(_mm256_cvtpd_ps(value));
#else
    return __builtin_convertvector(__builtin_convertvector(value, half_floats), reals);
#endif
}

/* ---- columns and rows ------------------------------------------------------------------------ */

/* Exchanges lanes of two vectors whose number has the bit `s`: of the first those that have it, and
 * of the second those that do not. */
#define LOW_LANE(l, s, n)     ((l) & (s) ? (l) - (s) + (n) : (l))
#define HIGH_LANE(l, s, n)    ((l) & (s) ? (l) + (n) : (l) + (s))
#define SHUFFLE_2(a, b, W, s) __builtin_shufflevector(a, b, W(0, s, 2), W(1, s, 2))
#define SHUFFLE_4(a, b, W, s) \
    __builtin_shufflevector(a, b, W(0, s, 4), W(1, s, 4), W(2, s, 4), W(3, s, 4))
#define SHUFFLE_8(a, b, W, s)                                                                 \
    __builtin_shufflevector(a, b, W(0, s, 8), W(1, s, 8), W(2, s, 8), W(3, s, 8), W(4, s, 8), \
                            W(5, s, 8), W(6, s, 8), W(7, s, 8))
#define SHUFFLE_16(a, b, W, s)                                                                     \
    __builtin_shufflevector(a, b, W(0, s, 16), W(1, s, 16), W(2, s, 16), W(3, s, 16), W(4, s, 16), \
                            W(5, s, 16), W(6, s, 16), W(7, s, 16), W(8, s, 16), W(9, s, 16),       \
                            W(10, s, 16), W(11, s, 16), W(12, s, 16), W(13, s, 16), W(14, s, 16),  \
                            W(15, s, 16))

#define EXCHANGE(vector, v, lanes, SHUFFLE, s)          \
    for (int i = 0; i < (lanes); i++) {                 \
        if ((i & (s)) == 0) {                           \
            vector a = (v)[i], b = (v)[i + (s)];        \
            (v)[i] = SHUFFLE(a, b, LOW_LANE, s);        \
            (v)[i + (s)] = SHUFFLE(a, b, HIGH_LANE, s); \
        }                                               \
    }

/* Lane i of vector k becomes lane k of vector i. */
ALWAYS void transpose(reals v[LANES])
{
#if HALO_ISA_BYTES == 64
    EXCHANGE(reals, v, LANES, SHUFFLE_8, 4)
    EXCHANGE(reals, v, LANES, SHUFFLE_8, 2)
    EXCHANGE(reals, v, LANES, SHUFFLE_8, 1)
#elif HALO_ISA_BYTES == 32
    EXCHANGE(reals, v, LANES, SHUFFLE_4, 2)
    EXCHANGE(reals, v, LANES, SHUFFLE_4, 1)
#else
    EXCHANGE(reals, v, LANES, SHUFFLE_2, 1)
#endif
}

ALWAYS void transpose_quick(floats v[QUICK_LANES])
{
#if HALO_ISA_BYTES == 64
    EXCHANGE(floats, v, QUICK_LANES, SHUFFLE_16, 8)
    EXCHANGE(floats, v, QUICK_LANES, SHUFFLE_16, 4)
    EXCHANGE(floats, v, QUICK_LANES, SHUFFLE_16, 2)
    EXCHANGE(floats, v, QUICK_LANES, SHUFFLE_16, 1)
#elif HALO_ISA_BYTES == 32
    EXCHANGE(floats, v, QUICK_LANES, SHUFFLE_8, 4)
    EXCHANGE(floats, v, QUICK_LANES, SHUFFLE_8, 2)
    EXCHANGE(floats, v, QUICK_LANES, SHUFFLE_8, 1)
#else
    EXCHANGE(floats, v, QUICK_LANES, SHUFFLE_4, 2)
    EXCHANGE(floats, v, QUICK_LANES, SHUFFLE_4, 1)
#endif
}

#endif
