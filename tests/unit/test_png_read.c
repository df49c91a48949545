#include "io/png/png_internal.h"
#include "io/png/unfilter.h"
#include "support/images.h"
#include "support/png_compare.h"
#include "support/png_decode.h"
#include "support/png_make.h"
#include "support/unit_check.h"

#include <png.h>

/* PNGs of every format read as greys beside the samples they were made from, and as red, green and
 * blue beside libpng's own expansion of the same file to RGBA. */

static const int filters[] = {PNG_FILTER_NONE, PNG_FILTER_SUB,   PNG_FILTER_UP,
                              PNG_FILTER_AVG,  PNG_FILTER_PAETH, PNG_ALL_FILTERS};

/* A sample of 8 or 16 bits in the machine's byte order. */
static uint32_t sample(const unsigned char *row, size_t index, int bits)
{
    uint16_t wide = 0;
    if (bits == 16) {
        memcpy(&wide, row + 2 * index, sizeof wide);
    }
    return bits == 16 ? wide : row[index];
}

/* ---- greys ------------------------------------------------------------------------------------
 */

static bool greys_are_right(const png_made *made, const png_outcome *outcome)
{
    size_t pitch = halo_png_grey_row_bytes(&outcome->info);
    uint32_t width = made->recipe.width, wrong = 0;
    for (uint32_t y = 0; y < made->recipe.height; y++) {
        const unsigned char *row = outcome->pixels + y * pitch;
        /* Bits beyond the last pixel are 0. */
        for (uint32_t x = 0; outcome->info.grey_bits == 1 && x < 8 * pitch; x++) {
            wrong += (row[x / 8] >> x % 8 & 1) != (x < width ? png_made_grey(made, x, y) : 0);
        }
        for (uint32_t x = 0; outcome->info.grey_bits > 1 && x < width; x++) {
            wrong += sample(row, x, outcome->info.grey_bits) != png_made_grey(made, x, y);
        }
    }
    return wrong == 0;
}

static bool grey_info_is_right(const png_recipe *recipe, const halo_png_info *info, bool plain)
{
    static const char *const kinds[] = {"grey",           "", "colour",          "palette",
                                        "grey and alpha", "", "colour and alpha"};
    bool palette = recipe->colour_type == PNG_COLOR_TYPE_PALETTE;
    bool packed =
        recipe->colour_type == PNG_COLOR_TYPE_GRAY && recipe->bits == 1 && !recipe->transparent;
    int grey_bits = packed ? 1 : recipe->bits == 16 ? 16 : 8;
    return strcmp(info->kind, kinds[recipe->colour_type]) == 0 &&
           info->interlaced == recipe->interlaced && info->grey_bits == grey_bits &&
           strcmp(info->decoder, plain || recipe->interlaced ? "libpng" : "fast") == 0 &&
           info->maximum == (palette ? 255 : (1 << recipe->bits) - 1);
}

/* ---- colours ----------------------------------------------------------------------------------
 */

/* Everything as red, green, blue and alpha, of 8 or of 16 bits. */
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
    png_set_swap(png);
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

static bool colours_are_right(const png_made *made, const png_outcome *outcome)
{
    size_t stride = 0, pitch = halo_png_grey_row_bytes(&outcome->info), wrong = 0;
    size_t width = made->recipe.width;
    int bits = made->recipe.bits == 16 ? 16 : 8;
    double maximum = (1 << bits) - 1;
    unsigned char *rgba = expand(made, &stride);
    bool right = stride == width * (size_t)bits / 2 && pitch == width * (size_t)bits / 8 * 3;
    for (size_t y = 0; right && y < made->recipe.height; y++) {
        const unsigned char *from = rgba + y * stride, *row = outcome->pixels + y * pitch;
        for (size_t i = 0; i < 3 * width; i++) {
            double value = sample(from, i / 3 * 4 + i % 3, bits);
            double alpha = sample(from, i / 3 * 4 + 3, bits);
            wrong += sample(row, i, bits) != (uint32_t)floor(value * alpha / maximum + .5);
        }
    }
    free(rgba);
    return right && wrong == 0;
}

static bool colour_info_is_right(const png_recipe *recipe, const halo_png_info *info)
{
    int bits = recipe->bits == 16 ? 16 : 8;
    return info->grey_bits == bits && info->pixel_bits == 3 * bits &&
           info->maximum == (1 << bits) - 1;
}

/* ---- files ------------------------------------------------------------------------------------
 */

static bool outcome_is_right(const png_made *made, const png_outcome *outcome,
                             const halo_png_read_options *options)
{
    const png_recipe *recipe = &made->recipe;
    const halo_png_info *info = &outcome->info;
    if (outcome->finished != HALO_OK || info->width != recipe->width ||
        info->height != recipe->height || info->bits != recipe->bits) {
        return false;
    }
    return options->colour
               ? colour_info_is_right(recipe, info) && colours_are_right(made, outcome)
               : grey_info_is_right(recipe, info, options->plain) && greys_are_right(made, outcome);
}

