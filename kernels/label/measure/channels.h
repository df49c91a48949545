#ifndef HALOBEAT_LABEL_CHANNELS_H
#define HALOBEAT_LABEL_CHANNELS_H

#include "kernels/label/label.h"

/* Red, green and blue of regions, from rows of pixels that are read again after labelling, so that
 * runs without this need not keep the colours. */

enum { HALO_CHANNELS = 3 };

typedef struct {
    int64_t sum[HALO_CHANNELS]; /* sum, minimum and maximum over the pixels of a region */
    int64_t min[HALO_CHANNELS], max[HALO_CHANNELS];
} halo_channels;

typedef struct halo_label_channels halo_label_channels;

/* Collective, after a run with `measure` and with the numbering HALO_LABEL_SCAN (or
 * halo_label_paint_scan); the run must not be repeated while the object is in use. Pixels have
 * three samples of `cell_bits`, 8 or 16. The caller destroys it, before the label. HALO_ARGUMENT
 * for other cells, another numbering, or a label without `measure`; HALO_MEMORY, HALO_MPI; the same
 * on all ranks. */
halo_status halo_label_channels_create(halo_label_channels **out, halo_label *label, int cell_bits);

/* Local. [ranks + 1] cuts of the rows that each rank takes: see halo_label_painting_cuts. */
const int64_t *halo_label_channels_cuts(const halo_label_channels *channels);

/* Local. A halo_rows_take whose context is a halo_label_channels: takes rows of this rank's strip,
 * by their global numbers, in any order. HALO_MEMORY. */
halo_status halo_label_channels_take(void *channels, int64_t first_row, int64_t rows,
                                     const void *data, size_t pitch);

/* Collective, after all rows were taken. Sets *out [*count] to the channels of the regions of
 * halo_label_regions on this rank, in the same order; the caller frees it with halo_memory_free.
 * HALO_MEMORY, HALO_MPI. */
halo_status halo_label_channels_finish(halo_label_channels *channels, halo_channels **out,
                                       int64_t *count);

/* Local. Frees the object and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_label_channels_destroy(halo_label_channels **channels);

#endif
