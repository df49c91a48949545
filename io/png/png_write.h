#ifndef HALOBEAT_IO_PNG_PNG_WRITE_H
#define HALOBEAT_IO_PNG_PNG_WRITE_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/* PNG files whose IDAT chunks are encoded independently of each other.
 *
 * A chunk has a fixed number of rows, which depends on the header only. Its first row is filtered
 * without the row above, and its deflate data end with a full flush, so that chunks can be encoded
 * in any order by any rank, and the file has the same bytes. The Adler-32 sums of the chunks are
 * combined for the end of the stream. This is the method of pigz (Adler), applied to PNG. All
 * functions here are local. */

/* Samples of a caller's row, in native byte order, without padding between pixels. */
typedef enum {
    HALO_PNG_GREY8,   /* uint8_t */
    HALO_PNG_GREY16,  /* uint16_t */
    HALO_PNG_PALETTE, /* uint8_t indices into the palette */
    HALO_PNG_BITS,    /* uint64_t words, pixel x is bit x % 64 of word x / 64; 1 is white */
    HALO_PNG_RGB8,    /* 3 x uint8_t */
    /* With alpha as the last sample of a pixel, and of 16 bits: */
    HALO_PNG_RGB16,        /* 3 x uint16_t */
    HALO_PNG_GREY_ALPHA8,  /* 2 x uint8_t */
    HALO_PNG_GREY_ALPHA16, /* 2 x uint16_t */
    HALO_PNG_RGBA8,        /* 4 x uint8_t */
    HALO_PNG_RGBA16        /* 4 x uint16_t */
} halo_png_kind;

/* Pure. The kind of pixels of 1 to 4 samples of 8 or 16 bits, where 2 and 4 have alpha. */
halo_png_kind halo_png_kind_of(int channels, bool wide);

/* Pure. Samples of a pixel, of a palette 1, and their bits. */
int halo_png_kind_channels(halo_png_kind kind);
int halo_png_kind_bits(halo_png_kind kind);

typedef struct {
    int64_t width;  /* pixels, 1 to 2^31 - 1 */
    int64_t height; /* rows, 1 to 2^31 - 1 */
    halo_png_kind kind;
    int colours;                  /* 1 to 256; only HALO_PNG_PALETTE */
    const unsigned char *palette; /* [colours * 3] red, green, blue; only HALO_PNG_PALETTE */
    uint32_t density[2];          /* pixels a metre along rows and columns; 0: not known */
} halo_png_header;

/* Sums over the uncompressed stream of one chunk, or of several in order. Start from {1, 0}. */
typedef struct {
    uint32_t adler;
    int64_t bytes;
} halo_png_sums;

/* An encoder. It has the scratch memory for one chunk and may be used by one thread. */
typedef struct halo_png_encoder halo_png_encoder;

/* HALO_ARGUMENT, with value and limit, if PNG or this encoder cannot represent such an image. */
halo_status halo_png_header_check(const halo_png_header *header);

/* Bytes of a caller's row without padding; for HALO_PNG_BITS, of whole words. */
size_t halo_png_row_bytes(const halo_png_header *header);

/* The number of rows of every IDAT chunk but the last. */
int64_t halo_png_idat_rows(const halo_png_header *header);

/* Creates an encoder; the caller destroys it. The header is copied; its palette stays owned by the
 * caller and must outlive the encoder. HALO_ARGUMENT, HALO_MEMORY. */
halo_status halo_png_encoder_create(halo_png_encoder **out, const halo_png_header *header);

/* Frees the encoder and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_png_encoder_destroy(halo_png_encoder **encoder);

/* Appends the signature and all chunks before the pixels; the number of bytes depends on the header
 * only. HALO_MEMORY. */
halo_status halo_png_begin(halo_png_encoder *encoder, halo_buffer *out);

/* Encodes chunk `chunk` (0 to chunks - 1) from its rows, `pitch` bytes apart, appends it, and sets
 * *sums to its contribution to the stream. HALO_MEMORY; the buffer is then unchanged. */
halo_status halo_png_idat(halo_png_encoder *encoder, halo_buffer *out, const void *rows,
                          size_t pitch, int64_t chunk, halo_png_sums *sums);

/* Appends the end of the stream, with `adler`, the sum over all chunks, and the end of the file;
 * the number of bytes is fixed. HALO_MEMORY. */
halo_status halo_png_end(halo_png_encoder *encoder, halo_buffer *out, uint32_t adler);

/* The sums of the data of `first` followed by those of `second`. */
halo_png_sums halo_png_sums_join(halo_png_sums first, halo_png_sums second);

#endif
