#include "io/image/image_reader.h"
#include "io/npy/npy.h"
#include "support/scratch.h"
#include "support/unit_check.h"

static void check_header(halo_npy_header header, const char *text)
{
    halo_buffer out = {0};
    SUCCEEDS(halo_npy_begin(&out, &header));
    CU_ASSERT_FATAL(out.size > 10);
    CU_ASSERT_EQUAL(out.size % 64, 0);
    CU_ASSERT(memcmp(out.data, "\x93NUMPY\x01\x00", 8) == 0);
    CU_ASSERT_EQUAL(out.data[8] + 256u * out.data[9], out.size - 10);
    CU_ASSERT(memcmp(out.data + 10, text, strlen(text)) == 0);
    for (size_t i = 10 + strlen(text); i < out.size - 1; i++) {
        CU_ASSERT_EQUAL(out.data[i], ' ');
    }
    CU_ASSERT_EQUAL(out.data[out.size - 1], '\n');
    halo_buffer_free(&out);
}

TEST("headers")
{
#define HEADER(descr, shape) "{'descr': '" descr "', 'fortran_order': False, 'shape': " shape ", }"
    static const struct {
        halo_npy_header header;
        const char *text;
    } cases[] = {
        {{.width = 3, .height = 2, .type = HALO_SAMPLE_U8}, HEADER("|u1", "(2, 3)")},
        {{.width = 70, .height = 0, .type = HALO_SAMPLE_U16}, HEADER("<u2", "(0, 70)")},
        {{.width = 16384, .height = 16385, .type = HALO_SAMPLE_I32},
         HEADER("<i4", "(16385, 16384)")},
        {{.width = 3000000000, .height = 40000000, .type = HALO_SAMPLE_I64},
         HEADER("<i8", "(40000000, 3000000000)")},
        {{.width = 1, .height = 1, .type = HALO_SAMPLE_F64}, HEADER("<f8", "(1, 1)")},
        /* Rows of pixels, which have the bytes of as many rows as there are pixels. */
        {{.width = 6, .height = 5, .axes = 3, .pixel = 2}, HEADER("|b1", "(5, 3, 2)")},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        check_header(cases[i].header, cases[i].text);
    }
    CU_ASSERT_EQUAL(halo_npy_row_bytes(&cases[COUNT(cases) - 1].header), 6);
}

/* Every length of text, so that the padding is right around multiples of 64. */
TEST("padding")
{
    for (int64_t width = 1; width < INT64_MAX / 200; width *= 10) {
        char text[200];
        snprintf(text, sizeof text,
                 "{'descr': '<i8', 'fortran_order': False, 'shape': (1, %lld), }",
                 (long long)width);
        check_header((halo_npy_header){.width = width, .height = 1, .type = HALO_SAMPLE_I64}, text);
    }
}

/* A header parsed from what was begun; arrays of two axes are parsed as such, too. */
static void check_parsed(const halo_npy_header *header, size_t bytes)
{
    halo_npy_header parsed;
    halo_buffer out = {0};
    bool swapped = true;
    size_t head = 0;
    SUCCEEDS(halo_npy_begin(&out, header));
    SUCCEEDS(halo_npy_parse_axes(out.data, out.size, "a", &parsed, &swapped, &head));
    CU_ASSERT(head == out.size && parsed.type == header->type && !(swapped && bytes > 1));
    CU_ASSERT(parsed.width == header->width && parsed.height == header->height);
    CU_ASSERT(header->axes == 0 ||
              (parsed.axes == header->axes && parsed.planes == header->planes));
    CU_ASSERT_EQUAL(halo_npy_sample_bytes(&parsed), bytes);
    CU_ASSERT_EQUAL(halo_npy_row_bytes(&parsed), bytes * (size_t)parsed.width);
    swapped = true;
    CU_ASSERT_EQUAL(halo_npy_parse(out.data, out.size, "a", &parsed, &swapped, &head),
                    header->axes % 2 == 0 ? HALO_OK : HALO_FORMAT);
    CU_ASSERT(parsed.width == header->width && parsed.height == header->height);
    halo_buffer_free(&out);
}

TEST("headers of every type, parsed")
{
    for (int i = 0; i < HALO_SAMPLE_TYPES; i++) {
        const halo_npy_header header = {
            .width = (int64_t)i * 123456789, .height = 7, .type = (halo_sample_type)i};
        const char *digits = halo_sample_types[i].numpy + 1;
        check_parsed(&header, (size_t)(*digits - '0'));
    }
}

