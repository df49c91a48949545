#include "io/frames/frames.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

/* A frame in memory. */

halo_status halo_frame_lay(halo_frame *frame, const halo_frame_layout *layout)
{
    frame->layout = *layout;
    frame->line[0] = '\0';
    if (layout->bytes <= frame->room) {
        return HALO_OK;
    }
    halo_memory_free(frame->data);
    frame->data = NULL;
    frame->room = 0;
    HALO_FAIL_IF(layout->bytes > (uint64_t)halo_memory_available(), HALO_MEMORY,
                 "a frame of %" PRId64 " x %" PRId64 " pixels takes %zu bytes, and %" PRId64
                 " are free; use smaller frames",
                 layout->plane[0].width, layout->plane[0].height, layout->bytes,
                 halo_memory_available());
    HALO_TRY(HALO_ALLOCATE_LARGE(frame->data, layout->bytes, "a frame"));
    frame->room = layout->bytes;
    return HALO_OK;
}

void halo_frame_free(halo_frame *frame)
{
    halo_memory_free(frame->data);
    *frame = (halo_frame){.data = NULL};
}

int64_t halo_frame_maximum(const halo_frame_layout *layout)
{
    return layout->maximum > 0 ? layout->maximum : halo_sample_types[layout->type].key_max;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Copies `count` samples of `bytes` bytes, whose steps differ, and swaps their bytes. */
static void copy_samples(unsigned char *to, size_t to_step, const unsigned char *from,
                         size_t from_step, int64_t count, size_t bytes, bool swapped)
{
    for (int64_t i = 0; i < count; i++, to += to_step, from += from_step) {
        for (size_t k = 0; k < bytes; k++) {
            to[k] = from[swapped ? bytes - 1 - k : k];
        }
    }
}

/* A call for each size of samples, of which compilers make fast loops. */
static void copy_row(unsigned char *to, size_t to_step, const unsigned char *from, size_t from_step,
                     int64_t count, size_t bytes, bool swapped)
{
    if (to_step == bytes && from_step == bytes && !swapped) {
        memcpy(to, from, (size_t)count * bytes);
    } else if (bytes == 1) {
        copy_samples(to, to_step, from, from_step, count, 1, false);
    } else if (bytes == 2 && swapped) {
        copy_samples(to, to_step, from, from_step, count, 2, true);
    } else {
        copy_samples(to, to_step, from, from_step, count, bytes, swapped);
    }
}

static unsigned char *row_at(const halo_frame *frame, const halo_frame_plane *plane, int64_t y)
{
    return frame->data + plane->offset + (size_t)(y * plane->width) * plane->step;
}

void halo_frame_get_row(const halo_frame *frame, int plane, int64_t y, void *out)
{
    const halo_frame_plane *of = &frame->layout.plane[plane];
    size_t bytes = halo_sample_types[frame->layout.type].bytes;
    copy_row(out, bytes, row_at(frame, of, y), of->step, of->width, bytes, frame->layout.swapped);
}

void halo_frame_put_row(halo_frame *frame, int plane, int64_t y, const void *row)
{
    const halo_frame_plane *of = &frame->layout.plane[plane];
    size_t bytes = halo_sample_types[frame->layout.type].bytes;
    copy_row(row_at(frame, of, y), of->step, row, bytes, of->width, bytes, frame->layout.swapped);
}

/* ---- layouts --------------------------------------------------------------------------------- */

/* Samples of a pixel lie together: always in PNM, and in raw frames as where they come from. */
static bool are_in_turns(halo_frames_format format, const halo_frame_layout *sizes)
{
    bool were = sizes->plane[0].step > halo_sample_types[sizes->type].bytes;
    return sizes->planes > 1 && (format == HALO_FRAMES_PNM || (format == HALO_FRAMES_RAW && were));
}

halo_frame_layout halo_frame_layout_of(halo_frames_format format, halo_sample_type type,
                                       const halo_frame_layout *sizes)
{
    bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    bool turns = are_in_turns(format, sizes);
    size_t bytes = halo_sample_types[type].bytes, offset = 0;
    halo_frame_layout layout = *sizes;
    layout.type = type;
    layout.swapped = bytes > 1 && (format == HALO_FRAMES_PNM) == little;
    for (int i = 0; i < layout.planes; i++) {
        halo_frame_plane *plane = &layout.plane[i];
        size_t all = (size_t)(plane->height * plane->width) * bytes;
        plane->step = turns ? bytes * (size_t)layout.planes : bytes;
        plane->offset = turns ? (size_t)i * bytes : offset;
        offset += all;
    }
    layout.bytes = offset;
    return layout;
}
