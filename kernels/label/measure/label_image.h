#ifndef HALOBEAT_LABEL_LABEL_IMAGE_H
#define HALOBEAT_LABEL_LABEL_IMAGE_H

#include "kernels/label/measure/by_number.h"
#include "kernels/label/measure/label_parts.h"

/* The regions of an image of labels whose strips are in the memory of all ranks: all pixels of one
 * label above 0 are a region, also where they are in several pieces, and its number is its place in
 * the ascending order of labels. Labels have any gaps. No rank has the labels of all: those that a
 * rank has pixels of are sorted among ranks by samples of them (H. Shi, J. Schaeffer: Parallel
 * sorting by regular sampling, 1992). Internal to the label kernel and its command. */

/* The pixels of this rank. */
typedef struct {
    halo_sample_type type; /* of whole numbers */
    const halo_view *view; /* of the strip, with cells of the type */
    int axes;              /* of the image, 2 or 3 */
    int64_t n[HALO_AXES];  /* planes, rows and columns of the whole image; one plane of two axes */
    const int64_t *cuts;   /* [ranks + 1] strips of the first axis: planes of a volume, or rows;
                            * owned by the caller */
} label_image_pixels;

/* Zero-initialise it. */
typedef struct {
    label_image_pixels pixels;
    label_parts parts;    /* of the strip */
    int64_t *rows;        /* [ranks + 1] the strips in rows, counted through all planes */
    label_numbered image; /* the image of numbers */
    label_by_number sums; /* the regions of this rank: an entry is a halo_region */
    uint64_t *labels;     /* [image.count] the labels of these, in ascending order */
    int64_t lowest;       /* the lowest label below 0 on any rank; 0: there is none */
} label_image;

/* Collective. Finds the regions: image, sums and labels. Pixels must stay as long as `image` is
 * used. HALO_MEMORY, HALO_TRANSPORT; the same on all ranks. Call label_image_free in any case. */
halo_status label_image_find(label_image *image, halo_world *world,
                             const label_image_pixels *pixels);

/* Local. Accepts a zeroed image. */
void label_image_free(label_image *image);

/* Local. The regions of this rank, [image->image.count]. */
const halo_region *label_image_regions(const label_image *image);

/* Local. Bytes per region that label_image_find takes. */
int64_t label_image_bytes(void);

#endif
