#ifndef HALOBEAT_APP_PAGE_PICTURE_H
#define HALOBEAT_APP_PAGE_PICTURE_H

#include "base/memory.h"
#include "io/image/image_reader.h"

/* Images for a page: images and arrays of any supported format, scaled down. Local. */

typedef struct {
    int largest;                 /* in: maximum pixels along an axis of the scaled image */
    int64_t width, height;       /* of the scaled image */
    int64_t of_width, of_height; /* of the image in the file */
    int64_t of_planes, plane;    /* the plane that is shown, from 1; of_planes is the number of
                                  * planes */
    bool plain;                  /* samples of at most 8 bits, and not turned: browsers can show the
                                  * file itself */
} page_scaled;

/* Reads the properties of the file into *out, except for `largest`. Errors as of
 * halo_image_reader_open. `as` says how the file is read (raw samples, part, volume); NULL: as
 * it is. */
halo_status page_picture_look(const char *path, const halo_image_options *as, page_scaled *out);

/* Appends a scaled PNG. Each pixel is the mean of the pixels it covers, or of some of them. Colours
 * and greys of 8 bits are kept; other samples are scaled from the minimum, black, to the maximum,
 * white, with NaN in magenta. `labels` are coloured by number, and each pixel is the first of those
 * it covers. Of a volume the middle plane is shown. HALO_ARGUMENT if the image is too large to be
 * read for this; otherwise errors of halo_image_reader_open and _rows. */
halo_status page_picture_scale(const char *path, const halo_image_options *as, bool labels,
                               page_scaled *out, halo_buffer *png);

#endif
