#include "io/image/image_internal.h"

#include <string.h>

/* Missing pixels in rows as they are read: all who read images ask here which these are. */

/* ---- by the size of a pixel ------------------------------------------------------------------ */

#define IS_CELL(sample) ((sample) == cell)
#define IS_NAN(sample)  ((sample) != (sample))

/* Without bits samples are counted in stretches, which a compiler makes instructions for several
 * samples of; with them a word of bits at a time. */
#define DEFINE_FIND(name, type, IS)                                                             \
    static int64_t count_##name(const type *samples, int64_t width, type cell)                  \
    {                                                                                           \
        enum { STRETCH = 1 << 12 };                                                             \
        int64_t count = 0;                                                                      \
        (void)cell;                                                                             \
        for (int64_t x = 0; x < width; x += STRETCH) {                                          \
            int left = width - x < STRETCH ? (int)(width - x) : STRETCH;                        \
            unsigned part = 0;                                                                  \
            for (int i = 0; i < left; i++) {                                                    \
                part += IS(samples[x + i]);                                                     \
            }                                                                                   \
            count += part;                                                                      \
        }                                                                                       \
        return count;                                                                           \
    }                                                                                           \
    static int64_t find_##name(const void *row, int64_t width, uint64_t wanted, uint64_t *bits) \
    {                                                                                           \
        const type *samples = row;                                                              \
        const type cell = (type)wanted;                                                         \
        for (int64_t x = 0; x < width && bits != NULL; x += 64) {                               \
            int64_t left = width - x < 64 ? width - x : 64;                                     \
            uint64_t word = 0;                                                                  \
            for (int64_t i = 0; i < left; i++) {                                                \
                word |= (uint64_t)(IS(samples[x + i])) << i;                                    \
            }                                                                                   \
            bits[x / 64] = word;                                                                \
        }                                                                                       \
        return count_##name(samples, width, cell);                                              \
    }

DEFINE_FIND(8, uint8_t, IS_CELL)
DEFINE_FIND(16, uint16_t, IS_CELL)
DEFINE_FIND(32, uint32_t, IS_CELL)
DEFINE_FIND(64, uint64_t, IS_CELL)
DEFINE_FIND(floats, float, IS_NAN)
DEFINE_FIND(doubles, double, IS_NAN)

static int64_t find_1(const void *row, int64_t width, uint64_t wanted, uint64_t *bits)
{
    const uint64_t *words = row;
    int64_t count = 0;
    for (int64_t x = 0; x < width; x += 64) {
        uint64_t word = wanted != 0 ? words[x / 64] : ~words[x / 64];
        word &= width - x < 64 ? (UINT64_C(1) << (width - x)) - 1 : UINT64_MAX;
        count += __builtin_popcountll(word);
        if (bits != NULL) {
            bits[x / 64] = word;
        }
    }
    return count;
}

/* Colours, all three samples of which are the cell. */
#define DEFINE_FIND_COLOURS(name, type)                                                         \
    static int64_t find_##name(const void *row, int64_t width, uint64_t wanted, uint64_t *bits) \
    {                                                                                           \
        const type *s = row;                                                                    \
        int64_t count = 0;                                                                      \
        for (int64_t x = 0; x < width; x++, s += 3) {                                           \
            bool is = s[0] == wanted && s[1] == wanted && s[2] == wanted;                       \
            count += is;                                                                        \
            if (bits != NULL) {                                                                 \
                bits[x / 64] = (x % 64 == 0 ? 0 : bits[x / 64]) | (uint64_t)is << (x % 64);     \
            }                                                                                   \
        }                                                                                       \
        return count;                                                                           \
    }

DEFINE_FIND_COLOURS(24, uint8_t)
DEFINE_FIND_COLOURS(48, uint16_t)

typedef int64_t find_row(const void *row, int64_t width, uint64_t wanted, uint64_t *bits);

static const struct {
    int bits;
    halo_missing_mark missing;
    find_row *find;
} finders[] = {
    {1, HALO_MISSING_CELL, find_1},       {8, HALO_MISSING_CELL, find_8},
    {16, HALO_MISSING_CELL, find_16},     {24, HALO_MISSING_CELL, find_24},
    {32, HALO_MISSING_CELL, find_32},     {48, HALO_MISSING_CELL, find_48},
    {64, HALO_MISSING_CELL, find_64},     {32, HALO_MISSING_NAN, find_floats},
    {64, HALO_MISSING_NAN, find_doubles},
};

/* ---------------------------------------------------------------------------------------------- */

int64_t halo_image_find_missing(const halo_image_info *info, const void *row, uint64_t *bits)
{
    for (size_t i = 0; i < sizeof finders / sizeof finders[0]; i++) {
        if (finders[i].bits == info->pixel_bits && finders[i].missing == info->nodata.missing) {
            return finders[i].find(row, info->width, info->nodata.cell, bits);
        }
    }
    if (bits != NULL) {
        memset(bits, 0, (size_t)(info->width + 63) / 64 * sizeof *bits);
    }
    return 0;
}

int64_t halo_image_take_present(const halo_image_info *info, const void *row, void *out)
{
    enum { STRETCH = 4096 };
    uint64_t bits[STRETCH / 64];
    halo_image_info part = *info;
    size_t bytes = (size_t)info->pixel_bits / 8;
    const char *from = row;
    char *to = out;
    for (int64_t x = 0; x < info->width; x += STRETCH) {
        part.width = info->width - x < STRETCH ? info->width - x : STRETCH;
        halo_image_find_missing(&part, from, bits);
        for (int64_t i = 0; i < part.width; i++, from += bytes) {
            if ((bits[i / 64] >> (i % 64) & 1) == 0) {
                memcpy(to, from, bytes);
                to += bytes;
            }
        }
    }
    return (int64_t)((size_t)(to - (char *)out) / (bytes > 0 ? bytes : 1));
}
