#ifndef HALOBEAT_LABEL_MOMENTS_H
#define HALOBEAT_LABEL_MOMENTS_H

#include "kernels/label/label.h"

/* Standard deviation of the samples of regions, and centroids weighted by them, for samples of any
 * type, from rows that are read again after labelling or are still in memory. Sums are exact, so
 * that results do not depend on the distribution. */

typedef struct {
    double deviation;           /* the square root of the mean squared deviation; NaN if no pixel is
                                 * a number, or one is infinite */
    double weighted[HALO_AXES]; /* plane, row and column, weighted by the samples; NaN likewise, and
                                 * if samples add up to 0 */
} halo_moments;

typedef struct halo_label_moments halo_label_moments;

/* Collective, after a run with `measure` and with the numbering HALO_LABEL_SCAN (or
 * halo_label_paint_scan), which must not be repeated while the object is in use. `part`: rows are
 * those of this rank's part of halo_label_partition, as halo_label_part_rows gives them; otherwise
 * they are those of strips. The caller destroys it, before the label. HALO_ARGUMENT for another
 * numbering, or a label without `measure`; HALO_MEMORY, HALO_MPI; the same on all ranks. */
halo_status halo_label_moments_create(halo_label_moments **out, halo_label *label,
                                      halo_sample_type type, bool part);

/* Local. [ranks + 1] cuts of the rows that each rank takes, unless created with `part`: see
 * halo_label_painting_cuts. */
const int64_t *halo_label_moments_cuts(const halo_label_moments *moments);

/* Local. A halo_rows_take whose context is a halo_label_moments, in any order of rows. NaN is
 * ignored. HALO_MEMORY. */
halo_status halo_label_moments_take(void *moments, int64_t first_row, int64_t rows,
                                    const void *data, size_t pitch);

/* Local. Bytes per region. */
int64_t halo_label_moments_bytes(halo_sample_type type);

/* Collective, after all rows were taken. Sets *out [*count] to the moments of the regions of
 * halo_label_regions on this rank, in the same order; the caller frees it with halo_memory_free.
 * HALO_MEMORY, HALO_MPI. */
halo_status halo_label_moments_finish(halo_label_moments *moments, halo_moments **out,
                                      int64_t *count);

/* Local. Frees the object and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_label_moments_destroy(halo_label_moments **moments);

#endif
