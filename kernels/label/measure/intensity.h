#ifndef HALOBEAT_LABEL_INTENSITY_H
#define HALOBEAT_LABEL_INTENSITY_H

#include "kernels/label/label.h"

/* Mean, minimum and maximum sample of regions, for samples of any type, from rows that are read
 * again after labelling. Sums are exact, so that results do not depend on the distribution. */

typedef struct {
    int64_t numbers;  /* pixels that are not NaN; NaN is ignored */
    int64_t min, max; /* keys (label_value.h) of the minimum and maximum, if there are any */
    int64_t sum;      /* of integers, if it fits 64 bits */
    double mean;      /* NaN if no pixel is a number, or if there are infinities of both signs */
} halo_intensity;

typedef struct halo_label_intensities halo_label_intensities;

/* Collective, after a run with `measure` and with the numbering HALO_LABEL_SCAN (or
 * halo_label_paint_scan), which must not be repeated while the object is in use. The caller
 * destroys it, before the label. HALO_ARGUMENT for another numbering, or a label without `measure`;
 * HALO_MEMORY, HALO_MPI; the same on all ranks. */
halo_status halo_label_intensities_create(halo_label_intensities **out, halo_label *label,
                                          halo_sample_type type);

/* Local. [ranks + 1] cuts of the rows that each rank takes: see halo_label_painting_cuts. */
const int64_t *halo_label_intensities_cuts(const halo_label_intensities *intensities);

/* Local. A halo_rows_take whose context is a halo_label_intensities: takes rows of this rank's
 * strip, by their global numbers, in any order. HALO_MEMORY. */
halo_status halo_label_intensities_take(void *intensities, int64_t first_row, int64_t rows,
                                        const void *data, size_t pitch);

/* Local. Bytes per region. */
int64_t halo_label_intensity_bytes(halo_sample_type type);

/* Collective, after all rows were taken. Sets *out [*count] to the intensities of the regions of
 * halo_label_regions on this rank, in the same order; the caller frees it with halo_memory_free.
 * *fits, the same on all ranks, is true if samples are integers and the sums, minima and maxima of
 * all regions are from -2^63 to 2^63 - 1. HALO_MEMORY, HALO_MPI. */
halo_status halo_label_intensities_finish(halo_label_intensities *intensities, halo_intensity **out,
                                          int64_t *count, bool *fits);

/* Local. Frees the object and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_label_intensities_destroy(halo_label_intensities **intensities);

#endif
