#ifndef HALOBEAT_IO_IMAGE_ZARR_INTERNAL_H
#define HALOBEAT_IO_IMAGE_ZARR_INTERNAL_H

#include "io/image/image_internal.h"

#include <jansson.h>

/* Zarr: a folder with a description in JSON and one file a chunk (the specifications of version 2
 * and 3 at zarr-specs.readthedocs.io). Everything is local. */

typedef enum { ZARR_RAW, ZARR_ZLIB, ZARR_GZIP, ZARR_BLOSC, ZARR_ZSTD } zarr_codec;

/* What a description says. The axes are those of the file, the slowest first. */
typedef struct {
    char *folder; /* of the array */
    int axes;
    int64_t shape[HALO_IMAGE_MAX_AXES], chunk[HALO_IMAGE_MAX_AXES];
    halo_image_type type;
    bool swapped;
    size_t bytes;          /* of a sample in the file */
    unsigned char fill[8]; /* a sample of missing chunks, in the file's byte order */
    zarr_codec codec;
    bool checksum;   /* CRC-32C behind each chunk */
    char separator;  /* of a chunk's numbers */
    bool prefixed;   /* chunks are called c/0/0, not 0/0 */
    double scale[3]; /* of planes, rows, columns; 0: not said */
} zarr_array;

/* The last three axes, of which leading ones may be of length 1. */
typedef struct {
    zarr_array array;
    int64_t n[3], chunk[3];       /* samples along planes, rows, columns, and in a chunk */
    int64_t chunk_bytes;          /* of a chunk with all its axes */
    int64_t lines;                /* rows of the array in a row of the raster: of colours many */
    bool pieces;                  /* parts of chunks can be read */
    int64_t depth, height;        /* of a band: planes and rows, and then the whole width */
    int64_t lo[2], hi[2];         /* the band's planes and rows; hi[0] 0: there is none */
    unsigned char *band, *pixels; /* samples as in the file: of the band, and of one chunk */
    unsigned char *packed;        /* a chunk as in the file */
    size_t pixels_room, packed_room;
} zarr_state;

/* ---- descriptions (zarr_v2.c, zarr_v3.c, zarr_fields.c) -------------------------------------- */

/* HALO_FILE and HALO_FORMAT, naming the reader's path. *out is the caller's. */
halo_status halo_zarr_load(const halo_image_reader *reader, const char *path, json_t **out);

/* From .zarray, and from zarr.json of an array. HALO_FORMAT with the remedy. */
halo_status halo_zarr_parse_v2(const halo_image_reader *reader, const json_t *text,
                               zarr_array *array);
halo_status halo_zarr_parse_v3(const halo_image_reader *reader, const json_t *text,
                               zarr_array *array);

/* As halo_image_fail_field, of a value in JSON; NULL: it is missing. */
halo_status halo_zarr_fail_field(const halo_image_reader *reader, const char *field,
                                 const json_t *value, const char *remedy);

/* Whole numbers from `least` on, as many as there are axes; or, with array->axes 0, of any number
 * of axes there may be, which is then set. */
halo_status halo_zarr_parse_sizes(const halo_image_reader *reader, const char *field,
                                  const json_t *value, int64_t least, zarr_array *array,
                                  int64_t *sizes);

/* Once type and byte order are known. */
halo_status halo_zarr_parse_fill(const halo_image_reader *reader, const json_t *value,
                                 zarr_array *array);

/* "." or "/"; NULL is `standard`. */
halo_status halo_zarr_parse_separator(const halo_image_reader *reader, const json_t *value,
                                      char standard, zarr_array *array);

/* A compressor of that name, which this build knows. */
halo_status halo_zarr_find_codec(const halo_image_reader *reader, const json_t *name,
                                 zarr_codec *out);

/* ---- where the array is (zarr_group.c) ------------------------------------------------------- */

bool halo_zarr_claims(const char *path);

/* Find the array that the reader's path means, and read its description; reader->data_path is the
 * file with it. HALO_FILE, HALO_FORMAT, HALO_MEMORY. */
halo_status halo_zarr_find(halo_image_reader *reader, zarr_array *array);

/* FOLDER/NAME, to be freed; NULL for want of memory. */
char *halo_zarr_join(const char *folder, const char *name);

/* ---- chunks (zarr_chunks.c, zarr_codec.c) ---------------------------------------------------- */

/* Once the sizes are known: how chunks are read. Takes no memory. */
void halo_zarr_plan(halo_image_reader *reader);

/* Bytes of the first chunk that has a file; 0: none of the first ones has. */
int64_t halo_zarr_first_chunk(const halo_image_reader *reader);

halo_status halo_zarr_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                           size_t pitch);

/* Decode the chunk `packed` of `bytes` bytes, of the file `name`, to all of a chunk's bytes at
 * `out`. Nothing is believed that the chunk says of its size. HALO_FORMAT. */
halo_status halo_zarr_decode(const halo_image_reader *reader, const char *name,
                             const unsigned char *packed, size_t bytes, unsigned char *out);

/* Can `bytes` bytes of the array's codec be a chunk of `wanted` bytes? No codec packs without
 * limit: a forged description is refused before memory is taken. */
bool halo_zarr_can_hold(const zarr_array *array, int64_t bytes, int64_t wanted);

#endif
