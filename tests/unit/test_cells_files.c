#define _DEFAULT_SOURCE
#include "support/cells_naive.h"
#include "support/images.h"
#include "support/unit_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* Cells from files: longer than the reader's buffer, packed, from pipes, and not there at all. */

static char folder[] = "/tmp/halobeat-cells-XXXXXX";
static char path[200];

static void name_file(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
}

static void write_file(const char *name, const void *data, size_t bytes)
{
    name_file(name);
    FILE *file = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(fwrite(data, 1, bytes, file), bytes);
    CU_ASSERT_EQUAL(fclose(file), 0);
}

static void pack_file(const char *name, const void *data, size_t bytes)
{
    name_file(name);
    gzFile file = gzopen(path, "wb1");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(gzwrite(file, data, (unsigned)bytes), (int)bytes);
    CU_ASSERT_EQUAL(gzclose(file), Z_OK);
}

/* The file at `path` has to read as `wanted`. */
static void reads_as(const grid *wanted, const char *what)
{
    uint64_t state = 9;
    halo_cells_reader *reader = NULL;
    grid got = {0};
    halo_status status = halo_cells_reader_open(&reader, path);
    if (status == HALO_OK) {
        status = grid_read(reader, &state, &got);
    }
    check(status == HALO_OK, "%s: %s", what, halo_last_message());
    check(status != HALO_OK || grid_same(&got, wanted), "%s: other cells", what);
    halo_cells_reader_close(&reader);
    grid_free(&got);
}

static void refused(halo_status wanted, const char *words)
{
    halo_cells_reader *reader = NULL;
    halo_status status = halo_cells_reader_open(&reader, path);
    const char *message = halo_last_message();
    check(status == wanted && reader == NULL, "%s: status %d", path, (int)status);
    check(strncmp(message, path, strlen(path)) == 0 && strstr(message, words) != NULL,
          "not \"%s\" in: %s", words, message);
    halo_cells_reader_close(&reader);
}

/* Cells of some megabytes of text, in all of its varieties. */
static void test_long(void)
{
    uint64_t state = 1;
    for (int round = 0; round < 4; round++) {
        int states = round % 2 == 0 ? 2 : 256;
        grid made = grid_random(&state, 3000, 500, states);
        /* Every state is there, so that both kinds of cells are read. */
        made.cells[0] = (uint8_t)(states - 1);
        halo_buffer text = {0};
        text_add(&text, "x = 3000, y = 500\n");
        naive_write_rle(&text, &made, &state);
        write_file("long.rle", text.data, text.size);
        reads_as(&made, "a long file");
        pack_file("long.rle.gz", text.data, text.size);
        reads_as(&made, "a packed file");
        halo_buffer_free(&text);
        grid_free(&made);
    }
}

/* A token or line end at every place around the end of the reader's buffer. */
static void test_seams(void)
{
    static const char cells[] = "x = 120, y = 3\n12bo\r\n 100bo$\n# o\n1$ 5o!";
    const size_t buffer = 1 << 20;
    uint8_t states[120 * 3] = {[12] = 1, [113] = 1};
    memset(states + 240, 1, 5);
    const grid rle = {120, 3, 2, states};
    unsigned char *text = malloc(2 * buffer);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    for (size_t i = 0; i < sizeof cells + 1; i++) {
        memset(text, 'a', buffer);
        memcpy(text, "#C ", 3);
        text[buffer - 1 - i] = '\n';
        memcpy(text + buffer - i, cells, strlen(cells));
        write_file("seam.rle", text, buffer - i + strlen(cells));
        reads_as(&rle, "a seam");
    }
    free(text);
}

