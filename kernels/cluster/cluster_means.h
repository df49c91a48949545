#ifndef HALOBEAT_KERNELS_CLUSTER_CLUSTER_MEANS_H
#define HALOBEAT_KERNELS_CLUSTER_CLUSTER_MEANS_H

#include "kernels/cluster/cluster.h"

/* Mean grey or colour of each cluster. */
typedef struct {
    int channels;    /* 1: grey. 3: red, green, blue */
    int64_t maximum; /* maximum of the values */
    int64_t clusters;
    int64_t *pixels; /* [clusters] */
    int64_t *sums;   /* [clusters][channels] */
} halo_cluster_means;

/* Collective. Computes the means of the clusters after the last beat of a run in strips; the same
 * on all ranks. `colours` is this rank's strip of the image in red, green and blue, with samples of
 * 8 or 16 bits (cells of 24 or 48); NULL: the greys that were clustered. Values range from 0 to
 * `maximum`. HALO_MEMORY, HALO_TRANSPORT; call halo_cluster_means_free in any case. */
halo_status halo_cluster_means_create(halo_cluster_means *means, halo_world *world,
                                      const halo_beat *beat, const halo_view *colours,
                                      int64_t maximum);

/* Local. Frees the means. Accepts means that were freed before. */
void halo_cluster_means_free(halo_cluster_means *means);

/* Local. The mean of a channel of a cluster, scaled from 0 to `scale` and rounded half up; 0 for a
 * cluster without pixels. */
int64_t halo_cluster_means_of(const halo_cluster_means *means, int64_t cluster, int channel,
                              int64_t scale);

#endif
