#ifndef HALOBEAT_CLI_CLUSTER_MEANS_H
#define HALOBEAT_CLI_CLUSTER_MEANS_H

#include "cli/cluster/job.h"

/* What the clusters look like. */
typedef struct {
    int channels;    /* 1: grey. 3: red, green, blue */
    int64_t maximum; /* of the values */
    int64_t clusters;
    int64_t *pixels;     /* [clusters] */
    int64_t *sums;       /* [clusters][channels], over their pixels */
    halo_field *colours; /* of red, green and blue, in the strips of the beats; NULL for greys */
} cluster_means;

/* Collective. The clusters as they are. Reads the image once more where it has colours, since the
 * beats have only greys, or L, a and b. HALO_FILE, HALO_FORMAT, HALO_MEMORY, HALO_MPI;
 * cluster_means_free in any case. */
halo_status cluster_means_create(cluster_means *means, cli_cluster_job *job);
void cluster_means_free(cluster_means *means);

/* Local. The mean of a channel of a cluster, rounded half up, from 0 to `scale`; 0 without pixels.
 */
int64_t cluster_means_of(const cluster_means *means, int64_t cluster, int channel, int64_t scale);

#endif
