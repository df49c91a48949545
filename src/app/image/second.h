#ifndef HALOBEAT_APP_IMAGE_SECOND_H
#define HALOBEAT_APP_IMAGE_SECOND_H

#include "app/image/image.h"
#include "kernels/filter/chain.h"

/* Second images of steps of filters, such as subtract:dark.tif, as files. Each rank reads the rows
 * that it needs. */

typedef struct app_image_seconds app_image_seconds;

/* Local. Opens the files that a chain's steps name, before it is resolved for an image of `axes`
 * axes. They are read as `how` says of all files: as_stored, follow_links, nodata. HALO_FORMAT for
 * images with missing pixels, HALO_ARGUMENT for standard input and pipes, since each step and each
 * rank reads the file; errors of halo_image_reader_open. Call app_image_seconds_close in any case,
 * after the last use of the chain. */
halo_status app_image_seconds_open(app_image_seconds **out, filter_chain *chain,
                                   const app_image_options *how, int axes);

/* Local. Accepts a pointer to NULL. */
void app_image_seconds_close(app_image_seconds **seconds);

#endif