static void test_packed(void)
{
    static const char text[] = "x = 3, y = 3\nbo$2bo$3o!";
    uint8_t states[9] = {0, 1, 0, 0, 0, 1, 1, 1, 1};
    const grid glider = {3, 3, 2, states};
    pack_file("glider.rle.gz", text, strlen(text));
    reads_as(&glider, "packed");

    unsigned char packed[200];
    FILE *file = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    size_t bytes = fread(packed, 1, sizeof packed, file);
    fclose(file);
    CU_ASSERT_FATAL(bytes > 30 && bytes < sizeof packed);
    write_file("cut.rle.gz", packed, bytes - 10);
    refused(HALO_FORMAT, "cannot be read on");
    packed[bytes - 6] ^= 1; /* in the CRC */
    write_file("damaged.rle.gz", packed, bytes);
    refused(HALO_FORMAT, "cannot be read on");

    static const char picture[] = "\x89PNG\r\n\x1a\n and so on";
    pack_file("a.png.gz", picture, strlen(picture));
    refused(HALO_FORMAT, "unpack it");
    write_file("named.rle.gz", text, strlen(text));
    reads_as(&glider, "not packed, whatever its name");
}

static void test_pipe(void)
{
    static const char text[] = "x = 3, y = 3\nbo$2bo$3o!";
    uint8_t states[9] = {0, 1, 0, 0, 0, 1, 1, 1, 1};
    const grid glider = {3, 3, 2, states};
    int ends[2];
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    CU_ASSERT_EQUAL(write(ends[1], text, strlen(text)), (ssize_t)strlen(text));
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    reads_as(&glider, "a pipe");
    close(ends[0]);
}

static void test_missing(void)
{
    name_file("missing.rle");
    refused(HALO_FILE, "check the name");
    snprintf(path, sizeof path, "%s", folder);
    refused(HALO_FILE, "is a directory");
    write_file("empty.rle", "", 0);
    uint8_t none = 0;
    const grid nothing = {0, 0, 2, &none};
    reads_as(&nothing, "an empty file");
}

/* What was checked is not what is read: an error, and no row is overrun. */
static void test_changed(void)
{
    static const char header[] = "x = 70, y = 2\n";
    static const char *const texts[][2] = {{"o$o!", "o$71o!"},
                                           {"o$o!", "o$9999o!"},
                                           {"o$o!", "o$C!"},
                                           {"C$C!", "C$D!"},
                                           {"o$o!", "o$?!"}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const size_t padding = 1500000;
        char *long_text = malloc(padding + 100);
        CU_ASSERT_PTR_NOT_NULL_FATAL(long_text);
        memset(long_text, ' ', padding);
        memcpy(long_text, header, strlen(header));
        strcpy(long_text + padding, texts[i][0]);
        write_file("changing.rle", long_text, strlen(long_text));
        halo_cells_reader *reader = NULL;
        CU_ASSERT_EQUAL_FATAL(halo_cells_reader_open(&reader, path), HALO_OK);
        strcpy(long_text + padding, texts[i][1]);
        write_file("changing.rle", long_text, strlen(long_text));
        const halo_cells_info *info = halo_cells_reader_info(reader);
        size_t pitch = (halo_cells_row_bytes(info->width, info->cell_bits) + 7) / 8 * 8;
        void *rows = malloc(2 * pitch);
        CU_ASSERT_PTR_NOT_NULL_FATAL(rows);
        halo_status status = halo_cells_reader_rows(reader, 2, rows, pitch);
        check(status == HALO_FORMAT, "case %zu: status %d", i, (int)status);
        halo_cells_reader_close(&reader);
        free(rows);
        free(long_text);
    }
}

int main(void)
{
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    CU_TestInfo tests[] = {
        {"longer than the buffer", test_long},
        {"seams", test_seams},
        {"packed", test_packed},
        {"a pipe", test_pipe},
        {"missing", test_missing},
        {"changed meanwhile", test_changed},
        CU_TEST_INFO_NULL,
    };
    int status = unit_check_run("cells_files", tests);
    static const char *const names[] = {"long.rle",   "long.rle.gz",    "seam.rle", "glider.rle.gz",
                                        "cut.rle.gz", "damaged.rle.gz", "a.png.gz", "named.rle.gz",
                                        "empty.rle",  "changing.rle"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        name_file(names[i]);
        unlink(path);
    }
    return rmdir(folder) == 0 ? status : 1;
}
