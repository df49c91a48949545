#include "io/npy/npy.h"
#include "io/image/npy_internal.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NumPy's array files, of which an image or a volume is read. */

static bool sniff(const unsigned char *bytes, size_t count)
{
    return count >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0;
}

/* The part to be read; sets the reader's samples. */
static halo_status choose(halo_image_reader *reader, const halo_npy_header *header,
                          halo_image_axes *axes, halo_image_part *part)
{
    HALO_TRY(halo_image_array_axes(reader, header->type, header->axes, header->sizes, axes));
    if (header->axes == 1) { /* rows of one pixel */
        halo_image_add_axis(axes, HALO_AXIS_SPACE, 1);
    }
    HALO_TRY(halo_image_choose_part(reader, axes, part));
    halo_image_set_array(reader, header->type, axes, part);
    return HALO_OK;
}

static halo_status start_columns(halo_image_reader *reader, const halo_image_axes *axes,
                                 const halo_image_part *part, size_t bytes, int64_t offset)
{
    npy_state *state;
    HALO_TRY(HALO_ALLOCATE(state, 1, "a reader of an array"));
    reader->state = state;
    return halo_columns_create(&state->columns, reader, axes, part, bytes, offset);
}

halo_status halo_npy_start(halo_image_reader *reader, const halo_npy_header *header, bool swapped,
                           int64_t offset)
{
    halo_image_axes axes = {.count = 0};
    halo_image_part part;
    if (header->axes == 1 && !reader->options.lines) {
        return halo_npy_check_flat(header, reader->path);
    }
    if (header->width < 1 || header->height < 1) {
        return halo_fail(HALO_FORMAT, "%s: the array has no samples; save one that has",
                         reader->path);
    }
    HALO_TRY(choose(reader, header, &axes, &part));
    size_t bytes = header->halves ? sizeof(uint16_t) : halo_npy_sample_bytes(header);
    reader->info.bits = 8 * (int)bytes;
    snprintf(reader->info.kind, sizeof reader->info.kind, "array of %s",
             header->halves ? "float16"
             : reader->samples.type == HALO_SAMPLE_BIT
                 ? "bool"
                 : halo_sample_types[reader->samples.type].name);
    reader->layout = (halo_image_layout){.sample_bytes = bytes,
                                         .halves = header->halves,
                                         .booleans = reader->samples.type == HALO_SAMPLE_BIT,
                                         .swapped = swapped};
    if (header->by_columns) {
        return start_columns(reader, &axes, &part, bytes, offset);
    }
    HALO_TRY(halo_image_lay_out(reader, &axes, &part, bytes, offset));
    reader->info.axes = header->axes == 1 ? 1 : reader->info.axes;
    return halo_image_raw_start(reader);
}

halo_status halo_npy_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                          size_t pitch)
{
    const npy_state *state = reader->state;
    return state == NULL ? halo_image_raw_rows(reader, first, rows, out, pitch)
                         : halo_columns_rows(state->columns, reader, first, rows, out, pitch);
}

void halo_npy_close(halo_image_reader *reader)
{
    npy_state *state = reader->state;
    if (state != NULL) {
        halo_columns_destroy(&state->columns);
    }
    free(state);
}

static halo_status open_npy(halo_image_reader *reader)
{
    halo_npy_header header;
    bool swapped = false;
    size_t head;
    HALO_TRY(halo_npy_parse_axes(reader->source.at, halo_source_peek(&reader->source), reader->path,
                                 &header, &swapped, &head));
    strcpy(reader->info.decoder, "npy");
    return halo_npy_start(reader, &header, swapped, (int64_t)head);
}

const halo_image_format halo_image_npy = {.name = "npy",
                                          .listed = "NumPy arrays (.npy, .npz)",
                                          .numbers = true,
                                          .sniff = sniff,
                                          .open = open_npy,
                                          .rows = halo_npy_rows,
                                          .close = halo_npy_close};
