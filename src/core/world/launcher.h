#ifndef HALOBEAT_CORE_WORLD_LAUNCHER_H
#define HALOBEAT_CORE_WORLD_LAUNCHER_H

#include <stdbool.h>

/* The launcher that started this process: MPICH's Hydra, and others that use version 1 of PMI,
 * MPICH's process management interface: lines of text over a socket, whose descriptor is in PMI_FD.
 * All functions are local. */

/* True if there is such a launcher. */
bool halo_launcher_is_there(void);

/* The rank of this process, before MPI is started, from the environment variables of MPICH, Open
 * MPI and Slurm. -1 if there are none, as for a process started alone. */
int halo_launcher_rank(void);

/* The number of ranks from the environment variables of MPICH and Open MPI; 0 if there are none. */
int halo_launcher_ranks(void);

/* Leaves the job as MPI_Finalize would, for a process that ends without calling it. Otherwise Hydra
 * takes the process for dead. Waits for the answer for at most a second. */
void halo_launcher_leave(void);

/* Asks the launcher to end all processes of the job with exit status `status`, as MPI_Abort would,
 * but from any thread and at any time. Does nothing without such a launcher. */
void halo_launcher_abort(int status);

#endif
