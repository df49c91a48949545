#ifndef HALOBEAT_CORE_WORLD_JOB_H
#define HALOBEAT_CORE_WORLD_JOB_H

#include "core/world/monitor.h"

/* The beginning and the end of a program of many ranks, in place of MPI_Init and MPI_Finalize. */

/* Collective. Starts MPI, and a monitor of silent ranks (core/world/monitor.h), which `options` are
 * for. From then on an MPI call that fails ends the job (core/world/mpi_failure.h). HALO_ARGUMENT,
 * on all ranks, if they run different builds (core/world/handshake.h); HALO_MPI, HALO_MEMORY: then
 * say why and call halo_mpi_abandon_job. If MPI has been started already, nothing of this is done:
 * no rank is watched, builds are not compared, and a failed call returns HALO_MPI. */
halo_status halo_job_begin(int *argc, char ***argv, const halo_monitor_options *options);

/* Collective. Ends MPI if halo_job_begin has started it, when all ranks have come here. Returns
 * `status`, to be returned by main. Where MPICH's MPI_Finalize could wait for ever, which it does
 * on several hosts, it is left out: then this ends the process, by exit(status). */
int halo_job_end(int status);

#endif
