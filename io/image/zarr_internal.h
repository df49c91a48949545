#ifndef HALOBEAT_IO_IMAGE_ZARR_INTERNAL_H
#define HALOBEAT_IO_IMAGE_ZARR_INTERNAL_H

#include "io/image/axes.h"

#include <jansson.h>

/* Zarr: a folder with metadata in JSON and one file per chunk (specifications of version 2 and 3 at
 * zarr-specs.readthedocs.io). Everything is local. */

enum { ZARR_STEPS = 8 };

typedef struct {
    halo_sample_type type;
    size_t bytes; /* per sample */
    bool swapped;
} zarr_format;

typedef struct zarr_step_kind zarr_step_kind;
typedef struct zarr_codec zarr_codec; /* a compressor (zarr_codec.c) */

/* A step that samples of a chunk pass before they are compressed (zarr_steps.c). */
typedef struct {
    const zarr_step_kind *kind;
    zarr_format decoded, encoded; /* samples before it, and what becomes of them */
    double scale, offset;         /* of fixedscaleoffset */
    int64_t element;              /* bytes, of shuffle */
    bool behind;                  /* a checksum stands behind the samples */
} zarr_step;

/* How chunks lie together in files: shards, each with an index (zarr_shards.c). */
typedef struct {
    int64_t chunks;                   /* in a shard; 0: there are no shards */
    int64_t per[HALO_IMAGE_MAX_AXES]; /* of these along each axis */
    bool checksum, at_start, big;     /* of the index */
} zarr_sharding;

/* A shard's file; -1: there is none, and all its chunks are missing. */
typedef struct {
    bool known;
    int64_t numbers[HALO_IMAGE_MAX_AXES];
    int file;
    int64_t bytes;
    unsigned char *index;
} zarr_shard;

/* The place of a chunk; file -1: it is missing. `kept`: the file stays open. */
typedef struct {
    int file;
    bool kept;
    int64_t at, bytes;
} zarr_place;

enum { ZARR_SHARDS = 16 }; /* kept open */

/* Metadata of an array. The axes are those of the file, the slowest first. */
typedef struct {
    char *folder; /* of the array */
    char *group;  /* the folder of the image that was chosen of several, or that the array is a
                   * level of; or NULL */
    size_t image; /* which level */
    zarr_sharding sharding;
    int axes;
    int64_t shape[HALO_IMAGE_MAX_AXES], chunk[HALO_IMAGE_MAX_AXES];
    halo_sample_type type;
    bool swapped;
    size_t bytes;                          /* bytes per sample in the file */
    halo_number nodata[HALO_IMAGE_NODATA]; /* [nodata_count] values that stand for no data, */
    int nodata_count;
    char nodata_source[HALO_IMAGE_WORD]; /* and what says so */
    bool scene;                          /* it is an image of OME-Zarr */
    unsigned char fill[8];               /* sample of missing chunks, in the file's byte order */
    zarr_step steps[ZARR_STEPS];         /* [step_count], in the order in which they are done */
    int step_count;
    bool permuted;                     /* the axes of a chunk lie in another order: */
    int order[HALO_IMAGE_MAX_AXES];    /* this, the slowest first */
    const zarr_codec *codec;           /* NULL: none */
    bool checksum;                     /* CRC-32C after each chunk */
    char separator;                    /* between the numbers in the name of a chunk */
    bool prefixed;                     /* chunks are named c/0/0, not 0/0 */
    double scale[HALO_IMAGE_MAX_AXES]; /* [scales] distances along the axes; 0: unknown */
    int scales;                        /* as many as axes, or none count */
    bool
        named; /* the axes have names, of which these are the kinds; SERIES: of space, or unknown */
    halo_axis_kind kinds[HALO_IMAGE_MAX_AXES];
    char channels[HALO_IMAGE_NAMES_BYTES]; /* names, as in halo_image_axes */
} zarr_array;

/* The part of an array that is read: planes, rows and columns; of colours rows, columns and the
 * samples of a pixel. */
