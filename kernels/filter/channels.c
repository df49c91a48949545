#include "kernels/filter/channels.h"

#include "kernels/filter/rounding.h"

/* Samples of pixels, one channel at a time. */

enum { PIECE = 1024, WORD = 64 };

/* Moves samples that are `from_step` and `to_step` samples apart. */
#define MOVE(type)                                                       \
    for (int64_t x = 0; x < width; x++) {                                \
        ((type *)to)[x * to_step] = ((const type *)from)[x * from_step]; \
    }

static void move_samples(size_t bytes, const void *from, int64_t from_step, void *to,
                         int64_t to_step, int64_t width)
{
    switch (bytes) {
    case sizeof(uint8_t):
        MOVE(uint8_t)
        break;
    case sizeof(uint16_t):
        MOVE(uint16_t)
        break;
    case sizeof(uint32_t):
        MOVE(uint32_t)
        break;
    default:
        MOVE(uint64_t)
    }
}

void halo_filter_take_channel(const filter_pixels *of, int channel, const void *row, int64_t width,
                              void *out)
{
    size_t bytes = halo_sample_types[of->type].bytes;
    move_samples(bytes, (const char *)row + (size_t)channel * bytes, of->channels, out, 1, width);
}

static double white_of(halo_sample_type type)
{
    const halo_sample_type_entry *entry = &halo_sample_types[type];
    return entry->real || type == HALO_SAMPLE_BIT ? 1
           : type == HALO_SAMPLE_U64              ? (double)UINT64_MAX
                                                  : (double)entry->key_max;
}

static void read_piece(halo_sample_type type, const void *in, int64_t first, int64_t count,
                       double *out)
{
    const uint64_t *words = in;
    if (type != HALO_SAMPLE_BIT) {
        halo_sample_to_doubles(type, in, first, count, out);
        return;
    }
    for (int64_t x = first; x < first + count; x++) {
        out[x - first] = (double)(words[x / WORD] >> (x % WORD) & 1);
    }
}

void halo_filter_put_channel(const filter_pixels *to, int channel, halo_sample_type type,
                             const void *in, int64_t width, void *row)
{
    size_t bytes = halo_sample_types[to->type].bytes;
    char *out = (char *)row + (size_t)channel * bytes;
    double values[PIECE],
        scale = halo_sample_types[to->type].real ? 1 : white_of(to->type) / white_of(type);
    uint64_t rounded[PIECE];
    if (type == to->type) {
        move_samples(bytes, in, 1, out, to->channels, width);
        return;
    }
    for (int64_t x = 0; x < width; x += PIECE) {
        int64_t count = width - x < PIECE ? width - x : PIECE;
        read_piece(type, in, x, count, values);
        for (int64_t i = 0; i < count; i++) {
            values[i] *= scale;
        }
        filter_round(to->type, values, count, rounded);
        move_samples(bytes, rounded, 1, out + (size_t)(x * to->channels) * bytes, to->channels,
                     count);
    }
}

void halo_filter_put_doubles(halo_sample_type type, const double *values, int64_t count, void *out)
{
    filter_round(type, values, count, out);
}
