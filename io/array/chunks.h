#ifndef HALOBEAT_IO_ARRAY_CHUNKS_H
#define HALOBEAT_IO_ARRAY_CHUNKS_H

#include "io/npy/npy.h"

/* An array in chunks of some planes, or of some rows of one plane, so that a chunk is a stretch of
 * rows. Their size depends on the array alone, so that files are the same for every number of
 * ranks. The rank with a chunk's first row has it, with rows of the ranks after it if their strips
 * begin in it. Not installed. */
typedef struct {
    const halo_npy_header *header;
    const int64_t *cuts;
    int rank, ranks;
    int64_t planes, rows;    /* rows of a plane */
    int64_t depth, height;   /* of a chunk: planes, and rows of a plane */
    int64_t across;          /* chunks of a plane */
    int64_t count;           /* of all */
    size_t row_bytes, bytes; /* of a row, and of a chunk */
    void *buffer, *rest;     /* a chunk; rows from other ranks for the last own one */
} halo_chunks;

/* Local. A chunk's data and its bytes; up to chunks->bytes zeros follow. */
typedef halo_status halo_chunks_put(void *context, int64_t chunk, const unsigned char *data,
                                    size_t bytes);

/* Local. Chunks of about `bytes` bytes; `deep`: of several planes, where these are small.
 * HALO_ARGUMENT for bad cuts or an array that is too large, HALO_MEMORY. */
halo_status halo_chunks_open(halo_chunks *chunks, const halo_world *world,
                             const halo_npy_header *header, const int64_t *cuts, int64_t bytes,
                             bool deep);

void halo_chunks_close(halo_chunks *chunks);

/* Collective, once, before halo_chunks_each. Rows go to the owners of chunks. HALO_MEMORY,
 * HALO_MPI, what `fill` returned, on all ranks. */
halo_status halo_chunks_exchange(halo_chunks *chunks, halo_world *world, const halo_rows *rows);

/* Local. Hand on own chunks in ascending order. */
halo_status halo_chunks_each(const halo_chunks *chunks, const halo_rows *rows, halo_chunks_put *put,
                             void *context);

#endif
