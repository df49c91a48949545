#ifndef HALOBEAT_IO_IMAGE_BITS_H
#define HALOBEAT_IO_IMAGE_BITS_H

#include <stdint.h>

/* Local. Packs `width` bits, most significant bit of each byte first, into 64-bit words, least
 * significant bit first; bits past the width are 0. `inverted` swaps ones and zeros. */
void halo_bits_pack(int64_t width, const unsigned char *row, int inverted, uint64_t *words);

/* Local. As halo_bits_pack, from bytes; any byte but 0 is a one. */
void halo_bits_pack_bytes(int64_t width, const unsigned char *row, uint64_t *words);

/* Local. Writes a byte per bit: 0 or `one`. */
void halo_bits_unpack(int64_t width, const uint64_t *words, unsigned char one, unsigned char *out);

/* Words per row. */
static inline int64_t halo_bits_words(int64_t width)
{
    return (width + 63) / 64;
}

#endif
