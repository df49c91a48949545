/* Conditions on 64 values as a word of bits, for the loops that are compiled for each ISA. No
 * include guard on purpose. */

#include <stdint.h>

#ifdef __AVX2__
#include <immintrin.h>
#endif

/* Packs 64 bytes of 0 or 1 into 64 bits. */
#ifdef __AVX512BW__
static inline uint64_t pack_bytes(const uint8_t *bytes)
{
    __m512i all = _mm512_loadu_si512(bytes);
    return _mm512_test_epi8_mask(all, all);
}
#elif defined __AVX2__
static inline uint64_t pack_bytes(const uint8_t *bytes)
{
    const __m256i *at = (const __m256i *)(const void *)bytes;
    __m256i low = _mm256_slli_epi16(_mm256_loadu_si256(at), 7);
    __m256i high = _mm256_slli_epi16(_mm256_loadu_si256(at + 1), 7);
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32 |
           (uint32_t)_mm256_movemask_epi8(low);
}
#else
/* Eight at a time; the multiplication moves byte i to bit 56 + i. */
static inline uint64_t pack_bytes(const uint8_t *bytes)
{
    uint64_t word = 0;
    for (int i = 0; i < 64; i += 8) {
        uint64_t eight = 0;
        for (int j = 0; j < 8; j++) {
            eight |= (uint64_t)bytes[i + j] << 8 * j;
        }
        word |= (eight * UINT64_C(0x0102040810204080) >> 56) << i;
    }
    return word;
}
#endif

/* The bits of `count` conditions, which may use x, from x = at on. */
#define WORD_OF(word, at, count, condition)                \
    uint64_t word;                                         \
    {                                                      \
        uint8_t flags[64] = {0};                           \
        if ((count) == 64) { /* a compile-time constant */ \
            for (int64_t i = 0; i < 64; i++) {             \
                int64_t x = (at) + i;                      \
                flags[i] = (condition);                    \
            }                                              \
        } else {                                           \
            for (int64_t i = 0; i < (count); i++) {        \
                int64_t x = (at) + i;                      \
                flags[i] = (condition);                    \
            }                                              \
        }                                                  \
        word = pack_bytes(flags);                          \
    }

static inline int64_t word_count(int64_t width, int64_t at)
{
    return width - at < 64 ? width - at : 64;
}
