#ifndef HALOBEAT_IO_ARRAY_OME_INTERNAL_H
#define HALOBEAT_IO_ARRAY_OME_INTERNAL_H

#include "io/array/chunks.h"
#include "io/array/format.h"
#include "io/array/packer.h"
#include "io/array/zarr_folder.h"

#include <jansson.h>

/* OME-Zarr (OME-NGFF 0.4 in zarr 2, 0.5 in zarr 3; ngff.openmicroscopy.org): a group of arrays, of
 * which the first is the image, and each further one is half as large, until no axis is longer than
 * 256. */

/* ---- what a name asks for (names.c) ---------------------------------------------------------- */

typedef enum { HALO_OME_ANY = 0, HALO_OME_04 = 4, HALO_OME_05 = 5 } halo_ome_version;

typedef struct {
    char path[HALO_ATOMIC_PATH_SIZE]; /* without the choices behind it */
    size_t image;                     /* of a label layer, the characters of `path` that name its
                                       * image; 0: it is an image */
    halo_ome_version version;         /* ANY: 0.4, and of a layer that of its image */
    bool sharded, unsharded;          /* what "shards=" says */
} halo_ome_name;

/* Local. HALO_ARGUMENT for choices that there are not, HALO_FILE for a name that is too long. */
halo_status halo_ome_name_parse(halo_ome_name *out, const char *path);

/* ---- sizes (levels.c) ------------------------------------------------------------------------ */

enum { HALO_OME_AXES = 3, HALO_OME_LEVELS = 56 };

/* One of the arrays. Its axes are planes, rows and columns. */
typedef struct {
    int64_t n[HALO_OME_AXES];
    int64_t tile[HALO_OME_AXES];   /* samples of a chunk */
    int64_t factor[HALO_OME_AXES]; /* samples of the image in one of the level */
    int64_t rows;                  /* of chunks in a band: more than one if chunks are deep */
    int64_t columns;               /* of chunks in a row */
} halo_ome_level;

typedef struct {
    int axes; /* of space */
    int count;
    halo_ome_level level[HALO_OME_LEVELS];
} halo_ome_levels;

/* Local, pure. The levels of an image, and their chunks, which depend on its size and type only. A
 * band of chunks, as halo_chunks_open_as makes them of tile[0] and tile[1], has the whole width;
 * one of several planes has all rows, too. */
void halo_ome_plan(halo_ome_levels *out, const halo_npy_header *header);

/* Local, pure. The header of a level, whose samples have the type of the image; of bits, bytes. */
halo_npy_header halo_ome_header(const halo_ome_levels *levels, int level, halo_sample_type type);

/* Local, pure. Writes cuts [ranks + 1] between bands of a level. */
void halo_ome_cuts(const halo_ome_level *level, int ranks, int64_t *cuts);

/* ---- the next level (sample.c) --------------------------------------------------------------- */

/* Rows of a level, from those of the level before as they are in the files. */
typedef struct halo_ome_sampler halo_ome_sampler;

/* Local. `folder` is the path of the array of the level before, which is whole, `level` the new
 * one; of an image with channels, `channel` is which. With `nearest`, a sample is the first one of
 * those that it stands for; otherwise it is their mean, of whole numbers rounded to the nearest one
 * (halves up), of reals without those that are NaN. HALO_MEMORY, HALO_FILE, HALO_FORMAT. */
halo_status halo_ome_sampler_create(halo_ome_sampler **out, const char *folder,
                                    const halo_ome_levels *levels, int level, int64_t channel,
                                    bool nearest);
void halo_ome_sampler_destroy(halo_ome_sampler **sampler);

/* Local. Fills rows; the context is the sampler. */
halo_rows_fill halo_ome_sampler_fill;

/* ---- descriptions (metadata.c) --------------------------------------------------------------- */

/* The samples of a channel that viewers show black and white. */
typedef struct {
    double low, high;
} halo_ome_range;

/* The description of an image, or of a layer of one. */
typedef struct {
    const halo_array_about *about;
    const halo_ome_levels *levels;
    halo_sample_type type;
    int64_t channels; /* 0: there is no such axis */
    halo_ome_version version;
    bool sharded;
    bool layer;
    halo_ome_range *ranges; /* [channels, or 1]; NULL: not known, or of no use */
} halo_ome_image;

/* Local. Writes the files that describe the group, or the array of a level. HALO_MEMORY,
 * HALO_FILE. */
halo_status halo_ome_describe_group(const halo_ome_image *image, const halo_zarr_folder *folder);
halo_status halo_ome_describe_level(const halo_ome_image *image, int level,
                                    const halo_zarr_folder *folder);

/* Local. Writes the files of the group once more, which are there. */
halo_status halo_ome_describe_group_again(const halo_ome_image *image,
                                          const halo_zarr_folder *folder);

/* ---- channels (omero.c) ---------------------------------------------------------------------- */

/* Local. Finds ranges [channels, or 1] of the level in `folder`, which is whole; those of samples
 * that are no numbers, or all equal, have a length, too. HALO_MEMORY, HALO_FILE, HALO_FORMAT. */
halo_status halo_ome_find_ranges(const halo_ome_image *image, const char *folder,
                                 halo_ome_range *ranges);

/* Local. The object `omero` of an image with ranges; NULL if there is no memory. */
json_t *halo_ome_describe_channels(const halo_ome_image *image);

/* ---- chunks of a level (tiles.c) ------------------------------------------------------------- */

/* The bands of one level, and channel, on their way. Zero-initialise it. */
typedef struct {
    const halo_ome_image *image;
    const halo_zarr_folder *folder;
    const halo_ome_level *level;
    int number; /* of the level */
    int64_t channel;
    const halo_chunks *bands; /* of the level */
    halo_packer packer;
    size_t row_bytes, bytes; /* of a chunk */
    unsigned char *chunk;
    halo_buffer shard, index;
} halo_ome_tiles;

/* Local. Makes room for a chunk; the first members are set. HALO_MEMORY; close it in any case. */
halo_status halo_ome_tiles_open(halo_ome_tiles *tiles);
void halo_ome_tiles_close(halo_ome_tiles *tiles);

/* Local. Writes the chunks of a band, each into a file or all into a shard; the context is
 * halo_ome_tiles. */
halo_chunks_put halo_ome_tiles_put;

/* ---- layers (layers.c) ----------------------------------------------------------------------- */

/* Local. The version of the image that a layer belongs to. HALO_FILE if it is none, or not of a
 * version that can be written. */
halo_status halo_ome_find_image(const halo_ome_name *name, halo_ome_version *version);

/* Local. Makes the group of layers if there is none, or describes it if it is only a folder; *made:
 * the folder is new. HALO_FILE. */
halo_status halo_ome_make_group(const halo_ome_name *name, halo_ome_version version, bool *made);

/* Local. Removes a group that has just been made, if nothing is in it. */
void halo_ome_drop_group(const halo_ome_name *name, halo_ome_version version);

/* Local. Adds the layer, which is whole, to the list that the group has of its layers. HALO_FILE,
 * HALO_MEMORY. */
halo_status halo_ome_list_layer(const halo_ome_name *name, halo_ome_version version);

#endif
