#ifndef HALOBEAT_IO_ARRAY_PICTURE_H
#define HALOBEAT_IO_ARRAY_PICTURE_H

#include "io/png/png_parallel.h"

/* Pictures in the format that the ending of the name asks for:
 *
 *     .png         as io/png/png_parallel.h says
 *     .pgm, .ppm   greys; colours
 *     .pnm         one of them
 *     .tif, .tiff  BigTIFF, uncompressed
 *
 * Bits become bytes, 0 or 255, and indices of a palette its colours, where it is no PNG. */

/* Such endings, for tables of options. */
#define HALO_GREY_ENDINGS    ".png|.pgm|.pnm|.tif|.tiff"
#define HALO_COLOUR_ENDINGS  ".png|.ppm|.pnm|.tif|.tiff"
#define HALO_PICTURE_ENDINGS ".png|.pnm|.tif|.tiff" /* of greys or colours, as the image is */

/* Local. Does the name have one of these endings, in any case? */
bool halo_picture_is_one(const char *path);

/* Collective. As halo_png_write; ranks write all other formats side by side. */
halo_status halo_picture_write(halo_world *world, const char *path, const halo_png_header *header,
                               const int64_t *cuts, const halo_rows *rows);

#endif
