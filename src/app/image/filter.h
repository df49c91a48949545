#ifndef HALOBEAT_APP_IMAGE_FILTER_H
#define HALOBEAT_APP_IMAGE_FILTER_H

#include "app/image/image.h"
#include "kernels/filter/chain.h"

/* The option --filter: images are filtered while they are read (kernels/filter). */

/* Local. For halo_image_options.make: the steps are how->filter, a text as of filter_chain_read;
 * second images of steps are files, which are read as `how` says; all of it outlives it. Steps that
 * need the whole image are refused when an image is opened: HALO_ARGUMENT. */
halo_image_making app_image_filtering(const app_image_options *how);

/* Local. Reads the steps of an option --mask-filter, which filter bits of this domain: *out, for
 * halo_filter_run_bits, is allocated, and freed by halo_filter_chain_destroy in any case.
 * HALO_ARGUMENT for steps that make something else than bits, HALO_MEMORY. */
halo_status app_mask_filter_read(filter_chain **out, const char *steps, const halo_domain *domain);

#endif
