#define _DEFAULT_SOURCE
#include "io/png/png_read.h"
#include "support/images.h"
#include "support/png_compare.h"
#include "support/png_make.h"
#include "support/scratch.h"
#include "support/unit_check.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* The PNG reader refuses, or warns of, files that are no sound PNGs. */

/* Read a file to its end. */
static halo_status read_file(const char *path, bool plain)
{
    halo_png_reader *reader = NULL;
    halo_png_read_options options = {.plain = plain};
    unsigned char *row = NULL;
    halo_status status = HALO_OK;
    HALO_TRY_OR(done, halo_png_reader_open(&reader, path, &options));
    const halo_png_info *info = halo_png_reader_info(reader);
    row = malloc(halo_png_grey_row_bytes(info));
    for (int64_t y = 0; y < info->height; y++) {
        HALO_TRY_OR(done, halo_png_reader_rows(reader, 1, row, halo_png_grey_row_bytes(info)));
    }
    HALO_TRY_OR(done, halo_png_reader_finish(reader));
done:
    free(row);
    halo_png_reader_close(&reader);
    CU_ASSERT_PTR_NULL(reader);
    return status;
}

/* Both decoders must refuse it, naming the path and saying `word`. */
static void check_refused(const char *path, halo_status wanted, const char *word)
{
    for (int plain = 0; plain < 2; plain++) {
        FAILS(wanted, path, read_file(path, plain == 1));
        check(strstr(halo_last_message(), word) != NULL, "not \"%s\" in: %s", word,
              halo_last_message());
    }
}

static void check_bytes_refused(const void *bytes, size_t count, const char *word)
{
    scratch_write("bad.png", bytes, count);
    check_refused("bad.png", HALO_FORMAT, word);
}

TEST("files that cannot be read")
{
    check_refused("missing.png", HALO_FILE, "No such file");
    check_refused("/tmp", HALO_FILE, "is a directory");
    scratch_text("secret.png", "x");
    chmod("secret.png", 0);
    if (access("secret.png", R_OK) != 0) { /* root may read everything */
        check_refused("secret.png", HALO_FILE, "Permission denied");
    }
}