/* The text is NumPy's own. */
TEST("one to three axes")
{
    static const struct {
        halo_npy_header header;
        const char *text;
    } cases[] = {{{.width = 1, .height = 7, .axes = 1}, HEADER("|b1", "(7,)")},
                 {{.width = 1, .height = 0, .axes = 1}, HEADER("|b1", "(0,)")},
                 {{.width = 3, .height = 8, .axes = 2}, HEADER("|b1", "(8, 3)")},
                 {{.width = 5, .height = 6, .axes = 3, .planes = 2}, HEADER("|b1", "(2, 3, 5)")},
                 {{.width = 1, .height = 4, .axes = 3, .planes = 4}, HEADER("|b1", "(4, 1, 1)")}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        check_header(cases[i].header, cases[i].text);
        check_parsed(&cases[i].header, 1);
    }
}

TEST("arrays that cannot be")
{
    const halo_npy_header bad[] = {
        {.width = -1, .height = 5},
        {.width = 5, .height = -1},
        {.width = INT64_MAX, .height = 1},
        {.width = (int64_t)1 << 32, .height = (int64_t)1 << 32, .type = HALO_SAMPLE_I64},
        {.width = 5, .height = 5, .type = (halo_sample_type)99},
        {.width = 5, .height = 5, .axes = 1},
        {.width = 5, .height = 5, .axes = 3},
        {.width = 5, .height = 5, .axes = 3, .planes = 2},
        {.width = 5, .height = 5, .axes = 3, .pixel = 2},
        {.width = 5, .height = 5, .axes = 4},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        halo_buffer out = {0};
        CU_ASSERT_EQUAL(halo_npy_begin(&out, &bad[i]), HALO_ARGUMENT);
        CU_ASSERT_EQUAL(out.size, 0);
        halo_buffer_free(&out);
    }
}

static void check_reals(const char *name, const double *expected, int64_t rows, int64_t width)
{
    enum { MOST = 8 };
    double row[MOST];
    const halo_image_options options = {
        .want = HALO_IMAGE_REALS, .volumes = true, .lines = true, .solid = true};
    halo_image_reader *reader = NULL;
    SUCCEEDS(halo_image_reader_open(&reader, name, &options));
    const halo_image_info *info = halo_image_reader_info(reader);
    CU_ASSERT_EQUAL(info->width, width);
    CU_ASSERT_EQUAL(info->rows, rows);
    for (int64_t i = 0; i < 2 * rows; i++) {
        SUCCEEDS(halo_image_reader_rows(reader, i % rows, 1, row, sizeof row));
        for (int64_t x = 0; x < width; x++) {
            CU_ASSERT_EQUAL(row[x], expected[i % rows * width + x]);
        }
    }
    CU_ASSERT_EQUAL(halo_image_reader_rows(reader, rows, 1, row, sizeof row), HALO_ARGUMENT);
    halo_image_reader_close(&reader);
}

TEST("rows as real numbers, along one to three axes, read twice")
{
    enum { SAMPLES = 12 };
    static const struct {
        halo_npy_header header;
        const char *samples; /* in the machine's byte order: bytes of one sample each */
        double expected[SAMPLES];
    } cases[] = {
        {{.width = 1, .height = 3, .type = HALO_SAMPLE_U8, .axes = 1}, "\1\2\377", {1, 2, 255}},
        {{.width = 3, .height = 2, .type = HALO_SAMPLE_I8}, "\1\2\3\4\5\376", {1, 2, 3, 4, 5, -2}},
        {{.width = 3, .height = 4, .type = HALO_SAMPLE_BIT, .axes = 3, .planes = 2},
         "\0\1\2\0\1\377\0\0\0\1\1\0",
         {0, 1, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const halo_npy_header *header = &cases[i].header;
        halo_buffer out = {0};
        SUCCEEDS(halo_npy_begin(&out, header));
        SUCCEEDS(
            halo_buffer_append(&out, cases[i].samples, (size_t)(header->width * header->height)));
        scratch_write("reals.npy", out.data, out.size);
        check_reals("reals.npy", cases[i].expected, header->height, header->width);
        halo_buffer_free(&out);
    }
}

int main(void)
{
    return scratch_run();
}
