#ifndef HALOBEAT_KERNELS_CLUSTER_CLUSTER_MEANS_H
#define HALOBEAT_KERNELS_CLUSTER_CLUSTER_MEANS_H

#include "kernels/cluster/cluster.h"

/* The mean grey or colour of each cluster. */
typedef struct {
    int channels;    /* 1: grey. 3: red, green, blue */
    int64_t maximum; /* of the values */
    int64_t clusters;
    int64_t *pixels; /* [clusters] */
    int64_t *sums;   /* [clusters][channels], over their pixels */
} halo_cluster_means;

/* Collective. Of the clusters as they are after the last beat, which runs in strips; the same on
 * all ranks. `colours` is the picture in red, green and blue, samples of 8 or 16 bits (cells of 24
 * or 48), of this rank's strip; NULL takes the greys that were clustered. Values go from 0 to
 * `maximum`. HALO_MEMORY, HALO_MPI; halo_cluster_means_free in any case. */
halo_status halo_cluster_means_create(halo_cluster_means *means, halo_world *world,
                                      const halo_beat *beat, const halo_view *colours,
                                      int64_t maximum);

/* Local. Accepts means that were freed before. */
void halo_cluster_means_free(halo_cluster_means *means);

/* Local. The mean of a channel of a cluster, rounded half up, from 0 to `scale`; 0 for a cluster
 * without pixels. */
int64_t halo_cluster_means_of(const halo_cluster_means *means, int64_t cluster, int channel,
                              int64_t scale);

#endif
