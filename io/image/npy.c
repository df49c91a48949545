#include "io/npy/npy.h"
#include "io/image/axes.h"

#include <stdio.h>
#include <string.h>

/* NumPy's array files, of which an image or a volume is read. */

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
    if (header.width < 1 || header.height < 1) {
        return halo_fail(HALO_FORMAT, "%s: the array has no samples; save one that has",
                         reader->path);
    }
    const halo_npy_type_entry *entry = &halo_npy_types[header.type];
    halo_image_type type = HALO_IMAGE_BIT;
    halo_image_find_type(entry->descr, &type); /* which knows all of them */
    halo_image_axes axes = {.count = 0};
    halo_image_part part;
    size_t bytes = header.halves ? sizeof(uint16_t) : entry->bytes;
    HALO_TRY(halo_image_array_axes(reader, type, header.axes, header.sizes, &axes));
    if (header.axes == 1) { /* rows of one pixel */
        halo_image_add_axis(&axes, HALO_AXIS_SPACE, 1);
    }
    HALO_TRY(halo_image_choose_part(reader, &axes, &part));
    halo_image_set_array(reader, type, &axes, &part);
    reader->info.bits = 8 * (int)bytes;
    snprintf(reader->info.kind, sizeof reader->info.kind, "array of %s",
             header.halves ? "f2" : entry->descr);
    strcpy(reader->info.decoder, "npy");
    reader->layout = (halo_image_layout){.sample_bytes = bytes,
                                         .halves = header.halves,
                                         .booleans = reader->samples.type == HALO_IMAGE_BIT,
                                         .swapped = swapped};
    HALO_TRY(halo_image_lay_out(reader, &axes, &part, bytes, (int64_t)head));
    reader->info.axes = header.axes == 1 ? 1 : reader->info.axes;
    return halo_image_raw_start(reader);
}

const halo_image_format halo_image_npy = {
    .name = "npy", .sniff = sniff, .open = open_npy, .rows = halo_image_raw_rows};
