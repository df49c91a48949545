#include "io/npy/npy.h"
#include "io/image/image_internal.h"

#include <stdio.h>
#include <string.h>

/* NumPy's array files, of two and three axes. */

static bool sniff(const unsigned char *bytes, size_t count)
{
    return count >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0;
}

/* The last of three axes may be colours. */
static bool has_colours(const halo_image_reader *reader, const halo_npy_header *header)
{
    bool grey = header->type == HALO_NPY_U8 || header->type == HALO_NPY_U16;
    return header->axes == 3 && grey && !reader->options.narrow &&
           (header->width == 3 || header->width == 4);
}

static halo_status open_npy(halo_image_reader *reader)
{
    static const halo_image_type types[] = {
        [HALO_NPY_BOOL] = HALO_IMAGE_BIT, [HALO_NPY_U8] = HALO_IMAGE_U8,
        [HALO_NPY_I8] = HALO_IMAGE_I8,    [HALO_NPY_U16] = HALO_IMAGE_U16,
        [HALO_NPY_I16] = HALO_IMAGE_I16,  [HALO_NPY_U32] = HALO_IMAGE_U32,
        [HALO_NPY_I32] = HALO_IMAGE_I32,  [HALO_NPY_U64] = HALO_IMAGE_U64,
        [HALO_NPY_I64] = HALO_IMAGE_I64,  [HALO_NPY_F32] = HALO_IMAGE_F32,
        [HALO_NPY_F64] = HALO_IMAGE_F64};
    halo_npy_header header;
    bool swapped = false;
    size_t head;
    HALO_TRY(halo_npy_parse_axes(reader->source.at, halo_source_peek(&reader->source), reader->path,
                                 &header, &swapped, &head));
    if (header.axes == 1 && !reader->options.lines) {
        return halo_npy_check_flat(&header, reader->path);
    }
    bool colours = has_colours(reader, &header), boolean = header.type == HALO_NPY_BOOL;
    int64_t planes = header.axes == 3 ? header.planes : 0;
    int64_t height = planes > 0 ? header.height / planes : header.height;
    if (header.width < 1 || header.height < 1) {
        return halo_fail(HALO_FORMAT, "%s: the array has no samples; save one that has",
                         reader->path);
    }
    int channels = colours ? (int)header.width : 1;
    size_t bytes = halo_npy_sample_bytes(&header);
    reader->samples =
        (halo_image_samples){.type = types[header.type],
                             .channels = channels,
                             .alpha = channels == 4 ? HALO_ALPHA_OVER_BLACK : HALO_ALPHA_NONE,
                             .maximum = boolean      ? 1
                                        : bytes == 1 ? 255
                                                     : 65535};
    reader->info.bits = 8 * (int)bytes;
    snprintf(reader->info.kind, sizeof reader->info.kind, "array of %s",
             halo_npy_types[header.type].descr);
    strcpy(reader->info.decoder, "npy");
    HALO_TRY(halo_image_set_size(reader, colours ? 0 : planes, colours ? planes : height,
                                 colours ? height : header.width));
    reader->info.axes = header.axes == 1 ? 1 : reader->info.axes;
    reader->layout = (halo_image_layout){.offset = (int64_t)head,
                                         .row_samples = reader->info.width * channels,
                                         .sample_bytes = bytes,
                                         .booleans = boolean,
                                         .swapped = swapped};
    return halo_image_raw_start(reader);
}

const halo_image_format halo_image_npy = {
    .name = "npy", .sniff = sniff, .open = open_npy, .rows = halo_image_raw_rows};
