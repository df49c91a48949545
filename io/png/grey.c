#include "io/image/bits.h"
#include "io/image/luma.h"
#include "io/png/png_internal.h"

#include <string.h>

static void pack_bits(const halo_png_conversion *grey, const unsigned char *row, void *out)
{
    halo_bits_pack(grey->width, row, 0, out);
}

static void copy_grey8(const halo_png_conversion *grey, const unsigned char *row, void *out)
{
    memcpy(out, row, (size_t)grey->width);
}

static inline uint32_t luma8(const unsigned char *pixel)
{
    return halo_luma(pixel[0], pixel[1], pixel[2]);
}

static inline bool is_key8(const halo_png_conversion *grey, const unsigned char *pixel)
{
    return pixel[0] == grey->key[0] && pixel[1] == grey->key[1] && pixel[2] == grey->key[2];
}

static inline uint32_t luma16(const unsigned char *row, int64_t first)
{
    return halo_luma(halo_png_sample16(row, first), halo_png_sample16(row, first + 1),
                     halo_png_sample16(row, first + 2));
}

static inline bool is_key16(const halo_png_conversion *grey, const unsigned char *row,
                            int64_t first)
{
    return halo_png_sample16(row, first) == grey->key[0] &&
           halo_png_sample16(row, first + 1) == grey->key[1] &&
           halo_png_sample16(row, first + 2) == grey->key[2];
}

/* Pixel x of a row becomes `value`. */
#define DEFINE_CONVERSION(name, type, value)                                               \
    static void name(const halo_png_conversion *grey, const unsigned char *row, void *out) \
    {                                                                                      \
        type *pixels = out;                                                                \
        for (int64_t x = 0; x < grey->width; x++) {                                        \
            pixels[x] = (type)(value);                                                     \
        }                                                                                  \
    }

/* The table has all that palettes, transparency and plain small samples need. */
DEFINE_CONVERSION(look_up_small, uint8_t, grey->table[halo_png_small_sample(row, x, grey->bits)])
DEFINE_CONVERSION(look_up, uint8_t, grey->table[row[x]])
DEFINE_CONVERSION(grey_alpha8, uint8_t, halo_over(row[2 * x], row[2 * x + 1], 255, grey->ground))
DEFINE_CONVERSION(colour8, uint8_t, luma8(row + 3 * x))
DEFINE_CONVERSION(colour_key8, uint8_t,
                  is_key8(grey, row + 3 * x) ? grey->ground : luma8(row + 3 * x))
DEFINE_CONVERSION(colour_alpha8, uint8_t,
                  halo_over(luma8(row + 4 * x), row[4 * x + 3], 255, grey->ground))
DEFINE_CONVERSION(grey16, uint16_t, halo_png_sample16(row, x))
DEFINE_CONVERSION(grey_key16, uint16_t,
                  halo_png_sample16(row, x) == grey->key[0] ? grey->ground
                                                            : halo_png_sample16(row, x))
DEFINE_CONVERSION(grey_alpha16, uint16_t,
                  halo_over(halo_png_sample16(row, 2 * x), halo_png_sample16(row, 2 * x + 1), 65535,
                            grey->ground))
DEFINE_CONVERSION(colour16, uint16_t, luma16(row, 3 * x))
DEFINE_CONVERSION(colour_key16, uint16_t,
                  is_key16(grey, row, 3 * x) ? grey->ground : luma16(row, 3 * x))
DEFINE_CONVERSION(colour_alpha16, uint16_t,
                  halo_over(luma16(row, 4 * x), halo_png_sample16(row, 4 * x + 3), 65535,
                            grey->ground))

