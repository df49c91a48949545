#ifndef HALOBEAT_LABEL_MEDIANS_H
#define HALOBEAT_LABEL_MEDIANS_H

#include "kernels/label/label.h"

/* Medians of the samples of regions, for samples of any type, from rows that are read again after
 * labelling or are still in memory. Each region has a histogram of a few bits of its samples, from
 * the highest bits down: rows are taken several times, so that memory does not depend on the number
 * of pixels (selection by radix: D. E. Knuth, The Art of Computer Programming 3, 5.3.3). With up to
 * 32768 regions, samples of 8 bits are taken once. */

typedef struct {
    int64_t numbers;   /* samples that are not NaN */
    int64_t low, high; /* keys (base/sample.h) of the two in the middle, which are one if the count
                        * is odd; undefined without numbers */
} halo_median;

typedef struct halo_label_medians halo_label_medians;

/* Collective, after a run with `measure` and with the numbering HALO_LABEL_SCAN (or
 * halo_label_paint_scan), which must not be repeated while the object is in use. `part`: as for
 * halo_label_moments_create. The caller destroys it, before the label. HALO_ARGUMENT for another
 * numbering, or a label without `measure`; HALO_MEMORY, HALO_MPI; the same on all ranks. */
halo_status halo_label_medians_create(halo_label_medians **out, halo_label *label,
                                      halo_sample_type type, bool part);

/* Local. [ranks + 1] cuts of the rows that each rank takes, unless created with `part`: see
 * halo_label_painting_cuts. */
const int64_t *halo_label_medians_cuts(const halo_label_medians *medians);

/* Local. A halo_rows_take whose context is a halo_label_medians, in any order of rows. NaN is
 * ignored. HALO_MEMORY. */
halo_status halo_label_medians_take(void *medians, int64_t first_row, int64_t rows,
                                    const void *data, size_t pitch);

/* Collective, after all rows were taken. *again, the same on all ranks, is true if all rows must be
 * taken once more, and halo_label_medians_next be called again. HALO_MEMORY, HALO_MPI. */
halo_status halo_label_medians_next(halo_label_medians *medians, bool *again);

/* Local. Bytes per region, where there are many. */
int64_t halo_label_medians_bytes(void);

/* Local, after halo_label_medians_next has set *again to false. Returns the median of region `i` of
 * halo_label_regions on this rank. */
halo_median halo_label_medians_get(const halo_label_medians *medians, int64_t i);

/* Local. Frees the object and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_label_medians_destroy(halo_label_medians **medians);

#endif
