#include "io/frames/frames_internal.h"

#include "base/memory.h"
#include "io/image/image_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char y4m_magic[] = "YUV4MPEG2";

/* ---- bytes ----------------------------------------------------------------------------------- */

halo_status frames_peek(halo_frames *frames, int *next)
{
    size_t got = 0;
    if (frames->at == frames->end && !frames->ended) {
        frames->at = frames->end = frames->buffer;
        HALO_TRY(frames->take(frames->context, frames->buffer, sizeof frames->buffer, &got));
        frames->end += got;
        frames->ended = got == 0;
    }
    *next = frames->at < frames->end ? *frames->at : -1;
    return HALO_OK;
}

/* Takes a line up to its line feed, which is not kept. */
static halo_status take_line(halo_frames *frames, const char *what, char line[HALO_FRAME_LINE])
{
    int next;
    size_t used = 0;
    HALO_TRY(frames_peek(frames, &next));
    for (; next >= 0 && next != '\n' && used < HALO_FRAME_LINE - 1; used++) {
        line[used] = (char)next;
        frames->at++;
        HALO_TRY(frames_peek(frames, &next));
    }
    line[used] = '\0';
    frames->at += next == '\n';
    return HALO_REQUIRE(next == '\n' && strlen(line) == used, HALO_FORMAT,
                        "standard input: the line of %s does not end within %d bytes, or is no "
                        "text",
                        what, HALO_FRAME_LINE - 1);
}

/* Reads `bytes` bytes; *got may be less at the end. */
static halo_status read_bytes(halo_frames *frames, unsigned char *into, size_t bytes, size_t *got)
{
    size_t there = (size_t)(frames->end - frames->at);
    *got = there < bytes ? there : bytes;
    memcpy(into, frames->at, *got);
    frames->at += *got;
    while (*got < bytes && !frames->ended) {
        size_t now;
        HALO_TRY(frames->take(frames->context, into + *got, bytes - *got, &now));
        *got += now;
        frames->ended = now == 0;
    }
    return HALO_OK;
}

/* ---- opening --------------------------------------------------------------------------------- */

bool halo_frames_sniff(const unsigned char *bytes, size_t count, halo_frames_format *format)
{
    size_t length = sizeof y4m_magic - 1;
    bool y4m = count > length && memcmp(bytes, y4m_magic, length) == 0 &&
               (bytes[length] == ' ' || bytes[length] == '\n');
    *format = y4m ? HALO_FRAMES_Y4M : HALO_FRAMES_PNM;
    return y4m || (count > 2 && bytes[0] == 'P' && (bytes[1] == '5' || bytes[1] == '6') &&
                   strchr(" \t\r\n\v\f#", bytes[2]) != NULL);
}

/* Passes bytes before the first frame. */
static halo_status pass(halo_frames *frames, int64_t bytes)
{
    int next;
    for (; bytes > 0; bytes--) {
        HALO_TRY(frames_peek(frames, &next));
        frames->at += next >= 0;
    }
    return HALO_OK;
}

static halo_status open_raw(halo_frames *frames, const halo_image_raw *raw)
{
    halo_frame_layout sizes = {.planes = 1, .plane = {{raw->height, raw->width, 0, 0}}};
    halo_sample_type type;
    size_t bytes;
    bool swapped;
    bool known = halo_image_parse_type_name(raw->dtype != NULL ? raw->dtype : "u1", &type, &bytes,
                                            &swapped) &&
                 type != HALO_SAMPLE_BIT && bytes == halo_sample_types[type].bytes;
    HALO_FAIL_IF(!known, HALO_ARGUMENT,
                 "--dtype takes u1, i1, <u2, >u2, <i2, <u4, <i4, <u8, <i8, <f4 or <f8 for frames, "
                 "and not %.40s",
                 raw->dtype);
    HALO_FAIL_IF(raw->height > FRAMES_LONGEST_SIDE || raw->width > FRAMES_LONGEST_SIDE,
                 HALO_ARGUMENT, "frames may have %d pixels along a side, at most",
                 FRAMES_LONGEST_SIDE);
    frames->format = HALO_FRAMES_RAW;
    frames->layout = halo_frame_layout_of(HALO_FRAMES_RAW, type, &sizes);
    frames->layout.swapped = swapped;
    return pass(frames, raw->offset);
}

