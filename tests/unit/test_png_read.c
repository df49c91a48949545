#define _DEFAULT_SOURCE
#include "io/png_parts.h"
#include "support/png_compare.h"
#include "support/png_make.h"

#include <CUnit/Basic.h>
#include <fcntl.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static const struct {
    int colour_type, bits;
    bool may_be_transparent;
} formats[] = {
    {PNG_COLOR_TYPE_GRAY, 1, true},         {PNG_COLOR_TYPE_GRAY, 2, true},
    {PNG_COLOR_TYPE_GRAY, 4, true},         {PNG_COLOR_TYPE_GRAY, 8, true},
    {PNG_COLOR_TYPE_GRAY, 16, true},        {PNG_COLOR_TYPE_PALETTE, 1, true},
    {PNG_COLOR_TYPE_PALETTE, 2, true},      {PNG_COLOR_TYPE_PALETTE, 4, true},
    {PNG_COLOR_TYPE_PALETTE, 8, true},      {PNG_COLOR_TYPE_RGB, 8, true},
    {PNG_COLOR_TYPE_RGB, 16, true},         {PNG_COLOR_TYPE_GRAY_ALPHA, 8, false},
    {PNG_COLOR_TYPE_GRAY_ALPHA, 16, false}, {PNG_COLOR_TYPE_RGB_ALPHA, 8, false},
    {PNG_COLOR_TYPE_RGB_ALPHA, 16, false},
};

enum { FORMATS = sizeof formats / sizeof formats[0] };

static const int filters[] = {PNG_FILTER_NONE, PNG_FILTER_SUB,   PNG_FILTER_UP,
                              PNG_FILTER_AVG,  PNG_FILTER_PAETH, PNG_ALL_FILTERS};

static png_recipe recipe_of(size_t format, uint32_t width, uint32_t height)
{
    int bits = formats[format].bits;
    bool palette = formats[format].colour_type == PNG_COLOR_TYPE_PALETTE;
    return (png_recipe){.width = width,
                        .height = height,
                        .bits = bits,
                        .colour_type = formats[format].colour_type,
                        .entries = palette ? (bits == 8 ? 200 : 1 << bits) : 0,
                        .level = 6,
                        .seed = format * 1000003 + width * 1009 + height};
}

static bool pixel_is_right(const png_made *made, const halo_png_info *info,
                           const unsigned char *row, uint32_t x, uint32_t y)
{
    uint32_t wanted = png_made_grey(made, x, y);
    if (info->grey_bits == 1) {
        uint64_t word;
        memcpy(&word, row + x / 64 * 8, sizeof word);
        return (word >> x % 64 & 1) == wanted;
    }
    uint16_t wide;
    memcpy(&wide, row + (info->grey_bits == 16 ? 2 * x : 0), sizeof wide);
    return (info->grey_bits == 16 ? wide : row[x]) == wanted;
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

static bool info_is_right(const png_recipe *recipe, const halo_png_info *info)
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
        bool good = outcome.finished == HALO_OK && info_is_right(recipe, &outcome.info) &&
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
            png_recipe recipe = recipe_of(format, width, height);
            recipe.filters = filters[filter];
            recipe.interlaced = (variant & 1) != 0;
            recipe.transparent = (variant & 2) != 0;
            recipe.smooth = (width + height + filter) % 2 == 0;
            if (formats[format].may_be_transparent || !recipe.transparent) {
                check_recipe(&recipe);
            }
        }
    }
}

