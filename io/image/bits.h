#ifndef HALOBEAT_IO_IMAGE_BITS_H
#define HALOBEAT_IO_IMAGE_BITS_H

#include <stdint.h>

/* Local. Pack `width` bits, of which the first is the highest of a row's first byte, into 64-bit
 * words of which the lowest bit is first; bits past the width become zero. `inverted` swaps ones
 * and zeros of the width. */
void halo_bits_pack(int64_t width, const unsigned char *row, int inverted, uint64_t *words);

/* Local. The same of bytes, of which any but 0 is a one. */
void halo_bits_pack_bytes(int64_t width, const unsigned char *row, uint64_t *words);

/* Local. A byte a bit: 0 or `one`. */
void halo_bits_unpack(int64_t width, const uint64_t *words, unsigned char one, unsigned char *out);

/* Words of a row. */
static inline int64_t halo_bits_words(int64_t width)
{
    return (width + 63) / 64;
}

#endif
