#include "support/png_make.h"

#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

const png_format png_formats[PNG_FORMATS] = {
    {PNG_COLOR_TYPE_GRAY, 1, true},         {PNG_COLOR_TYPE_GRAY, 2, true},
    {PNG_COLOR_TYPE_GRAY, 4, true},         {PNG_COLOR_TYPE_GRAY, 8, true},
    {PNG_COLOR_TYPE_GRAY, 16, true},        {PNG_COLOR_TYPE_PALETTE, 1, true},
    {PNG_COLOR_TYPE_PALETTE, 2, true},      {PNG_COLOR_TYPE_PALETTE, 4, true},
    {PNG_COLOR_TYPE_PALETTE, 8, true},      {PNG_COLOR_TYPE_RGB, 8, true},
    {PNG_COLOR_TYPE_RGB, 16, true},         {PNG_COLOR_TYPE_GRAY_ALPHA, 8, false},
    {PNG_COLOR_TYPE_GRAY_ALPHA, 16, false}, {PNG_COLOR_TYPE_RGB_ALPHA, 8, false},
    {PNG_COLOR_TYPE_RGB_ALPHA, 16, false},
};

png_recipe png_recipe_of(size_t format, uint32_t width, uint32_t height)
{
    int bits = png_formats[format].bits;
    bool palette = png_formats[format].colour_type == PNG_COLOR_TYPE_PALETTE;
    return (png_recipe){.width = width,
                        .height = height,
                        .bits = bits,
                        .colour_type = png_formats[format].colour_type,
                        .entries = palette ? (bits == 8 ? 200 : 1 << bits) : 0,
                        .level = 6,
                        .seed = format * 1000003 + width * 1009 + height};
}

static void check(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "png_make: %s\n", what);
        abort();
    }
}

/* A small generator, the same on every machine. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t mixed = *state += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return mixed ^ mixed >> 31;
}

typedef struct {
    unsigned char *data;
    size_t size, capacity;
} growing;

static void on_write(png_structp png, png_bytep bytes, size_t count)
{
    growing *file = png_get_io_ptr(png);
    if (file->size + count > file->capacity) {
        file->capacity = 2 * (file->size + count);
        file->data = realloc(file->data, file->capacity);
        check(file->data != NULL, "out of memory");
    }
    memcpy(file->data + file->size, bytes, count);
    file->size += count;
}

static void on_flush(png_structp png)
{
    (void)png;
}

static uint16_t make_sample(const png_recipe *recipe, uint32_t x, uint32_t y, int channel,
                            uint64_t *state)
{
    uint32_t maximum = (1u << recipe->bits) - 1;
    uint64_t noise = next_random(state);
    if (recipe->colour_type == PNG_COLOR_TYPE_PALETTE) {
        return (uint16_t)(noise % (unsigned)recipe->entries);
    }
    if (!recipe->smooth) {
        return (uint16_t)(noise & maximum);
    }
    double wave = sin(x * .03 + channel) + cos(y * .041) + sin((x + 2 * y) * .011);
    double value = (wave + 3) / 6 * (maximum * .97) + (double)(noise % 5) / 4 * maximum * .02;
    return (uint16_t)value;
}

static void make_samples(png_made *made, uint64_t *state)
{
    const png_recipe *recipe = &made->recipe;
    size_t count = (size_t)recipe->width * recipe->height * (size_t)made->channels;
    made->samples = malloc(count * sizeof *made->samples);
    check(made->samples != NULL, "out of memory");
    uint16_t *next = made->samples;
    for (uint32_t y = 0; y < recipe->height; y++) {
        for (uint32_t x = 0; x < recipe->width; x++) {
            for (int channel = 0; channel < made->channels; channel++) {
                *next++ = make_sample(recipe, x, y, channel, state);
            }
        }
    }
}

/* The key is a pixel of the image, so that it occurs. */
static void make_extras(png_made *made, uint64_t *state)
{
    const png_recipe *recipe = &made->recipe;
    for (int i = 0; i < recipe->entries; i++) {
        for (int channel = 0; channel < 3; channel++) {
            made->palette[i][channel] = (unsigned char)next_random(state);
        }
    }
    for (int i = 0; i < 256; i++) {
        made->alpha[i] = (unsigned char)next_random(state);
    }
    made->alphas = recipe->entries > 1 ? recipe->entries - 1 : recipe->entries;
    for (int channel = 0; channel < made->channels && channel < 3; channel++) {
        made->key[channel] = made->samples[channel];
    }
}

static void pack_row(const png_made *made, uint32_t y, unsigned char *row)
{
    size_t count = (size_t)made->recipe.width * (size_t)made->channels;
    const uint16_t *samples = made->samples + y * count;
    size_t bits = (size_t)made->recipe.bits;
    memset(row, 0, (count * bits + 7) / 8);
    for (size_t i = 0; i < count; i++) {
        if (bits == 16) {
            row[2 * i] = (unsigned char)(samples[i] >> 8);
            row[2 * i + 1] = (unsigned char)samples[i];
        } else {
            size_t bit = i * bits;
            row[bit / 8] |= (unsigned char)(samples[i] << (8 - bits - bit % 8));
        }
    }
}