TEST("files that are not PNGs")
{
    static const struct {
        const char *bytes;
        size_t count;
        const char *word;
    } cases[] = {{"", 0, "empty"},
                 {"\xff\xd8\xff\xe0 JFIF", 9, "JPEG"},
                 {"GIF89a..", 8, "GIF"},
                 {"II*\0....", 8, "TIFF"},
                 {"BM......", 8, "BMP"},
                 {"RIFF....WEBP", 12, "WebP"},
                 {"P5 1 1 255 x", 12, "PGM"},
                 {"hello, world", 12, "not a PNG"},
                 {"\x89PNG\n\x1a\n....", 11, "line ends"},
                 {"\x89PN", 3, "cut off"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        check_bytes_refused(cases[i].bytes, cases[i].count, cases[i].word);
    }
}

static png_made make_plain(size_t format)
{
    png_made made;
    png_recipe recipe = png_recipe_of(format, 50, 40);
    png_make(&made, &recipe);
    return made;
}

enum { IHDR = 16, IHDR_CRC = 29 };

TEST("headers out of range")
{
    static const struct {
        size_t at;
        uint32_t value;
        size_t bytes;
        const char *word;
    } cases[] = {{0, 0, 4, "0 x 40"},
                 {4, 0, 4, "50 x 0"},
                 {0, 0x80000000, 4, "2147483648"},
                 {0, 0x7fffffff, 4, "2147483647"},
                 {4, 0x7fffffff, 4, ""},
                 {8, 3, 1, "3 bits"},
                 {8, 32, 1, "32 bits"},
                 {9, 5, 1, "colour type 5"},
                 {9, 200, 1, "colour type 200"},
                 {9, 3, 1, "PLTE"},
                 {10, 1, 1, "compression 1"},
                 {12, 2, 1, "interlacing 2"}};
    png_made made = make_plain(3);
    for (size_t i = 0; i < COUNT(cases); i++) {
        png_made bad = make_plain(3);
        if (cases[i].bytes == 4) {
            png_put32(bad.bytes + IHDR + cases[i].at, cases[i].value);
        } else {
            bad.bytes[IHDR + cases[i].at] = (unsigned char)cases[i].value;
        }
        png_put32(bad.bytes + IHDR_CRC, (uint32_t)crc32(0, bad.bytes + 12, 17));
        check_bytes_refused(bad.bytes, bad.size, cases[i].word);
        png_made_free(&bad);
    }
    made.bytes[20] ^= 1;
    check_bytes_refused(made.bytes, made.size, "IHDR");
    png_put32(made.bytes + IHDR, 0x7fffffff);
    png_put32(made.bytes + IHDR + 4, 0x7fffffff);
    made.bytes[28] = 1;
    png_put32(made.bytes + IHDR_CRC, (uint32_t)crc32(0, made.bytes + 12, 17));
    check_bytes_refused(made.bytes, made.size, "2147483647 x 2147483647");
    png_made_free(&made);
}

enum { IEND_BYTES = 12 };

/* Reads all of a PNG with both decoders, which give the same warning. */
static void check_warning(const unsigned char *bytes, size_t size, const char *words)
{
    for (int plain = 0; plain < 2; plain++) {
        halo_png_reader *reader = NULL;
        unsigned char rows[41 * 50];
        const halo_png_read_options options = {.plain = plain == 1};
        SUCCEEDS(halo_png_reader_open_memory(&reader, bytes, size, "warned.png", &options));
        const halo_png_info *info = halo_png_reader_info(reader);
        SUCCEEDS(halo_png_reader_rows(reader, info->height, rows, 50));
        SUCCEEDS(halo_png_reader_finish(reader));
        check(*words == '\0' ? halo_png_reader_warning(reader)[0] == '\0'
                             : strstr(halo_png_reader_warning(reader), words) != NULL,
              "decoder %d warns: %s", plain, halo_png_reader_warning(reader));
        halo_png_reader_close(&reader);
    }
}

/* Adds a chunk behind the header. */
static halo_buffer add_chunk(const png_made *made, const char *name, const void *data, size_t bytes,
                             uint32_t wrong)
{
    enum { HEAD = 33 };
    unsigned char head[8], tail[4];
    halo_buffer out = {0};
    png_put32(head, (uint32_t)bytes);
    memcpy(head + 4, name, 4);
    uLong crc = crc32(crc32(0, head + 4, 4), data, (uInt)bytes);
    png_put32(tail, (uint32_t)crc ^ wrong);
    SUCCEEDS(halo_buffer_append(&out, made->bytes, HEAD));
    SUCCEEDS(halo_buffer_append(&out, head, sizeof head));
    SUCCEEDS(halo_buffer_append(&out, data, bytes));
    SUCCEEDS(halo_buffer_append(&out, tail, sizeof tail));
    SUCCEEDS(halo_buffer_append(&out, made->bytes + HEAD, made->size - HEAD));
    return out;
}

TEST("defects that do no harm to pixels")
{
    png_made made = make_plain(3);
    check_warning(made.bytes, made.size, "");
    for (size_t less = 1; less <= IEND_BYTES; less++) {
        check_warning(made.bytes, made.size - less, "before its last chunk, IEND");
    }
    halo_buffer text = add_chunk(&made, "tEXt", "a\0b", 3, 1);
    check_warning(text.data, text.size, "the chunk tEXt is damaged and was left out");
    halo_buffer_free(&text);
    text = add_chunk(&made, "tEXt", "a\0b", 3, 0);
    check_warning(text.data, text.size, "");
    halo_buffer_free(&text);
    text = add_chunk(&made, "ABCD", "a", 1, 1);
    check_bytes_refused(text.data, text.size, "ABCD");
    halo_buffer_free(&text);
    /* A transparency that cannot be trusted is none. */
    text = add_chunk(&made, "tRNS", "\0\1", 2, 1);
    CU_ASSERT_PTR_NULL(png_decoders_differ(text.data, text.size));
    check_warning(text.data, text.size, "the chunk tRNS is damaged");
    halo_buffer_free(&text);
    png_made_free(&made);
}

/* Every length of every format, cut off. */
TEST("files cut off")
{
    for (size_t format = 0; format < PNG_FORMATS; format++) {
        png_made made = make_plain(format);
        for (size_t size = 0; size < made.size; size += size < 70 ? 1 : 61) {
            png_outcome outcome;
            CU_ASSERT_PTR_NULL(png_decoders_differ(made.bytes, size));
            png_read_all(&outcome, made.bytes, size, false, 7);
            bool whole = size + IEND_BYTES >= made.size; /* all pixels are there */
            CU_ASSERT_EQUAL(outcome.finished == HALO_OK, whole);
            png_outcome_free(&outcome);
        }
        png_made_free(&made);
    }
    png_made made = make_plain(3);
    check_bytes_refused(made.bytes, made.size - 13, "of 40 rows");
    check_bytes_refused(made.bytes, 60, "0 of 40 rows");
    png_made_free(&made);
}

TEST("wrong checksums")
{
    static const struct {
        size_t from_end;
        const char *word;
    } cases[] = {{30, "damaged"},  /* within the pixels */
                 {12 + 1, "IDAT"}, /* the last byte of the pixels' CRC */
                 {1, "IEND"},
                 {12 + 4 + 1, "Adler-32"}}; /* its last byte, with the chunk's CRC put right */
    for (size_t i = 0; i < COUNT(cases); i++) {
        png_made made = make_plain(3);
        made.bytes[made.size - cases[i].from_end] ^= 4;
        if (i == 3) {
            png_fix_checksums(made.bytes, made.size);
        }
        check_bytes_refused(made.bytes, made.size, cases[i].word);
        png_made_free(&made);
    }
}

TEST("wrong arguments")
{
    png_made made = make_plain(3);
    halo_png_reader *reader = NULL;
    unsigned char rows[41 * 50];
    SUCCEEDS(halo_png_reader_open_memory(&reader, made.bytes, made.size, "m", NULL));
    CU_ASSERT_EQUAL(halo_png_reader_rows(reader, 41, rows, 50), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_png_reader_rows(reader, 1, rows, 49), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_png_reader_rows(reader, -1, rows, 50), HALO_ARGUMENT);
    SUCCEEDS(halo_png_reader_rows(reader, 0, rows, 50));
    CU_ASSERT_EQUAL(halo_png_reader_finish(reader), HALO_ARGUMENT);
    SUCCEEDS(halo_png_reader_rows(reader, 40, rows, 50));
    SUCCEEDS(halo_png_reader_finish(reader));
    halo_png_reader_close(&reader);
    halo_png_reader_close(&reader);
    png_made_free(&made);
}

/* A pipe has no length to be known beforehand. */
TEST("a pipe")
{
    png_made made = make_plain(3);
    for (int plain = 0; plain < 2; plain++) {
        char path[SCRATCH_PIPE];
        int end = scratch_pipe(path, made.bytes, made.size);
        SUCCEEDS(read_file(path, plain == 1));
        close(end);
    }
    png_made_free(&made);
}

/* Half of it with the chunks' checksums put right again. */
TEST("random damage")
{
    png_made grey = make_plain(8); /* with a palette, which greys do not need */
    grey.bytes[IHDR + 9] = 0;
    png_fix_checksums(grey.bytes, grey.size);
    CU_ASSERT_PTR_NULL(png_decoders_differ(grey.bytes, grey.size));
    png_made_free(&grey);
    uint64_t state = 2026;
    for (size_t n = 0; n < 400 * PNG_FORMATS; n++) {
        size_t format = n / 400;
        png_recipe recipe = png_recipe_of(format, 20, 12);
        recipe.level = n % 3 == 0 ? 0 : 6;
        recipe.idat = n % 5 == 0 ? 50 : 0;
        recipe.transparent = n % 2 == 0 && png_formats[format].may_be_transparent;
        png_made made;
        png_make(&made, &recipe);
        for (int64_t i = 0; i <= random_below(&state, 3); i++) {
            int64_t at = 8 + random_below(&state, (int64_t)made.size - 8);
            made.bytes[at] = (unsigned char)random_next(&state);
        }
        if (n % 4 != 0) {
            png_fix_checksums(made.bytes, made.size);
        }
        CU_ASSERT_PTR_NULL(png_decoders_differ(made.bytes, made.size));
        png_made_free(&made);
    }
}

int main(void)
{
    return scratch_run();
}
