#ifndef HALOBEAT_CORE_TRANSPORT_MPI_FAILURE_H
#define HALOBEAT_CORE_TRANSPORT_MPI_FAILURE_H

/* What happens to a job when an MPI call fails on one rank.
 *
 * The library returns HALO_MPI on that rank and does no more: it never ends a program that uses it.
 * What other ranks get is undefined, since MPI does not say whether the communicator still works:
 * the library tries to agree on the failure as on any other, and if that is not possible the other
 * ranks wait. A program that gets HALO_MPI should therefore print the message and call MPI_Abort.
 *
 * A program started by halo_job_begin (core/world/job.h), as are all programs of Halobeat, does
 * that by itself, in the call that failed: the rank prints the message and ends the job before it
 * gets to an agreement or to MPI_Finalize, where it could wait for ever. */

/* Local. Makes failing MPI calls end the job with exit status HALO_EXIT_LOST. `program` begins the
 * message, and must outlive the job. Called by halo_job_begin. If it is called again after MPI was
 * started, it also applies to calls whose error codes are not checked. */
void halo_mpi_failure_ends_job(const char *program);

/* Local. Reports a failed MPI call, with `message`, one sentence: ends the job if
 * halo_mpi_failure_ends_job was called. Called by halo_mpi_status. */
void halo_mpi_failure(const char *message);

/* halo_job_abandon. Does not return. */
void halo_mpi_abandon(int status);

#endif
