#ifndef HALOBEAT_IO_ARRAY_PICTURE_H
#define HALOBEAT_IO_ARRAY_PICTURE_H

#include "io/array/array_write.h"
#include "io/array/png_parallel.h"

/* Images in the format of the file name's ending:
 *
 *     .png         as io/array/png_parallel.h says
 *     .pgm, .ppm   greys; colours
 *     .pnm         one of them
 *     .tif, .tiff  TIFF (from 4 GiB on BigTIFF), uncompressed
 *
 * In formats other than PNG, bits become bytes, 0 or 255, and palette indices become their
 * colours. */

/* These endings, for tables of options. */
#define HALO_GREY_ENDINGS    ".png|.pgm|.pnm|.tif|.tiff"
#define HALO_COLOUR_ENDINGS  ".png|.ppm|.pnm|.tif|.tiff"
#define HALO_PICTURE_ENDINGS ".png|.pnm|.tif|.tiff" /* for greys or colours */

/* Local. True if the name has one of these endings, in lower or upper case. */
bool halo_picture_is_one(const char *path);

/* Local. True if it ends in .png: such a file is compressed in memory before it is written. */
bool halo_picture_is_png(const char *path);

/* Collective. As halo_png_write; `about`, which may be NULL, is for formats that have a place for
 * it; the other formats are written by all ranks in parallel. */
halo_status halo_picture_write(halo_world *world, const char *path, const halo_png_header *header,
                               const halo_array_about *about, const int64_t *cuts,
                               const halo_rows *rows);

#endif
