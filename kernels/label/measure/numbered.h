#ifndef HALOBEAT_LABEL_NUMBERED_H
#define HALOBEAT_LABEL_NUMBERED_H

#include "kernels/label/measure/region_samples.h"
#include "kernels/label/measure/shape.h"

/* An image whose pixels are numbers of regions (0: none), which measures of regions read row by
 * row. A label paints it, or it is made of an array of labels. Internal to the label kernel. */
typedef struct label_numbered {
    halo_world *world;
    int axes;             /* 2 or 3 */
    int64_t n[HALO_AXES]; /* planes, rows and columns; an image of two axes is one plane */
    bool periodic[HALO_AXES];
    int64_t total;         /* regions of the whole image: numbers are 1 to total */
    int64_t count;         /* those that this rank reports, which follow those of lower ranks */
    const int64_t *cuts;   /* [ranks + 1] of rows, numbered through all planes */
    const int64_t *layers; /* [ranks + 1] of the first axis: planes of a volume, rows of an image */
    halo_rows_fill *rows;  /* fills rows of this rank with numbers, an int64_t a pixel */
    void *context;         /* of `rows` */
} label_numbered;

/* Local. The image that an I64 painting of the label's last run shows, whose numbering is
 * HALO_LABEL_SCAN (or see halo_label_paint_scan). Valid as long as the painting. With `painting`
 * NULL it has no cuts and no rows. */
label_numbered label_numbered_of(const halo_label *label, halo_label_painting *painting);

/* Local. Sets `out` to row `row` of this rank. */
static inline halo_status label_numbered_row(const label_numbered *image, int64_t row, int64_t *out)
{
    return image->rows(image->context, row, 1, out, 0);
}

/* Local. The nearest rank with rows in front of this one (`step` -1) or behind it (1); -1: there is
 * none. */
int label_numbered_rank(const label_numbered *image, int step);

/* Collective. For processing layers (planes of a volume, rows of an image) one after the other:
 * copies the last layer of the nearest lower rank that has any to `layer`. If the image goes
 * `round`, the first rank gets the last layer, possibly its own. *has_layer tells whether there is
 * one. HALO_MEMORY, HALO_TRANSPORT; the same on all ranks. */
halo_status label_numbered_layer_before(const label_numbered *image, bool round, int64_t *layer,
                                        bool *has_layer);

/* ---- measures -------------------------------------------------------------------------------- */

/* The functions that begin with halo_label_ do the same for the image that a label paints. */

/* Collective. As halo_label_shapes (shape.h), of an image without periodic axes. */
halo_status label_shapes(const label_numbered *image, const halo_shape_options *options,
                         halo_shape **out, int64_t *count);

/* Collective. As halo_label_eulers (euler.h), of an image without periodic axes. */
halo_status label_eulers(const label_numbered *image, int64_t **out, int64_t *count);

/* Collective. As halo_label_measure (region_samples.h), of samples that are passed by a function.
 */
halo_status label_measure_samples(const label_numbered *image, unsigned measures,
                                  const halo_region_samples *samples, halo_region_measures *out);

#endif
