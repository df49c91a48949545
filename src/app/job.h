#ifndef HALOBEAT_APP_JOB_H
#define HALOBEAT_APP_JOB_H

#include "app/progress.h"
#include "core/world/world.h"

/* A command's work from its first step to its last. */

/* Collective. All of it; returns the same status on all ranks. */
typedef halo_status work_steps(void *job);

/* Collective. Do the steps, whose progress line is wiped in the end. `seconds` becomes what they
 * took on this rank. Returns what they return. */
halo_status work_run(work_steps *steps, void *job, progress *shown, double *seconds);

/* Collective. The same with signals caught meanwhile (app/signals.h): the steps see to it that
 * they end soon after one. HALO_ARGUMENT besides if they cannot be caught. */
halo_status work_run_until_signal(halo_world *world, work_steps *steps, void *job, progress *shown,
                                  double *seconds);

#endif