static void test_every_format(void)
{
    static const uint32_t widths[] = {1, 2, 3, 7, 8, 9, 15, 31, 33, 63, 64, 65, 127, 128, 200};
    static const uint32_t heights[] = {1, 2, 19};
    for (size_t format = 0; format < FORMATS; format++) {
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
    for (size_t format = 0; format < FORMATS; format++) {
        png_recipe recipe = recipe_of(format, 1031, 701);
        recipe.smooth = true;
        recipe.level = format % 2 == 0 ? 0 : 9;
        recipe.idat = format % 3 == 0 ? 0 : 1000;
        check_recipe(&recipe);
    }
}

static void test_tiny_chunks(void)
{
    for (size_t format = 0; format < FORMATS; format++) {
        png_recipe recipe = recipe_of(format, 37, 23);
        recipe.idat = 6;
        check_recipe(&recipe);
    }
}

/* --- Bad input --- */

static char folder[] = "/tmp/halobeat-png-XXXXXX";

static void path_of(char *path, size_t bytes, const char *name)
{
    snprintf(path, bytes, "%s/%s", folder, name);
}

static void write_file(const char *path, const void *data, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    CU_ASSERT_FATAL(file != NULL);
    CU_ASSERT_EQUAL(fwrite(data, 1, bytes, file), bytes);
    fclose(file);
}

/* Read a file to its end; the message, or an empty one. */
static const char *read_file(const char *path, bool plain, halo_status *status)
{
    halo_png_reader *reader = NULL;
    halo_png_read_options options = {.plain = plain};
    *status = halo_png_reader_open(&reader, path, &options);
    unsigned char *row = NULL;
    if (*status == HALO_OK) {
        const halo_png_info *info = halo_png_reader_info(reader);
        row = malloc(halo_png_grey_row_bytes(info));
        for (int64_t y = 0; y < info->height && *status == HALO_OK; y++) {
            *status = halo_png_reader_rows(reader, 1, row, halo_png_grey_row_bytes(info));
        }
    }
    if (*status == HALO_OK) {
        *status = halo_png_reader_finish(reader);
    }
    free(row);
    halo_png_reader_close(&reader);
    CU_ASSERT_PTR_NULL(reader);
    return *status == HALO_OK ? "" : halo_last_message();
}

/* Both decoders must refuse it with the status, naming the path and saying `word`. */
static void check_refused(const char *path, halo_status wanted, const char *word)
{
    for (int plain = 0; plain < 2; plain++) {
        halo_status status;
        const char *message = read_file(path, plain == 1, &status);
        bool good =
            status == wanted && strstr(message, path) != NULL && strstr(message, word) != NULL;
        if (!good) {
            fprintf(stderr, "wanted '%s', got %d: %s\n", word, (int)status, message);
        }
        CU_ASSERT(good);
    }
}

static void check_bytes_refused(const void *bytes, size_t count, const char *word)
{
    char path[100];
    path_of(path, sizeof path, "bad.png");
    write_file(path, bytes, count);
    check_refused(path, HALO_FORMAT, word);
}

static void test_unreadable(void)
{
    char path[100];
    path_of(path, sizeof path, "missing.png");
    check_refused(path, HALO_FILE, "No such file");
    check_refused(folder, HALO_FILE, "is a directory");
    path_of(path, sizeof path, "secret.png");
    write_file(path, "x", 1);
    chmod(path, 0);
    if (access(path, R_OK) != 0) { /* root may read everything */
        check_refused(path, HALO_FILE, "Permission denied");
    }
    unlink(path);
}

static void test_not_png(void)
{
    check_bytes_refused("", 0, "empty");
    check_bytes_refused("\xff\xd8\xff\xe0 JFIF", 9, "JPEG");
    check_bytes_refused("GIF89a..", 8, "GIF");
    check_bytes_refused("II*\0....", 8, "TIFF");
    check_bytes_refused("BM......", 8, "BMP");
    check_bytes_refused("RIFF....WEBP", 12, "WebP");
    check_bytes_refused("P5 1 1 255 x", 12, "PGM");
    check_bytes_refused("hello, world", 12, "not a PNG");
    check_bytes_refused("\x89PNG\n\x1a\n....", 11, "line ends");
    check_bytes_refused("\x89PN", 3, "cut off");
}

static png_made make_plain(size_t format)
{
    png_made made;
    png_recipe recipe = recipe_of(format, 50, 40);
    png_make(&made, &recipe);
    return made;
}

static void put32(unsigned char *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(value >> (24 - 8 * i));
    }
}

