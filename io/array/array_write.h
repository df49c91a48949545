#ifndef HALOBEAT_IO_ARRAY_ARRAY_WRITE_H
#define HALOBEAT_IO_ARRAY_ARRAY_WRITE_H

#include "base/names.h"
#include "core/file/rows.h"
#include "core/world/world.h"
#include "io/image/geometry.h"
#include "io/npy/npy.h"

/* Arrays of samples in a file format that all ranks can write in parallel. The ending of the file's
 * name gives the format; what each can hold is a table in docs/formats.md. */

/* Formats of arrays, in the order of help texts: code, endings of names, these in words, and
 * whether viewers take files for pictures (halo_array_format.picture). The row of format CODE is
 * halo_array_format_CODE, in a file of its own.
 *
 *     npy       NumPy's array file
 *     tiff      TIFF with ImageJ's description, from 4 GiB on BigTIFF: all directories first, then
 *               the planes, one after the other
 *     mha, mhd  MetaImage: a text, and the samples behind it, or in NAME.raw beside it
 *     nifti     NIfTI-1; NIfTI-2 for more than 32767 samples along an axis
 *     nrrd      NRRD: a text, and the samples behind it
 *     raw       nothing but samples
 *     pgm       greys of 8 or 16 bits, of one plane, with the high byte first
 *     hdf5      HDF5: a volume as the image data of a VTKHDF file (h5py, ilastik, VTK, ParaView),
 *               an image, or what is called FILE.h5:/PATH/IN/IT, as a data set
 *     ome_zarr  a folder, with the image in several sizes, each in tiles (OME-NGFF 0.4, zarr 2, or
 *               0.5, zarr 3: FILE.ome.zarr:version=0.5); also IMAGE.zarr/labels/NAME, a label layer
 *               in the folder of an image
 *     zarr      a folder, with one file for each chunk of rows or planes (zarr, version 2) */
#define HALO_ARRAY_FORMAT_LIST(X)                                                 \
    X(npy, ".npy", ".npy (NumPy)", NUMBERS)                                       \
    X(tiff, ".tif|.tiff", ".tif or .tiff", PICTURE)                               \
    X(mha, ".mha", ".mha", NUMBERS)                                               \
    X(mhd, ".mhd", ".mhd (MetaImage)", NUMBERS)                                   \
    X(nifti, ".nii", ".nii", NUMBERS)                                             \
    X(nifti_gz, ".nii.gz", ".nii.gz (NIfTI)", NUMBERS)                            \
    X(nrrd, ".nrrd", ".nrrd", NUMBERS)                                            \
    X(raw, ".raw", ".raw", NUMBERS)                                               \
    X(pgm, ".pgm", ".pgm", PICTURE)                                               \
    X(hdf5, ".h5|.hdf5", ".h5 or .hdf5 (for VTK; or NAME.h5:/DATA/SET)", NUMBERS) \
    X(ome_zarr, ".ome.zarr", ".ome.zarr (or IMAGE.zarr/labels/NAME)", NUMBERS)    \
    X(zarr, ".zarr", ".zarr", NUMBERS)

/* Further ones, for pictures alone: colours; these or greys. */
#define HALO_ARRAY_PICTURE_LIST(X) X(ppm, ".ppm", ".ppm", PICTURE) X(pnm, ".pnm", ".pnm", PICTURE)

/* The endings of the formats of arrays, each behind a bar, for tables of options; and the words of
 * help texts, each behind a comma. */
#define HALO_ARRAY_ENDING(code, endings, words, kind) "|" endings
#define HALO_ARRAY_WORDS(code, endings, words, kind)  ", " words
#define HALO_ARRAY_ENDINGS                            HALO_ARRAY_FORMAT_LIST(HALO_ARRAY_ENDING)
#define HALO_ARRAY_ENDINGS_HELP                       HALO_ARRAY_FORMAT_LIST(HALO_ARRAY_WORDS)

