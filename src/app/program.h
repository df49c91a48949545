#ifndef HALOBEAT_APP_PROGRAM_H
#define HALOBEAT_APP_PROGRAM_H

#include "core/beat/kernel.h"

/* Collective over all processes. Runs a kernel as a complete program, with options for size, beats,
 * decomposition, balancing, checkpoints, pictures, movies, and a summary. The whole program is
 *
 *     int main(int argc, char **argv)
 *     {
 *         return halo_main(argc, argv, &my_kernel);
 *     }
 *
 * and its --help lists the options. Starts and ends MPI, unless the caller has started it. Prints
 * an error once, on stderr. Returns the exit status, the same on all ranks: 0 for success, 1 for a
 * failure or a stop by a signal, 2 for unusable arguments. A failed MPI call, or the silence of a
 * rank with --patience, ends the process with status 75. */
int halo_main(int argc, char **argv, const halo_kernel *kernel);

#endif
