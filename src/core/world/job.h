#ifndef HALOBEAT_CORE_WORLD_JOB_H
#define HALOBEAT_CORE_WORLD_JOB_H

#include "core/world/monitor.h"

/* Start and end of a program with many ranks, in place of MPI_Init and MPI_Finalize. */

/* Collective. Starts MPI and a monitor of silent ranks (core/world/monitor.h) with `options`. From
 * then on a failed MPI call ends the job (core/world/mpi_failure.h). HALO_ARGUMENT, on all ranks,
 * if they run different builds (core/world/handshake.h); HALO_MEMORY, on all
 * ranks: print the message and call halo_job_end; HALO_MPI. After other failures print the message
 * and call halo_mpi_abandon_job. If MPI was started before, it does none of this:
 * ranks are not monitored, builds are not compared, and a failed call returns HALO_MPI. */
halo_status halo_job_begin(int *argc, char ***argv, const halo_monitor_options *options);

/* Collective. Ends MPI if halo_job_begin has started it, when all ranks have called it. Returns
 * `status`, for main to return. On several hosts MPICH's MPI_Finalize could wait for ever; there it
 * is not called, and the process is ended by exit(status). */
int halo_job_end(int status);

#endif