typedef struct {
    zarr_array array;
    int axis[3];                         /* which axes these are; -1: none, of one sample */
    int64_t n[3], chunk[3];              /* samples along them; and per chunk */
    int64_t stride[3];                   /* samples of a chunk from one to the next along them */
    int64_t begin;                       /* the first sample of the part in each chunk */
    int64_t number[HALO_IMAGE_MAX_AXES]; /* of the chunks along the other axes */
    int64_t chunk_bytes;                 /* per chunk with all its axes */
    int64_t lines;                /* rows of the array in a row of the raster: more than one for
                                   * colours */
    bool pieces;                  /* parts of chunks can be read */
    bool whole;                   /* no chunk is missing (zarr_whole.h) */
    int64_t depth, height;        /* planes and rows of a band, which has the whole width */
    int64_t lo[2], hi[2];         /* planes and rows of the current band; hi[0] 0: none */
    unsigned char *band, *pixels; /* samples as in the file: of the band, and of one chunk */
    unsigned char *packed;        /* a chunk as in the file */
    size_t pixels_room, packed_room;
    zarr_shard shards[ZARR_SHARDS];
    int next_shard; /* which is given up for another one */
} zarr_state;

/* ---- descriptions (zarr_v2.c, zarr_v3.c, zarr_fields.c) -------------------------------------- */

/* HALO_FILE and HALO_FORMAT, with the reader's path. The caller owns *out. */
halo_status halo_zarr_load(const halo_image_reader *reader, const char *path, json_t **out);

/* From .zarray, and from zarr.json of an array. HALO_FORMAT with a remedy. */
halo_status halo_zarr_parse_v2(const halo_image_reader *reader, const json_t *text,
                               zarr_array *array);
halo_status halo_zarr_parse_v3(const halo_image_reader *reader, const json_t *text,
                               zarr_array *array);

/* These are for version 3: is a value this text, and the value of a key in the configuration of a
 * codec or the like; NULL: it has none. */
bool halo_zarr_is_text(const json_t *value, const char *text);
const json_t *halo_zarr_configured(const json_t *value, const char *key);

/* As halo_image_fail_field, for a JSON value; NULL: it is missing. */
halo_status halo_zarr_fail_field(const halo_image_reader *reader, const char *field,
                                 const json_t *value, const char *remedy);

/* Parses integers of at least `least`, one per axis; or if array->axes is 0, of any allowed number
 * of axes, to which it is then set. */
halo_status halo_zarr_parse_sizes(const halo_image_reader *reader, const char *field,
                                  const json_t *value, int64_t least, zarr_array *array,
                                  int64_t *sizes);

/* To be called when type and byte order are known. */
halo_status halo_zarr_parse_fill(const halo_image_reader *reader, const json_t *value,
                                 zarr_array *array);

/* "." or "/"; NULL: `standard`. */
halo_status halo_zarr_parse_separator(const halo_image_reader *reader, const json_t *value,
                                      char standard, zarr_array *array);

/* ---- before compression (zarr_steps.c) ------------------------------------------------------- */

/* True for the name of a filter that can be undone. */
bool halo_zarr_is_step(const char *name);

/* Adds the filter `name` with its options behind those before it. HALO_FORMAT with a remedy. */
halo_status halo_zarr_add_step(const halo_image_reader *reader, const char *name,
                               const json_t *options, zarr_array *array);

/* Bytes of a chunk before it is compressed, and the most bytes that it takes while the filters are
 * undone. */
int64_t halo_zarr_filtered_bytes(const zarr_array *array);
int64_t halo_zarr_most_bytes(const zarr_array *array);

/* True if the samples lie in the file as they are, so that parts of chunks can be read. */
bool halo_zarr_is_plain(const zarr_array *array);

/* From `filtered`, which has room for halo_zarr_most_bytes and is overwritten, to a chunk's samples
 * at `out`. *good is false for bytes that the filters do not write. HALO_MEMORY. */
halo_status halo_zarr_undo_steps(const zarr_array *array, unsigned char *filtered,
                                 unsigned char *out, bool *good);

/* ---- axes (zarr_axes.c) ---------------------------------------------------------------------- */

/* Notes what a list of axes says: names, or objects with names and types. */
void halo_zarr_note_axes(zarr_array *array, const json_t *list);

/* Notes axes, scale and names of channels of an image of OME-Zarr: one of the data sets of the
 * first scene in `attributes`, of a group. */
void halo_zarr_note_scene(zarr_array *array, const json_t *attributes, const json_t *image);

/* Chooses the part that is read; sets the sizes and strides of the state, and the reader's samples,
 * size and layout. HALO_FORMAT, HALO_ARGUMENT. */
halo_status halo_zarr_choose(halo_image_reader *reader);

/* ---- samples that stand for no data (zarr_nodata.c) ------------------------------------------ */

/* Notes them, from the metadata of the array and its attributes, of version 2 (`old`) or 3. */
void halo_zarr_note_nodata(zarr_array *array, const json_t *text, const json_t *attributes,
                           bool old);

/* ---- where the array is (zarr_group.c) ------------------------------------------------------- */

bool halo_zarr_claims(const char *path);

