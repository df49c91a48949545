#ifndef HALOBEAT_CLI_CLUSTER_INERTIA_H
#define HALOBEAT_CLI_CLUSTER_INERTIA_H

#include "cli/cluster/job.h"

/* Collective. Fills in the job's `inertia`, what k-means makes small: the squares of the distances
 * between pixels and the mean of their own cluster, in the weighted values of the user, summed over
 * all pixels. From sums of integers, so that it is the same on any number of ranks. HALO_MEMORY,
 * HALO_MPI. */
halo_status cluster_inertia_find(cli_cluster_job *job);

#endif
