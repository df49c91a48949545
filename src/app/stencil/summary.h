#ifndef HALOBEAT_APP_STENCIL_SUMMARY_H
#define HALOBEAT_APP_STENCIL_SUMMARY_H

#include "app/stencil/job.h"

/* Collective. What a run came to: for people, and as JSON if that was asked for. */
halo_status run_summary_report(run_job *job);

#endif
