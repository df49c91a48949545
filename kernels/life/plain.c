#include "kernels/life/life_rows.h"

#include <string.h>

enum { WORD_BITS = 64 };

static int64_t words_of(int64_t cells)
{
    return (cells + WORD_BITS - 1) / WORD_BITS;
}

static void place_bits(const uint64_t *in, int64_t count, uint64_t *out, int64_t at)
{
    int shift = (int)(at % WORD_BITS);
    out += at / WORD_BITS;
    int64_t in_words = words_of(count), out_words = words_of(count + shift);
    for (int64_t w = 0; w < out_words; w++) {
        uint64_t low = w < in_words ? in[w] << shift : 0;
        uint64_t carried = shift > 0 && w > 0 ? in[w - 1] >> (WORD_BITS - shift) : 0;
        out[w] |= low | carried;
    }
}

void halo_life_row_place(const void *in, int in_bits, int64_t count, void *out, int out_bits,
                         int64_t at)
{
    if (in_bits == 1 && out_bits == 1) {
        place_bits(in, count, out, at);
    } else if (in_bits == 1) {
        const uint64_t *words = in;
        unsigned char *bytes = (unsigned char *)out + at;
        for (int64_t i = 0; i < count; i++) {
            bytes[i] = words[i / WORD_BITS] >> i % WORD_BITS & 1;
        }
    } else {
        memcpy((unsigned char *)out + at, in, (size_t)count);
    }
}

static void crop_bits(const uint64_t *in, int64_t width, int64_t at, int64_t count, uint64_t *out)
{
    int shift = (int)(at % WORD_BITS);
    int64_t in_words = words_of(width) - at / WORD_BITS, out_words = words_of(count);
    in += at / WORD_BITS;
    for (int64_t w = 0; w < out_words; w++) {
        uint64_t high = shift > 0 && w + 1 < in_words ? in[w + 1] << (WORD_BITS - shift) : 0;
        out[w] = in[w] >> shift | high;
    }
    if (count % WORD_BITS != 0) {
        out[out_words - 1] &= (UINT64_C(1) << count % WORD_BITS) - 1;
    }
}

void halo_life_row_crop(const void *in, int bits, int64_t width, int64_t at, int64_t count,
                        void *out)
{
    if (bits == 1) {
        crop_bits(in, width, at, count, out);
        return;
    }
    memcpy(out, (const unsigned char *)in + at, (size_t)count);
}
