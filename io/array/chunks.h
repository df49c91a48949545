#ifndef HALOBEAT_IO_ARRAY_CHUNKS_H
#define HALOBEAT_IO_ARRAY_CHUNKS_H

#include "core/file/rows.h"
#include "core/world/world.h"
#include "io/npy/npy.h"

/* An array in chunks of some planes, or of some rows of one plane, so that a chunk is a range of
 * rows. Their size depends on the array only, so that files are the same for every number of ranks.
 * A chunk is written by the rank with its first row, which receives the chunk's other rows from the
 * following ranks. Not installed. */
typedef struct {
    const halo_npy_header *header;
    const int64_t *cuts;
    int rank, ranks;
    int64_t planes, rows;    /* rows per plane */
    int64_t depth, height;   /* planes of a chunk, and rows per plane of a chunk */
    int64_t across;          /* chunks per plane */
    int64_t count;           /* number of chunks */
    size_t row_bytes, bytes; /* bytes of a row, and of a chunk */
    void *buffer, *rest;     /* a chunk; rows of other ranks for this rank's last chunk */
} halo_chunks;

/* Local. Receives a chunk's data, [bytes]; they are followed by zeros up to chunks->bytes. */
typedef halo_status halo_chunks_put(void *context, int64_t chunk, const unsigned char *data,
                                    size_t bytes);

/* Local. Chooses chunks of about `bytes` bytes; with `deep` of several planes, if these are small.
 * HALO_ARGUMENT for invalid cuts or an array that is too large, HALO_MEMORY. */
halo_status halo_chunks_open(halo_chunks *chunks, const halo_world *world,
                             const halo_npy_header *header, const int64_t *cuts, int64_t bytes,
                             bool deep);

/* Local. As halo_chunks_open, for chunks of `depth` planes with all their rows, or of `height` rows
 * if that is 1. */
halo_status halo_chunks_open_as(halo_chunks *chunks, const halo_world *world,
                                const halo_npy_header *header, const int64_t *cuts, int64_t depth,
                                int64_t height);

void halo_chunks_close(halo_chunks *chunks);

/* Collective, before each halo_chunks_each. Rows come to the ranks that write their chunks;
 * threads make them there. HALO_MEMORY, HALO_TRANSPORT, what `fill` returned; the same on all
 * ranks. */
halo_status halo_chunks_exchange(halo_chunks *chunks, halo_world *world, const halo_rows *rows);

/* Local. Passes this rank's chunks to `put` in ascending order. */
halo_status halo_chunks_each(const halo_chunks *chunks, const halo_rows *rows, halo_chunks_put *put,
                             void *context);

#endif
