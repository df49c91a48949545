#ifndef HALOBEAT_IO_ARRAY_PACKER_H
#define HALOBEAT_IO_ARRAY_PACKER_H

#include "io/array/array_write.h"
#include "io/png/deflate.h"
#include "io/png/raster.h"

/* Chunks of arrays, compressed one by one. Zero-initialisable: then nothing is compressed. Not
 * installed. */
typedef struct {
    halo_array_packing packing;
    size_t sample, row; /* bytes of a sample and of a row */
    size_t piece;       /* bytes that are compressed in one go */
    halo_deflater *deflater;
    halo_raster *raster;
    halo_buffer out; /* the last chunk, compressed */
} halo_packer;

/* Local. For chunks that begin with rows of this array. HALO_MEMORY. */
halo_status halo_packer_open(halo_packer *packer, halo_array_packing packing,
                             const halo_npy_header *header);

void halo_packer_close(halo_packer *packer);

/* Local. Compress into packer->out, which depends on these bytes alone: deflate as zlib's format
 * has it (RFC 1950), lz4 as blosc's frame. HALO_MEMORY, HALO_ARGUMENT if it is too long for it. */
halo_status halo_packer_run(halo_packer *packer, const unsigned char *data, size_t bytes);

#endif
