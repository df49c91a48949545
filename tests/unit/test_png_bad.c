#define _DEFAULT_SOURCE
#include "io/png/png_read.h"
#include "support/png_compare.h"
#include "support/png_make.h"
#include "support/unit_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* What the PNG reader says to files that are no sound PNGs. */

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
    png_recipe recipe = png_recipe_of(format, 50, 40);
    png_make(&made, &recipe);
    return made;
}

static void check_header_refused(size_t at, uint32_t value, bool wide, const char *word)
{
    png_made made = make_plain(3);
    if (wide) {
        png_put32(made.bytes + 16 + at, value);
    } else {
        made.bytes[16 + at] = (unsigned char)value;
    }
    png_put32(made.bytes + 29, (uint32_t)crc32(0, made.bytes + 12, 17));
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
    png_put32(made.bytes + 16, 0x7fffffff);
    png_put32(made.bytes + 20, 0x7fffffff);
    made.bytes[28] = 1;
    png_put32(made.bytes + 29, (uint32_t)crc32(0, made.bytes + 12, 17));
    check_bytes_refused(made.bytes, made.size, "2147483647 x 2147483647");
    png_made_free(&made);
}

/* Every length of every format, cut off. */
static void test_truncated(void)
{
    for (size_t format = 0; format < PNG_FORMATS; format++) {
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
    for (size_t format = 0; format < PNG_FORMATS; format++) {
        for (int round = 0; round < 400; round++) {
            png_recipe recipe = png_recipe_of(format, 20, 12);
            recipe.level = round % 3 == 0 ? 0 : 6;
            recipe.idat = round % 5 == 0 ? 50 : 0;
            recipe.transparent = round % 2 == 0 && png_formats[format].may_be_transparent;
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

/* A pipe has no length to be known beforehand. */
static void test_pipe(void)
{
    for (int plain = 0; plain < 2; plain++) {
        png_made made = make_plain(3);
        int ends[2];
        CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
        CU_ASSERT_EQUAL(write(ends[1], made.bytes, made.size), (ssize_t)made.size);
        close(ends[1]);
        char path[40];
        snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
        halo_status status;
        CU_ASSERT_STRING_EQUAL(read_file(path, plain == 1, &status), "");
        CU_ASSERT_EQUAL(status, HALO_OK);
        close(ends[0]);
        png_made_free(&made);
    }
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"files that cannot be read", test_unreadable},
        {"files that are not PNGs", test_not_png},
        {"headers out of range", test_headers},
        {"files cut off", test_truncated},
        {"wrong checksums", test_checksums},
        {"wrong arguments", test_misuse},
        {"a pipe", test_pipe},
        {"random damage", test_mutations},
        CU_TEST_INFO_NULL,
    };
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    int status = unit_check_run("png_bad", tests);
    char path[100];
    path_of(path, sizeof path, "bad.png");
    unlink(path);
    rmdir(folder);
    return status;
}
