#include "io/image/bits.h"

#include <string.h>

enum { WORD_BITS = 64, BYTE_BITS = 8 };

static inline uint64_t reverse_bits(uint64_t word)
{
    word = (word >> 1 & 0x5555555555555555) | (word & 0x5555555555555555) << 1;
    word = (word >> 2 & 0x3333333333333333) | (word & 0x3333333333333333) << 2;
    return (word >> 4 & 0x0f0f0f0f0f0f0f0f) | (word & 0x0f0f0f0f0f0f0f0f) << 4;
}

/* Bytes in reading order, each with its bits reversed, make the word's bytes from the lowest up. */
static uint64_t word_of(const unsigned char *bytes)
{
    uint64_t word = 0;
    for (int i = 0; i < BYTE_BITS; i++) {
        word |= (uint64_t)bytes[i] << (BYTE_BITS * i);
    }
    return reverse_bits(word);
}

void halo_bits_pack(int64_t width, const unsigned char *row, int inverted, uint64_t *words)
{
    uint64_t flip = inverted != 0 ? ~UINT64_C(0) : 0;
    int64_t whole = width / WORD_BITS;
    if (width <= BYTE_BITS) { /* of narrow images there are many */
        words[0] = (reverse_bits(row[0]) ^ flip) & (((uint64_t)1 << width) - 1);
        return;
    }
    for (int64_t i = 0; i < whole; i++) {
        words[i] = word_of(row + BYTE_BITS * i) ^ flip;
    }
    int rest = (int)(width % WORD_BITS);
    if (rest > 0) {
        unsigned char tail[BYTE_BITS] = {0};
        memcpy(tail, row + BYTE_BITS * whole, (size_t)(rest + BYTE_BITS - 1) / BYTE_BITS);
        words[whole] = (word_of(tail) ^ flip) & (((uint64_t)1 << rest) - 1);
    }
}

void halo_bits_pack_bytes(int64_t width, const unsigned char *row, uint64_t *words)
{
    for (int64_t first = 0; first < width; first += WORD_BITS) {
        int64_t end = width - first < WORD_BITS ? width - first : WORD_BITS;
        uint64_t word = 0;
        for (int64_t x = 0; x < end; x++) {
            word |= (uint64_t)(row[first + x] != 0) << x;
        }
        words[first / WORD_BITS] = word;
    }
}

/* Byte i of the result is bit i: it is the only bit that is left in that byte of eight copies, and
 * is then carried to the highest one, and moved to the lowest. */
static inline uint64_t bytes_of_bits(uint64_t bits)
{
    uint64_t bytes = (bits * UINT64_C(0x0101010101010101)) & UINT64_C(0x8040201008040201);
    bytes = (bytes + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101);
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(bytes) : bytes;
}

void halo_bits_unpack(int64_t width, const uint64_t *words, unsigned char one, unsigned char *out)
{
    const int64_t whole = width / BYTE_BITS * BYTE_BITS;
    for (int64_t x = 0; x < whole; x += BYTE_BITS) {
        uint64_t bytes = bytes_of_bits(words[x / WORD_BITS] >> (x % WORD_BITS) & UINT8_MAX) * one;
        memcpy(out + x, &bytes, sizeof bytes);
    }
    for (int64_t x = whole; x < width; x++) {
        out[x] = (words[x / WORD_BITS] >> (x % WORD_BITS) & 1) != 0 ? one : 0;
    }
}
