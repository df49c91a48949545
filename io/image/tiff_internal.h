#ifndef HALOBEAT_IO_IMAGE_TIFF_INTERNAL_H
#define HALOBEAT_IO_IMAGE_TIFF_INTERNAL_H

#include "io/image/image_internal.h"

#ifdef HALOBEAT_TIFF

#include <tiffio.h>

enum { TIFF_ERROR_BYTES = 160, TIFF_PALETTE = 256 };

/* Properties that all pages of a volume share. */
typedef struct {
    uint32_t width, height;
    uint16_t bits, channels, format, planar, photometric, compression;
    uint32_t band_rows;  /* rows of a strip, or of a row of tiles */
    uint32_t tile_width; /* 0: strips */
} tiff_page;

typedef struct {
    TIFF *tiff;
    char error[TIFF_ERROR_BYTES]; /* libtiff's first message */
    uint64_t *pages;              /* [planes] offsets of their directories in the file */
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
} tiff_state;

/* Local. Allocates the buffers. HALO_FORMAT for bands larger than the file can be. */
halo_status halo_tiff_prepare(halo_image_reader *reader);

/* Local. Selects a page. */
halo_status halo_tiff_set_page(halo_image_reader *reader, int64_t page);

/* Local. The `rows` function of the format. */
halo_status halo_tiff_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                           size_t pitch);

/* Local. Planes of a file of ImageJ, which beyond 4 GiB writes one directory and all planes after
 * the first one; 1 for other files. */
int64_t halo_tiff_imagej_planes(const halo_image_reader *reader);

/* Local. HALO_FORMAT if the pages are not the planes of one volume: ImageJ and OME-TIFF also store
 * channels, or several points in time, as pages. */
halo_status halo_tiff_check_axes(const halo_image_reader *reader, int64_t pages);

/* Local. The error for a file that ends or fails at this row. */
halo_status halo_tiff_fail(const halo_image_reader *reader, int64_t row);

#endif

#endif
