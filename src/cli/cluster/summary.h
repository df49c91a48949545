#ifndef HALOBEAT_CLI_CLUSTER_SUMMARY_H
#define HALOBEAT_CLI_CLUSTER_SUMMARY_H

#include "cli/cluster/job.h"

/* Collective. Print the summary, and write the JSON one where it was asked for. */
halo_status cluster_summary_report(cli_cluster_job *job);

#endif
