#include "kernels/filter/bits.h"

/* Rows of bits, and of bytes, 8 at a time. */

enum { GROUP = 8 };

static const uint64_t ones = UINT64_C(0x0101010101010101), lows = UINT64_C(0x7f7f7f7f7f7f7f7f);

/* Bit k is set if byte k is not 0: adding 127 to the low bits of a byte carries into its first one,
 * and the product moves the bits of all bytes to its last byte. */
static uint64_t pack_group(const unsigned char *bytes)
{
    uint64_t all = 0;
    for (int k = 0; k < GROUP; k++) {
        all |= (uint64_t)bytes[k] << (GROUP * k);
    }
    uint64_t set = (((all & lows) + lows) | all) >> 7 & ones;
    return (set * UINT64_C(0x0102040810204080)) >> 56;
}

/* Byte k is bit k: the product has copies of the first seven bits, each of which meets its byte. */
static void unpack_group(uint64_t bits, unsigned char *bytes)
{
    uint64_t all = ((bits & 0x7f) * UINT64_C(0x0002040810204081) & ones) | (bits >> 7) << 56;
    for (int k = 0; k < GROUP; k++) {
        bytes[k] = (unsigned char)(all >> (GROUP * k));
    }
}

void filter_pack_bits(const void *bytes, int64_t width, uint64_t *words)
{
    const unsigned char *from = bytes;
    for (int64_t x = 0; x < width; x += FILTER_WORD) {
        uint64_t word = 0;
        int64_t count = width - x < FILTER_WORD ? width - x : FILTER_WORD, i = 0;
        for (; i + GROUP <= count; i += GROUP) {
            word |= pack_group(from + x + i) << i;
        }
        for (; i < count; i++) {
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
