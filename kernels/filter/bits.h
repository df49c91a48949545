#ifndef HALOBEAT_FILTER_BITS_H
#define HALOBEAT_FILTER_BITS_H

#include <stdint.h>

/* Rows of bits, and of bytes that are 0 or not. Internal to the kernels; pure. */

enum { FILTER_WORD = 64 };

/* Bits past the width become 0. */
void filter_pack_bits(const void *bytes, int64_t width, uint64_t *words);
void filter_unpack_bits(const uint64_t *words, int64_t width, void *bytes);

/* The bits of the last word of a row that are samples. */
static inline uint64_t filter_last_bits(int64_t width)
{
    int rest = (int)(width % FILTER_WORD);
    return rest > 0 ? ((uint64_t)1 << rest) - 1 : UINT64_MAX;
}

#endif
