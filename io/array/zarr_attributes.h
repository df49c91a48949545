#ifndef HALOBEAT_IO_ARRAY_ZARR_ATTRIBUTES_H
#define HALOBEAT_IO_ARRAY_ZARR_ATTRIBUTES_H

#include "io/image/geometry.h"

#include <jansson.h>

/* Attributes of zarr about axes and the place in space, as JSON that the caller owns; NULL
 * for want of memory, as for what it is put into. Everything is local; not installed. */

/* The value if it is all there, else NULL. */
json_t *halo_zarr_if_good(json_t *value, bool good);

/* The names, types and units of the axes, the slowest first: channels, if there are such, and
 * `axes` of space. */
json_t *halo_zarr_axes(const halo_image_geometry *geometry, int axes, bool channels);

/* The list of a scale and, where it is known or not 0, a translation. A sample stands for
 * factor[i] of the image along x, y and z, and lies where the first of them does, or with `centred`
 * in their middle. */
json_t *halo_zarr_transformations(const halo_image_geometry *geometry, int axes, bool channels,
                                  const int64_t factor[3], bool centred);

/* The place with directions of axes, which OME-NGFF has no word for; NULL with *needed false if
 * translations say it all. */
json_t *halo_zarr_place_in_space(const halo_image_geometry *geometry, int axes, bool *needed);

#endif
