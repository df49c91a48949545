#ifndef HALOBEAT_IO_PNG_PNG_READ_H
#define HALOBEAT_IO_PNG_PNG_READ_H

#include "base/status.h"
#include "io/image/luma.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reader of PNG files as grey or colour, in chunks of rows. Everything here is local: no messages.
 *
 * Neither the file nor the image is held in memory, except an interlaced image, whose last pass
 * concerns every row. Memory is a few MiB and a few rows (up to 64 while they take less than 32
 * MiB); a header that claims more pixels than the file's length can hold does not make the reader
 * allocate more.
 *
 * Grey is the sample itself in a grey image. A colour gives its Rec. 709 luma (13933 R + 46871 G +
 * 4732 B + 32768) / 65536 in the image's sample range; a palette index, the luma of its entry (0
 * past the palette's end, as in libpng). Alpha, from a channel or from tRNS, blends the pixel with
 * black or with another grey (halo_png_read_options.ground): (grey * alpha + ground * (maximum -
 * alpha)) / maximum, rounded to nearest. Nothing else in the file (gAMA, sRGB, bKGD, ...) changes
 * the values.
 *
 * Colour (halo_png_read_options.colour) gives red, green and blue of every pixel, from 0 to 255, or
 * to 65535 if the file has 16 bits per sample: the samples of a colour image, the entry of a
 * palette, the sample of a grey image three times. Grey of 1, 2 or 4 bits is scaled to 0 to 255,
 * exactly: by 255, 85 or 17. Alpha blends each of the three as with grey.
 *
 * The CRC of every chunk that the image needs must match, and so must the Adler-32 of the pixels. A
 * damaged chunk that it does not need is left out, as by libpng, and the end of the file may stand
 * behind the pixels, where IEND is missing: halo_png_reader_warning tells. Other defects, for which
 * libpng only warns, are ignored.
 *
 * There are two decoders: libpng, and a faster one for images that are not interlaced. They read
 * the same rows and refuse the same files, except for two kinds that no encoder writes:
 * - libpng does not check all data after the last pixel in the compressed stream; the fast decoder
 *   does, and halo_png_reader_finish refuses a file that is damaged there.
 * - ISA-L accepts streams whose Huffman codes leave bit patterns unused, as long as none of these
 *   occurs; zlib, hence libpng, refuses them. */

/* The chunk pHYs: how many pixels there are along rows and columns. */
typedef struct {
    uint32_t across, down; /* 0: not known */
    bool metre;            /* in a metre; otherwise only their ratio is meant */
} halo_png_density;

typedef struct {
    int64_t width, height; /* pixels */
    int bits;              /* bits per sample in the file: 1, 2, 4, 8 or 16 */
    int channels;          /* in the file: 1 for grey or palette, otherwise 2, 3 or 4 */
    const char *kind;      /* "grey", "grey and alpha", "palette", "colour" or "colour and alpha" */
    bool interlaced;       /* the whole image is in memory while it is read */
    int grey_bits;         /* bits of a cell of the rows: 1, 8 or 16 */
    int pixel_bits;        /* bits of a pixel of the rows: one cell, or with colour three cells
                            * (24 or 48) */
    int64_t maximum;       /* the maximum value of a cell: 1, 3, 15, 255 or 65535 */
    bool alpha;            /* pixels can be transparent */
    int orientation;       /* of EXIF data before the pixels, 1 to 8; 0: none */
    halo_png_density density;
    const char *decoder; /* "fast" or "libpng" */
} halo_png_info;

typedef struct halo_png_reader halo_png_reader;

/* Options of a reader. Zero-initialise it: 0 means the default. */
typedef struct {
    bool plain;   /* always use libpng: for tests and comparisons */
    bool colour;  /* rows of red, green and blue, whatever the file has */
    bool samples; /* rows of all samples of pixels that have several, as they are stored,
                   * and of the colours of palettes: nothing is blended, and info->channels
                   * is their number. Pixels of one sample are grey, as otherwise */
    halo_image_ground ground; /* background of transparent pixels */
    bool count_clear;         /* count transparent pixels, for halo_png_reader_clear */
} halo_png_read_options;

/* Local. Opens `path` and reads up to the first pixels; `options` may be NULL. The caller closes
 * the reader. HALO_FILE if it cannot be read, HALO_FORMAT if it is not a valid PNG so far,
 * HALO_MEMORY; messages name the path. */
halo_status halo_png_reader_open_sized(halo_png_reader **out, const char *path,
                                       const halo_png_read_options *options, size_t options_bytes);
#define halo_png_reader_open(...) \
    halo_png_reader_open_sized(__VA_ARGS__, sizeof(halo_png_read_options))

/* Local. As halo_png_reader_open, for `bytes` bytes in memory, which must stay valid until the
 * reader is closed; `name` is used in messages. It is for programs that get pictures from a network
 * or an archive. */
halo_status halo_png_reader_open_memory_sized(halo_png_reader **out, const void *data, size_t bytes,
                                              const char *name,
                                              const halo_png_read_options *options,
                                              size_t options_bytes);
#define halo_png_reader_open_memory(...) \
    halo_png_reader_open_memory_sized(__VA_ARGS__, sizeof(halo_png_read_options))

/* Local. Owned by the reader, valid until it is closed. */
const halo_png_info *halo_png_reader_info(const halo_png_reader *reader);

/* Local. The number of pixels, in rows read so far, that are transparent in whole or in part; 0 if
 * they are not counted. */
int64_t halo_png_reader_clear(const halo_png_reader *reader);

/* Local. Bytes of a row as it is read: the minimum pitch. */
size_t halo_png_grey_row_bytes(const halo_png_info *info);

/* Local. Reads the next `rows` rows; row i is written to (char *)out + i * pitch. `out` is aligned
 * to a cell, and `pitch` is a multiple of a cell's bytes. With colour a pixel is three cells: red,
 * green and blue. A cell is, by info->grey_bits:
 * - 1: a 64-bit word; pixel x is bit x % 64 of word x / 64, bits past the width are 0 (1-bit grey
 *   without transparency).
 * - 8: a byte, for one pixel (also 2- and 4-bit grey, with values 0..3 and 0..15) or one of its
 *   colours.
 * - 16: a native uint16_t, for one pixel or one of its colours.
 *
 * HALO_ARGUMENT for more rows than are left or an invalid pitch; HALO_FORMAT and HALO_FILE as
 * above, with the number of rows that could be read. After a failure the reader can only be
 * closed. */
halo_status halo_png_reader_rows(halo_png_reader *reader, int64_t rows, void *out, size_t pitch);

/* Local. Checks what follows the last row (checksums, the IEND chunk). HALO_FORMAT,
 * HALO_FILE. */
halo_status halo_png_reader_finish(halo_png_reader *reader);

/* Local. The first defect so far that does no harm to the pixels, in words; "" without one. */
const char *halo_png_reader_warning(const halo_png_reader *reader);

/* Local. Closes the reader and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_png_reader_close(halo_png_reader **reader);

#endif
