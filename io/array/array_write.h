#ifndef HALOBEAT_IO_ARRAY_ARRAY_WRITE_H
#define HALOBEAT_IO_ARRAY_ARRAY_WRITE_H

#include "io/npy/npy.h"

/* Samples as they are, in one of the formats that are a head and then rows, so that all ranks write
 * side by side. The ending of the name says which:
 *
 *     .npy         NumPy's array file
 *     .tif, .tiff  BigTIFF: all directories first, then the planes, one after the other
 *     .mha         MetaImage: a text, and the samples behind it
 *     .mhd         MetaImage: a text, and the samples in NAME.raw beside it
 *     .raw         nothing but samples
 *     .pgm         greys of 8 or 16 bits, of one plane, with the high byte first
 *     .ppm         colours of 8 bits, of one plane; .pnm: one of the two */

/* Such endings, for tables of options. */
#define HALO_ARRAY_ENDINGS ".npy|.tif|.tiff|.mha|.mhd|.raw|.pgm"

/* Local. Does the name have one of these endings, in any case? */
bool halo_array_is_one(const char *path);

/* Local. Can the format that a name asks for hold such an array? HALO_ARGUMENT with the remedy. */
halo_status halo_array_check(const char *path, const halo_npy_header *header);

/* Collective. As halo_npy_write, in the format that the name's ending asks for. Arrays of two axes,
 * or of three with planes; TIFF and PNM also of three with pixels of three samples. */
halo_status halo_array_write(halo_world *world, const char *path, const halo_npy_header *header,
                             const int64_t *cuts, const halo_rows *rows);

#endif
