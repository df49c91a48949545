#ifndef HALOBEAT_CLI_SYNTHETIC_SUMMARY_H
#define HALOBEAT_CLI_SYNTHETIC_SUMMARY_H

#include "cli/synthetic/job.h"

/* Collective. Print what was done and where the time went, and write --json. */
halo_status synthetic_summary_report(cli_synthetic_job *job);

#endif
