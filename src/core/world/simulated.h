#ifndef HALOBEAT_CORE_WORLD_SIMULATED_H
#define HALOBEAT_CORE_WORLD_SIMULATED_H

/* Simulated machines (the preset simgrid). SimGrid carries out a collective operation that does not
 * block as messages from every rank to every other: 65 000 of them where blocking ones, which
 * choose as real libraries do, need 2 000. So there the operations block, and are complete when
 * begun; what could have overlapped them comes after. */
#ifdef HALOBEAT_SIMGRID

#include <mpi.h>

/* Local. Seconds that this process has waited in them. It has globals of its own. */
double halo_simulated_waited(void);

int halo_simulated_allreduce(const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm, MPI_Request *request);
int halo_simulated_exscan(const void *mine, void *before, int count, MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm, MPI_Request *request);
int halo_simulated_bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm,
                         MPI_Request *request);
int halo_simulated_gather(const void *mine, int count, MPI_Datatype type, void *all, int each,
                          MPI_Datatype their_type, int root, MPI_Comm comm, MPI_Request *request);
int halo_simulated_allgather(const void *mine, int count, MPI_Datatype type, void *all, int each,
                             MPI_Datatype their_type, MPI_Comm comm, MPI_Request *request);
int halo_simulated_alltoall(const void *mine, int count, MPI_Datatype type, void *theirs, int each,
                            MPI_Datatype their_type, MPI_Comm comm, MPI_Request *request);

#define MPI_Iallreduce halo_simulated_allreduce
#define MPI_Iexscan    halo_simulated_exscan
#define MPI_Ibcast     halo_simulated_bcast
#define MPI_Igather    halo_simulated_gather
#define MPI_Iallgather halo_simulated_allgather
#define MPI_Ialltoall  halo_simulated_alltoall

#endif

#endif
