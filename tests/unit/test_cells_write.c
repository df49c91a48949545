#include "support/cells_naive.h"
#include "support/images.h"
#include "support/unit_check.h"

/* Files are written byte for byte as other programs write them, if they say how, and are read
 * again. */

enum { ROUNDS = 300 };

/* The grid as text, in bands of random height. */
static halo_status write_grid(halo_buffer *out, halo_cells_format format,
                              const halo_cells_header *header, const grid *from, uint64_t *state)
{
    halo_cells_writer *writer = NULL;
    int bits = header->states > 2 ? 8 : 1;
    size_t pitch = halo_cells_row_bytes(from->width, bits) + 8 * (size_t)random_below(state, 2);
    unsigned char *rows = grid_rows(from, bits, pitch);
    halo_status status = HALO_OK;
    HALO_TRY_OR(done, halo_cells_writer_create(&writer, format, header));
    HALO_TRY_OR(done, halo_cells_writer_begin(writer, out));
    for (int64_t y = 0; y < from->height;) {
        int64_t left = from->height - y;
        int64_t band = random_below(state, 3) == 0 ? left : random_below(state, 4);
        band = band < left ? band : left;
        HALO_TRY_OR(done,
                    halo_cells_writer_rows(writer, out, band, rows + (size_t)y * pitch, pitch));
        y += band;
    }
    HALO_TRY_OR(done, halo_cells_writer_end(writer, out));
done:
    halo_cells_writer_destroy(&writer);
    free(rows);
    return status;
}

/* As Golly writes them. */
TEST("texts")
{
    static const struct {
        halo_cells_format format;
        halo_cells_header header;
        const char *cells, *text;
    } cases[] = {
        {HALO_CELLS_RLE,
         {3, 3, "B3/S23", true, -1, 2, 7, 2, NULL},
         "010001111",
         "#CXRLE Pos=-1,2 Gen=7\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n"},
        {HALO_CELLS_RLE,
         {.width = 1, .height = 1, .generation = 6, .earlier = "123456789012345678994"},
         "1",
         "#CXRLE Gen=123456789012345679000\nx = 1, y = 1\no!\n"},
        {HALO_CELLS_RLE,
         {.width = 1, .height = 1, .generation = INT64_MAX, .earlier = "9223372036854775808"},
         "1",
         "#CXRLE Gen=18446744073709551615\nx = 1, y = 1\no!\n"},
        {HALO_CELLS_RLE, {.width = 2, .height = 4}, "00100001", "x = 2, y = 4\n$o2$bo!\n"},
        {HALO_CELLS_RLE,
         {.width = 3, .height = 2, .rule = "/2/3:T3,2", .generation = 1, .states = 3},
         "012200",
         "#CXRLE Gen=1\nx = 3, y = 2, rule = /2/3:T3,2\n.AB$B!\n"},
        {HALO_CELLS_RLE, {.width = 4, .height = 1, .states = 30}, "0I1H", "x = 4, y = 1\n.pAAX!\n"},
        {HALO_CELLS_RLE, {.width = 3, .height = 2}, "000000", "x = 3, y = 2\n!\n"},
        {HALO_CELLS_RLE, {0}, "", "x = 0, y = 0\n!\n"},
        {HALO_CELLS_CELLS, {.width = 3, .height = 2, .rule = "B3/S23"}, "010000", ".O.\n...\n"},
    };
    uint64_t state = 1;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const halo_cells_header *header = &cases[i].header;
        uint8_t cells[10] = {0};
        const grid from = {header->width, header->height, 256, cells};
        halo_buffer out = {0};
        for (size_t c = 0; cases[i].cells[c] != '\0'; c++) {
            cells[c] = (uint8_t)(cases[i].cells[c] - '0');
        }
        SUCCEEDS(write_grid(&out, cases[i].format, header, &from, &state));
        check(out.size == strlen(cases[i].text) && memcmp(out.data, cases[i].text, out.size) == 0,
              "not as it should be: %.*s", (int)out.size, (const char *)out.data);
        halo_buffer_free(&out);
    }
}

static int longest_line(const halo_buffer *text)
{
    int line = 0, longest = 0;
    for (size_t i = 0; i < text->size; i++) {
        line = text->data[i] == '\n' ? 0 : line + 1;
        longest = line > longest ? line : longest;
    }
    return longest;
}

static void read_again(const halo_buffer *text, const char *name, const halo_cells_header *header,
                       const grid *wanted, uint64_t *state)
{
    halo_cells_reader *reader = NULL;
    grid got = {0};
    SUCCEEDS(halo_cells_reader_open_memory(&reader, text->data, text->size, name));
    SUCCEEDS(grid_read(reader, state, &got));
    check(grid_same(&got, wanted), "other cells are read again");
    const halo_cells_info *info = halo_cells_reader_info(reader);
    check(header->rule == NULL || (strcmp(info->rule, header->rule) == 0 &&
                                   info->placed == header->placed && info->x == header->x &&
                                   info->y == header->y && info->generation == header->generation),
          "rule, place or generation are read as something else");
    halo_cells_reader_close(&reader);
    grid_free(&got);
}

static void check_rle(const grid *made, const halo_cells_header *header, uint64_t *state)
{
    halo_buffer text = {0}, again = {0};
    SUCCEEDS(write_grid(&text, HALO_CELLS_RLE, header, made, state));
    SUCCEEDS(write_grid(&again, HALO_CELLS_RLE, header, made, state));
    check(text.size == again.size && memcmp(text.data, again.data, text.size) == 0,
          "the chunks make a difference");
    check(longest_line(&text) <= 70, "a line of %d bytes", longest_line(&text));
    read_again(&text, "a", header, made, state);
    halo_buffer_free(&text);
    halo_buffer_free(&again);
}

