#ifndef HALOBEAT_LABEL_CORRELATION_H
#define HALOBEAT_LABEL_CORRELATION_H

#include "kernels/label/measure/numbered.h"

/* The two-point correlation along the axes: the chance that two pixels at a distance are both in
 * regions (S. Torquato: Random Heterogeneous Materials, 2002, chapter 2). Internal to the label
 * kernel and its commands. */

/* pairs[axis][distance], [count[axis]]: pairs of pixels, both in regions, at each distance from 0
 * to half of the image along planes, rows and columns. Zero-initialise it. */
typedef struct {
    int64_t *pairs[HALO_AXES], count[HALO_AXES];
} label_correlation;

/* Collective. Counts the pairs of an image; all ranks get the counts of all. Edges do not touch.
 * Takes memory for two bits a pixel. HALO_MEMORY, HALO_TRANSPORT; the same on all ranks. Call
 * label_correlation_free in any case. */
halo_status label_correlation_count(label_correlation *correlation, const label_numbered *image);

/* Local. All pairs of pixels at the distance along the axis. */
int64_t label_correlation_all(const label_numbered *image, int axis, int64_t distance);

/* Local. Accepts a zeroed one. */
void label_correlation_free(label_correlation *correlation);

#endif
