#ifndef HALOBEAT_APP_FRAME_H
#define HALOBEAT_APP_FRAME_H

#include "app/command.h"
#include "app/options/shared_options.h"

/* The frame of all commands: app_main parses the arguments, makes the world, compares the names of
 * files, opens the image, runs the beats with what services do between them, writes the outputs,
 * reports, and returns the exit status. What it runs is a table (app/command.h), with the services
 * that it lists (app/services/service.h). */

/* Collective over `all`, the world of all ranks. Does everything between argv, whose words it puts
 * in another order, and the exit status, which is the same on all ranks: 0 done, also after help; 1
 * failed or stopped by a signal; 2 unusable arguments. A failed call of MPI, or silence of a rank,
 * ends the process with 75. `program` is what users call it; `context` is handed to the command. */
int app_main(halo_world *all, const app_command *command, const char *program, void *context,
             int argc, char **argv);

/* Collective over the world of all ranks. Compares the statuses of all ranks' preparations: prints
 * the message of the lowest rank that failed once, and returns its exit status on all ranks; 0 if
 * none failed. */
int app_agree_early(halo_world *all, const char *program, halo_status mine);

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

/* Local. Has no launcher started this process, so that it may choose how many ranks there are? */
bool app_is_alone(void);

/* Local. The name by which users know a program: the last part of its path; `otherwise` if it has
 * none. */
const char *app_program_name(int argc, char *const *argv, const char *otherwise);

/* Local. Prints the message of a failure before there are ranks. Returns the exit status. */
int app_complain(const char *program, halo_status status);

/* Local. Parses and checks arguments before there are ranks: *options becomes the structure of all
 * options, for free(), of which texts belong to argv; NULL if there is no memory. Help and other
 * texts that they ask for are printed, and so are errors in them. Returns the exit status, or -1 if
 * there is something to run. */
int app_answer_alone(const app_syntax *syntax, const char *program, int argc, char **argv,
                     app_arguments **options);

/* The main function of a rank; returns the exit status. */
typedef int app_rank_main(halo_world *all, int argc, char **argv, const void *context);

/* Local. Runs `main` on ranks that are threads of this process, as many as app_ranks_choose chooses
 * where --ranks asks for `requested` (0: it does not), each with its own copy of argv. Returns the
 * exit status of rank 0. If the threads cannot be made, there are fewer, with a warning after
 * `name`, unless that number was asked for: then it prints why, and returns APP_FAILED. */
int app_run_threads(int64_t requested, const char *name, app_rank_main *main, const void *context,
                    int argc, char **argv);

/* Exit statuses besides 0. */
enum { APP_FAILED = 1, APP_USAGE = 2 };

#endif
