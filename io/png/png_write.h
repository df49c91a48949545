#ifndef HALOBEAT_IO_PNG_PNG_WRITE_H
#define HALOBEAT_IO_PNG_PNG_WRITE_H

#include "base/memory.h"

#include <stdint.h>

/* PNG files in IDAT chunks that are encoded independently of each other.
 *
 * A chunk holds a fixed number of rows, a function of the header only. Its first row is filtered
 * without the row above and its deflate data end with a full flush, so chunks can be encoded in any
 * order, by anyone, and the file has the same bytes whoever encoded what. The Adler-32 sums of the
 * chunks are combined for the end of the stream. This is the method of pigz (Adler) carried over to
 * PNG. All functions here are local. */

/* What a caller's row holds: samples in the machine's byte order, no padding between pixels. */
typedef enum {
    HALO_PNG_GREY8,   /* uint8_t */
    HALO_PNG_GREY16,  /* uint16_t */
    HALO_PNG_PALETTE, /* uint8_t indices into the palette */
    HALO_PNG_BITS,    /* uint64_t words, pixel x is bit x % 64 of word x / 64; 1 is white */
    HALO_PNG_RGB8     /* 3 x uint8_t */
} halo_png_kind;

typedef struct {
    int64_t width;  /* pixels, 1 to 2^31 - 1 */
    int64_t height; /* rows, 1 to 2^31 - 1 */
    halo_png_kind kind;
    int colours;                  /* 1 to 256; only HALO_PNG_PALETTE */
    const unsigned char *palette; /* [colours * 3] red, green, blue; only HALO_PNG_PALETTE */
} halo_png_header;

/* What the uncompressed stream adds up to, over one chunk or several in order. Start from
 * {1, 0}. */
typedef struct {
    uint32_t adler;
    int64_t bytes;
} halo_png_sums;

/* One encoder serves one thread: it owns the scratch memory of one chunk. */
typedef struct halo_png_encoder halo_png_encoder;

/* HALO_ARGUMENT, naming value and limit, if PNG or this encoder cannot hold such an image. */
halo_status halo_png_header_check(const halo_png_header *header);

/* Bytes of a caller's row, unpadded; HALO_PNG_BITS rows count whole words. */
size_t halo_png_row_bytes(const halo_png_header *header);

/* Rows of every IDAT chunk but the last. */
int64_t halo_png_idat_rows(const halo_png_header *header);

/* Copies the header; the palette stays the caller's and must outlive the encoder. HALO_ARGUMENT,
 * HALO_MEMORY. */
halo_status halo_png_encoder_create(halo_png_encoder **out, const halo_png_header *header);

/* Accepts a pointer to NULL. */
void halo_png_encoder_destroy(halo_png_encoder **encoder);

/* Append the signature and all chunks before the pixels: a number of bytes that depends on the
 * header only. HALO_MEMORY. */
halo_status halo_png_begin(halo_png_encoder *encoder, halo_buffer *out);

/* Append chunk `chunk` (0 to chunks - 1) from its rows, `pitch` bytes apart, and say in *sums what
 * it adds to the stream. HALO_MEMORY; the buffer is then unchanged. */
halo_status halo_png_idat(halo_png_encoder *encoder, halo_buffer *out, const void *rows,
                          size_t pitch, int64_t chunk, halo_png_sums *sums);

/* Append the end of the stream, which holds the sum over all chunks, and of the file: a fixed
 * number of bytes. HALO_MEMORY. */
halo_status halo_png_end(halo_png_encoder *encoder, halo_buffer *out, uint32_t adler);

/* The sums of `first` followed by `second`. */
halo_png_sums halo_png_sums_join(halo_png_sums first, halo_png_sums second);

#endif
