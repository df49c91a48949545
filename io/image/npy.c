#include "io/npy/npy.h"
#include "io/image/image_internal.h"

#include <stdio.h>
#include <string.h>

/* NumPy's array files, of two and three axes. */

static bool sniff(const unsigned char *bytes, size_t count)
{
    return count >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0;
}

static halo_status open_npy(halo_image_reader *reader)
{
    halo_npy_header header;
    bool swapped = false;
    size_t head;
    HALO_TRY(halo_npy_parse_axes(reader->source.at, halo_source_peek(&reader->source), reader->path,
                                 &header, &swapped, &head));
    if (header.axes == 1 && !reader->options.lines) {
        return halo_npy_check_flat(&header, reader->path);
    }
    int64_t planes = header.axes == 3 ? header.planes : 0;
    int64_t height = planes > 0 ? header.height / planes : header.height;
    if (header.width < 1 || header.height < 1) {
        return halo_fail(HALO_FORMAT, "%s: the array has no samples; save one that has",
                         reader->path);
    }
    const halo_npy_type_entry *entry = &halo_npy_types[header.type];
    halo_image_type type = HALO_IMAGE_BIT;
    halo_image_find_type(entry->descr, &type); /* which knows all of them */
    bool colours = halo_image_has_colours(reader, type, header.axes, header.width);
    int channels = colours ? (int)header.width : 1;
    halo_image_set_samples(reader, type, channels);
    size_t bytes = header.halves ? sizeof(uint16_t) : entry->bytes;
    reader->info.bits = 8 * (int)bytes;
    snprintf(reader->info.kind, sizeof reader->info.kind, "array of %s",
             header.halves ? "f2" : entry->descr);
    strcpy(reader->info.decoder, "npy");
    HALO_TRY(halo_image_set_size(reader, colours ? 0 : planes, colours ? planes : height,
                                 colours ? height : header.width));
    reader->info.axes = header.axes == 1 ? 1 : reader->info.axes;
    reader->layout = (halo_image_layout){.offset = (int64_t)head,
                                         .row_samples = reader->info.width * channels,
                                         .sample_bytes = bytes,
                                         .halves = header.halves,
                                         .booleans = type == HALO_IMAGE_BIT,
                                         .swapped = swapped};
    return halo_image_raw_start(reader);
}

const halo_image_format halo_image_npy = {
    .name = "npy", .sniff = sniff, .open = open_npy, .rows = halo_image_raw_rows};
