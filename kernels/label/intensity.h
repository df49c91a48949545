#ifndef HALOBEAT_LABEL_INTENSITY_H
#define HALOBEAT_LABEL_INTENSITY_H

#include "kernels/label/label.h"

/* Mean, least and largest sample of regions, of samples of any type, from rows that come once more
 * after labelling. Sums are exact, so that results do not depend on who adds what. */

typedef struct {
    int64_t numbers;  /* pixels that are not NaN, which count for nothing */
    int64_t min, max; /* keys (label_value.h) of the least and the largest one, if there are any */
    int64_t sum;      /* of whole numbers, if it fits in 64 bits */
    double mean;      /* NaN if no pixel is a number, or infinities of both signs are among them */
} halo_intensity;

typedef struct halo_label_intensities halo_label_intensities;

/* Collective, after a run that has measured, with HALO_LABEL_SCAN as its numbering, which must not
 * be repeated while it is in use. HALO_ARGUMENT for another numbering, or a label that does not
 * measure; HALO_MEMORY, HALO_MPI. All ranks get the same. The caller destroys it, before the label.
 */
halo_status halo_label_intensities_create(halo_label_intensities **out, halo_label *label,
                                          halo_label_value type);

/* Local. [ranks + 1] who is given which rows: see halo_label_painting_cuts. */
const int64_t *halo_label_intensities_cuts(const halo_label_intensities *intensities);

/* Local. A halo_rows_take whose context is a halo_label_intensities: rows of this rank's strip, by
 * their global numbers, in any order. HALO_MEMORY. */
halo_status halo_label_intensities_take(void *intensities, int64_t first_row, int64_t rows,
                                        const void *data, size_t pitch);

/* Local. Bytes that a region takes. */
int64_t halo_label_intensity_bytes(halo_label_value type);

/* Collective, when all rows were taken. `*out` [*count] has the regions that halo_label_regions
 * tells on this rank, in the same order; the caller frees it with halo_memory_free. *fits, the same
 * on all ranks: samples are whole numbers, and all regions' sums, least and largest samples are
 * from -2^63 to 2^63 - 1. HALO_MEMORY, HALO_MPI. */
halo_status halo_label_intensities_finish(halo_label_intensities *intensities, halo_intensity **out,
                                          int64_t *count, bool *fits);

/* Local. Accepts a pointer to NULL. */
void halo_label_intensities_destroy(halo_label_intensities **intensities);

#endif
