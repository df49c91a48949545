#ifndef HALOBEAT_APP_BATCH_BATCH_H
#define HALOBEAT_APP_BATCH_BATCH_H

#include "app/options.h"

/* One run of a command for many images: each is a task, computed by one rank or by a few, and one
 * line of a table. A command takes many images if its table names the columns of that
 * (app_command.columns). Outputs are then patterns of names (names.h). */

struct app_run;
struct app_files;

/* Collective. Is the run one of many images? It is if several are named, or a pattern of names that
 * is no file's name itself, if the name of an output has a place for that of the image, or if one
 * of app_batch_rows was given. HALO_ARGUMENT. */
halo_status app_batch_decide(struct app_run *run, bool *many);

/* Collective. The run, from its checks to its summary. An image that fails is reported and the
 * others go on: run->lost says so. HALO_ARGUMENT, HALO_FILE, HALO_MEMORY, HALO_MPI. */
halo_status app_batch_run(struct app_run *run);

#endif
