#include "io/image/luma.h"
#include "io/png/png_internal.h"

#include <string.h>

/* Rows of red, green and blue, and of all samples of a pixel. */

static uint16_t clear_or(const halo_png_conversion *colour, bool clear, uint32_t value)
{
    return (uint16_t)(clear ? colour->ground : value);
}

static void copy_colour8(const halo_png_conversion *colour, const unsigned char *row, void *out)
{
    memcpy(out, row, 3 * (size_t)colour->width);
}

static void colour16(const halo_png_conversion *colour, const unsigned char *row, void *out)
{
    uint16_t *samples = out;
    for (int64_t i = 0; i < 3 * colour->width; i++) {
        samples[i] = (uint16_t)halo_png_sample16(row, i);
    }
}

static inline void fill16(uint16_t pixel[3], uint32_t value)
{
    pixel[0] = pixel[1] = pixel[2] = (uint16_t)value;
}

static inline void set_key8(const halo_png_conversion *colour, const unsigned char *from,
                            uint8_t pixel[3])
{
    bool clear =
        from[0] == colour->key[0] && from[1] == colour->key[1] && from[2] == colour->key[2];
    for (int i = 0; i < 3; i++) {
        pixel[i] = (uint8_t)clear_or(colour, clear, from[i]);
    }
}

static inline void set_alpha8(const halo_png_conversion *colour, const unsigned char *from,
                              uint8_t pixel[3])
{
    for (int i = 0; i < 3; i++) {
        pixel[i] = (uint8_t)halo_over(from[i], from[3], 255, colour->ground);
    }
}

static inline void set_key16(const halo_png_conversion *colour, const unsigned char *row, int64_t x,
                             uint16_t pixel[3])
{
    for (int i = 0; i < 3; i++) {
        pixel[i] = (uint16_t)halo_png_sample16(row, 3 * x + i);
    }
    bool clear = memcmp(pixel, colour->key, sizeof colour->key) == 0;
    for (int i = 0; i < 3; i++) {
        pixel[i] = clear_or(colour, clear, pixel[i]);
    }
}

static inline void set_alpha16(const halo_png_conversion *colour, const unsigned char *row,
                               int64_t x, uint16_t pixel[3])
{
    uint32_t alpha = halo_png_sample16(row, 4 * x + 3);
    for (int i = 0; i < 3; i++) {
        pixel[i] =
            (uint16_t)halo_over(halo_png_sample16(row, 4 * x + i), alpha, 65535, colour->ground);
    }
}

/* Pixel x of a row becomes what `set` makes of `pixel`. */
#define DEFINE_CONVERSION(name, type, set)                                                   \
    static void name(const halo_png_conversion *colour, const unsigned char *row, void *out) \
    {                                                                                        \
        type *pixel = out;                                                                   \
        for (int64_t x = 0; x < colour->width; x++, pixel += 3) {                            \
            set;                                                                             \
        }                                                                                    \
    }

/* The table has all that palettes, transparency and small samples need. */
DEFINE_CONVERSION(look_up_small, uint8_t,
                  memcpy(pixel, colour->colours[halo_png_small_sample(row, x, colour->bits)], 3))
DEFINE_CONVERSION(look_up, uint8_t, memcpy(pixel, colour->colours[row[x]], 3))
DEFINE_CONVERSION(grey_alpha8, uint8_t,
                  memset(pixel, (int)halo_over(row[2 * x], row[2 * x + 1], 255, colour->ground), 3))
DEFINE_CONVERSION(colour_key8, uint8_t, set_key8(colour, row + 3 * x, pixel))
DEFINE_CONVERSION(colour_alpha8, uint8_t, set_alpha8(colour, row + 4 * x, pixel))
DEFINE_CONVERSION(grey16, uint16_t, fill16(pixel, halo_png_sample16(row, x)))
DEFINE_CONVERSION(grey_key16, uint16_t,
                  fill16(pixel, clear_or(colour, halo_png_sample16(row, x) == colour->key[0],
                                         halo_png_sample16(row, x))))
DEFINE_CONVERSION(grey_alpha16, uint16_t,
                  fill16(pixel,
                         halo_over(halo_png_sample16(row, 2 * x), halo_png_sample16(row, 2 * x + 1),
                                   65535, colour->ground)))
DEFINE_CONVERSION(colour_key16, uint16_t, set_key16(colour, row, x, pixel))
DEFINE_CONVERSION(colour_alpha16, uint16_t, set_alpha16(colour, row, x, pixel))

