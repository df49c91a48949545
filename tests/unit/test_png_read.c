#include "io/png/png_internal.h"
#include "io/png/unfilter.h"
#include "support/png_compare.h"
#include "support/png_make.h"
#include "support/unit_check.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int filters[] = {PNG_FILTER_NONE, PNG_FILTER_SUB,   PNG_FILTER_UP,
                              PNG_FILTER_AVG,  PNG_FILTER_PAETH, PNG_ALL_FILTERS};

static bool pixel_is_right(const png_made *made, const halo_png_info *info,
                           const unsigned char *row, uint32_t x, uint32_t y)
{
    uint32_t wanted = png_made_grey(made, x, y);
    if (info->grey_bits == 1) {
        uint64_t word;
        memcpy(&word, row + x / 64 * 8, sizeof word);
        return (word >> x % 64 & 1) == wanted;
    }
    if (info->grey_bits == 16) {
        uint16_t wide;
        memcpy(&wide, row + 2 * x, sizeof wide);
        return wide == wanted;
    }
    return row[x] == wanted;
}

static bool pixels_are_right(const png_made *made, const png_outcome *outcome)
{
    size_t pitch = halo_png_grey_row_bytes(&outcome->info);
    for (uint32_t y = 0; y < made->recipe.height; y++) {
        const unsigned char *row = outcome->pixels + y * pitch;
        for (uint32_t x = 0; x < made->recipe.width; x++) {
            if (!pixel_is_right(made, &outcome->info, row, x, y)) {
                return false;
            }
        }
        uint32_t past = made->recipe.width % 64;
        uint64_t last = 0;
        memcpy(&last, row + pitch - (pitch < 8 ? pitch : 8), pitch < 8 ? pitch : 8);
        if (outcome->info.grey_bits == 1 && past != 0 && last >> past != 0) {
            return false;
        }
    }
    return true;
}

static bool info_is_right(const png_recipe *recipe, const halo_png_info *info, bool plain)
{
    static const char *const kinds[] = {"grey",           "", "colour",          "palette",
                                        "grey and alpha", "", "colour and alpha"};
    bool palette = recipe->colour_type == PNG_COLOR_TYPE_PALETTE;
    bool packed =
        recipe->colour_type == PNG_COLOR_TYPE_GRAY && recipe->bits == 1 && !recipe->transparent;
    int grey_bits = packed ? 1 : recipe->bits == 16 ? 16 : 8;
    return info->width == recipe->width && info->height == recipe->height &&
           info->bits == recipe->bits && strcmp(info->kind, kinds[recipe->colour_type]) == 0 &&
           info->interlaced == recipe->interlaced && info->grey_bits == grey_bits &&
           strcmp(info->decoder, plain || recipe->interlaced ? "libpng" : "fast") == 0 &&
           info->maximum == (palette ? 255 : (1 << recipe->bits) - 1);
}

/* Is the recipe's PNG read as it should be, by libpng and by whatever is chosen? */
static void check_recipe(const png_recipe *recipe)
{
    png_made made;
    png_make(&made, recipe);
    for (int plain = 0; plain < 2; plain++) {
        png_outcome outcome;
        int64_t band = 1 + (int64_t)(recipe->seed % 9) * 3;
        png_read_all(&outcome, made.bytes, made.size, plain == 1, band);
        bool good = outcome.finished == HALO_OK &&
                    info_is_right(recipe, &outcome.info, plain == 1) &&
                    pixels_are_right(&made, &outcome);
        if (!good) {
            fprintf(stderr, "type %d bits %d %u x %u filters %x interlaced %d: %s\n",
                    recipe->colour_type, recipe->bits, recipe->width, recipe->height,
                    (unsigned)recipe->filters, recipe->interlaced, outcome.message);
        }
        CU_ASSERT(good);
        png_outcome_free(&outcome);
    }
    png_made_free(&made);
}

static void check_format(size_t format, uint32_t width, uint32_t height)
{
    for (size_t filter = 0; filter < sizeof filters / sizeof filters[0]; filter++) {
        for (int variant = 0; variant < 4; variant++) {
            png_recipe recipe = png_recipe_of(format, width, height);
            recipe.filters = filters[filter];
            recipe.interlaced = (variant & 1) != 0;
            recipe.transparent = (variant & 2) != 0;
            recipe.smooth = (width + height + filter) % 2 == 0;
            if (png_formats[format].may_be_transparent || !recipe.transparent) {
                check_recipe(&recipe);
            }
        }
    }
}

