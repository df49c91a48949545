#ifndef HALOBEAT_IO_IMAGE_NRRD_SPACE_H
#define HALOBEAT_IO_IMAGE_NRRD_SPACE_H

#include "io/image/text_header.h"

/* Fields of NRRD that say where the samples lie; not installed. Everything is local. None of them
 * fails: what cannot be read is left out. */

extern halo_text_parse halo_nrrd_parse_space, halo_nrrd_parse_dimension, halo_nrrd_parse_directions,
    halo_nrrd_parse_origin, halo_nrrd_parse_units, halo_nrrd_parse_mins, halo_nrrd_parse_maxs,
    halo_nrrd_parse_centers;

/* Combine these fields once all lines are read; a first axis of colours was taken from `is`. */
halo_image_geometry halo_nrrd_geometry(const halo_text_fields *fields);

#endif
