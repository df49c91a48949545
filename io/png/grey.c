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
DEFINE_CONVERSION(grey_alpha8, uint8_t, halo_over_black(row[2 * x], row[2 * x + 1], 255))
DEFINE_CONVERSION(colour8, uint8_t, luma8(row + 3 * x))
DEFINE_CONVERSION(colour_key8, uint8_t, is_key8(grey, row + 3 * x) ? 0 : luma8(row + 3 * x))
DEFINE_CONVERSION(colour_alpha8, uint8_t, halo_over_black(luma8(row + 4 * x), row[4 * x + 3], 255))
DEFINE_CONVERSION(grey16, uint16_t, halo_png_sample16(row, x))
DEFINE_CONVERSION(grey_key16, uint16_t,
                  halo_png_sample16(row, x) == grey->key[0] ? 0 : halo_png_sample16(row, x))
DEFINE_CONVERSION(grey_alpha16, uint16_t,
                  halo_over_black(halo_png_sample16(row, 2 * x), halo_png_sample16(row, 2 * x + 1),
                                  65535))
DEFINE_CONVERSION(colour16, uint16_t, luma16(row, 3 * x))
DEFINE_CONVERSION(colour_key16, uint16_t, is_key16(grey, row, 3 * x) ? 0 : luma16(row, 3 * x))
DEFINE_CONVERSION(colour_alpha16, uint16_t,
                  halo_over_black(luma16(row, 4 * x), halo_png_sample16(row, 4 * x + 3), 65535))

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
            bright = halo_over_black(bright, extras->alpha[i], 255);
        } else if (extras->transparent && i == grey->key[0]) {
            bright = 0;
        }
        grey->table[i] = (unsigned char)bright;
    }
}

void halo_png_conversion_start(halo_png_conversion *conversion, const halo_png_header *header,
                               const halo_png_extras *extras,
                               const halo_png_conversion_choice *choice)
{
    *conversion = (halo_png_conversion){.width = header->width, .bits = header->bits};
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
                          const halo_png_header *header, const halo_png_extras *extras)
{
    bool palette = header->colour_type == HALO_PNG_PALETTE;
    halo_png_conversion_start(grey, header, extras, choices);
    fill_table(grey, palette, extras);
    info->grey_bits = grey->convert == pack_bits ? 1 : header->bits == 16 ? 16 : 8;
    info->pixel_bits = info->grey_bits;
    info->maximum = palette ? 255 : ((int64_t)1 << header->bits) - 1;
}
