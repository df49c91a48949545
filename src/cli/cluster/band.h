#ifndef HALOBEAT_CLI_CLUSTER_BAND_H
#define HALOBEAT_CLI_CLUSTER_BAND_H

#include "cli/cluster/job.h"

/* The clusters of a strip's pixels, a few rows at a time, from its first row on. */
typedef struct {
    const halo_beat *beat;
    int64_t width, rows;  /* of the strip */
    int64_t first, count; /* rows in `labels` */
    uint16_t *labels;
    uint16_t *after; /* row `rows`: the first of the next strip; NULL where the picture ends, or if
                      * it was not wished for */
} cluster_band;

/* Collective. Rows of `job`'s strips; `below` says that each row's next one is wanted too.
 * HALO_MEMORY, HALO_MPI; cluster_band_free in any case. */
halo_status cluster_band_create(cluster_band *band, cli_cluster_job *job, bool below);
void cluster_band_free(cluster_band *band);

/* Local. Row `row` of the strip, from 0 in ascending order. With `below` not NULL, *below is the
 * picture's next row; NULL if it has none. Both are valid until the next call. What
 * halo_cluster_labels fails with. */
halo_status cluster_band_row(cluster_band *band, int64_t row, const uint16_t **labels,
                             const uint16_t **below);

#endif
