#ifndef HALOBEAT_IO_PNG_PNG_INTERNAL_H
#define HALOBEAT_IO_PNG_PNG_INTERNAL_H

#include "io/png/png_read.h"
#include "io/source/source.h"

/* What the files of the PNG reader share; not installed. The parts, from the bottom up: the
 * header, a decoder that unpacks rows (two of them, behind one table of functions),
 * and the conversion of a row to grey or to colour. Everything is local. */

/* Open what comes from `source`, whose first bytes may have been peeked at; the source becomes the
 * reader's, also after a failure. Otherwise as halo_png_reader_open. */
halo_status halo_png_reader_open_source(halo_png_reader **out, halo_source *source,
                                        const halo_png_read_options *options);

/* --- Failures (fail.c) --- */

/* A sentence for a source that gave no more bytes, with the rows read so far. */
halo_status halo_png_fail_ended(const halo_source *source, int64_t rows, int64_t height);

/* The same for a file whose bytes are wrong: a chunk (the first `length` characters of `chunk`)
 * whose CRC does not match, another defect in words, and pixels that fail their Adler-32. */
halo_status halo_png_fail_crc(const halo_source *source, const char *chunk, int length,
                              int64_t rows, int64_t height);
halo_status halo_png_fail_damaged(const halo_source *source, const char *defect, int64_t rows,
                                  int64_t height);
halo_status halo_png_fail_checksum(const halo_source *source);

/* --- The header (png_header.c) --- */

/* PNG's numbers of four bytes. */
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

/* Bytes that the signature and the header chunk take. */
enum { HALO_PNG_HEADER_BYTES = 8 + 25 };

typedef struct {
    int64_t width, height;
    int bits;
    int colour_type;
    int channels;
    bool interlaced;
    size_t row_bytes; /* of an unpacked row, without its filter byte */
} halo_png_header;

/* Check the signature and the header chunk, which stay to be taken. HALO_FORMAT says what is wrong,
 * or what the file looks like instead. */
halo_status halo_png_header_peek(halo_png_header *header, halo_source *source);

/* Palette and transparency, which stand between the header and the pixels. */
typedef struct {
    unsigned char palette[256][3]; /* entries past the end are black */
    unsigned char alpha[256];      /* of the palette's entries: 255 where nothing else is said */
    bool transparent;              /* there is a usable tRNS chunk */
    uint16_t key[3];               /* the transparent sample values, if it has no palette */
} halo_png_extras;

/* --- Rows to grey (png_grey.c) and to colour (png_colour.c) --- */

typedef struct halo_png_conversion halo_png_conversion;
typedef void halo_png_convert_function(const halo_png_conversion *conversion,
                                       const unsigned char *row, void *out);

struct halo_png_conversion {
    int64_t width;
    int bits;
    uint16_t key[3];
    uint32_t ground;               /* what transparent pixels are laid over */
    unsigned char table[256];      /* the grey of a palette's entries or of small samples */
    unsigned char colours[256][3]; /* red, green and blue of the same */
    halo_png_convert_function *convert;
};

/* Choose the conversion and fill in the fields of `info` that follow from it. */
void halo_png_grey_choose(halo_png_conversion *conversion, halo_png_info *info,
                          const halo_png_header *header, const halo_png_extras *extras,
                          const halo_image_ground *ground);
void halo_png_colour_choose(halo_png_conversion *conversion, halo_png_info *info,
                            const halo_png_header *header, const halo_png_extras *extras,
                            const halo_image_ground *ground);

/* How many pixels of a row, as the file has it, are transparent, in whole or in part? Of images
 * that can have such. */
int64_t halo_png_count_clear(const halo_png_conversion *of, const halo_png_header *header,
                             const halo_png_extras *extras, const unsigned char *row);

