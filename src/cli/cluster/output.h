#ifndef HALOBEAT_CLI_CLUSTER_OUTPUT_H
#define HALOBEAT_CLI_CLUSTER_OUTPUT_H

#include "cli/cluster/job.h"

/* Collective. Can all files that were asked for be made? Before any work is done. */
halo_status cluster_output_check(const cli_cluster_job *job);

/* Collective. Write the clusters, the pictures and the table of centres. */
halo_status cluster_output_write(cli_cluster_job *job);

#endif
