#ifndef HALOBEAT_CORE_TRANSPORT_MPI_START_H
#define HALOBEAT_CORE_TRANSPORT_MPI_START_H

#include "base/status.h"

/* Collective over all processes. Calls MPI_Init_thread. Libraries of MPI end a process whose start
 * fails: MPICH by exit, with a status that is a class of errors (15), UCX by abort. It ends with
 * HALO_EXIT_LOST then, after a line of `program`, which must outlive the call. HALO_TRANSPORT if
 * they return. */
halo_status halo_mpi_start(int *argc, char ***argv, const char *program);

#endif