static const halo_png_conversion_choice choices[] = {
    {HALO_PNG_GREY, 1, pack_bits, look_up_small},
    {HALO_PNG_GREY, 8, copy_grey8, look_up},
    {HALO_PNG_GREY, 16, grey16, grey_key16},
    {HALO_PNG_GREY, 0, look_up_small, look_up_small},
    {HALO_PNG_PALETTE, 8, look_up, look_up},
    {HALO_PNG_PALETTE, 0, look_up_small, look_up_small},
    {HALO_PNG_COLOUR, 8, colour8, colour_key8},
    {HALO_PNG_COLOUR, 16, colour16, colour_key16},
    {HALO_PNG_GREY_ALPHA, 8, grey_alpha8, grey_alpha8},
    {HALO_PNG_GREY_ALPHA, 16, grey_alpha16, grey_alpha16},
    {HALO_PNG_COLOUR_ALPHA, 8, colour_alpha8, colour_alpha8},
    {HALO_PNG_COLOUR_ALPHA, 16, colour_alpha16, colour_alpha16},
};

static void fill_table(halo_png_conversion *grey, bool palette, const halo_png_extras *extras)
{
    for (unsigned i = 0; i < 256; i++) {
        const unsigned char *entry = extras->palette[i];
        uint32_t bright = palette ? halo_luma(entry[0], entry[1], entry[2]) : i;
        if (palette && extras->transparent) {
            bright = halo_over(bright, extras->alpha[i], 255, grey->ground);
        } else if (extras->transparent && i == grey->key[0]) {
            bright = grey->ground;
        }
        grey->table[i] = (unsigned char)bright;
    }
}

void halo_png_conversion_start(halo_png_conversion *conversion, const halo_png_header *header,
                               const halo_png_extras *extras, const halo_image_ground *ground,
                               const halo_png_conversion_choice *choice)
{
    bool palette = header->colour_type == HALO_PNG_PALETTE;
    *conversion = (halo_png_conversion){.width = header->width, .bits = header->bits};
    conversion->ground = halo_ground_grey(ground, palette ? 255 : (1u << header->bits) - 1);
    for (int i = 0; i < 3; i++) {
        /* Only as many of the key's bits count as a sample has; libpng does the same. */
        conversion->key[i] = (uint16_t)(extras->key[i] & ((1u << header->bits) - 1));
    }
    while (choice->colour_type != header->colour_type ||
           (choice->bits != 0 && choice->bits != header->bits)) {
        choice++;
    }
    conversion->convert = extras->transparent ? choice->transparent : choice->opaque;
}

void halo_png_grey_choose(halo_png_conversion *grey, halo_png_info *info,
                          const halo_png_header *header, const halo_png_extras *extras,
                          const halo_image_ground *ground)
{
    bool palette = header->colour_type == HALO_PNG_PALETTE;
    halo_png_conversion_start(grey, header, extras, ground, choices);
    fill_table(grey, palette, extras);
    info->grey_bits = grey->convert == pack_bits ? 1 : header->bits == 16 ? 16 : 8;
    info->pixel_bits = info->grey_bits;
    info->maximum = palette ? 255 : ((int64_t)1 << header->bits) - 1;
}

/* ---- transparency ---------------------------------------------------------------------------- */

static uint32_t sample_of(const unsigned char *row, int64_t index, int bits)
{
    return bits == 16  ? halo_png_sample16(row, index)
           : bits == 8 ? row[index]
                       : halo_png_small_sample(row, index, bits);
}

static bool is_opaque(const halo_png_conversion *of, const halo_png_header *header,
                      const halo_png_extras *extras, const unsigned char *row, int64_t x)
{
    int channels = header->channels;
    int64_t first = channels * x;
    if (header->colour_type == HALO_PNG_PALETTE) {
        return extras->alpha[sample_of(row, x, header->bits)] == 255;
    }
    if (channels % 2 == 0) {
        return sample_of(row, first + channels - 1, header->bits) == (1u << header->bits) - 1;
    }
    bool key = true;
    for (int i = 0; i < channels && key; i++) {
        key = sample_of(row, first + i, header->bits) == of->key[i];
    }
    return !key;
}

int64_t halo_png_count_clear(const halo_png_conversion *of, const halo_png_header *header,
                             const halo_png_extras *extras, const unsigned char *row)
{
    int64_t clear = 0;
    for (int64_t x = 0; x < of->width; x++) {
        clear += !is_opaque(of, header, extras, row, x);
    }
    return clear;
}