/* The same of those that are no pictures, for outputs of which the others are pictures. */
#define HALO_ARRAY_NUMBERS(text) text
#define HALO_ARRAY_PICTURE(text)
#define HALO_ARRAY_NUMBERS_ENDING(code, endings, words, kind) HALO_ARRAY_##kind("|" endings)
#define HALO_ARRAY_NUMBERS_WORDS(code, endings, words, kind)  HALO_ARRAY_##kind(", " words)
#define HALO_ARRAY_NUMBERS_ENDINGS                            HALO_ARRAY_FORMAT_LIST(HALO_ARRAY_NUMBERS_ENDING)
#define HALO_ARRAY_NUMBERS_HELP                               HALO_ARRAY_FORMAT_LIST(HALO_ARRAY_NUMBERS_WORDS)

/* Compression of samples: code, name. */
#define HALO_ARRAY_PACKING_LIST(X) X(NONE, none) X(DEFLATE, deflate) X(LZ4, lz4)

typedef enum {
#define HALO_ARRAY_PACKING_ENUM(code, name) HALO_ARRAY_PACKING_##code,
    HALO_ARRAY_PACKING_LIST(HALO_ARRAY_PACKING_ENUM)
#undef HALO_ARRAY_PACKING_ENUM
} halo_array_packing;

enum { HALO_ARRAY_PACKINGS = HALO_ARRAY_PACKING_LZ4 + 1 };

/* Metadata that some formats store. Zero-initialise it: 0 means the default. */
typedef struct {
    const char *name; /* what the samples are, for instance "labels"; NULL: "samples" */
    bool labels;      /* they are numbers of regions, as the file says where its format can */
    halo_image_geometry geometry;
    halo_geotiff geotiff;
    halo_array_packing packing; /* one that halo_array_check_packing accepts */
} halo_array_about;

/* Local. HALO_ARGUMENT, with a remedy, unless the format that the name asks for has this
 * compression. HALO_FORMAT if a library for it was there when this was built, and is not any more.
 */
halo_status halo_array_check_packing(const char *path, halo_array_packing packing);

/* Local. True if the name has the ending of a format whose arrays of `axes` axes, without colours,
 * can have such samples. */
bool halo_array_holds(const char *path, halo_sample_type type, int axes);

/* Local. The type that labels up to `max` have in this format: signed ones for NumPy, int32 if they
 * fit or int64, as scipy has them; elsewhere the smallest unsigned one that holds them, or uint16
 * if the format, as one of pictures, has no larger one. */
halo_sample_type halo_array_label_type(const char *path, int64_t max);

/* Local. True if programs that the format is for (ImageJ) read samples of the type as floats, which
 * round whole numbers above 2^24. */
bool halo_array_is_read_as_floats(const char *path, halo_sample_type type);

/* Local. True if the name has the ending of a format of arrays that is none of pictures. */
bool halo_array_is_one(const char *path);

/* Local. HALO_ARGUMENT if the name has the ending of a format of arrays, and what stands behind it,
 * such as :version=0.5, is not among what can be chosen. */
halo_status halo_array_check_name(const char *path);

/* Local. True if the name has the ending of a format of several files: .mhd, .ome.zarr, .zarr. */
bool halo_array_is_several(const char *path);

/* Local. Calls `take` for each file that halo_array_write makes for this name, before there is one:
 * the file itself, NAME.raw of NAME.mhd, a folder for .zarr. HALO_MEMORY; what `take` returned. */
halo_status halo_array_files(const char *path, halo_name_take *take, void *context);

/* Local. True if all that halo_array_write has made for this name is there: these files, and of a
 * folder every chunk, none of which is empty. */
bool halo_array_is_there(const char *path);

/* Local. HALO_ARGUMENT, with a remedy, unless the format that the name asks for can hold such an
 * array. */
halo_status halo_array_check(const char *path, const halo_npy_header *header);

/* Collective. Checks that the array can be written under this name, as halo_file_check does; the
 * name may also have any other ending. For .zarr it also checks that only an array would be
 * replaced. HALO_FILE. */
halo_status halo_array_check_path(halo_world *world, const char *path);

/* Local. Removes all files and folders that killed runs have left in the folder of the file
 * `target`, for any name. */
void halo_array_clean_folder(const char *target);

/* Collective. As halo_npy_write, in the format that the name's ending asks for. `about`, which may
 * be NULL, is stored where the format can. HALO_ARGUMENT, also for an array that halo_array_check
 * refuses. */
halo_status halo_array_write(halo_world *world, const char *path, const halo_npy_header *header,
                             const halo_array_about *about, const int64_t *cuts,
                             const halo_rows *rows);

#endif