static halo_status open_format(halo_frames *frames, const halo_image_raw *raw)
{
    if (raw->width > 0) {
        return open_raw(frames, raw);
    }
    int next;
    HALO_TRY(frames_peek(frames, &next));
    if (next != 'Y') {
        frames->format = HALO_FRAMES_PNM;
        return HALO_OK;
    }
    frames->format = HALO_FRAMES_Y4M;
    HALO_TRY(take_line(frames, "YUV4MPEG2", frames->header));
    HALO_FAIL_IF(strncmp(frames->header, y4m_magic, sizeof y4m_magic - 1) != 0, HALO_FORMAT,
                 "standard input begins with \"%.40s\": frames are binary PGM or PPM images, or "
                 "YUV4MPEG2",
                 frames->header);
    return frames_parse_y4m(frames->header, &frames->layout);
}

halo_status halo_frames_open(halo_frames **out, halo_frames_take *take, void *context,
                             const halo_image_raw *raw)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a stream of frames"));
    (*out)->take = take;
    (*out)->context = context;
    (*out)->number = 1;
    (*out)->at = (*out)->end = (*out)->buffer;
    return open_format(*out, raw);
}

void halo_frames_close(halo_frames **frames)
{
    free(*frames);
    *frames = NULL;
}

halo_frames_format halo_frames_format_of(const halo_frames *frames)
{
    return frames->format;
}

const char *halo_frames_header(const halo_frames *frames)
{
    return frames->header;
}

/* ---- frames ---------------------------------------------------------------------------------- */

static halo_status read_samples(halo_frames *frames, halo_frame *frame, bool *ended)
{
    size_t got, bytes = frame->layout.bytes;
    HALO_TRY(read_bytes(frames, frame->data, bytes, &got));
    *ended = got == 0 && frames->format == HALO_FRAMES_RAW;
    HALO_FAIL_IF(got < bytes && !*ended, HALO_FORMAT,
                 "standard input ends within frame %" PRId64 ", after %zu of its %zu bytes; the "
                 "frames before it are complete",
                 frames->number, got, bytes);
    frames->number += !*ended;
    return HALO_OK;
}

/* Takes the line of a frame of Y4M: what is behind FRAME in it. */
static halo_status take_frame_line(halo_frames *frames, char line[HALO_FRAME_LINE])
{
    static const char word[] = "FRAME";
    HALO_TRY(take_line(frames, "a frame", line));
    HALO_FAIL_IF(strncmp(line, word, sizeof word - 1) != 0, HALO_FORMAT,
                 "standard input: frame %" PRId64 " does not begin with FRAME, as those of "
                 "YUV4MPEG2 do",
                 frames->number);
    memmove(line, line + sizeof word - 1, strlen(line) - (sizeof word - 1) + 1);
    return HALO_OK;
}

halo_status halo_frames_read(halo_frames *frames, halo_frame *frame, bool *ended)
{
    int next;
    char line[HALO_FRAME_LINE] = "";
    halo_frame_layout layout = frames->layout;
    HALO_TRY(frames_peek(frames, &next));
    *ended = next < 0;
    if (*ended) {
        return HALO_OK;
    }
    if (frames->format == HALO_FRAMES_PNM) {
        HALO_TRY(frames_parse_pnm(frames, &layout));
    } else if (frames->format == HALO_FRAMES_Y4M) {
        HALO_TRY(take_frame_line(frames, line));
    }
    HALO_TRY(halo_frame_lay(frame, &layout));
    memcpy(frame->line, line, sizeof line);
    return read_samples(frames, frame, ended);
}
