#ifndef HALOBEAT_IO_IMAGE_TIFF_INTERNAL_H
#define HALOBEAT_IO_IMAGE_TIFF_INTERNAL_H

#include "io/image/image_internal.h"

#ifdef HALOBEAT_TIFF

#include <stdarg.h>
#include <tiffio.h>

enum { TIFF_ERROR_BYTES = 160, TIFF_PALETTE = 256 };

/* Properties that all pages of a volume share. */
typedef struct {
    uint32_t width, height;
    uint16_t bits, channels, format, planar, photometric, compression;
    uint32_t band_rows;  /* rows of a strip, or of a row of tiles */
    uint32_t tile_width; /* 0: strips */
} tiff_page;

/* The tag StripByteCounts of a page as it is in the file; bytes 0: it has none. */
typedef struct {
    int64_t begin, count; /* offset of the first one, and their number */
    int bytes;            /* of each */
} tiff_sizes;

typedef struct {
    TIFF *tiff;
    char error[TIFF_ERROR_BYTES];   /* libtiff's first message */
    char warning[TIFF_ERROR_BYTES]; /* its first one, while samples are decoded, of harmless
                                     * damage; or "" */
    bool decodes;
    uint64_t *pages; /* [planes] offsets of their directories in the file */
    tiff_page page;
    uint8_t palette[TIFF_PALETTE][3];
    bool inverted;       /* 0 is white */
    bool in_place;       /* libtiff returns samples in the form needed */
    bool contiguous;     /* all planes are contiguous, as ImageJ writes them: read as raw samples */
    unsigned char *band; /* [planes of samples][band_rows][band_pitch] */
    size_t band_pitch, band_bytes;
    unsigned char *tile;
    size_t tile_pitch, tile_bytes;
    int64_t at_page, at_band; /* current page and band; -1: none */
    bool packed;              /* the current page is compressed */
    tiff_sizes sizes;         /* of the current page */
} tiff_state;

/* Local. Allocates the buffers. HALO_FORMAT for bands larger than the file can be. */
halo_status halo_tiff_prepare(halo_image_reader *reader);

/* Local. Selects a page. */
halo_status halo_tiff_set_page(halo_image_reader *reader, int64_t page);

/* Local. The `rows` function of the format. */
halo_status halo_tiff_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                           size_t pitch);

/* Takes libtiff's warnings, of which `context` is the state. */
int halo_tiff_take_warning(TIFF *tiff, void *context, const char *module, const char *format,
                           va_list values);

/* Local. Looks for the sizes of the current page's strips: sets state->sizes. */
void halo_tiff_find_sizes(halo_image_reader *reader);

/* Local. True if strip or tile `part` of the current page is not in the file. */
bool halo_tiff_is_missing(const tiff_state *state, uint32_t part);

/* Local. Reads strip or tile `part` of the current page: `bytes` bytes, in rows of `pitch`. One
 * that is missing is full of GDAL's value for that, or of zeros. `row` is the number of its first
 * row, for messages. HALO_FORMAT for parts that are damaged, short or beyond the end of the file.
 */
halo_status halo_tiff_read_part(halo_image_reader *reader, uint32_t part, int64_t row,
                                unsigned char *out, size_t pitch, size_t bytes);

/* Local. Planes of a file of ImageJ, which beyond 4 GiB writes one directory and all planes after
 * the first one; 1 for other files. */
int64_t halo_tiff_imagej_planes(const halo_image_reader *reader);

/* Local. HALO_FORMAT if the pages are not the planes of one volume: ImageJ and OME-TIFF also store
 * channels, or several points in time, as pages. */
halo_status halo_tiff_check_axes(const halo_image_reader *reader, int64_t pages);

/* Local. Sets info.geometry and info.geotiff from the current page. */
void halo_tiff_read_geometry(halo_image_reader *reader);

/* Local. The error for a file that ends or fails at this row. */
halo_status halo_tiff_fail(const halo_image_reader *reader, int64_t row);

#endif

#endif
