#ifndef HALOBEAT_APP_PAGE_PICTURE_H
#define HALOBEAT_APP_PAGE_PICTURE_H

#include "base/memory.h"
#include "io/image/image_reader.h"

/* Pictures for a page: images and arrays of any format that can be read, scaled down. Local. */

enum { PAGE_LARGEST = 720 }; /* pixels along an axis, at most */

typedef struct {
    int64_t width, height;       /* of the picture */
    int64_t of_width, of_height; /* of what it shows, */
    int64_t of_planes, plane;    /* of which it shows one, from 1 on */
    bool plain;                  /* samples of at most 8 bits: browsers show it as it is */
} page_scaled;

/* What is in the file? Errors as of halo_image_reader_open. `raw` or NULL: samples without a
 * header. */
halo_status page_picture_look(const char *path, const halo_image_raw *raw, page_scaled *out);

/* Append a PNG of it: each pixel is the mean of those that it stands for, or of
 * some of them. Colours stay; greys of 8
 * bits stay, too; all else goes from black, the minimum, to white, the maximum, but what is no
 * number, which is magenta. `labels` get colours of their own, and each pixel is the first of those
 * that it stands for. Of a volume the plane in the middle. HALO_ARGUMENT if it has more pixels than
 * are read for this, otherwise as halo_image_reader_open and _rows. */
halo_status page_picture_scale(const char *path, const halo_image_raw *raw, bool labels,
                               page_scaled *out, halo_buffer *png);

#endif
