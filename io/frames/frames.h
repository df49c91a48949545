#ifndef HALOBEAT_IO_FRAMES_FRAMES_H
#define HALOBEAT_IO_FRAMES_FRAMES_H

#include "base/sample.h"
#include "base/status.h"
#include "io/image/image_reader.h"

/* Streams of frames: images that follow each other without an end that is known, through a pipe.
 *
 *   PNM   binary PGM and PPM images (P5, P6) without anything between them; each may have a size
 *         and a maximum of its own, up to 65535
 *   Y4M   YUV4MPEG2: planes of luma and, unless it is mono, of two colours, of 8 to 16 bits
 *   raw   samples without a header, all frames of one size and type
 *
 * Everything is local. Sources: netpbm's pgm(5) and ppm(5); yuv4mpeg(5) of the mjpegtools, and the
 * names of FFmpeg for more than 8 bits. */

typedef enum { HALO_FRAMES_PNM, HALO_FRAMES_Y4M, HALO_FRAMES_RAW } halo_frames_format;

enum {
    HALO_FRAME_PLANES = 3,  /* luma and two colours; red, green and blue */
    HALO_FRAME_LINE = 1024, /* bytes of a line of Y4M, at most */
    HALO_FRAMES_SNIFF = 10  /* bytes that halo_frames_sniff wants to see */
};

/* A plane: sample x of row y lies at offset + (y * width + x) * step. */
typedef struct {
    int64_t height, width;
    size_t offset, step; /* bytes */
} halo_frame_plane;

/* How the samples of a frame lie in memory, as they do in the stream. */
typedef struct {
    halo_sample_type type; /* not BIT */
    int64_t maximum;       /* of the samples; 0: that of their type */
    bool swapped;          /* bytes of samples are not in the machine's order */
    int planes;
    halo_frame_plane plane[HALO_FRAME_PLANES];
    size_t bytes; /* of all */
} halo_frame_layout;

/* A frame. Zero-initialise it; free it with halo_frame_free. */
typedef struct {
    halo_frame_layout layout;
    char line[HALO_FRAME_LINE]; /* of Y4M: what follows FRAME in its line; else "" */
    unsigned char *data;        /* [layout.bytes] */
    size_t room;
} halo_frame;

/* Gives the frame this layout, and memory for it. HALO_MEMORY if the machine has less. */
halo_status halo_frame_lay(halo_frame *frame, const halo_frame_layout *layout);
void halo_frame_free(halo_frame *frame);

/* Copies row `y` of a plane to `out`, in the machine's byte order, or from `row`. */
void halo_frame_get_row(const halo_frame *frame, int plane, int64_t y, void *out);
void halo_frame_put_row(halo_frame *frame, int plane, int64_t y, const void *row);

/* The largest value of a sample. */
int64_t halo_frame_maximum(const halo_frame_layout *layout);

/* The layout of a frame of `format` with planes of these sizes and this maximum, and samples of U8
 * or U16, of raw ones of any type. Samples of a pixel lie together in PNM, whose planes have one
 * size, and in raw frames if they do so in `sizes`. */
halo_frame_layout halo_frame_layout_of(halo_frames_format format, halo_sample_type type,
                                       const halo_frame_layout *sizes);

/* ---- reading --------------------------------------------------------------------------------- */

/* Reads 1 to `bytes` bytes into `into`; *got 0: there are no more. */
typedef halo_status halo_frames_take(void *context, void *into, size_t bytes, size_t *got);

typedef struct halo_frames halo_frames;

/* True if a stream that begins with these bytes is one of PNM or Y4M; sets *format. */
bool halo_frames_sniff(const unsigned char *bytes, size_t count, halo_frames_format *format);

/* Opens a stream. `raw`: how its frames lie, if raw->width is not 0; otherwise the stream begins
 * as halo_frames_sniff says. HALO_ARGUMENT for a type of samples that there is not; HALO_FORMAT for
 * a damaged or unknown header; HALO_MEMORY; errors of `take`. The caller closes it. */
halo_status halo_frames_open(halo_frames **out, halo_frames_take *take, void *context,
                             const halo_image_raw *raw);
void halo_frames_close(halo_frames **frames);

halo_frames_format halo_frames_format_of(const halo_frames *frames);

/* The first line of a stream of Y4M, without its end; owned by `frames`; "" in other formats. */
const char *halo_frames_header(const halo_frames *frames);

/* Reads the next frame; *ended: there is none. HALO_FORMAT, with the frame's number from 1, for a
 * frame that ends early, or does not begin as frames do; HALO_MEMORY; errors of `take`. */
halo_status halo_frames_read(halo_frames *frames, halo_frame *frame, bool *ended);

/* ---- writing --------------------------------------------------------------------------------- */

typedef halo_status halo_frames_put(void *context, const void *data, size_t bytes);

/* A stream that is written. Set the first members, and the others to zero. */
typedef struct {
    halo_frames_format format;
    halo_frames_put *put;
    void *context;
    const char *header; /* of Y4M: the first line, without its end; "": one for the first frame,
                         * which must be mono, with 25 frames a second */
    int64_t written;    /* frames so far */
    halo_frame_layout first;
} halo_frames_writer;

/* Writes a frame whose layout is one of writer->format. HALO_FORMAT if it has not the size of the
 * first one, and the format, Y4M or raw, has one for all; errors of `put`. */
halo_status halo_frames_write(halo_frames_writer *writer, const halo_frame *frame);

/* Ends the stream: of Y4M without frames, the first line is written if there is one. */
halo_status halo_frames_finish(halo_frames_writer *writer);

#endif
