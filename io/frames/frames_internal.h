#ifndef HALOBEAT_IO_FRAMES_FRAMES_INTERNAL_H
#define HALOBEAT_IO_FRAMES_FRAMES_INTERNAL_H

#include "io/frames/frames.h"

/* Internals of this folder. */

enum { FRAMES_BUFFER = 1 << 16, FRAMES_LONGEST_SIDE = 1 << 30 };

struct halo_frames {
    halo_frames_format format;
    halo_frames_take *take;
    void *context;
    int64_t number;               /* of the next frame, from 1 */
    halo_frame_layout layout;     /* of all frames of Y4M and raw */
    char header[HALO_FRAME_LINE]; /* of Y4M */
    unsigned char *at, *end;      /* bytes of the buffer that are not taken yet */
    bool ended;                   /* there are no more behind them */
    unsigned char buffer[FRAMES_BUFFER];
};

/* The next byte, without taking it, in *next; -1 at the end. Errors of `take`. */
halo_status frames_peek(halo_frames *frames, int *next);

/* Finds the layout of frames from the first line of a stream of Y4M. HALO_FORMAT. */
halo_status frames_parse_y4m(const char *header, halo_frame_layout *layout);

/* Reads the header of a PNM image. HALO_FORMAT; errors of `take`. */
halo_status frames_parse_pnm(halo_frames *frames, halo_frame_layout *layout);

#endif
