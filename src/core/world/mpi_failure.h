#ifndef HALOBEAT_CORE_WORLD_MPI_FAILURE_H
#define HALOBEAT_CORE_WORLD_MPI_FAILURE_H

/* What becomes of a job when an MPI call fails on one rank.
 *
 * A call of the library then returns HALO_MPI on that rank, and nothing more: it never ends a
 * program that uses it. What other ranks get is open, since MPI does not say whether the
 * communicator still works: the library tries to agree on the failure, as on any other, and where
 * that cannot be done they wait. So a program that gets HALO_MPI should say so and call MPI_Abort.
 *
 * A program that halo_job_begin began (core/world/job.h), all those of Halobeat among them, does
 * that by itself, in the call that failed: the rank says what failed, and ends the job before it
 * gets to an agreement or to MPI_Finalize, where it could wait for others for ever. */

/* Local. From now on an MPI call that fails ends the job, with the exit status HALO_EXIT_LOST;
 * `program` begins the message, and outlives the job. halo_job_begin calls it. Called again after
 * MPI has been started, it is true of calls as well whose error codes nobody looks at. */
void halo_mpi_failure_ends_job(const char *program);

/* Local. A call of MPI has failed, says `message`, one sentence: ends the job, if a program has
 * asked for it. halo_mpi_status calls it. */
void halo_mpi_failure(const char *message);

/* Collective. All ranks know that the job cannot begin, and rank 0 has said why: ends it with this
 * exit status, without messages between ranks that may not understand each other. */
_Noreturn void halo_mpi_abandon_job(int status);

#endif
