#include "support/png_compare.h"
#include "support/png_decode.h"
#include "support/png_make.h"
#include "support/unit_check.h"

#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* PNGs read as red, green and blue, beside libpng's own expansion of the same file to RGBA. */

/* Everything as red, green, blue and alpha, of 8 or of 16 bits with the high byte first. */
static unsigned char *expand(const png_made *made, size_t *row_bytes)
{
    png_source from = {made->bytes, made->size};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_source_set(png, &from);
    png_read_info(png, info);
    png_set_expand(png); /* palettes, small greys and tRNS */
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xffff, PNG_FILLER_AFTER);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    *row_bytes = png_get_rowbytes(png, info);
    unsigned char *pixels = malloc(made->recipe.height * *row_bytes);
    unsigned char **rows = malloc(made->recipe.height * sizeof *rows);
    if (pixels == NULL || rows == NULL) {
        abort();
    }
    for (size_t y = 0; y < made->recipe.height; y++) {
        rows[y] = pixels + y * *row_bytes;
    }
    png_read_image(png, rows);
    png_destroy_read_struct(&png, &info, NULL);
    free(rows);
    return pixels;
}

static uint32_t sample(const unsigned char *row, size_t index, int bits)
{
    return bits == 16 ? (uint32_t)row[2 * index] << 8 | row[2 * index + 1] : row[index];
}

static uint32_t native(const unsigned char *row, size_t index, int bits)
{
    uint16_t wide = 0;
    if (bits == 16) {
        memcpy(&wide, row + 2 * index, sizeof wide);
    }
    return bits == 16 ? wide : row[index];
}

static bool row_is_right(const unsigned char *row, const unsigned char *rgba, size_t width,
                         int bits)
{
    double maximum = bits == 16 ? 65535 : 255;
    for (size_t i = 0; i < 3 * width; i++) {
        size_t pixel = i / 3;
        double value = sample(rgba, 4 * pixel + i % 3, bits);
        double alpha = sample(rgba, 4 * pixel + 3, bits);
        if (native(row, i, bits) != (uint32_t)floor(value * alpha / maximum + .5)) {
            return false;
        }
    }
    return true;
}

static bool pixels_are_right(const png_made *made, const png_outcome *outcome)
{
    size_t stride = 0, pitch = halo_png_grey_row_bytes(&outcome->info);
    int bits = made->recipe.bits == 16 ? 16 : 8;
    unsigned char *rgba = expand(made, &stride);
    bool right = stride == made->recipe.width * (size_t)bits / 2 &&
                 pitch == made->recipe.width * (size_t)bits / 8 * 3;
    for (size_t y = 0; right && y < made->recipe.height; y++) {
        right =
            row_is_right(outcome->pixels + y * pitch, rgba + y * stride, made->recipe.width, bits);
    }
    free(rgba);
    return right;
}

static bool info_is_right(const png_recipe *recipe, const halo_png_info *info)
{
    int bits = recipe->bits == 16 ? 16 : 8;
    return info->width == recipe->width && info->height == recipe->height &&
           info->bits == recipe->bits && info->grey_bits == bits && info->pixel_bits == 3 * bits &&
           info->maximum == (bits == 16 ? 65535 : 255);
}

static void check_recipe(const png_recipe *recipe)
{
    png_made made;
    png_make(&made, recipe);
    for (int plain = 0; plain < 2; plain++) {
        png_outcome outcome;
        halo_png_read_options options = {.plain = plain == 1, .colour = true};
        png_read_with(&outcome, made.bytes, made.size, &options, 1 + (int64_t)(recipe->seed % 7));
        bool good = outcome.finished == HALO_OK && info_is_right(recipe, &outcome.info) &&
                    pixels_are_right(&made, &outcome);
        if (!good) {
            fprintf(stderr, "type %d bits %d %u x %u transparent %d interlaced %d plain %d: %s\n",
                    recipe->colour_type, recipe->bits, recipe->width, recipe->height,
                    recipe->transparent, recipe->interlaced, plain, outcome.message);
        }
        CU_ASSERT(good);
        png_outcome_free(&outcome);
    }
    png_made_free(&made);
}

static void test_every_format(void)
{
    static const uint32_t widths[] = {1, 2, 3, 7, 8, 9, 31, 64, 65, 200};
    for (size_t format = 0; format < PNG_FORMATS; format++) {
        for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
            for (int variant = 0; variant < 8; variant++) {
                png_recipe recipe = png_recipe_of(format, widths[i], 17);
                recipe.interlaced = (variant & 1) != 0;
                recipe.transparent = (variant & 2) != 0;
                recipe.smooth = (variant & 4) != 0;
                if (png_formats[format].may_be_transparent || !recipe.transparent) {
                    check_recipe(&recipe);
                }
            }
        }
    }
}

/* Several batches of rows. */
static void test_large(void)
{
    for (size_t format = 0; format < PNG_FORMATS; format++) {
        png_recipe recipe = png_recipe_of(format, 1031, 601);
        recipe.smooth = true;
        recipe.level = 1;
        check_recipe(&recipe);
    }
}

/* Of grey files the three colours are the grey that is read without colour. */
static void test_grey_is_grey(void)
{
    for (int bits = 8; bits <= 16; bits += 8) {
        for (int alpha = 0; alpha < 2; alpha++) {
            png_recipe recipe = {.width = 67, .height = 5, .bits = bits, .level = 6, .seed = 3};
            recipe.colour_type = alpha == 1 ? PNG_COLOR_TYPE_GRAY_ALPHA : PNG_COLOR_TYPE_GRAY;
            png_made made;
            png_outcome outcome;
            png_make(&made, &recipe);
            png_read_with(&outcome, made.bytes, made.size, &(halo_png_read_options){.colour = true},
                          2);
            CU_ASSERT_EQUAL(outcome.finished, HALO_OK);
            for (uint32_t i = 0; i < 3 * 67 * 5; i++) {
                uint32_t x = i / 3 % 67, y = i / 3 / 67;
                CU_ASSERT_EQUAL(native(outcome.pixels, i, bits), png_made_grey(&made, x, y));
            }
            png_outcome_free(&outcome);
            png_made_free(&made);
        }
    }
}

/* A pitch of a whole number of cells will do; half a cell or half a row will not. */
static void test_pitch(void)
{
    png_recipe recipe = png_recipe_of(4, 6, 4);
    png_made made;
    png_make(&made, &recipe);
    uint16_t pixels[64];
    halo_png_reader *reader = NULL;
    halo_png_read_options options = {.colour = true};
    CU_ASSERT_EQUAL_FATAL(
        halo_png_reader_open_memory(&reader, made.bytes, made.size, "six.png", &options), HALO_OK);
    CU_ASSERT_EQUAL(halo_png_grey_row_bytes(halo_png_reader_info(reader)), 36);
    CU_ASSERT_EQUAL(halo_png_reader_rows(reader, 1, pixels, 34), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_png_reader_rows(reader, 1, pixels, 37), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_png_reader_rows(reader, 1, pixels, 38), HALO_OK);
    halo_png_reader_close(&reader);
    png_made_free(&made);
}

UNIT_CHECK_MAIN("png_colour", {"every format beside libpng's expansion", test_every_format},
                {"larger than the buffers", test_large}, {"grey three times", test_grey_is_grey},
                {"pitches", test_pitch})
