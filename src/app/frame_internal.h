#ifndef HALOBEAT_APP_FRAME_INTERNAL_H
#define HALOBEAT_APP_FRAME_INTERNAL_H

#include "app/options/options.h"
#include "app/outputs.h"
#include "app/run.h"

/* The parts of the frame, in the order in which a run uses them. All are collective except where
 * noted. */

/* Local. The exit status that a status of the library comes to. */
int app_exit_status(halo_status status);

/* Local. Prints the message of a failure. Threads share a limited address space, of which each
 * takes a stack and a heap: where there was no memory, fewer of them are named as the remedy. */
void app_say_failure(const halo_world *world, const char *program, halo_status status,
                     const char *message);

/* Collective over the world of all ranks. Were all ranks given the same arguments?
 * 0, or the exit status, on all ranks, after one message that names two that differ. One reduction
 * if they were. */
int app_agree_arguments(halo_world *all, const char *program, int argc, char *const *argv);

/* The same, of the verdicts on these arguments, of which rank 0 has printed its own: a rank may
 * lack memory. */
int app_agree_verdict(halo_world *all, const char *program, app_verdict verdict);

/* The run, from its first check to its last output. */
halo_status app_run_all(app_run *run);

/* As app_run_all, without a progress line and without signal handlers. */
halo_status app_run_steps(app_run *run);

/* Local. Allocates what a run of run->command keeps, besides its options and its job. app_run_free
 * frees it, and all that the run allocates later; call it in any case. HALO_MEMORY. */
halo_status app_run_create(app_run *run);
void app_run_free(app_run *run);

/* Checks that all named files are different, and that those to be written can be created. Between
 * the two rank 0 calls `make`, if it is not NULL, which makes folders for them. HALO_ARGUMENT, with
 * the two names, HALO_FILE. */
halo_status app_files_check(app_run *run, app_step *make);

/* Local. The writer for the ending of `path`; its `ending` is NULL if there is none. */
const app_writer *app_writer_of(const app_output *output, const char *path);

/* Local. Cuts of the strips that outputs are written by, [ranks + 1]. */
const int64_t *app_cuts(const app_run *run);

/* Local. The path given for an output, or NULL. */
const char *app_output_path(const app_run *run, const app_output *output);

/* Writes the outputs that are due. */
halo_status app_outputs_write(app_run *run, app_when now);

/* Local. True if the file that this option names could not be written. */
bool app_file_is_lost(const app_run *run, const app_place *at);

/* Local. Prints the names of all files written. */
void app_files_print(const app_run *run);

/* Local. The texts of app_warn: a new array; NULL if there is no memory. */
json_t *app_warnings_json(const app_run *run);

/* Prints and writes the reports. */
halo_status app_report(app_run *run);

/* Sets *facts on rank 0 to a new object with the report of one of many images. HALO_MEMORY. */
halo_status app_report_facts(app_run *run, json_t **facts);

#endif