/* Is the recipe's PNG read as it should be, by libpng and by whatever is chosen? */
static void check_recipe(const png_recipe *recipe, bool colour)
{
    png_made made;
    png_make(&made, recipe);
    for (int plain = 0; plain < 2; plain++) {
        png_outcome outcome;
        halo_png_read_options options = {.plain = plain == 1, .colour = colour};
        png_read_with(&outcome, made.bytes, made.size, &options,
                      1 + (int64_t)(recipe->seed % 9) * 3);
        check(outcome_is_right(&made, &outcome, &options),
              "type %d bits %d %u x %u filters %x transparent %d interlaced %d plain %d: %s",
              recipe->colour_type, recipe->bits, recipe->width, recipe->height,
              (unsigned)recipe->filters, recipe->transparent, recipe->interlaced, plain,
              outcome.message);
        png_outcome_free(&outcome);
    }
    png_made_free(&made);
}

/* Interlaced or not, with transparent pixels or without. */
static void check_variants(png_recipe recipe, size_t format, bool colour)
{
    for (int variant = 0; variant < 4; variant++) {
        recipe.interlaced = (variant & 1) != 0;
        recipe.transparent = (variant & 2) != 0;
        if (png_formats[format].may_be_transparent || !recipe.transparent) {
            check_recipe(&recipe, colour);
        }
    }
}

TEST("every format, filter and odd width")
{
    static const uint32_t widths[] = {1, 2, 3, 7, 8, 9, 15, 31, 33, 63, 64, 65, 127, 128, 200};
    static const uint32_t heights[] = {1, 2, 19};
    enum { CASES = COUNT(widths) * COUNT(heights) * COUNT(filters) };
    for (size_t n = 0; n < PNG_FORMATS * CASES; n++) {
        size_t format = n / CASES, filter = n % COUNT(filters);
        uint32_t width = widths[n / COUNT(filters) % COUNT(widths)];
        uint32_t height = heights[n % CASES / COUNT(filters) / COUNT(widths)];
        png_recipe recipe = png_recipe_of(format, width, height);
        recipe.filters = filters[filter];
        recipe.smooth = (width + height + filter) % 2 == 0;
        check_variants(recipe, format, false);
        if (filter < 2 && height > 2) {
            recipe.filters = 0;
            recipe.smooth = filter == 1;
            check_variants(recipe, format, true);
        }
    }
}

/* In one stored and one well packed stream. */
TEST("larger than the buffers")
{
    for (size_t format = 0; format < PNG_FORMATS; format++) {
        png_recipe recipe = png_recipe_of(format, 1031, 701);
        recipe.smooth = true;
        recipe.level = format % 2 == 0 ? 0 : 9;
        recipe.idat = format % 3 == 0 ? 0 : 1000;
        check_recipe(&recipe, false);
        recipe.level = 1;
        check_recipe(&recipe, true);
    }
}

/* libpng by itself refuses more than a million pixels a row. */
TEST("wider than libpng's limit")
{
    png_recipe recipe = png_recipe_of(0, 1234567, 3);
    check_recipe(&recipe, false);
    recipe = png_recipe_of(3, 1000003, 17);
    recipe.filters = PNG_FILTER_PAETH;
    recipe.level = 1;
    check_recipe(&recipe, false);
}

TEST("chunks of a few bytes")
{
    for (size_t format = 0; format < PNG_FORMATS; format++) {
        png_recipe recipe = png_recipe_of(format, 37, 23);
        recipe.idat = 6;
        check_recipe(&recipe, false);
    }
}

/* A pitch of a whole number of cells will do; half a cell or half a row will not. */
TEST("pitches of colours")
{
    png_recipe recipe = png_recipe_of(4, 6, 4);
    png_made made;
    png_make(&made, &recipe);
    uint16_t pixels[64];
    halo_png_reader *reader = NULL;
    halo_png_read_options options = {.colour = true};
    SUCCEEDS(halo_png_reader_open_memory(&reader, made.bytes, made.size, "six.png", &options));
    CU_ASSERT_EQUAL(halo_png_grey_row_bytes(halo_png_reader_info(reader)), 36);
    CU_ASSERT_EQUAL(halo_png_reader_rows(reader, 1, pixels, 34), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_png_reader_rows(reader, 1, pixels, 37), HALO_ARGUMENT);
    SUCCEEDS(halo_png_reader_rows(reader, 1, pixels, 38));
    halo_png_reader_close(&reader);
    png_made_free(&made);
}

/* Every way of undoing filters against the plain one, on random bytes and filter types. */
TEST("filters undone in every way")
{
    static const int steps[] = {1, 2, 3, 4, 6, 8};
    uint64_t state = 7;
    const halo_isa_variant *variants = halo_png_unfilter_variants;
    for (int round = 0; round < 600; round++) {
        size_t step = (size_t)steps[round % 6], bytes = step * (1 + random_next(&state) % 150);
        int64_t rows = 1 + random_below(&state, 140);
        size_t size = (size_t)(rows + 1) * (bytes + 1);
        unsigned char *filtered = malloc(size), *wanted = malloc(size), *got = malloc(size);
        for (size_t i = 0; i < size; i++) {
            filtered[i] = (unsigned char)random_next(&state);
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
TEST("indices past the palette's end")
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
            CU_ASSERT(greys_are_right(&made, &outcome));
            png_outcome_free(&outcome);
        }
        png_made_free(&made);
    }
}
