#ifndef HALOBEAT_CLI_LIFE_SUMMARY_H
#define HALOBEAT_CLI_LIFE_SUMMARY_H

#include "cli/life/job.h"

/* Collective. Show the grid where somebody watches, print what was done and where the time went,
 * and write --json. */
halo_status life_summary_report(cli_life_job *job);

/* Local. Why the generations ended, in words. */
const char *life_ending_text(life_ending ending);

#endif