/* A line of a table of conversions, one for each kind of row; the first that fits is taken. */
typedef struct {
    int colour_type;
    int bits; /* 0 for all that are left */
    halo_png_convert_function *opaque, *transparent;
} halo_png_conversion_choice;

/* What both have in common: the image's own fields, and the function from the table. */
void halo_png_conversion_start(halo_png_conversion *conversion, const halo_png_header *header,
                               const halo_png_extras *extras, const halo_image_ground *ground,
                               const halo_png_conversion_choice *choice);

/* PNG's 16-bit samples have the high byte first. */
static inline uint32_t halo_png_sample16(const unsigned char *row, int64_t index)
{
    return (uint32_t)row[2 * index] << 8 | row[2 * index + 1];
}

/* Samples of less than a byte; the first one has the highest bits. */
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
    /* Reads up to the first pixels and fills in `extras`. *out is NULL after a failure. The source
     * and the header stay where they are until the decoder is closed. */
    halo_status (*open)(halo_png_decoder **out, halo_source *source, const halo_png_header *header,
                        halo_png_extras *extras);
    /* From 1 to `wanted` unfiltered rows, *stride bytes apart, valid until the next call. The
     * caller never asks for more rows than there are. */
    halo_status (*rows)(halo_png_decoder *decoder, int64_t wanted, const unsigned char **first,
                        size_t *stride, int64_t *got);
    /* Only after the last row. */
    halo_status (*finish)(halo_png_decoder *decoder);
    void (*close)(halo_png_decoder *decoder);
} halo_png_decoder_kind;

extern const halo_png_decoder_kind halo_png_libpng;
extern const halo_png_decoder_kind halo_png_fast; /* not interlaced */

/* --- The parts of the fast decoder: chunks (png_chunks.c) --- */

/* A walk over the chunks of a file. Take a chunk's data as far as you like, then end it. */
typedef struct {
    halo_source *source;
    int64_t height;
    uint64_t inflated; /* bytes of the pixels' stream so far; messages tell it in rows */
    size_t stride;     /* bytes of a row in that stream */
    char name[5];      /* of the chunk at hand */
    uint32_t left;     /* bytes of its data not taken yet */
    uint32_t crc;      /* of what was taken */
    bool had_palette;  /* what has been met so far */
    bool had_transparency;
} halo_png_chunks;

/* Walk up to the data of the first IDAT chunk and fill in `extras`. */
halo_status halo_png_chunks_open(halo_png_chunks *chunks, halo_source *source,
                                 const halo_png_header *header, halo_png_extras *extras);

/* A defect of the file, with the whole rows inflated so far. */
halo_status halo_png_chunks_damaged(const halo_png_chunks *chunks, const char *defect);

/* From 1 to `wanted` bytes of the pixels' stream where they lie, going on to the next IDAT chunk
 * as needed; *taken is 0 at the end of the last one, when another chunk has begun. */
halo_status halo_png_chunks_take(halo_png_chunks *chunks, size_t wanted,
                                 const unsigned char **bytes, size_t *taken);

/* Walk from wherever it is to the end of the IEND chunk. */
halo_status halo_png_chunks_finish(halo_png_chunks *chunks);

/* --- The pixels' stream (png_inflate.c) --- */

typedef struct halo_png_inflate halo_png_inflate;

halo_status halo_png_inflate_create(halo_png_inflate **out, halo_png_chunks *chunks);
void halo_png_inflate_destroy(halo_png_inflate **inflate);

/* Fill `out`. *got says how many bytes could be had, after a failure too. */
halo_status halo_png_inflate_fill(halo_png_inflate *inflate, unsigned char *out, size_t room,
                                  size_t *got);

/* After the last byte of the last row: pass over any bytes that the image does not need, up to the
 * stream's end, which must be there, with the right Adler-32. libpng, in its own words, cannot be
 * relied upon to look that far: here the fast decoder refuses files that libpng does not. */
halo_status halo_png_inflate_finish(halo_png_inflate *inflate);

#endif