static void check_header_refused(size_t at, uint32_t value, bool wide, const char *word)
{
    png_made made = make_plain(3);
    if (wide) {
        put32(made.bytes + 16 + at, value);
    } else {
        made.bytes[16 + at] = (unsigned char)value;
    }
    put32(made.bytes + 29, (uint32_t)crc32(0, made.bytes + 12, 17));
    check_bytes_refused(made.bytes, made.size, word);
    png_made_free(&made);
}

static void test_headers(void)
{
    check_header_refused(0, 0, true, "0 x 40");
    check_header_refused(4, 0, true, "50 x 0");
    check_header_refused(0, 0x80000000, true, "2147483648");
    check_header_refused(0, 0x7fffffff, true, "2147483647");
    check_header_refused(4, 0x7fffffff, true, "");
    check_header_refused(8, 3, false, "3 bits");
    check_header_refused(8, 32, false, "32 bits");
    check_header_refused(9, 5, false, "colour type 5");
    check_header_refused(9, 200, false, "colour type 200");
    check_header_refused(9, 3, false, "PLTE");
    check_header_refused(10, 1, false, "compression 1");
    check_header_refused(12, 2, false, "interlacing 2");
    png_made made = make_plain(3);
    made.bytes[20] ^= 1;
    check_bytes_refused(made.bytes, made.size, "IHDR");
    put32(made.bytes + 16, 0x7fffffff);
    put32(made.bytes + 20, 0x7fffffff);
    made.bytes[28] = 1;
    put32(made.bytes + 29, (uint32_t)crc32(0, made.bytes + 12, 17));
    check_bytes_refused(made.bytes, made.size, "2147483647 x 2147483647");
    png_made_free(&made);
}

/* Every length of every format, cut off. */
static void test_truncated(void)
{
    for (size_t format = 0; format < FORMATS; format++) {
        png_made made = make_plain(format);
        for (size_t size = 0; size < made.size; size += size < 70 ? 1 : 61) {
            png_outcome outcome;
            CU_ASSERT_PTR_NULL(png_decoders_differ(made.bytes, size));
            png_read_all(&outcome, made.bytes, size, false, 7);
            CU_ASSERT_NOT_EQUAL(outcome.finished, HALO_OK);
            png_outcome_free(&outcome);
        }
        png_made_free(&made);
    }
    png_made made = make_plain(3);
    check_bytes_refused(made.bytes, made.size - 1, "40 of 40 rows");
    check_bytes_refused(made.bytes, made.size - 12, "40 of 40 rows");
    check_bytes_refused(made.bytes, 60, "0 of 40 rows");
    png_made_free(&made);
}

static void test_checksums(void)
{
    png_made made = make_plain(3);
    made.bytes[made.size - 30] ^= 4; /* within the pixels */
    check_bytes_refused(made.bytes, made.size, "damaged");
    made.bytes[made.size - 30] ^= 4;
    made.bytes[made.size - 12 - 1] ^= 4; /* the last byte of the pixels' CRC */
    check_bytes_refused(made.bytes, made.size, "IDAT");
    made.bytes[made.size - 12 - 1] ^= 4;
    made.bytes[made.size - 1] ^= 4;
    check_bytes_refused(made.bytes, made.size, "IEND");
    made.bytes[made.size - 1] ^= 4;
    made.bytes[made.size - 12 - 4 - 1] ^= 4; /* the last byte of the Adler-32 */
    png_fix_checksums(made.bytes, made.size);
    check_bytes_refused(made.bytes, made.size, "Adler-32");
    png_made_free(&made);
}

static void test_misuse(void)
{
    png_made made = make_plain(3);
    halo_png_reader *reader = NULL;
    unsigned char rows[41 * 50];
    CU_ASSERT_EQUAL(halo_png_reader_open_memory(&reader, made.bytes, made.size, "m", NULL),
                    HALO_OK);
    CU_ASSERT_EQUAL(halo_png_reader_rows(reader, 41, rows, 50), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_png_reader_rows(reader, 1, rows, 49), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_png_reader_rows(reader, -1, rows, 50), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_png_reader_rows(reader, 0, rows, 50), HALO_OK);
    CU_ASSERT_EQUAL(halo_png_reader_finish(reader), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_png_reader_rows(reader, 40, rows, 50), HALO_OK);
    CU_ASSERT_EQUAL(halo_png_reader_finish(reader), HALO_OK);
    halo_png_reader_close(&reader);
    halo_png_reader_close(&reader);
    png_made_free(&made);
}

