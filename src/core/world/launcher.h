#ifndef HALOBEAT_CORE_WORLD_LAUNCHER_H
#define HALOBEAT_CORE_WORLD_LAUNCHER_H

#include <stdbool.h>

/* The program that started this process: MPICH's Hydra, and others that speak version 1 of PMI, the
 * process management interface of MPICH: lines of text over a socket, whose number is in PMI_FD.
 * All functions are local. */

/* Is there such a launcher? */
bool halo_launcher_is_there(void);

/* This process's rank as launchers say it in the environment, before MPI is started: MPICH's, Open
 * MPI's and Slurm's. -1 if nothing does, as where a process is started alone. */
int halo_launcher_rank(void);

/* How many ranks the launcher of MPICH or Open MPI has started, as it says in the environment; 0 if
 * nothing does. */
int halo_launcher_ranks(void);

/* Takes leave as MPI_Finalize would, for a process that ends without it. Hydra counts a process
 * that ends without a word as dead. Waits a second for the answer at most. */
void halo_launcher_leave(void);

/* Asks it to end all processes of the job, as MPI_Abort would, but from any thread and at any time;
 * the job's exit status is `status`. Without such a launcher nothing happens. */
void halo_launcher_abort(int status);

#endif
