#ifndef HALOBEAT_IO_PNG_PNG_INTERNAL_H
#define HALOBEAT_IO_PNG_PNG_INTERNAL_H

#include "io/png/png_read.h"
#include "io/source/source.h"

/* Internals of the PNG reader; not installed. From the bottom up: the header, decoders that unpack
 * rows (two, with one table of functions), and the conversion of a row to grey or colour.
 * Everything is local. */

/* As halo_png_reader_open, from `source`, of which the first bytes may have been peeked at. The
 * reader takes over the source, even after a failure. */
halo_status halo_png_reader_open_source(halo_png_reader **out, halo_source *source,
                                        const halo_png_read_options *options);

/* --- Failures (fail.c) --- */

/* The message for a source that has ended early, with the number of rows read. */
halo_status halo_png_fail_ended(const halo_source *source, int64_t rows, int64_t height);

/* The message for a file with wrong bytes: a chunk (named by the first `length` characters of
 * `chunk`) whose CRC does not match, another defect in words, and pixels whose Adler-32 does not
 * match. */
halo_status halo_png_fail_crc(const halo_source *source, const char *chunk, int length,
                              int64_t rows, int64_t height);
halo_status halo_png_fail_damaged(const halo_source *source, const char *defect, int64_t rows,
                                  int64_t height);
halo_status halo_png_fail_checksum(const halo_source *source);

/* --- The header (header.c) --- */

/* PNG's big-endian numbers of four bytes. */
static inline uint32_t halo_png_big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

enum {
    HALO_PNG_GREY = 0,
    HALO_PNG_COLOUR = 2,
    HALO_PNG_PALETTE = 3,
    HALO_PNG_GREY_ALPHA = 4,
    HALO_PNG_COLOUR_ALPHA = 6
};

/* Bytes of the signature and the header chunk. */
enum { HALO_PNG_HEADER_BYTES = 8 + 25 };

typedef struct {
    int64_t width, height;
    int bits;
    int colour_type;
    int channels;
    bool interlaced;
    size_t row_bytes; /* bytes of an unpacked row, without its filter byte */
} halo_png_header;

/* Checks the signature and the header chunk, without taking them from the source. HALO_FORMAT says
 * what is wrong, or what the file looks like instead. */
halo_status halo_png_header_peek(halo_png_header *header, halo_source *source);

enum { HALO_PNG_WARNING = 120 };

/* Only this many bytes of EXIF data are searched. */
enum { HALO_PNG_EXIF_BYTES = 1 << 14 };

/* The chunk pHYs holds pixels along rows and columns, and the unit. */
enum { HALO_PNG_DENSITY_BYTES = 9 };
halo_png_density halo_png_density_of(const unsigned char bytes[HALO_PNG_DENSITY_BYTES]);

/* Palette, transparency, orientation and density, between the header and the pixels. */
typedef struct {
    unsigned char palette[256][3];  /* entries past the end are black */
    unsigned char alpha[256];       /* of the palette's entries; 255 by default */
    bool transparent;               /* there is a valid tRNS chunk */
    uint16_t key[3];                /* the transparent sample values, without a palette */
    int orientation;                /* of the chunk eXIf, or 0 */
    halo_png_density density;       /* of the chunk pHYs */
    char warning[HALO_PNG_WARNING]; /* the first defect that does no harm to the pixels; or "" */
} halo_png_extras;

/* Warnings, of which the first is kept: of a chunk that the image does not need and whose CRC does
 * not match, and of a file that is complete but for what follows the pixels. */
void halo_png_warn_crc(halo_png_extras *extras, const char *chunk, int length);
void halo_png_warn_end(halo_png_extras *extras);

/* --- Rows to grey (grey.c) and to colour (colour.c) --- */

typedef struct halo_png_conversion halo_png_conversion;
typedef void halo_png_convert_function(const halo_png_conversion *conversion,
                                       const unsigned char *row, void *out);

struct halo_png_conversion {
    int64_t width;
    int bits;
    int channels; /* of rows of samples */
    uint16_t key[3];
    uint32_t ground;               /* background of transparent pixels */
    unsigned char table[256];      /* grey of a palette's entries or of small samples */
    unsigned char colours[256][3]; /* red, green and blue of these */
    halo_png_convert_function *convert;
};

/* Chooses the conversion and sets the members of `info` that follow from it. */
void halo_png_grey_choose(halo_png_conversion *conversion, halo_png_info *info,
                          const halo_png_header *header, const halo_png_extras *extras,
                          const halo_image_ground *ground);
void halo_png_colour_choose(halo_png_conversion *conversion, halo_png_info *info,
                            const halo_png_header *header, const halo_png_extras *extras,
                            const halo_image_ground *ground);

