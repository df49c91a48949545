#ifndef HALOBEAT_CLI_RUN_SUMMARY_H
#define HALOBEAT_CLI_RUN_SUMMARY_H

#include "cli/run_job.h"

/* Collective. What a run came to: for people, and as JSON if that was asked for. */
halo_status run_summary_report(run_job *job);

#endif
