#ifndef HALOBEAT_APP_PROGRAM_H
#define HALOBEAT_APP_PROGRAM_H

#include "core/beat/kernel.h"

/* Collective over all processes. The heartbeat as a program: size, beats, decomposition, balancing,
 * checkpoints, pictures, movies and a summary, for any kernel. The whole of a program is
 *
 *     int main(int argc, char **argv)
 *     {
 *         return halo_main(argc, argv, &my_kernel);
 *     }
 *
 * and its --help lists the options. Starts MPI and ends it, unless the caller has started it. What
 * went wrong is said on stderr, once. Returns the exit status, the same on all ranks: 0 done, 1
 * failed or stopped by a signal, 2 unusable arguments. A failed call of MPI, or silence of a rank
 * with --patience, ends the process with 75. */
int halo_main(int argc, char **argv, const halo_kernel *kernel);

#endif
