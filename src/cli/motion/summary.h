#ifndef HALOBEAT_CLI_MOTION_SUMMARY_H
#define HALOBEAT_CLI_MOTION_SUMMARY_H

#include "cli/motion/job.h"

/* Collective. Print what was found and where the time went, and write --json. */
halo_status motion_summary_report(cli_motion_job *job);

#endif
