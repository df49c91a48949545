#ifndef HALOBEAT_APP_FRAME_H
#define HALOBEAT_APP_FRAME_H

#include "app/command.h"

/* The frame of all commands: app_main parses the arguments, makes the world, checks paths, opens
 * checkpoint and image, runs the beats with movie, checkpoints and progress, writes the outputs,
 * reports, and returns the exit status. What it runs is a table (app/command.h). */

/* Collective over all processes, with MPI running. All between argv and the exit status, which is
 * the same on all ranks: 0 done, also after help; 1 failed or stopped by a signal; 2 unusable
 * arguments. A failed call of MPI, or silence of a rank, ends the process with 75. `program` is
 * what users call it; `context` is handed to the command. */
int app_main(const app_command *command, const char *program, void *context, int argc, char **argv);

/* Collective over all processes, before there is a world. What did each rank's preparations come
 * to? The message of the lowest rank that failed is printed once, and its exit status returned on
 * all ranks; 0 if all are well. */
int app_agree_early(const char *program, halo_status mine);

/* Local. Before app_begin, for arguments with which ranks would not find each other: the last
 * message by one rank, for which the others wait, since a launcher ends all when the first one
 * leaves. Returns the exit status. */
int app_refuse_apart(const char *program);

/* Collective over all processes. Starts MPI and the monitor of silent ranks, for which --patience
 * is looked up in the arguments. If that fails, it prints one message and ends the job. Then checks
 * that all ranks have the same arguments: returns 0, or the exit status on all ranks after a
 * message that names two that differ; before that, if `ready`, what preparing came to on this rank,
 * is a failure on any. The caller ends the job with halo_job_end in any case. */
int app_begin(int *argc, char ***argv, const char *program, halo_status ready);

/* Exit statuses besides 0. */
enum { APP_FAILED = 1, APP_USAGE = 2 };

#endif
