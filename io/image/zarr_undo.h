#ifndef HALOBEAT_IO_IMAGE_ZARR_UNDO_H
#define HALOBEAT_IO_IMAGE_ZARR_UNDO_H

#include "io/image/zarr_internal.h"

/* Functions that undo the steps before compression; not installed. Each makes `count` samples at
 * `out` from what a step has stored at `in`; they do not overlap. It returns false for bytes that
 * the step does not write. */

enum { BYTE_BITS = 8, CHECKSUM_BYTES = 4 };

typedef bool zarr_undo(const zarr_step *step, const unsigned char *in, int64_t count,
                       unsigned char *out);

extern zarr_undo halo_zarr_undo_astype, halo_zarr_undo_delta, halo_zarr_undo_scale,
    halo_zarr_undo_packbits, halo_zarr_undo_shuffle, halo_zarr_undo_nothing, halo_zarr_undo_crc32,
    halo_zarr_undo_crc32c, halo_zarr_undo_adler32, halo_zarr_undo_fletcher32;

#endif