static void test_every_format(void)
{
    static const uint32_t widths[] = {1, 2, 3, 7, 8, 9, 15, 31, 33, 63, 64, 65, 127, 128, 200};
    static const uint32_t heights[] = {1, 2, 19};
    for (size_t format = 0; format < PNG_FORMATS; format++) {
        for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
            for (size_t j = 0; j < sizeof heights / sizeof heights[0]; j++) {
                check_format(format, widths[i], heights[j]);
            }
        }
    }
}

/* Larger than the buffers in between, in one stored and one well packed stream. */
static void test_large(void)
{
    for (size_t format = 0; format < PNG_FORMATS; format++) {
        png_recipe recipe = png_recipe_of(format, 1031, 701);
        recipe.smooth = true;
        recipe.level = format % 2 == 0 ? 0 : 9;
        recipe.idat = format % 3 == 0 ? 0 : 1000;
        check_recipe(&recipe);
    }
}

/* libpng by itself refuses more than a million pixels a row. */
static void test_wide(void)
{
    png_recipe recipe = png_recipe_of(0, 1234567, 3);
    check_recipe(&recipe);
    recipe = png_recipe_of(3, 1000003, 17);
    recipe.filters = PNG_FILTER_PAETH;
    recipe.level = 1;
    check_recipe(&recipe);
}

static void test_tiny_chunks(void)
{
    for (size_t format = 0; format < PNG_FORMATS; format++) {
        png_recipe recipe = png_recipe_of(format, 37, 23);
        recipe.idat = 6;
        check_recipe(&recipe);
    }
}

/* Every way of undoing filters against the plain one, on random bytes and filter types. */
static void test_unfilters(void)
{
    static const int steps[] = {1, 2, 3, 4, 6, 8};
    uint64_t state = 7;
    const halo_isa_variant *variants = halo_png_unfilter_variants;
    for (int round = 0; round < 600; round++) {
        size_t step = (size_t)steps[round % 6], bytes = step * (1 + png_random(&state) % 150);
        int64_t rows = 1 + (int64_t)(png_random(&state) % 140);
        size_t size = (size_t)(rows + 1) * (bytes + 1);
        unsigned char *filtered = malloc(size), *wanted = malloc(size), *got = malloc(size);
        for (size_t i = 0; i < size; i++) {
            filtered[i] = (unsigned char)png_random(&state);
            if (i % (bytes + 1) == 0) {
                filtered[i] = round % 4 == 3 ? filtered[i] % 2 * 2 : filtered[i] % 5;
            }
        }
        memcpy(wanted, filtered, size);
        halo_png_unfilter_ops_plain.unfilter(wanted + bytes + 2, rows, bytes, (int)step);
        for (const halo_isa_variant *v = variants; v->isa != HALO_ISA_PLAIN; v++) {
            if (!halo_isa_supported(v->isa)) {
                continue;
            }
            const halo_png_unfilter_ops *ops = v->ops;
            memcpy(got, filtered, size);
            ops->unfilter(got + bytes + 2, rows, bytes, (int)step);
            CU_ASSERT_EQUAL(memcmp(got, wanted, size), 0);
        }
        free(filtered);
        free(wanted);
        free(got);
    }
}

/* An index past the palette's end is black and opaque. */
static void test_past_palette(void)
{
    for (int bits = 1; bits <= 8; bits *= 2) {
        png_recipe recipe = {.width = 9, .height = 5, .bits = bits, .colour_type = 3, .seed = 5};
        recipe.entries = 1 << bits;
        recipe.transparent = bits > 1;
        png_made made;
        png_make(&made, &recipe);
        /* Keep one entry: shorten PLTE, which comes right after the header, and drop tRNS. */
        size_t palette = 33, after = palette + 12 + 3 * (size_t)recipe.entries;
        after += recipe.transparent ? 12 + (size_t)made.alphas : 0;
        png_put32(made.bytes + palette, 3);
        memmove(made.bytes + palette + 15, made.bytes + after, made.size - after);
        made.size -= after - palette - 15;
        png_fix_checksums(made.bytes, made.size);
        made.recipe.transparent = false;
        memset(made.palette[1], 0, sizeof made.palette - sizeof made.palette[0]);
        for (int plain = 0; plain < 2; plain++) {
            png_outcome outcome;
            png_read_all(&outcome, made.bytes, made.size, plain == 1, 2);
            CU_ASSERT_EQUAL(outcome.finished, HALO_OK);
            CU_ASSERT(pixels_are_right(&made, &outcome));
            png_outcome_free(&outcome);
        }
        png_made_free(&made);
    }
}

UNIT_CHECK_MAIN("png_read", {"every format, filter and odd width", test_every_format},
                {"larger than the buffers", test_large}, {"wider than libpng's limit", test_wide},
                {"chunks of a few bytes", test_tiny_chunks},
                {"indices past the palette's end", test_past_palette},
                {"filters undone in every way", test_unfilters})