/* Random damage, half of it with the chunks' checksums put right again. */
static void test_mutations(void)
{
    uint64_t state = 2026;
    for (size_t format = 0; format < FORMATS; format++) {
        for (int round = 0; round < 400; round++) {
            png_recipe recipe = recipe_of(format, 20, 12);
            recipe.level = round % 3 == 0 ? 0 : 6;
            recipe.idat = round % 5 == 0 ? 50 : 0;
            recipe.transparent = round % 2 == 0 && formats[format].may_be_transparent;
            png_made made;
            png_make(&made, &recipe);
            for (uint64_t i = 0; i <= png_random(&state) % 3; i++) {
                made.bytes[8 + png_random(&state) % (made.size - 8)] =
                    (unsigned char)png_random(&state);
            }
            if (round % 4 != 0) {
                png_fix_checksums(made.bytes, made.size);
            }
            CU_ASSERT_PTR_NULL(png_decoders_differ(made.bytes, made.size));
            png_made_free(&made);
        }
    }
}

/* Every way of undoing filters against the plain one, on random bytes and filter types. */
static void test_unfilters(void)
{
    static const int steps[] = {1, 2, 3, 4, 6, 8};
    uint64_t state = 7;
    const halo_png_unfilter *ways = halo_png_unfilters();
    const halo_png_unfilter *plain = ways;
    while (plain[1].name != NULL) {
        plain++;
    }
    for (int round = 0; round < 600; round++) {
        size_t step = (size_t)steps[round % 6], bytes = step * (1 + png_random(&state) % 150);
        int64_t rows = 1 + (int64_t)(png_random(&state) % 140);
        size_t size = (size_t)(rows + 1) * (bytes + 1);
        unsigned char *filtered = malloc(size), *wanted = malloc(size), *got = malloc(size);
        for (size_t i = 0; i < size; i++) {
            filtered[i] = (unsigned char)png_random(&state);
            filtered[i] = i % (bytes + 1) == 0 ? filtered[i] % 5 : filtered[i];
        }
        memcpy(wanted, filtered, size);
        plain->unfilter(wanted + bytes + 2, rows, bytes, (int)step);
        for (const halo_png_unfilter *way = ways; way != plain; way++) {
            memcpy(got, filtered, size);
            way->unfilter(got + bytes + 2, rows, bytes, (int)step);
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
        put32(made.bytes + palette, 3);
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

int main(void)
{
    if (mkdtemp(folder) == NULL || CU_initialize_registry() != CUE_SUCCESS) {
        return 1;
    }
    CU_pSuite suite = CU_add_suite("png_read", NULL, NULL);
    CU_add_test(suite, "every format, filter and odd width", test_every_format);
    CU_add_test(suite, "larger than the buffers", test_large);
    CU_add_test(suite, "chunks of a few bytes", test_tiny_chunks);
    CU_add_test(suite, "files that cannot be read", test_unreadable);
    CU_add_test(suite, "files that are not PNGs", test_not_png);
    CU_add_test(suite, "headers out of range", test_headers);
    CU_add_test(suite, "files cut off", test_truncated);
    CU_add_test(suite, "wrong checksums", test_checksums);
    CU_add_test(suite, "wrong arguments", test_misuse);
    CU_add_test(suite, "indices past the palette's end", test_past_palette);
    CU_add_test(suite, "filters undone in every way", test_unfilters);
    CU_add_test(suite, "random damage", test_mutations);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    char path[100];
    path_of(path, sizeof path, "bad.png");
    unlink(path);
    rmdir(folder);
    return failures > 0 ? 1 : 0;
}
