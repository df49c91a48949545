#ifndef HALOBEAT_IO_PNG_PNG_READ_H
#define HALOBEAT_IO_PNG_PNG_READ_H

#include "base/status.h"
#include "io/image/luma.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* PNG files read as grey or as colour, a chunk of rows at a time. Everything here is local: no MPI.
 *
 * Neither the file nor the image is ever held whole, except that an interlaced image is, since its
 * last pass touches every row. Memory is a few MiB and a few rows (up to 64 while they take less
 * than 32 MiB); none is reserved for a header's sake that the file's length could not fill.
 *
 * Grey is the sample itself in a grey image. Colour gives the Rec. 709 luma
 * (13933 R + 46871 G + 4732 B + 32768) / 65536 in the image's own sample range, a palette the luma
 * of its entry (0 for an index past the palette's end, as libpng has it). Alpha, from a channel or
 * from tRNS, lays the pixel over black, or over another grey (halo_png_read_options.ground):
 * (grey * alpha + ground * (maximum - alpha)) / maximum, rounded to nearest. Nothing else in the
 * file (gAMA, sRGB, bKGD, ...) changes the values.
 *
 * Colour (halo_png_read_options.colour) gives red, green and blue of every pixel, from 0 to 255, or
 * to 65535 if the file has 16 bits a sample: the samples themselves in a colour image, a palette's
 * entry, a grey image's sample three times. Grey of 1, 2 or 4 bits is spread over 0 to 255, which
 * is exact: times 255, 85 or 17. Alpha lays each of the three over the ground, as it does with
 * grey.
 *
 * Every chunk's CRC must match, ancillary ones included, and so must the pixels' Adler-32. Defects
 * that libpng merely warns about are otherwise passed over.
 *
 * There are two decoders, libpng and, for images that are not interlaced, a faster one. Both read
 * the same rows, and refuse the same files but for two kinds that no encoder writes:
 *   - libpng does not look at all of what follows the last pixel in the compressed stream; the fast
 *     decoder does, and halo_png_reader_finish refuses a file that is broken there;
 *   - ISA-L inflates streams whose Huffman codes leave some bit patterns unused, as long as none of
 *     these occurs; zlib, so libpng, refuses them. */

typedef struct {
    int64_t width, height; /* pixels */
    int bits;              /* bits a sample in the file: 1, 2, 4, 8 or 16 */
    int channels;          /* in the file: 1 grey or palette, 2, 3 or 4 */
    const char *kind;      /* "grey", "grey and alpha", "palette", "colour" or "colour and alpha" */
    bool interlaced;       /* held whole while it is read */
    int grey_bits;         /* bits a cell of the rows handed out: 1, 8 or 16 */
    int pixel_bits;        /* bits a pixel of them: a cell's, or 24 or 48 with colour: 3 cells */
    int64_t maximum;       /* the upper end of the cells' values: 1, 3, 15, 255 or 65535 */
    bool alpha;            /* pixels can be transparent */
    const char *decoder;   /* "fast" or "libpng" */
} halo_png_info;

typedef struct halo_png_reader halo_png_reader;

/* Zero-initialisable. */
typedef struct {
    bool plain;               /* always libpng: for tests and comparisons */
    bool colour;              /* rows of red, green and blue, whatever the file has */
    halo_image_ground ground; /* what transparent pixels are laid over */
    bool count_clear;         /* count them: halo_png_reader_clear */
} halo_png_read_options;

/* Local. Open `path` and read up to the first pixels; `options` may be NULL. HALO_FILE if it cannot
 * be read, HALO_FORMAT if it is not a sound PNG so far, HALO_MEMORY; each names the path. */
halo_status halo_png_reader_open(halo_png_reader **out, const char *path,
                                 const halo_png_read_options *options);

/* Local. The same for `bytes` bytes in memory, which must stay there until the reader is closed;
 * `name` stands for the path in messages. */
halo_status halo_png_reader_open_memory(halo_png_reader **out, const void *data, size_t bytes,
                                        const char *name, const halo_png_read_options *options);

/* Local. Valid until the reader is closed. */
const halo_png_info *halo_png_reader_info(const halo_png_reader *reader);

/* Local. How many pixels of the rows handed out so far are transparent, in whole or in part; 0
 * where they are not counted. */
int64_t halo_png_reader_clear(const halo_png_reader *reader);

/* Local. Bytes that one row handed out takes: the smallest pitch. */
size_t halo_png_grey_row_bytes(const halo_png_info *info);

/* Local. The next `rows` rows; row i goes to (char *)out + i * pitch. `out` is aligned to a cell,
 * and `pitch` is a multiple of a cell's bytes. With colour a pixel is three cells, red, green and
 * blue, of 8 or 16 bits each. A cell is, by info->grey_bits:
 *   - 1: a 64-bit word; pixel x is bit x % 64 of word x / 64, bits past the width are zero
 *     (1-bit grey without transparency);
 *   - 8: a byte, for one pixel (2- and 4-bit grey too, with their values 0..3 and 0..15) or a
 *     colour of it;
 *   - 16: a native uint16_t, for one pixel or a colour of it.
 * HALO_ARGUMENT for more rows than are left or an unfit pitch; HALO_FORMAT and HALO_FILE as above,
 * with the number of rows that could be read; after a failure only close is of use. */
halo_status halo_png_reader_rows(halo_png_reader *reader, int64_t rows, void *out, size_t pitch);

/* Local. After the last row: check what follows (checksums, the IEND chunk). A file cut off here is
 * an error too. */
halo_status halo_png_reader_finish(halo_png_reader *reader);

/* Local. Accepts a pointer to NULL. */
void halo_png_reader_close(halo_png_reader **reader);

#endif
