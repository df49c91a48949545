#ifndef HALOBEAT_CLI_LABEL_SUMMARY_H
#define HALOBEAT_CLI_LABEL_SUMMARY_H

#include "cli/label/job.h"

/* Collective. Print what was done and where the time went, and write --json. */
halo_status label_summary_report(cli_label_job *job);

#endif
