#ifndef HALOBEAT_IO_IMAGE_ZARR_WHOLE_H
#define HALOBEAT_IO_IMAGE_ZARR_WHOLE_H

#include "io/image/image_reader.h"

/* Local. Says that the array of zarr that the reader has opened has all its chunks: from now on one
 * that is missing is an error (HALO_FILE), and not full of the array's fill value. For arrays that
 * were just written; disks of a network may be late. Not installed. */
void halo_zarr_expect_whole(halo_image_reader *reader);

#endif
