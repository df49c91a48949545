#ifndef HALOBEAT_IO_IMAGE_TURN_H
#define HALOBEAT_IO_IMAGE_TURN_H

#include "io/image/image_internal.h"

/* Images that are shown in another orientation than they are stored in. Not installed. */

/* Local. Replaces *reader, whose info.orientation is above 1, by one of the image as it is shown.
 * Rows are turned after conversion:
 *
 *     2        pixels of a row are in reverse order
 *     3, 4     rows are, too: with random access they are read from the last one up; otherwise the
 *              first read decodes and keeps the whole image
 *     5 to 8   columns of the file are rows: the first read decodes the image, and keeps the rows
 *              that this and later reads will ask for, at most options.turned_bytes; beyond that,
 *              the image is decoded again
 *
 * HALO_MEMORY; *reader is then closed. */
halo_status halo_image_turn(halo_image_reader **reader);

/* Local. The reader of an image as it is stored, which knows the format and the samples of a pixel:
 * `reader` itself unless halo_image_turn made it. */
const halo_image_reader *halo_image_stored(const halo_image_reader *reader);

#endif
