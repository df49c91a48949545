#ifndef HALOBEAT_APP_FRAME_INTERNAL_H
#define HALOBEAT_APP_FRAME_INTERNAL_H

#include "app/frame.h"

/* The parts of the frame, in the order in which a run goes through them. All are collective. */

/* The run from its first check to its last output. */
halo_status app_run_all(app_run *run);

/* The same without a progress line, and signals as they are. */
halo_status app_run_steps(app_run *run);

/* Local. Free what the run has made. */
void app_run_free(app_run *run);

/* Are all files that are named different from each other, and can those that are written be made?
 * HALO_ARGUMENT naming the two, HALO_FILE. */
halo_status app_files_check(app_run *run);

/* Open the checkpoint of --restore, if there is one: options get the values that it has. Then, once
 * there is room for the state, read its rows. app_checkpoint_close in any case. */
halo_status app_checkpoint_open(app_run *run);
halo_status app_checkpoint_restore(app_run *run);
void app_checkpoint_close(app_run *run); /* local */

/* Once all is made and nothing is touched: is there memory for it on every host? HALO_MEMORY. */
halo_status app_memory_check(app_run *run);

/* Local. Who writes files with the ending of `path`; its ending is NULL if nobody does. */
const app_writer *app_writer_of(const app_output *output, const char *path);

/* Local. The strips that outputs are written by, [ranks + 1]. */
const int64_t *app_cuts(const app_run *run);

/* Local. The file that an output was asked for in, or NULL. */
const char *app_output_path(const app_run *run, const app_output *output);

/* Write the outputs that are due now. */
halo_status app_outputs_write(app_run *run, app_when now);

/* Local. Could what this option of the command names not be written? */
bool app_file_is_lost(const app_run *run, const app_option *row);

/* Local. Print the names of all files that were written. */
void app_files_print(const app_run *run);

/* Local. The texts of app_warn: a new array, or NULL for want of memory. */
json_t *app_warnings_json(const app_run *run);

/* Report what came of it. */
halo_status app_report(app_run *run);

/* On rank 0 *facts becomes a new object with what came of one of many images. HALO_MEMORY. */
halo_status app_report_facts(app_run *run, json_t **facts);

#endif