/* For pixels of several samples and palettes. */
void halo_png_samples_choose(halo_png_conversion *conversion, halo_png_info *info,
                             const halo_png_header *header, const halo_png_extras *extras);

/* The number of pixels of a row of the file that are transparent, in whole or in part, in images
 * that can have such. */
int64_t halo_png_count_clear(const halo_png_conversion *of, const halo_png_header *header,
                             const halo_png_extras *extras, const unsigned char *row);

/* A table of conversions, by the kind of row; the first entry that fits is used. */
typedef struct {
    int colour_type;
    int bits; /* 0: any other */
    halo_png_convert_function *opaque, *transparent;
} halo_png_conversion_choice;

/* The common part of both: the image's members, and the function from the table. */
void halo_png_conversion_start(halo_png_conversion *conversion, const halo_png_header *header,
                               const halo_png_extras *extras, const halo_image_ground *ground,
                               const halo_png_conversion_choice *choice);

/* PNG's big-endian 16-bit samples. */
static inline uint32_t halo_png_sample16(const unsigned char *row, int64_t index)
{
    return (uint32_t)row[2 * index] << 8 | row[2 * index + 1];
}

/* Samples of less than a byte; the first one has the most significant bits. */
static inline unsigned halo_png_small_sample(const unsigned char *row, int64_t x, int bits)
{
    int64_t bit = x * bits;
    int shift = 8 - bits - (int)(bit % 8);
    return (unsigned)row[bit / 8] >> shift & ((1u << bits) - 1);
}

/* --- Decoders --- */

typedef struct halo_png_decoder halo_png_decoder;

typedef struct {
    const char *name;
    /* Reads up to the first pixels and sets `extras`. *out is NULL after a failure. Source, header
     * and extras must outlive the decoder. */
    halo_status (*open)(halo_png_decoder **out, halo_source *source, const halo_png_header *header,
                        halo_png_extras *extras);
    /* Returns 1 to `wanted` unfiltered rows, *stride bytes apart, valid until the next call. The
     * caller never asks for more rows than are left. */
    halo_status (*rows)(halo_png_decoder *decoder, int64_t wanted, const unsigned char **first,
                        size_t *stride, int64_t *got);
    /* Called after the last row only. */
    halo_status (*finish)(halo_png_decoder *decoder);
    void (*close)(halo_png_decoder *decoder);
} halo_png_decoder_kind;

extern const halo_png_decoder_kind halo_png_libpng;
extern const halo_png_decoder_kind halo_png_fast; /* not for interlaced images */

/* --- The parts of the fast decoder: chunks (chunks.c) --- */

/* Iteration over the chunks of a file. Take as much of a chunk's data as needed, then end the
 * chunk. */
typedef struct {
    halo_source *source;
    halo_png_extras *extras;
    int64_t height;
    uint64_t inflated; /* bytes of the pixels' stream so far, from which messages derive the row */
    size_t stride;     /* bytes of a row in that stream */
    char name[5];      /* name of the current chunk */
    uint32_t left;     /* bytes of its data not taken yet */
    uint32_t crc;      /* CRC of what was taken */
    bool had_palette;  /* chunks seen so far */
    bool had_transparency;
} halo_png_chunks;

/* Reads up to the data of the first IDAT chunk, and sets `extras`. */
halo_status halo_png_chunks_open(halo_png_chunks *chunks, halo_source *source,
                                 const halo_png_header *header, halo_png_extras *extras);

/* The message for a defect of the file, with the number of whole rows inflated. */
halo_status halo_png_chunks_damaged(const halo_png_chunks *chunks, const char *defect);

/* Returns 1 to `wanted` bytes of the pixels' stream in place, moving to the next IDAT chunk as
 * needed. *taken is 0 at the end of the last one, when another chunk has begun. */
halo_status halo_png_chunks_take(halo_png_chunks *chunks, size_t wanted,
                                 const unsigned char **bytes, size_t *taken);

/* Reads from the current position to the end of the IEND chunk. */
halo_status halo_png_chunks_finish(halo_png_chunks *chunks);

/* --- The pixels' stream (inflate.c) --- */

typedef struct halo_png_inflate halo_png_inflate;

halo_status halo_png_inflate_create(halo_png_inflate **out, halo_png_chunks *chunks);
void halo_png_inflate_destroy(halo_png_inflate **inflate);

/* Fills `out`. *got is the number of bytes obtained, also after a failure. */
halo_status halo_png_inflate_fill(halo_png_inflate *inflate, unsigned char *out, size_t room,
                                  size_t *got);

/* After the last byte of the last row: skips bytes that the image does not need, up to the stream's
 * end, which must be present with the right Adler-32. libpng, by its documentation, does not always
 * check that: here the fast decoder refuses files that libpng accepts. */
halo_status halo_png_inflate_finish(halo_png_inflate *inflate);

#endif
