#include "kernels/filter/bits.h"

#include <string.h>

void filter_pack_bits(const void *bytes, int64_t width, uint64_t *words)
{
    const unsigned char *from = bytes;
    for (int64_t x = 0; x < width; x += FILTER_WORD) {
        uint64_t word = 0;
        int64_t count = width - x < FILTER_WORD ? width - x : FILTER_WORD;
        for (int64_t i = 0; i < count; i++) {
            word |= (uint64_t)(from[x + i] != 0) << i;
        }
        words[x / FILTER_WORD] = word;
    }
}

void filter_unpack_bits(const uint64_t *words, int64_t width, void *bytes)
{
    unsigned char *to = bytes;
    for (int64_t x = 0; x < width; x++) {
        to[x] = words[x / FILTER_WORD] >> (x % FILTER_WORD) & 1;
    }
}
