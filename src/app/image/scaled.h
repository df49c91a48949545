#ifndef HALOBEAT_APP_IMAGE_SCALED_H
#define HALOBEAT_APP_IMAGE_SCALED_H

#include "io/image/image_reader.h"

/* Images of files, scaled down: for pages and contact sheets. All functions are local. */

/* An image, or an array of any supported format. */
typedef struct {
    int largest;                 /* in: maximum pixels along an axis of the scaled image */
    int64_t width, height;       /* of the scaled image */
    int64_t of_width, of_height; /* of the image in the file */
    int64_t of_planes, plane;    /* the plane that is shown, from 1; of_planes is the number of
                                  * planes */
    bool plain;                  /* samples of at most 8 bits, and not turned: browsers can show the
                                  * file itself */
} app_scaled;

/* Reads the properties of the file into *out, except for `largest`. Errors as of
 * halo_image_reader_open. `as` says how the file is read (raw samples, part, volume); NULL: as it
 * is. */
halo_status app_scaled_look(const char *path, const halo_image_options *as, app_scaled *out);

/* Reads a scaled image: *pixels, [height * width * 3] red, green and blue, which the caller frees
 * with free. Each pixel is the mean of the pixels it covers, or of some of them. Colours and greys
 * of 8 bits are kept; other samples are scaled from the minimum, black, to the maximum, white, with
 * NaN in magenta. `labels` are coloured by number, and each pixel is the first of those it covers.
 * Of a volume the middle plane is shown. HALO_ARGUMENT if the image is too large to be read for
 * this; HALO_MEMORY; errors of halo_image_reader_open and _rows. */
halo_status app_scaled_read(const char *path, const halo_image_options *as, bool labels,
                            app_scaled *out, unsigned char **pixels);

#endif
