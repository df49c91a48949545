#include "io/npy/npy.h"
#include "io/png/png_write.h"
#include "support/cells_naive.h"
#include "support/images.h"
#include "support/unit_check.h"

/* Every format, read and written, against the simple implementation. */

enum { ROUNDS = 400 };

static grid random_grid(uint64_t *state, int max_states)
{
    static const int64_t widths[] = {1, 2, 63, 64, 65, 127, 128, 129, 200, 511, 512, 513};
    int states = random_below(state, 3) != 0 ? 2 : 2 + (int)random_below(state, max_states - 1);
    int64_t width = widths[random_below(state, COUNT(widths))];
    return grid_random(state, width, 1 + random_below(state, 40), states);
}

/* Text that has to read as `wanted`. */
static void reads_as(const halo_buffer *text, const char *name, uint64_t *state, const grid *wanted,
                     halo_cells_info *info)
{
    halo_cells_reader *reader = NULL;
    grid got = {0};
    int max = 1;
    SUCCEEDS(halo_cells_reader_open_memory(&reader, text->data, text->size, name));
    *info = *halo_cells_reader_info(reader);
    info->rule = NULL;
    SUCCEEDS(grid_read(reader, state, &got));
    halo_cells_reader_close(&reader);
    for (int64_t i = 0; i < wanted->width * wanted->height; i++) {
        max = wanted->cells[i] > max ? wanted->cells[i] : max;
    }
    check(grid_same(&got, wanted), "%s: other cells (%lld x %lld)", name, (long long)wanted->width,
          (long long)wanted->height);
    check(info->states == max + 1 && info->cell_bits == (max > 1 ? 8 : 1),
          "%s: %d states of %d bits", name, info->states, info->cell_bits);
    grid_free(&got);
}

TEST("RLE")
{
    uint64_t state = 1;
    for (int round = 0; round < ROUNDS; round++) {
        grid made = random_grid(&state, 256);
        halo_buffer text = {0};
        halo_cells_info info;
        text_add(&text, "#C remark\n#CXRLE Pos=%d,-5 Gen=%d\n", -round, round);
        text_add(&text, "x = %lld,y=%lld ,  rule = B3/S23:T100,80 \n", (long long)made.width,
                 (long long)made.height);
        naive_write_rle(&text, &made, &state);
        reads_as(&text, "a.rle", &state, &made, &info);
        check(info.placed && info.x == -round && info.y == -5 && info.generation == round &&
                  info.format == HALO_CELLS_RLE,
              "round %d: place or generation", round);
        halo_buffer_free(&text);
        grid_free(&made);
    }
}

/* Without a header, or one that is too small, the live cells decide. */
TEST("RLE without a size")
{
    uint64_t state = 2;
    for (int round = 0; round < ROUNDS; round++) {
        grid made = random_grid(&state, 256);
        int64_t x = 0, y = 0;
        grid live = grid_crop(&made, &x, &y);
        grid wanted = grid_cut(&made, 0, 0, live.width == 0 ? 0 : x + live.width,
                               live.height == 0 ? 0 : y + live.height);
        halo_buffer text = {0};
        halo_cells_info info;
        if (round % 2 == 0 && wanted.width > 0) {
            text_add(&text, "\n\nx = %lld, y = %lld\r\n",
                     (long long)random_below(&state, wanted.width),
                     (long long)random_below(&state, wanted.height));
        }
        naive_write_rle(&text, &made, &state);
        reads_as(&text, "a.rle", &state, &wanted, &info);
        halo_buffer_free(&text);
        grid_free(&wanted);
        grid_free(&live);
        grid_free(&made);
    }
}

TEST(".cells")
{
    uint64_t state = 4;
    for (int round = 0; round < ROUNDS; round++) {
        grid made = random_grid(&state, 2);
        halo_buffer text = {0};
        halo_cells_info info;
        naive_write_cells(&text, &made, &state);
        reads_as(&text, round % 2 == 0 ? "a" : "a.cells", &state, &made, &info);
        check(info.format == HALO_CELLS_CELLS && !info.placed, "another format");
        halo_buffer_free(&text);
        grid_free(&made);
    }
}

/* Cells that know no size: the dead ones around them do not count. */
TEST("Life 1.05 and Life 1.06")
{
    uint64_t state = 3;
    for (int round = 0; round < 2 * ROUNDS; round++) {
        grid made = random_grid(&state, 2);
        int64_t x = 0, y = 0, left = random_below(&state, 2000) - 1000;
        int64_t top = round % 9 == 0 ? -((int64_t)1 << 60) : random_below(&state, 2000) - 1000;
        grid live = grid_crop(&made, &x, &y);
        halo_buffer text = {0};
        halo_cells_info info;
        (round % 2 == 0 ? naive_write_life105 : naive_write_life106)(&text, &made, left, top,
                                                                     &state);
        reads_as(&text, "a", &state, &live, &info);
        check(live.width == 0 || (info.placed && info.x == left + x && info.y == top + y),
              "round %d: not in its place", round);
        halo_buffer_free(&text);
        grid_free(&live);
        grid_free(&made);
    }
}

/* --- Arrays --- */

