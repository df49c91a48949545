#include "io/frames/frames_internal.h"

#include <inttypes.h>

/* The header of a binary PGM or PPM image: P5 or P6, width, height, the maximum, and one blank. */

static bool is_blank(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Takes blanks, and comments up to the ends of their lines. */
static halo_status skip(halo_frames *frames, int *next)
{
    bool comment = false;
    HALO_TRY(frames_peek(frames, next));
    while (*next >= 0 && (comment || is_blank(*next) || *next == '#')) {
        comment = *next == '#' || (comment && *next != '\n' && *next != '\r');
        frames->at++;
        HALO_TRY(frames_peek(frames, next));
    }
    return HALO_OK;
}

/* A number up to `most`; -1: there is none. */
static halo_status take_number(halo_frames *frames, int64_t most, int64_t *number)
{
    int next;
    *number = -1;
    HALO_TRY(skip(frames, &next));
    while (next >= '0' && next <= '9' && *number <= most) {
        *number = (*number < 0 ? 0 : *number * 10) + (next - '0');
        frames->at++;
        HALO_TRY(frames_peek(frames, &next));
    }
    *number = *number <= most ? *number : -1;
    return HALO_OK;
}

static halo_status take_kind(halo_frames *frames, int *kind)
{
    int letter;
    HALO_TRY(frames_peek(frames, &letter));
    frames->at += letter >= 0;
    HALO_TRY(frames_peek(frames, kind));
    frames->at += *kind >= 0;
    return HALO_REQUIRE(letter == 'P' && (*kind == '5' || *kind == '6'), HALO_FORMAT,
                        "standard input: frame %" PRId64 " does not begin with P5 or P6, as "
                        "binary PGM and PPM images do",
                        frames->number);
}

halo_status frames_parse_pnm(halo_frames *frames, halo_frame_layout *layout)
{
    int64_t width, height, maximum;
    int kind, next;
    HALO_TRY(take_kind(frames, &kind));
    HALO_TRY(take_number(frames, FRAMES_LONGEST_SIDE, &width));
    HALO_TRY(take_number(frames, FRAMES_LONGEST_SIDE, &height));
    HALO_TRY(take_number(frames, UINT16_MAX, &maximum));
    HALO_TRY(frames_peek(frames, &next));
    HALO_FAIL_IF(width < 1 || height < 1 || maximum < 1 || !is_blank(next), HALO_FORMAT,
                 "standard input: the header of frame %" PRId64
                 " is damaged: it has width, height and the maximum, 1 to 65535, and then a blank",
                 frames->number);
    frames->at++;
    halo_frame_layout sizes = {.planes = kind == '6' ? HALO_FRAME_PLANES : 1, .maximum = maximum};
    for (int i = 0; i < sizes.planes; i++) {
        sizes.plane[i].width = width;
        sizes.plane[i].height = height;
    }
    *layout = halo_frame_layout_of(HALO_FRAMES_PNM,
                                   maximum > UINT8_MAX ? HALO_SAMPLE_U16 : HALO_SAMPLE_U8, &sizes);
    return HALO_OK;
}