TEST("RLE")
{
    uint64_t state = 2;
    for (int round = 0; round < ROUNDS; round++) {
        int states = round % 3 != 0 ? 2 : 3 + (int)random_below(&state, 254);
        int64_t width = round % 10 == 0 ? 3000 : 1 + random_below(&state, 300);
        grid made = grid_random(&state, width, 1 + random_below(&state, 60), states);
        halo_cells_header header = {.width = made.width,
                                    .height = made.height,
                                    .rule = "B36/S23",
                                    .placed = round % 2 == 0,
                                    .generation = random_below(&state, 3) * (INT64_MAX / 2),
                                    .states = states};
        if (header.placed) {
            header.x = random_below(&state, 2001) - 1000;
            header.y = -HALO_CELLS_PLACE_LIMIT;
        }
        check_rle(&made, &header, &state);
        grid_free(&made);
    }
}

TEST(".cells")
{
    uint64_t state = 3;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t width = 1 + random_below(&state, 300);
        grid made = grid_random(&state, width, 1 + random_below(&state, 30), 2);
        halo_cells_header header = {.width = made.width, .height = made.height};
        halo_buffer text = {0};
        SUCCEEDS(write_grid(&text, HALO_CELLS_CELLS, &header, &made, &state));
        read_again(&text, "a.cells", &header, &made, &state);
        halo_buffer_free(&text);
        grid_free(&made);
    }
}

TEST("refused")
{
    const int64_t far = HALO_CELLS_PLACE_LIMIT + 1;
    char rule[202];
    memset(rule, 'B', 201);
    rule[201] = 0;
    const struct {
        halo_cells_format format;
        halo_cells_header header;
    } cases[] = {
        {HALO_CELLS_PNG, {.width = 1, .height = 1}},
        {HALO_CELLS_LIFE106, {.width = 1, .height = 1}},
        {HALO_CELLS_CELLS, {.width = 1, .height = 1, .states = 3}},
        {HALO_CELLS_RLE, {.width = 1, .height = 1, .states = 257}},
        {HALO_CELLS_RLE, {.width = 1, .height = 1, .states = 1}},
        {HALO_CELLS_RLE, {.width = 1, .height = 1, .states = -2}},
        {HALO_CELLS_RLE, {.width = -1, .height = 1}},
        {HALO_CELLS_RLE, {.width = 1, .height = -1}},
        {HALO_CELLS_RLE, {.width = HALO_CELLS_AXIS_LIMIT + 1, .height = 1}},
        {HALO_CELLS_RLE, {.width = 1, .height = HALO_CELLS_AXIS_LIMIT + 1}},
        {HALO_CELLS_RLE, {.width = 1, .height = 1, .x = far}},
        {HALO_CELLS_RLE, {.width = 1, .height = 1, .y = -far}},
        {HALO_CELLS_RLE, {.width = 1, .height = 1, .generation = -1}},
        {HALO_CELLS_RLE, {.width = 1, .height = 1, .earlier = "12e3"}},
        {HALO_CELLS_RLE, {.width = 1, .height = 1, .rule = "B3\n"}},
        {HALO_CELLS_RLE, {.width = 1, .height = 1, .rule = rule}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        halo_cells_writer *writer = NULL;
        halo_status status = halo_cells_writer_create(&writer, cases[i].format, &cases[i].header);
        check(status == HALO_ARGUMENT && writer == NULL, "case %zu was taken", i);
        halo_cells_writer_destroy(&writer);
    }
}

TEST("wrong calls")
{
    const uint64_t rows[4] = {1, 0, 0, 1};
    const unsigned char bytes[3] = {0, 3, 2};
    halo_buffer out = {0};
    halo_cells_writer *writer = NULL;
    halo_cells_header header = {.width = 65, .height = 2};
    SUCCEEDS(halo_cells_writer_create(&writer, HALO_CELLS_RLE, &header));
    SUCCEEDS(halo_cells_writer_begin(writer, &out));
    CU_ASSERT_EQUAL(halo_cells_writer_rows(writer, &out, 3, rows, 16), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_cells_writer_rows(writer, &out, -1, rows, 16), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_cells_writer_rows(writer, &out, 1, rows, 8), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_cells_writer_rows(writer, &out, 1, rows, 20), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_cells_writer_end(writer, &out), HALO_ARGUMENT);
    SUCCEEDS(halo_cells_writer_rows(writer, &out, 2, rows, 16));
    CU_ASSERT_EQUAL(halo_cells_writer_rows(writer, &out, 1, rows, 16), HALO_ARGUMENT);
    SUCCEEDS(halo_cells_writer_end(writer, &out));
    CU_ASSERT(out.size == 22 && memcmp(out.data, "x = 65, y = 2\no$64bo!\n", 22) == 0);
    halo_cells_writer_destroy(&writer);
    halo_cells_writer_destroy(&writer);

    header = (halo_cells_header){.width = 3, .height = 1, .states = 3};
    SUCCEEDS(halo_cells_writer_create(&writer, HALO_CELLS_RLE, &header));
    CU_ASSERT_EQUAL(halo_cells_writer_rows(writer, &out, 1, bytes, 3), HALO_ARGUMENT);
    halo_cells_writer_destroy(&writer);
    halo_buffer_free(&out);
}