/* A state as a sample of each type, in the machine's byte order. */
static size_t put_sample(halo_sample_type type, int cell, unsigned char *out)
{
#define PUT(code, c_type, ...)               \
    case HALO_SAMPLE_##code: {               \
        c_type sample = (c_type)cell;        \
        memcpy(out, &sample, sizeof sample); \
        return sizeof sample;                \
    }
    switch (type) {
        HALO_SAMPLE_VALUE_LIST(PUT)
    default:
        *out = (unsigned char)cell;
        return 1;
    }
#undef PUT
}

/* Cells `times` as large as they are. */
static void write_array(halo_buffer *out, const grid *from, halo_sample_type type, int times,
                        bool swapped)
{
    const halo_npy_header header = {.width = from->width, .height = from->height, .type = type};
    SUCCEEDS(halo_npy_begin(out, &header));
    unsigned char *order = out->data + 10 + strlen("{'descr': '");
    if (swapped && *order != '|') {
        *order = *order == '<' ? '>' : '<';
    }
    for (int64_t i = 0; i < from->width * from->height; i++) {
        unsigned char sample[8], reversed[8];
        size_t bytes = put_sample(type, times * from->cells[i], sample);
        for (size_t j = 0; j < bytes; j++) {
            reversed[j] = sample[bytes - 1 - j];
        }
        SUCCEEDS(halo_buffer_append(out, swapped ? reversed : sample, bytes));
    }
}

/* Programs for images write 255 where it is light: masks, of two states. */
TEST("arrays and masks")
{
    uint64_t state = 5;
    for (size_t round = 0; round < 20 * HALO_SAMPLE_TYPES; round++) {
        halo_sample_type type = (halo_sample_type)(round % HALO_SAMPLE_TYPES);
        bool truth = type == HALO_SAMPLE_BIT || halo_sample_types[type].real;
        int states = truth || round % 3 == 0 ? 2 : type == HALO_SAMPLE_I8 ? 128 : 256;
        grid made = random_grid(&state, 2);
        int64_t width = round % 7 == 0 ? 9001 : made.width;
        grid_free(&made);
        made = grid_random(&state, width, 1 + random_below(&state, 12), states);
        bool mask = states == 2 && (type == HALO_SAMPLE_U8 || type == HALO_SAMPLE_I32);
        halo_buffer file = {0};
        halo_cells_info info;
        made.cells[0] = mask ? 1 : made.cells[0];
        write_array(&file, &made, type, mask ? 255 : 1, round % 2 == 0);
        reads_as(&file, "a", &state, &made, &info);
        halo_buffer_free(&file);
        grid_free(&made);
    }
}

/* --- Pictures --- */

static void write_picture(halo_buffer *out, const grid *from, halo_png_kind kind, uint64_t *state)
{
    const halo_png_header header = {.width = from->width, .height = from->height, .kind = kind};
    size_t pitch = (halo_png_row_bytes(&header) + 7) / 8 * 8;
    unsigned char *rows = grid_rows(from, 1, pitch);
    for (int64_t y = 0; y < from->height && kind != HALO_PNG_BITS; y++) {
        for (int64_t x = 0; x < from->width; x++) {
            /* Around the middle of the range, and far from it. */
            bool live = from->cells[y * from->width + x] != 0;
            int64_t far = random_below(state, 2) == 0 ? 0 : random_below(state, 128);
            int64_t sample = live ? 128 + far : 127 - far;
            uint16_t wide = (uint16_t)(live ? 32768 + 256 * far : 32767 - 256 * far);
            if (kind == HALO_PNG_GREY8) {
                rows[(size_t)y * pitch + (size_t)x] = (unsigned char)sample;
            } else {
                memcpy(rows + (size_t)y * pitch + 2 * (size_t)x, &wide, 2);
            }
        }
    }
    halo_png_encoder *encoder = NULL;
    halo_png_sums sums = {1, 0};
    CU_ASSERT_FATAL(halo_png_encoder_create(&encoder, &header) == HALO_OK);
    CU_ASSERT_FATAL(halo_png_begin(encoder, out) == HALO_OK);
    CU_ASSERT_FATAL(halo_png_idat_rows(&header) >= header.height);
    CU_ASSERT_FATAL(halo_png_idat(encoder, out, rows, pitch, 0, &sums) == HALO_OK);
    CU_ASSERT_FATAL(halo_png_end(encoder, out, sums.adler) == HALO_OK);
    halo_png_encoder_destroy(&encoder);
    free(rows);
}

TEST("pictures")
{
    static const halo_png_kind kinds[] = {HALO_PNG_BITS, HALO_PNG_GREY8, HALO_PNG_GREY16};
    uint64_t state = 6;
    for (int round = 0; round < 60; round++) {
        grid made = random_grid(&state, 2);
        halo_buffer file = {0};
        halo_cells_info info;
        write_picture(&file, &made, kinds[round % 3], &state);
        reads_as(&file, "a.rle", &state, &made, &info);
        /* Cut off in the checksums behind the pixels: only seen by finish. */
        grid got;
        halo_cells_reader *reader = NULL;
        SUCCEEDS(halo_cells_reader_open_memory(&reader, file.data, file.size - 15, "a.png"));
        CU_ASSERT_EQUAL(grid_read(reader, &state, &got), HALO_FORMAT);
        halo_cells_reader_close(&reader);
        grid_free(&got);
        halo_buffer_free(&file);
        grid_free(&made);
    }
}
