#ifndef HALOBEAT_APP_PROGRAM_H
#define HALOBEAT_APP_PROGRAM_H

#include "core/beat/kernel.h"
#include "core/transport/threads/run.h"

/* Collective over all processes. Runs a kernel as a complete program, with options for size, beats,
 * decomposition, balancing, checkpoints, pictures, movies, and a summary. The whole program is
 *
 *     int main(int argc, char **argv)
 *     {
 *         return halo_main(argc, argv, &my_kernel);
 *     }
 *
 * and its --help lists the options.
 *
 * Without a launcher it uses all cores: its ranks are threads of the process, as many as there are
 * usable cores or as --ranks N says. So the kernel's functions must be safe for threads, or its
 * table must say that they are not (HALO_KERNEL_NOT_THREAD_SAFE); --check finds kernels that are
 * not. Started by mpiexec, each process is a rank; so it is if the caller has started MPI, which
 * halo_main then does not end.
 *
 * Prints an error once, on stderr. Returns the exit status, the same on all ranks: 0 for success, 1
 * for a failure or a stop by a signal, 2 for unusable arguments. A failed MPI call, or the silence
 * of a rank with --patience, ends the process with status 75. */
int halo_main(int argc, char **argv, const halo_kernel *kernel);

/* Collective over all processes. Calls `body` on all ranks of a program that has no kernel, or more
 * than one:
 *
 *     int main(int argc, char **argv)
 *     {
 *         my_arguments arguments = {argc, argv};
 *         return halo_program_run(argc, argv, my_body, &arguments);
 *     }
 *
 * Without a launcher ranks are threads, as many as there are usable cores or as HALOBEAT_RANKS of
 * the environment says: they share `context` and all variables that are not their own. Under
 * mpiexec they are processes, and MPI is started and ended. `body` returns a failure on all ranks
 * or on none, as the functions of the library do that are collective; it is printed once, on
 * stderr. Returns the exit status, the same on all ranks: 0 for success, 2 after HALO_ARGUMENT, 1
 * after other failures. */
int halo_program_run(int argc, char **argv, halo_rank_body *body, void *context);

#endif
