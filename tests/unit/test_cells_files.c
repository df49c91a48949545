#define _DEFAULT_SOURCE
#include "support/cells_naive.h"
#include "support/images.h"
#include "support/scratch.h"
#include "support/unit_check.h"

#include <unistd.h>
#include <zlib.h>

/* Cells from files: longer than the reader's buffer, packed, from pipes, and not there at all. */

static void pack_file(const char *name, const void *data, size_t bytes)
{
    gzFile file = gzopen(name, "wb1");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(gzwrite(file, data, (unsigned)bytes), (int)bytes);
    CU_ASSERT_EQUAL(gzclose(file), Z_OK);
}

static void reads_as(const char *path, const grid *wanted)
{
    uint64_t state = 9;
    halo_cells_reader *reader = NULL;
    grid got = {0};
    SUCCEEDS(halo_cells_reader_open(&reader, path, NULL));
    SUCCEEDS(grid_read(reader, &state, &got));
    check(grid_same(&got, wanted), "%s: other cells", path);
    halo_cells_reader_close(&reader);
    grid_free(&got);
}

static void refused(const char *path, halo_status wanted, const char *words)
{
    halo_cells_reader *reader = NULL;
    FAILS(wanted, words, halo_cells_reader_open(&reader, path, NULL));
    CU_ASSERT_PTR_NULL(reader);
    check(strncmp(halo_last_message(), path, strlen(path)) == 0, "no path in: %s",
          halo_last_message());
}

static const char glider_text[] = "x = 3, y = 3\nbo$2bo$3o!";
static uint8_t glider_states[9] = {0, 1, 0, 0, 0, 1, 1, 1, 1};
static const grid glider = {3, 3, 2, glider_states};

/* Cells of some megabytes of text, in all of its varieties. */
TEST("longer than the buffer")
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
        scratch_write("long.rle", text.data, text.size);
        reads_as("long.rle", &made);
        pack_file("long.rle.gz", text.data, text.size);
        reads_as("long.rle.gz", &made);
        halo_buffer_free(&text);
        grid_free(&made);
    }
}

/* A token or line end at every place around the end of the reader's buffer. */
TEST("seams")
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
        scratch_write("seam.rle", text, buffer - i + strlen(cells));
        reads_as("seam.rle", &rle);
    }
    free(text);
}

/* Carriage returns alone, pairs and line feeds, and a pair that the buffer's end cuts. */
TEST("ends of lines at the end of the buffer")
{
    static const char *const ends[] = {"\n", "\r", "\r\n"};
    const size_t buffer = 1 << 20;
    char *text = malloc(2 * buffer);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    for (size_t e = 0; e < COUNT(ends); e++) {
        for (size_t i = 0; i < 6; i++) {
            char tail[100];
            int length = snprintf(tail, sizeof tail, "%s%sbo$%s2bo$%s%s3o!%s", ends[e], ends[e],
                                  ends[e], ends[e], ends[e], ends[e]);
            memset(text, 'a', buffer);
            memcpy(text, "\xef\xbb\xbf#C ", 6);
            memcpy(text + buffer - i, tail, (size_t)length);
            scratch_write("ends.rle", text, buffer - i + (size_t)length);
            reads_as("ends.rle", &glider);
            pack_file("ends.rle.gz", text, buffer - i + (size_t)length);
            reads_as("ends.rle.gz", &glider);
        }
    }
    free(text);
}

TEST("packed")
{
    static const char picture[] = "\x89PNG\r\n\x1a\n and so on";
    pack_file("glider.rle.gz", glider_text, strlen(glider_text));
    reads_as("glider.rle.gz", &glider);
    halo_buffer packed = scratch_read("glider.rle.gz");
    CU_ASSERT_FATAL(packed.size > 30);
    scratch_write("cut.rle.gz", packed.data, packed.size - 10);
    refused("cut.rle.gz", HALO_FORMAT, "cannot be read on");
    packed.data[packed.size - 6] ^= 1; /* in the CRC */
    scratch_write("damaged.rle.gz", packed.data, packed.size);
    refused("damaged.rle.gz", HALO_FORMAT, "cannot be read on");
    halo_buffer_free(&packed);
    pack_file("a.png.gz", picture, strlen(picture));
    refused("a.png.gz", HALO_FORMAT, "unpack it");
    scratch_text("not-packed.rle.gz", glider_text);
    reads_as("not-packed.rle.gz", &glider);
}

TEST("a pipe")
{
    char path[SCRATCH_PIPE];
    int end = scratch_pipe(path, glider_text, strlen(glider_text));
    reads_as(path, &glider);
    close(end);
    static const char marked[] = "\xef\xbb\xbfx = 3, y = 3\rbo$2bo$3o!\r";
    end = scratch_pipe(path, marked, strlen(marked));
    reads_as(path, &glider);
    close(end);
}

TEST("missing, and without cells")
{
    uint8_t none = 0;
    refused("missing.rle", HALO_FILE, "check the name");
    refused("/tmp", HALO_FILE, "is a directory");
    scratch_write("utf16.rle", "\xff\xfex\0 \0=\0", 8);
    refused("utf16.rle", HALO_FORMAT, "UTF-16");
    scratch_text("empty.rle", "");
    reads_as("empty.rle", &(grid){0, 0, 2, &none});
}

/* A file that has changed since it was checked is an error, and no row is overrun. */
TEST("changed meanwhile")
{
    static const char header[] = "x = 70, y = 2\n";
    static const char *const texts[][2] = {{"o$o!", "o$71o!"},
                                           {"o$o!", "o$9999o!"},
                                           {"o$o!", "o$C!"},
                                           {"C$C!", "C$D!"},
                                           {"o$o!", "o$?!"}};
    for (size_t i = 0; i < COUNT(texts); i++) {
        const size_t padding = 1500000;
        char *long_text = malloc(padding + 100);
        CU_ASSERT_PTR_NOT_NULL_FATAL(long_text);
        memset(long_text, ' ', padding);
        memcpy(long_text, header, strlen(header));
        strcpy(long_text + padding, texts[i][0]);
        scratch_text("changing.rle", long_text);
        halo_cells_reader *reader = NULL;
        SUCCEEDS(halo_cells_reader_open(&reader, "changing.rle", NULL));
        strcpy(long_text + padding, texts[i][1]);
        scratch_text("changing.rle", long_text);
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
    return scratch_run();
}
