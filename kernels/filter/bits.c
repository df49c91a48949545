#include "kernels/filter/bits.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Rows of bits, and of bytes, 8 at a time. */

enum { GROUP = 8 };

static const uint64_t ones = UINT64_C(0x0101010101010101);

/* Byte k is bit k: the product has copies of the first seven bits, each of which meets its byte. */
static void unpack_group(uint64_t bits, unsigned char *bytes)
{
    uint64_t all = ((bits & 0x7f) * UINT64_C(0x0002040810204081) & ones) | (bits >> 7) << 56;
    for (int k = 0; k < GROUP; k++) {
        bytes[k] = (unsigned char)(all >> (GROUP * k));
    }
}

#ifdef __SSE2__
static uint64_t pack_word(const unsigned char *bytes)
{
    enum { LANES = 16, ALL = 0xffff };
    uint64_t word = 0;
    for (int k = 0; k < FILTER_WORD; k += LANES) {
        __m128i some = _mm_loadu_si128((const __m128i *)(const void *)(bytes + k));
        int none = _mm_movemask_epi8(_mm_cmpeq_epi8(some, _mm_setzero_si128()));
        word |= (uint64_t)(none ^ ALL) << k;
    }
    return word;
}
#else
/* Bit k is set if byte k is not 0: adding 127 to the low bits of a byte carries into its first one,
 * and the product moves the bits of all bytes to its last byte. */
static uint64_t pack_group(const unsigned char *bytes)
{
    const uint64_t lows = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t all = 0;
    for (int k = 0; k < GROUP; k++) {
        all |= (uint64_t)bytes[k] << (GROUP * k);
    }
    uint64_t set = (((all & lows) + lows) | all) >> 7 & ones;
    return (set * UINT64_C(0x0102040810204080)) >> 56;
}

static uint64_t pack_word(const unsigned char *bytes)
{
    uint64_t word = 0;
    for (int k = 0; k < FILTER_WORD; k += GROUP) {
        word |= pack_group(bytes + k) << k;
    }
    return word;
}
#endif

void filter_pack_bits(const void *bytes, int64_t width, uint64_t *words)
{
    const unsigned char *from = bytes;
    int64_t x = 0;
    for (; x + FILTER_WORD <= width; x += FILTER_WORD) {
        words[x / FILTER_WORD] = pack_word(from + x);
    }
    if (x < width) {
        uint64_t word = 0;
        for (int64_t i = 0; x + i < width; i++) {
            word |= (uint64_t)(from[x + i] != 0) << i;
        }
        words[x / FILTER_WORD] = word;
    }
}

void filter_unpack_bits(const uint64_t *words, int64_t width, void *bytes)
{
    unsigned char *to = bytes;
    int64_t x = 0;
    for (; x + GROUP <= width; x += GROUP) {
        unpack_group(words[x / FILTER_WORD] >> (x % FILTER_WORD) & UINT8_MAX, to + x);
    }
    for (; x < width; x++) {
        to[x] = words[x / FILTER_WORD] >> (x % FILTER_WORD) & 1;
    }
}
