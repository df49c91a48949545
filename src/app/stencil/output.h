#ifndef HALOBEAT_APP_STENCIL_OUTPUT_H
#define HALOBEAT_APP_STENCIL_OUTPUT_H

#include "app/stencil/job.h"

/* Collective. Write it, if there is one. */
halo_status run_output_write(run_job *job);

#endif