static void write_extras(png_structp png, png_infop info, const png_made *made)
{
    const png_recipe *recipe = &made->recipe;
    if (recipe->colour_type == PNG_COLOR_TYPE_PALETTE) {
        png_color palette[256];
        for (int i = 0; i < recipe->entries; i++) {
            palette[i] = (png_color){made->palette[i][0], made->palette[i][1], made->palette[i][2]};
        }
        png_set_PLTE(png, info, palette, recipe->entries);
    }
    if (recipe->transparent) {
        png_color_16 key = {
            .red = made->key[0], .green = made->key[1], .blue = made->key[2], .gray = made->key[0]};
        png_set_tRNS(png, info, made->alpha, made->alphas, &key);
    }
}

static void write_rows(png_structp png, png_infop info, const png_made *made)
{
    png_write_info(png, info);
    int passes = png_set_interlace_handling(png); /* knows only after the header */
    unsigned char *row = malloc((size_t)made->recipe.width * (size_t)made->channels * 2 + 8);
    check(row != NULL, "out of memory");
    for (int pass = 0; pass < passes; pass++) {
        for (uint32_t y = 0; y < made->recipe.height; y++) {
            pack_row(made, y, row);
            png_write_row(png, row);
        }
    }
    free(row);
    png_write_end(png, info);
}

void png_make(png_made *made, const png_recipe *recipe)
{
    static const int channels[] = {1, 0, 3, 1, 2, 0, 4};
    *made = (png_made){.recipe = *recipe, .channels = channels[recipe->colour_type]};
    uint64_t state = recipe->seed;
    make_samples(made, &state);
    make_extras(made, &state);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    check(info != NULL, "libpng does not start");
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    growing file = {NULL, 0, 0};
    png_set_write_fn(png, &file, on_write, on_flush);
    png_set_IHDR(png, info, recipe->width, recipe->height, recipe->bits, recipe->colour_type,
                 recipe->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, recipe->level);
    if (recipe->filters != 0) {
        png_set_filter(png, PNG_FILTER_TYPE_BASE, recipe->filters);
    }
    if (recipe->idat != 0) {
        png_set_compression_buffer_size(png, recipe->idat);
    }
    write_extras(png, info, made);
    write_rows(png, info, made);
    png_destroy_write_struct(&png, &info);
    made->bytes = file.data;
    made->size = file.size;
}

void png_made_free(png_made *made)
{
    free(made->bytes);
    free(made->samples);
    *made = (png_made){.bytes = NULL};
}

/* Luma, rounded as the manual says. */
static double bright(double red, double green, double blue)
{
    return floor((13933 * red + 46871 * green + 4732 * blue + 32768) / 65536);
}

static uint32_t with_alpha(double grey, double alpha, double maximum)
{
    return (uint32_t)floor(grey * alpha / maximum + .5);
}

uint32_t png_made_grey(const png_made *made, uint32_t x, uint32_t y)
{
    const uint16_t *pixel =
        made->samples + ((size_t)y * made->recipe.width + x) * (size_t)made->channels;
    bool transparent = made->recipe.transparent;
    double maximum = (double)((1u << made->recipe.bits) - 1);
    switch (made->recipe.colour_type) {
    case PNG_COLOR_TYPE_GRAY:
        return transparent && pixel[0] == made->key[0] ? 0 : pixel[0];
    case PNG_COLOR_TYPE_PALETTE: {
        const unsigned char *entry = made->palette[pixel[0]];
        bool opaque = !transparent || pixel[0] >= made->alphas;
        return with_alpha(bright(entry[0], entry[1], entry[2]),
                          opaque ? 255 : made->alpha[pixel[0]], 255);
    }
    case PNG_COLOR_TYPE_RGB:
        return transparent && memcmp(pixel, made->key, sizeof made->key) == 0
                   ? 0
                   : (uint32_t)bright(pixel[0], pixel[1], pixel[2]);
    case PNG_COLOR_TYPE_GRAY_ALPHA:
        return with_alpha(pixel[0], pixel[1], maximum);
    default:
        return with_alpha(bright(pixel[0], pixel[1], pixel[2]), pixel[3], maximum);
    }
}

static uint32_t get_big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

void png_put32(unsigned char *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(value >> (24 - 8 * i));
    }
}

void png_fix_checksums(unsigned char *bytes, size_t size)
{
    for (size_t at = 8; at + 12 <= size;) {
        size_t length = get_big_endian(bytes + at);
        if (length > size - at - 12) {
            return;
        }
        uint32_t crc = (uint32_t)crc32(0, bytes + at + 4, (uInt)length + 4);
        png_put32(bytes + at + 8 + length, crc);
        at += length + 12;
    }
}
