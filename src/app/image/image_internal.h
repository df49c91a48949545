#ifndef HALOBEAT_APP_IMAGE_IMAGE_INTERNAL_H
#define HALOBEAT_APP_IMAGE_IMAGE_INTERNAL_H

#include "app/image/image.h"

/* Collective. Opens the file on all ranks, if each sees the file that rank 0 sees and it has random
 * access. */
halo_status app_image_open_everywhere(app_image *image, bool *everywhere);

/* Collective. Opens the file on rank 0 if it was read before. HALO_FILE if it has changed. */
halo_status app_image_open_again(app_image *image);

/* Collective. After the rows, which only some ranks may have read from the file: closes it, and
 * warns of the defect that the first of these ranks has found. */
halo_status app_image_close_read(app_image *image);

#endif
