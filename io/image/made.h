#ifndef HALOBEAT_IO_IMAGE_MADE_H
#define HALOBEAT_IO_IMAGE_MADE_H

#include "io/image/image_internal.h"

/* Local. Replaces *reader, of an image as it is (HALO_IMAGE_SAMPLES, or HALO_IMAGE_COLOURS if these
 * are wanted), by one whose rows are what options->make makes of them, converted as `options` say.
 * HALO_FORMAT if samples of the image can be missing, HALO_MEMORY; errors of options->make. *reader
 * is then closed. */
halo_status halo_image_make_rows(halo_image_reader **reader, const halo_image_options *options);

#endif
