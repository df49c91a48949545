#include "io/frames/frames.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static halo_status put_text(const halo_frames_writer *writer, const char *text)
{
    return writer->put(writer->context, text, strlen(text));
}

/* The first line of a stream of mono frames. */
static void print_header(const halo_frame_layout *layout, char line[HALO_FRAME_LINE])
{
    int bits = 0;
    char depth[12] = "";
    for (int64_t most = halo_frame_maximum(layout); most > 0; most /= 2) {
        bits++;
    }
    if (layout->type == HALO_SAMPLE_U16) {
        snprintf(depth, sizeof depth, "%d", bits > 8 ? bits : 9);
    }
    snprintf(line, HALO_FRAME_LINE, "YUV4MPEG2 W%" PRId64 " H%" PRId64 " F25:1 Ip A1:1 Cmono%s",
             layout->plane[0].width, layout->plane[0].height, depth);
}

static halo_status put_header(halo_frames_writer *writer, const halo_frame_layout *layout)
{
    char line[HALO_FRAME_LINE];
    if (writer->format != HALO_FRAMES_Y4M) {
        return HALO_OK;
    }
    print_header(layout, line);
    HALO_TRY(put_text(writer, writer->header[0] != '\0' ? writer->header : line));
    return put_text(writer, "\n");
}

static halo_status put_frame_header(const halo_frames_writer *writer, const halo_frame *frame)
{
    char text[HALO_FRAME_LINE + 16] = "";
    const halo_frame_layout *layout = &frame->layout;
    if (writer->format == HALO_FRAMES_PNM) {
        snprintf(text, sizeof text, "P%d\n%" PRId64 " %" PRId64 "\n%" PRId64 "\n",
                 layout->planes > 1 ? 6 : 5, layout->plane[0].width, layout->plane[0].height,
                 halo_frame_maximum(layout));
    } else if (writer->format == HALO_FRAMES_Y4M) {
        snprintf(text, sizeof text, "FRAME%s\n", frame->line);
    }
    return put_text(writer, text);
}

static bool are_alike(const halo_frame_layout *a, const halo_frame_layout *b)
{
    return a->bytes == b->bytes && a->type == b->type && a->planes == b->planes &&
           a->plane[0].width == b->plane[0].width && halo_frame_maximum(a) == halo_frame_maximum(b);
}

halo_status halo_frames_write(halo_frames_writer *writer, const halo_frame *frame)
{
    const halo_frame_layout *layout = &frame->layout, *first = &writer->first;
    if (writer->written == 0) {
        HALO_TRY(put_header(writer, layout));
        writer->first = *layout;
    }
    HALO_FAIL_IF(writer->format != HALO_FRAMES_PNM && !are_alike(layout, first), HALO_FORMAT,
                 "frame %" PRId64 " has %" PRId64 " x %" PRId64
                 " pixels of %s, and the first one %" PRId64 " x %" PRId64
                 " of %s; frames of this format are alike: use -o -.pnm",
                 writer->written + 1, layout->plane[0].width, layout->plane[0].height,
                 halo_sample_types[layout->type].name, first->plane[0].width,
                 first->plane[0].height, halo_sample_types[first->type].name);
    HALO_TRY(put_frame_header(writer, frame));
    HALO_TRY(writer->put(writer->context, frame->data, layout->bytes));
    writer->written++;
    return HALO_OK;
}

halo_status halo_frames_finish(halo_frames_writer *writer)
{
    bool lacks_header = writer->written == 0 && writer->header[0] != '\0';
    return lacks_header ? put_header(writer, &writer->first) : HALO_OK;
}
