#ifndef HALOBEAT_IO_IMAGE_TIFF_INTERNAL_H
#define HALOBEAT_IO_IMAGE_TIFF_INTERNAL_H

#include "io/image/image_internal.h"

#ifdef HALOBEAT_TIFF

#include <tiffio.h>

enum { TIFF_ERROR_BYTES = 160, TIFF_PALETTE = 256 };

/* What all pages of a volume have in common. */
typedef struct {
    uint32_t width, height;
    uint16_t bits, channels, format, planar, photometric, compression;
    uint32_t band_rows;  /* of a strip, or of a row of tiles */
    uint32_t tile_width; /* 0: strips */
} tiff_page;

typedef struct {
    TIFF *tiff;
    char error[TIFF_ERROR_BYTES]; /* libtiff's first */
    uint64_t *pages;              /* [planes] where their directories are in the file */
    tiff_page page;
    uint8_t palette[TIFF_PALETTE][3];
    bool inverted;       /* 0 is white */
    bool in_place;       /* samples come from libtiff as they are handed out */
    bool contiguous;     /* all planes behind each other, as ImageJ has it: read as raw samples */
    unsigned char *band; /* [planes of samples][band_rows][band_pitch] */
    size_t band_pitch, band_bytes;
    unsigned char *tile;
    size_t tile_pitch, tile_bytes;
    int64_t at_page, at_band; /* which is there; -1: none */
} tiff_state;

/* Local. Make the buffers. HALO_FORMAT for bands that the file is too small to fill. */
halo_status halo_tiff_prepare(halo_image_reader *reader);

/* Local. Go to a page. */
halo_status halo_tiff_set_page(halo_image_reader *reader, int64_t page);

/* Local. As the format's rows. */
halo_status halo_tiff_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                           size_t pitch);

halo_status halo_tiff_fail(const halo_image_reader *reader, int64_t row);

#endif

#endif
