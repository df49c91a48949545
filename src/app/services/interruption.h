#ifndef HALOBEAT_APP_SERVICES_INTERRUPTION_H
#define HALOBEAT_APP_SERVICES_INTERRUPTION_H

#include "app/run.h"

/* A message for runs that SIGINT, SIGTERM or SIGHUP ends while their ranks do tasks. Nothing is
 * to be saved then: a journal has each task as soon as it is done. So a signal ends the run at
 * once, and rank 0 says before how many tasks were done, and where they are. A process has one set
 * of handlers: use it in programs only. */

/* Local. From now on rank 0 says that, unless somebody else handles the signals. `run` must stay
 * until the end. */
void app_interruption_begin(const app_run *run);

/* Local. Restores what was there before. */
void app_interruption_end(const app_run *run);

#endif
