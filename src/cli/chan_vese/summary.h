#ifndef HALOBEAT_CLI_CHAN_VESE_SUMMARY_H
#define HALOBEAT_CLI_CHAN_VESE_SUMMARY_H

#include "cli/chan_vese/job.h"

/* Collective. What a run came to: for people, and as JSON if that was asked for. */
halo_status chan_vese_summary_report(chan_vese_job *job);

#endif
