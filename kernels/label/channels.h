#ifndef HALOBEAT_LABEL_CHANNELS_H
#define HALOBEAT_LABEL_CHANNELS_H

#include "kernels/label/label.h"

/* Red, green and blue of regions, from rows of pixels that come once more after labelling: who does
 * not want them need not keep colours. */

enum { HALO_CHANNELS = 3 };

typedef struct {
    int64_t sum[HALO_CHANNELS]; /* over the pixels */
    int64_t min[HALO_CHANNELS], max[HALO_CHANNELS];
} halo_channels;

typedef struct halo_label_channels halo_label_channels;

/* Collective, after a run that has measured, with HALO_LABEL_SCAN as its numbering, which must not
 * be repeated while it is in use. Pixels come as three samples of `cell_bits`, 8 or 16, each.
 * HALO_ARGUMENT for others, another numbering, or a label that does not measure; HALO_MEMORY,
 * HALO_MPI. All ranks get the same. The caller destroys it, before the label. */
halo_status halo_label_channels_create(halo_label_channels **out, halo_label *label, int cell_bits);

/* Local. [ranks + 1] who is given which rows: see halo_label_painting_cuts. */
const int64_t *halo_label_channels_cuts(const halo_label_channels *channels);

/* Local. A halo_rows_take whose context is a halo_label_channels: rows of this rank's strip, by
 * their global numbers, in any order. HALO_MEMORY. */
halo_status halo_label_channels_take(void *channels, int64_t first_row, int64_t rows,
                                     const void *data, size_t pitch);

/* Collective, when all rows were taken. `*out` [*count] has the regions that halo_label_regions
 * tells on this rank, in the same order; the caller frees it with halo_memory_free. HALO_MEMORY,
 * HALO_MPI. */
halo_status halo_label_channels_finish(halo_label_channels *channels, halo_channels **out,
                                       int64_t *count);

/* Local. Accepts a pointer to NULL. */
void halo_label_channels_destroy(halo_label_channels **channels);

#endif
