#ifndef HALOBEAT_LABEL_REGION_THICKNESS_H
#define HALOBEAT_LABEL_REGION_THICKNESS_H

#include "kernels/label/measure/numbered.h"

/* Local thickness in regions (kernels/distance/thickness.h): that of the foreground which all
 * regions are together, so that regions that touch are one there. Sums are whole numbers. Internal
 * to the label kernel and its commands. */

typedef struct {
    double mean, max; /* over the pixels of a region, in pixels; infinite without any background */
} label_thickness;

/* Collective. Sets *out [*count] to the thickness in the image's regions that this rank reports;
 * the caller frees it with halo_memory_free. No axis is periodic. Takes memory for all pixels of
 * this rank (label_thickness_pixel_bytes). HALO_ARGUMENT for images too large for local thickness,
 * HALO_MEMORY, HALO_TRANSPORT; the same on all ranks. */
halo_status label_thicknesses(const label_numbered *image, const char *instructions,
                              label_thickness **out, int64_t *count);

/* Local. Bytes that label_thicknesses allocates per region. */
int64_t label_thickness_bytes(void);

/* Local. Bytes that it takes for these pixels, besides. */
int64_t label_thickness_pixel_bytes(const halo_domain *domain, const halo_box *owned);

#endif
