#ifndef HALOBEAT_APP_IMAGE_FILTER_H
#define HALOBEAT_APP_IMAGE_FILTER_H

#include "io/image/image_reader.h"

/* The option --filter: images are filtered while they are read (kernels/filter). */

/* Local. For halo_image_options.make: the steps are a text as of filter_chain_read, which outlives
 * it. Steps that need the whole image are refused when an image is opened: HALO_ARGUMENT. */
halo_image_making app_image_filtering(const char *steps);

#endif
