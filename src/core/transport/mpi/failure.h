#ifndef HALOBEAT_CORE_TRANSPORT_MPI_FAILURE_H
#define HALOBEAT_CORE_TRANSPORT_MPI_FAILURE_H

/* This is what happens to a job when an MPI call fails on one rank. */

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
