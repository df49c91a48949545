#ifndef HALOBEAT_IO_CONTOUR_CONTOURS_INTERNAL_H
#define HALOBEAT_IO_CONTOUR_CONTOURS_INTERNAL_H

#include "io/contour/contours_write.h"

/* Units of a position per pixel. */
static inline int64_t halo_contours_unit(const halo_contours_scene *scene)
{
    return scene->unit > 0 ? scene->unit : 1;
}

/* Contours as text. Both functions are local. */

/* Appends an SVG drawing; `link` is its reference to the image, NULL for contours only.
 * HALO_MEMORY. */
halo_status halo_contours_svg(halo_buffer *out, const halo_contours_scene *scene, const char *link);

/* Appends a JSON object. HALO_MEMORY. */
halo_status halo_contours_json(halo_buffer *out, const halo_contours_scene *scene);

#endif
