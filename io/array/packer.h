#ifndef HALOBEAT_IO_ARRAY_PACKER_H
#define HALOBEAT_IO_ARRAY_PACKER_H

#include "core/file/file.h"
#include "io/array/array_write.h"
#include "io/png/deflate.h"
#include "io/png/raster.h"

/* Compression of chunks of arrays, one at a time. A zero-initialised one compresses nothing. Not
 * installed. */
typedef struct {
    halo_array_packing packing;
    size_t sample, row; /* bytes of a sample, and of a row */
    size_t piece;       /* bytes compressed at a time */
    bool gzip;          /* set by the caller: halo_packer_run deflates in gzip's format */
    halo_deflater *deflater;
    halo_raster *raster;
    halo_buffer out; /* the last chunk, compressed */
} halo_packer;

/* Local. Loads what makes lz4 for the array `path`, which halo_packer_run needs for it. HALO_FORMAT
 * if it is not installed; HALO_ARGUMENT if this build has none. */
halo_status halo_packer_load(const char *path);

/* Local. For chunks that begin with rows of this array. HALO_MEMORY. */
halo_status halo_packer_open(halo_packer *packer, halo_array_packing packing,
                             const halo_npy_header *header);

void halo_packer_close(halo_packer *packer);

/* Local. Compresses into packer->out, which depends on these bytes only: deflate in zlib's format
 * (RFC 1950) or gzip's (RFC 1952), lz4 in blosc's. HALO_MEMORY; HALO_ARGUMENT for data too long for
 * the format. */
halo_status halo_packer_run(halo_packer *packer, const unsigned char *data, size_t bytes);

/* Local. Deflates without zlib's format: what goes into packer->out refers to nothing before it,
 * ends on a byte boundary, and leaves the stream open. HALO_MEMORY. */
halo_status halo_packer_run_raw(halo_packer *packer, const unsigned char *data, size_t bytes);

/* This rank's compressed bytes on their way into a file, which follow those of the ranks before.
 * Many that wait go to a nameless file beside that one, if this rank sees the folder.
 * Zero-initialise it, and set `file` and `path`. */
typedef struct {
    halo_file *file;
    const char *path;    /* of the file; NULL: all that wait are in memory */
    halo_buffer waiting; /* bytes that are not yet written */
    int64_t written;     /* bytes before them, */
    int64_t begin;       /* which begin here in the file */
    int64_t aside;       /* bytes between both, in */
    int beside;          /* a descriptor of the nameless file, plus 1; 0: there is none */
} halo_packed;

/* Local. */
void halo_packed_free(halo_packed *packed);

/* Local. Adds bytes, or says that some were appended to `waiting`. With `known`, that `begin` is
 * known, they are written as soon as there are many, to save system calls. HALO_MEMORY, HALO_FILE.
 */
halo_status halo_packed_add(halo_packed *packed, const halo_buffer *more, bool known);
halo_status halo_packed_added(halo_packed *packed, bool known);

/* Local. Writes all that were added. HALO_FILE, HALO_MEMORY. */
halo_status halo_packed_write(halo_packed *packed);

/* Local. Bytes that were added. */
int64_t halo_packed_size(const halo_packed *packed);

/* Collective, once all were added. Moves `begin`, the same on all ranks, behind the bytes of the
 * ranks before. HALO_TRANSPORT. */
halo_status halo_packed_place(halo_packed *packed, halo_world *world);

#endif
