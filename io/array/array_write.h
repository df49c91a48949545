#ifndef HALOBEAT_IO_ARRAY_ARRAY_WRITE_H
#define HALOBEAT_IO_ARRAY_ARRAY_WRITE_H

#include "io/npy/npy.h"

/* Samples as they are, in one of the formats that all ranks write side by side. The ending of the
 * name says which:
 *
 *     .npy         NumPy's array file
 *     .tif, .tiff  BigTIFF: all directories first, then the planes, one after the other
 *     .mha         MetaImage: a text, and the samples behind it
 *     .mhd         MetaImage: a text, and the samples in NAME.raw beside it
 *     .raw         nothing but samples
 *     .pgm         greys of 8 or 16 bits, of one plane, with the high byte first
 *     .ppm         colours of 8 bits, of one plane; .pnm: one of the two
 *     .h5, .hdf5   HDF5: a volume as the image data of a VTKHDF file (h5py, ilastik, VTK,
 *                  ParaView), an image, or what is called FILE.h5:/PATH/IN/IT, as a data set
 *     .zarr        a folder, with one file for each chunk of rows or planes (zarr, version 2) */

/* Such endings, for tables of options. */
#define HALO_ARRAY_ENDINGS ".npy|.tif|.tiff|.mha|.mhd|.raw|.pgm|.h5|.hdf5|.zarr"

/* How samples are compressed, and its name. */
#define HALO_ARRAY_PACKING_LIST(X) X(NONE, none) X(DEFLATE, deflate) X(LZ4, lz4)

typedef enum {
#define HALO_ARRAY_PACKING_ENUM(code, name) HALO_ARRAY_PACKING_##code,
    HALO_ARRAY_PACKING_LIST(HALO_ARRAY_PACKING_ENUM)
#undef HALO_ARRAY_PACKING_ENUM
} halo_array_packing;

/* What some formats say of the samples. Zero-initialisable. */
typedef struct {
    const char *name;           /* of what they are: "labels"; NULL: "samples" */
    double spacing[3];          /* of planes, rows and pixels; 0: 1 */
    halo_array_packing packing; /* such as halo_array_check_packing takes */
} halo_array_about;

/* Local. Can samples be compressed so in the format that the name asks for? Deflate: TIFF, zarr;
 * LZ4, in blosc's frames: zarr, with libblosc. HALO_ARGUMENT with the remedy. */
halo_status halo_array_check_packing(const char *path, halo_array_packing packing);

/* Local. Does the name have one of these endings, in any case? */
bool halo_array_is_one(const char *path);

/* Local. Can the format that a name asks for hold such an array? HALO_ARGUMENT with the remedy. */
halo_status halo_array_check(const char *path, const halo_npy_header *header);

/* Collective. Can it be written under this name, which may be one of any other file, too? Asks as
 * halo_file_check does; of .zarr, also whether an array is what would be replaced. HALO_FILE. */
halo_status halo_array_check_path(halo_world *world, const char *path);

/* Collective. As halo_npy_write, in the format that the name's ending asks for. Arrays of two axes,
 * or of three with planes; TIFF and PNM also of three with pixels of three samples. `about` may be
 * NULL. */
halo_status halo_array_write(halo_world *world, const char *path, const halo_npy_header *header,
                             const halo_array_about *about, const int64_t *cuts,
                             const halo_rows *rows);

#endif