/* The libraries that this build lacks to read all codecs, as halo_image_format.missing. */
extern const char halo_zarr_missing[];

/* Finds the array that the reader's path refers to, and reads its metadata; reader->data_path is
 * the file with it. HALO_FILE, HALO_FORMAT, HALO_MEMORY. */
halo_status halo_zarr_find(halo_image_reader *reader, zarr_array *array);

/* The attributes of the group or array in a folder; *out is NULL if it has none, and the caller's.
 * HALO_FILE, HALO_FORMAT. */
halo_status halo_zarr_load_attributes(const halo_image_reader *reader, const char *folder,
                                      json_t **out);

/* True for a path that leads to nothing outside of its group. */
bool halo_zarr_is_inside(const char *path);

/* If a group has several images, set array->group to the folder of the chosen one; series 0
 * without a choice (zarr_series.c). HALO_FORMAT for plates, wells and groups of labels, with a path
 * in them to name; HALO_ARGUMENT. */
halo_status halo_zarr_choose_series(halo_image_reader *reader, const json_t *attributes,
                                    zarr_array *array);

/* Sets unit and origin of info.geometry, whose spacing is known, from the attributes of an OME-Zarr
 * group (zarr_place.c). */
void halo_zarr_place(halo_image_reader *reader);

/* The format's `files` (zarr_files.c). */
halo_status halo_zarr_files(halo_image_reader *reader, halo_name_take *take, void *context);

/* The folder that an array's folder is in, allocated for the caller, and *name, the last name of
 * `folder` behind it. NULL if the path names none, or there is no memory. */
char *halo_zarr_around(const char *folder, const char **name);

/* FOLDER/NAME, allocated for the caller; NULL if there is no memory. */
char *halo_zarr_join(const char *folder, const char *name);

/* ---- chunks (zarr_chunks.c, zarr_codec.c) ---------------------------------------------------- */

/* Decides how chunks are read, when the sizes are known. Allocates nothing. */
void halo_zarr_plan(halo_image_reader *reader);

/* Bytes of the first chunk, or shard, that has a file; 0 if none of the first ones has. */
int64_t halo_zarr_first_chunk(const halo_image_reader *reader);

/* Opens a chunk or shard and sets its size; *file is -1 if there is none. HALO_FILE, HALO_FORMAT.
 */
halo_status halo_zarr_open_file(const halo_image_reader *reader, const char *name, int *file,
                                int64_t *bytes);

/* Reads `bytes` bytes of it from `at` on. HALO_FILE, HALO_FORMAT if it is too short. */
halo_status halo_zarr_read_at(const halo_image_reader *reader, const char *name, int file,
                              int64_t at, unsigned char *out, size_t bytes);

/* ---- shards (zarr_shards.c) ------------------------------------------------------------------ */

/* Parses the codec sharding_indexed of an array whose chunks are shards so far. HALO_FORMAT. */
halo_status halo_zarr_parse_shards(const halo_image_reader *reader, const json_t *codec,
                                   zarr_array *array);

/* Finds the chunk with these numbers along each axis in its shard, of the file `name`. HALO_FILE,
 * HALO_FORMAT, HALO_MEMORY. */
halo_status halo_zarr_find_in_shard(const halo_image_reader *reader, const char *name,
                                    const int64_t *numbers, zarr_place *place);

void halo_zarr_close_shards(zarr_state *state);

/* ---- bands and chunks ------------------------------------------------------------------------ */

halo_status halo_zarr_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                           size_t pitch);

/* True for the name of a compressor, in this build or not. */
bool halo_zarr_is_codec(const char *name);

/* Sets array->codec to the compressor of this name, which `value` describes. HALO_FORMAT if this
 * build does not support it. */
halo_status halo_zarr_find_codec(const halo_image_reader *reader, const char *name,
                                 const json_t *value, zarr_array *array);

/* The library that decodes chunks. */
const char *halo_zarr_decoder(const zarr_array *array);

/* Decodes `packed` [bytes], a chunk from the file `name`, to a chunk's bytes at `out`. Sizes stated
 * in the chunk are not trusted. HALO_FORMAT. */
halo_status halo_zarr_decode(const halo_image_reader *reader, const char *name,
                             const unsigned char *packed, size_t bytes, unsigned char *out);

/* True if `bytes` bytes compressed by the array's codec can be a chunk of `wanted` bytes. Codecs
 * have maximum ratios, so that forged metadata are refused before memory is allocated. */
bool halo_zarr_can_hold(const zarr_array *array, int64_t bytes, int64_t wanted);

#endif
