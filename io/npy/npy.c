#include "io/npy/npy.h"

#include "base/minmax.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    PREFIX = 10,         /* magic number, version, length of the text after it */
    HEADER_MULTIPLE = 64 /* what the format asks for, so that samples are aligned */
};

size_t halo_npy_sample_bytes(const halo_npy_header *header)
{
    return halo_sample_types[header->type].stored;
}

size_t halo_npy_row_bytes(const halo_npy_header *header)
{
    return (size_t)header->width * halo_npy_sample_bytes(header);
}

static halo_status check_header(const halo_npy_header *header)
{
    if ((int)header->type < 0 || (int)header->type >= (int)HALO_SAMPLE_TYPES) {
        return halo_fail(HALO_ARGUMENT, "sample type %d is none of the %d known", (int)header->type,
                         (int)HALO_SAMPLE_TYPES);
    }
    const int64_t limit = INT64_MAX / 16;
    if (header->width < 0 || header->height < 0 ||
        (header->width > 0 && header->height > limit / header->width) || header->width > limit) {
        return halo_fail(HALO_ARGUMENT,
                         "an array cannot have %" PRId64 " x %" PRId64
                         " samples: both must be 0 or more, and their product below 2^59",
                         header->width, header->height);
    }
    bool planar = header->planes > 0 && header->height % header->planes == 0;
    bool of_pixels = header->planes == 0 && header->pixel > 0 && header->width % header->pixel == 0;
    bool shaped = header->axes == 0 || header->axes == 2 ||
                  (header->axes == 1 && header->width == 1) ||
                  (header->axes == 3 && (planar || of_pixels));
    return shaped ? HALO_OK
                  : halo_fail(HALO_ARGUMENT,
                              "%" PRId64 " rows of %" PRId64 " samples in %" PRId64
                              " planes are no array of %d axes",
                              header->height, header->width, header->planes, header->axes);
}

static char byte_order(const halo_npy_header *header)
{
    if (halo_npy_sample_bytes(header) == 1) {
        return '|';
    }
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? '>' : '<';
}

static void print_shape(const halo_npy_header *header, char *text, size_t size)
{
    bool planar = header->planes > 0;
    const int64_t solid[] = {planar ? header->planes : header->height,
                             planar ? header->height / header->planes
                                    : header->width / halo_max(header->pixel, 1),
                             planar ? header->width : header->pixel};
    if (header->axes == 1) {
        snprintf(text, size, "(%" PRId64 ",)", header->height);
    } else if (header->axes == 3) {
        snprintf(text, size, "(%" PRId64 ", %" PRId64 ", %" PRId64 ")", solid[0], solid[1],
                 solid[2]);
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
                 byte_order(header), halo_sample_types[header->type].numpy, shape);
    int whole = (PREFIX + length + HEADER_MULTIPLE) / HEADER_MULTIPLE * HEADER_MULTIPLE - PREFIX;
    memset(text + length, ' ', (size_t)(whole - length));
    text[whole - 1] = '\n';
    const unsigned char length_bytes[] = {(unsigned char)(whole & 255),
                                          (unsigned char)(whole >> 8)};
    HALO_TRY(halo_buffer_append(out, "\x93NUMPY\1\0", PREFIX - sizeof length_bytes));
    HALO_TRY(halo_buffer_append(out, length_bytes, sizeof length_bytes));
    return halo_buffer_append(out, text, (size_t)whole);
}
