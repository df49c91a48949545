#ifndef HALOBEAT_APP_BATCH_BATCH_H
#define HALOBEAT_APP_BATCH_BATCH_H

#include "app/options.h"

/* Runs of a command on many images: each image is a task, computed by one rank or a few, and gives
 * one line of a table. A command supports this if its table has columns (app_command.columns).
 * Outputs are then patterns of names (names.h). */

struct app_run;
struct app_files;

/* Collective. Sets *many if the run has many images: several are named, or a pattern that is not
 * the name of a file; or an output's name has a placeholder for the image's name; or one of
 * app_batch_rows was given. HALO_ARGUMENT. */
halo_status app_batch_decide(struct app_run *run, bool *many);

/* Collective. The run, from its checks to its summary. An image that fails is reported, the others
 * continue, and run->lost is set. HALO_ARGUMENT, HALO_FILE, HALO_MEMORY, HALO_MPI. */
halo_status app_batch_run(struct app_run *run);

#endif
