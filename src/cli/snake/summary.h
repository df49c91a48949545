#ifndef HALOBEAT_CLI_SNAKE_SUMMARY_H
#define HALOBEAT_CLI_SNAKE_SUMMARY_H

#include "cli/snake/job.h"

/* Collective. Print what was done and where the time went, and write --json. */
halo_status snake_summary_report(snake_job *job);

#endif
