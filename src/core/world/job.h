#ifndef HALOBEAT_CORE_WORLD_JOB_H
#define HALOBEAT_CORE_WORLD_JOB_H

#include "core/world/monitor.h"
#include "core/world/world.h"

#include <stdbool.h>

/* Start and end of a program with many ranks, in place of MPI_Init and MPI_Finalize. */

/* Collective. Starts MPI and a monitor of silent ranks (core/world/monitor.h) with `options`, if a
 * launcher has started this process, or the program is linked with halobeat_mpi
 * (core/transport/processes.h); otherwise the calling thread is the only rank. From then on a
 * failed MPI call ends the job (core/transport/mpi/failure.h). HALO_ARGUMENT, on all ranks, if they
 * run different builds (core/world/handshake.h), and without the library for MPI; HALO_MEMORY, on
 * all ranks: print the message and call halo_job_end; HALO_TRANSPORT. After other failures print
 * the message and call halo_job_abandon. If MPI was started before, it only makes the world of the
 * job: ranks are not monitored, and a failed call returns HALO_TRANSPORT. */
halo_status halo_job_begin(int *argc, char ***argv, const halo_monitor_options *options);

/* Local. The world of all ranks, between halo_job_begin and halo_job_end, which destroys it; NULL
 * before and after them. */
halo_world *halo_job_world(void);

/* Local. Does MPI run already: by halo_job_begin, or since the program has started it? */
bool halo_job_is_started(void);

/* Local, also where halo_job_begin has failed. This rank; as the launcher counts, below 0 if there
 * is none, where MPI has ended already. */
int halo_job_rank(void);
bool halo_job_has_ended(void);

/* Local. Has halo_job_begin failed for want of the library for MPI? On other hosts it may be there,
 * and their ranks wait for this one until the job is abandoned. */
bool halo_job_is_refused(void);

/* Collective. Ends a job that cannot begin, after rank 0 has printed why, with this exit status,
 * and without messages between ranks, which may be incompatible. */
_Noreturn void halo_job_abandon(int status);

/* Collective. Ends MPI if halo_job_begin has started it, when all ranks have called it. Returns
 * `status`, for main to return. On several hosts MPICH's MPI_Finalize could wait for ever; there it
 * is not called, and the process is ended by exit(status). */
int halo_job_end(int status);

#endif