static const halo_png_conversion_choice choices[] = {
    {HALO_PNG_GREY, 8, look_up, look_up},
    {HALO_PNG_GREY, 16, grey16, grey_key16},
    {HALO_PNG_GREY, 0, look_up_small, look_up_small},
    {HALO_PNG_PALETTE, 8, look_up, look_up},
    {HALO_PNG_PALETTE, 0, look_up_small, look_up_small},
    {HALO_PNG_COLOUR, 8, copy_colour8, colour_key8},
    {HALO_PNG_COLOUR, 16, colour16, colour_key16},
    {HALO_PNG_GREY_ALPHA, 8, grey_alpha8, grey_alpha8},
    {HALO_PNG_GREY_ALPHA, 16, grey_alpha16, grey_alpha16},
    {HALO_PNG_COLOUR_ALPHA, 8, colour_alpha8, colour_alpha8},
    {HALO_PNG_COLOUR_ALPHA, 16, colour_alpha16, colour_alpha16},
};

static void fill_palette(halo_png_conversion *colour, const halo_png_extras *extras)
{
    for (int entry = 0; entry < 256; entry++) {
        uint32_t alpha = extras->transparent ? extras->alpha[entry] : 255;
        for (int i = 0; i < 3; i++) {
            uint32_t value = extras->palette[entry][i];
            colour->colours[entry][i] = (unsigned char)halo_over(value, alpha, 255, colour->ground);
        }
    }
}

/* Samples of up to 8 bits; the maximum of fewer divides 255. */
static void fill_greys(halo_png_conversion *colour, const halo_png_extras *extras)
{
    uint32_t maximum = (1u << colour->bits) - 1;
    for (uint32_t sample = 0; sample <= maximum; sample++) {
        bool clear = extras->transparent && sample == colour->key[0];
        uint32_t grey = clear_or(colour, clear, sample);
        memset(colour->colours[sample], (int)(grey * (255 / maximum)), 3);
    }
}

void halo_png_colour_choose(halo_png_conversion *colour, halo_png_info *info,
                            const halo_png_header *header, const halo_png_extras *extras,
                            const halo_image_ground *ground)
{
    halo_png_conversion_start(colour, header, extras, ground, choices);
    if (header->colour_type == HALO_PNG_PALETTE) {
        fill_palette(colour, extras);
    } else if (header->bits <= 8) {
        fill_greys(colour, extras);
    }
    info->grey_bits = header->bits == 16 ? 16 : 8;
    info->pixel_bits = 3 * info->grey_bits;
    info->maximum = header->bits == 16 ? 65535 : 255;
}

/* ---- samples as they are stored -------------------------------------------------------------- */

static void copy_samples8(const halo_png_conversion *of, const unsigned char *row, void *out)
{
    memcpy(out, row, (size_t)of->channels * (size_t)of->width);
}

static void copy_samples16(const halo_png_conversion *of, const unsigned char *row, void *out)
{
    uint16_t *samples = out;
    for (int64_t i = 0; i < of->channels * of->width; i++) {
        samples[i] = (uint16_t)halo_png_sample16(row, i);
    }
}

static const halo_png_conversion_choice stored[] = {
    {HALO_PNG_PALETTE, 8, look_up, look_up},
    {HALO_PNG_PALETTE, 0, look_up_small, look_up_small},
    {HALO_PNG_COLOUR, 8, copy_samples8, copy_samples8},
    {HALO_PNG_COLOUR, 16, copy_samples16, copy_samples16},
    {HALO_PNG_GREY_ALPHA, 8, copy_samples8, copy_samples8},
    {HALO_PNG_GREY_ALPHA, 16, copy_samples16, copy_samples16},
    {HALO_PNG_COLOUR_ALPHA, 8, copy_samples8, copy_samples8},
    {HALO_PNG_COLOUR_ALPHA, 16, copy_samples16, copy_samples16},
};

void halo_png_samples_choose(halo_png_conversion *of, halo_png_info *info,
                             const halo_png_header *header, const halo_png_extras *extras)
{
    bool palette = header->colour_type == HALO_PNG_PALETTE;
    halo_png_extras opaque = *extras;
    opaque.transparent = false;
    halo_png_conversion_start(of, header, &opaque, &(halo_image_ground){0}, stored);
    of->channels = info->channels = palette ? 3 : header->channels;
    if (palette) {
        fill_palette(of, &opaque);
    }
    info->alpha = false;
    info->grey_bits = header->bits == 16 ? 16 : 8;
    info->pixel_bits = info->channels * info->grey_bits;
    info->maximum = header->bits == 16 ? 65535 : 255;
}
