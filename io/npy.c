#include "io/npy.h"

#include "core/file.h"
#include "partition/cuts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    PREFIX = 10,         /* magic number, version, length of the text after it */
    HEADER_MULTIPLE = 64 /* what the format asks for, so that samples are aligned */
};

static const int64_t BAND_BYTES = (int64_t)4 << 20;

static const struct {
    const char *descr;
    int64_t bytes;
} TYPES[] = {
#define HALO_NPY_ENTRY(code, descr, bytes) {descr, bytes},
    HALO_NPY_LIST(HALO_NPY_ENTRY)
#undef HALO_NPY_ENTRY
};
enum { TYPE_COUNT = sizeof TYPES / sizeof TYPES[0] };

size_t halo_npy_row_bytes(const halo_npy_header *header)
{
    return (size_t)(header->width * TYPES[header->type].bytes);
}

static halo_status check_header(const halo_npy_header *header)
{
    if ((int)header->type < 0 || (int)header->type >= TYPE_COUNT) {
        return halo_fail(HALO_ARGUMENT, "sample type %d is none of the %d known", (int)header->type,
                         (int)TYPE_COUNT);
    }
    const int64_t limit = INT64_MAX / 16;
    if (header->width < 0 || header->height < 0 ||
        (header->width > 0 && header->height > limit / header->width) || header->width > limit) {
        return halo_fail(HALO_ARGUMENT,
                         "an array cannot have %" PRId64 " x %" PRId64
                         " samples: both must be 0 or more, and their product below 2^59",
                         header->width, header->height);
    }
    bool shaped = header->axes == 0 || header->axes == 2 ||
                  (header->axes == 1 && header->width == 1) ||
                  (header->axes == 3 && header->planes > 0 && header->height % header->planes == 0);
    return shaped ? HALO_OK
                  : halo_fail(HALO_ARGUMENT,
                              "%" PRId64 " rows of %" PRId64 " samples in %" PRId64
                              " planes are no array of %d axes",
                              header->height, header->width, header->planes, header->axes);
}

static char byte_order(const halo_npy_header *header)
{
    if (TYPES[header->type].bytes == 1) {
        return '|';
    }
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? '>' : '<';
}

static void print_shape(const halo_npy_header *header, char *text, size_t size)
{
    if (header->axes == 1) {
        snprintf(text, size, "(%" PRId64 ",)", header->height);
    } else if (header->axes == 3) {
        snprintf(text, size, "(%" PRId64 ", %" PRId64 ", %" PRId64 ")", header->planes,
                 header->height / header->planes, header->width);
    } else {
        snprintf(text, size, "(%" PRId64 ", %" PRId64 ")", header->height, header->width);
    }
}

halo_status halo_npy_begin(halo_buffer *out, const halo_npy_header *header)
{
    char text[4 * HEADER_MULTIPLE], shape[2 * HEADER_MULTIPLE];
    HALO_TRY(check_header(header));
    print_shape(header, shape, sizeof shape);
    int length =
        snprintf(text, sizeof text, "{'descr': '%c%s', 'fortran_order': False, 'shape': %s, }",
                 byte_order(header), TYPES[header->type].descr, shape);
    int whole = (PREFIX + length + HEADER_MULTIPLE) / HEADER_MULTIPLE * HEADER_MULTIPLE - PREFIX;
    memset(text + length, ' ', (size_t)(whole - length));
    text[whole - 1] = '\n';
    const unsigned char prefix[PREFIX] = {0x93,
                                          'N',
                                          'U',
                                          'M',
                                          'P',
                                          'Y',
                                          1,
                                          0,
                                          (unsigned char)(whole & 255),
                                          (unsigned char)(whole >> 8)};
    HALO_TRY(halo_buffer_append(out, prefix, sizeof prefix));
    return halo_buffer_append(out, text, (size_t)whole);
}

static int64_t band_rows(const halo_npy_header *header)
{
    int64_t row_bytes = (int64_t)halo_npy_row_bytes(header);
    int64_t rows = row_bytes == 0 ? header->height : BAND_BYTES / row_bytes;
    return rows < 1 ? 1 : rows;
}

/* Everything that can fail before there is a file. */
static halo_status prepare(const halo_npy_header *header, const int64_t *cuts, int ranks,
                           halo_buffer *head, void **band)
{
    HALO_TRY(halo_npy_begin(head, header));
    if (!halo_cuts_are_valid(cuts, ranks, header->height)) {
        return halo_fail(HALO_ARGUMENT,
                         "cuts must rise from 0 to the array's height of %" PRId64
                         ", one more than there are ranks",
                         header->height);
    }
    int64_t rows = band_rows(header);
    rows = rows < header->height ? rows : header->height;
    return halo_memory_create(band, (size_t)rows * halo_npy_row_bytes(header),
                              "rows on their way into an array file");
}

/* Local. */
static halo_status write_strip(halo_file *file, size_t head, const halo_npy_header *header,
                               int64_t begin, int64_t end, const halo_rows *source, void *band)
{
    size_t row_bytes = halo_npy_row_bytes(header);
    int64_t step = band_rows(header);
    for (int64_t first = begin; row_bytes > 0 && first < end; first += step) {
        int64_t rows = end - first < step ? end - first : step;
        HALO_TRY(source->fill(source->context, first, rows, band, row_bytes));
        HALO_TRY(halo_file_write(file, (int64_t)head + first * (int64_t)row_bytes, band,
                                 (size_t)rows * row_bytes));
        if (source->progress != NULL) {
            source->progress(source->context, first + rows - begin, end - begin);
        }
    }
    return HALO_OK;
}

halo_status halo_npy_write(halo_world *world, const char *path, const halo_npy_header *header,
                           const int64_t *cuts, const halo_rows *rows)
{
    int rank = halo_world_rank(world);
    halo_buffer head = {0};
    halo_file *file = NULL;
    void *band = NULL;
    halo_status status =
        halo_agree(world, prepare(header, cuts, halo_world_ranks(world), &head, &band));
    HALO_TRY_OR(done, status);
    HALO_TRY_OR(done, halo_file_create(&file, world, path));
    if (rank == 0) {
        status = halo_file_write(file, 0, head.data, head.size);
    }
    if (status == HALO_OK) {
        status = write_strip(file, head.size, header, cuts[rank], cuts[rank + 1], rows, band);
    }
    status = halo_file_commit(&file, status);
done:
    halo_memory_free(band);
    halo_buffer_free(&head);
    return status;
}
