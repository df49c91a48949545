#ifndef HALOBEAT_CORE_TRANSPORT_MPI_SIMULATED_H
#define HALOBEAT_CORE_TRANSPORT_MPI_SIMULATED_H

/* Simulated machines (the preset simgrid). SimGrid executes a nonblocking collective as messages
 * from every rank to every other: 65 000 messages where blocking collectives, which choose
 * algorithms as real libraries do, need 2 000. Collectives are therefore blocking there, and
 * complete when they are started; work that could have overlapped comes later. */
#ifdef HALOBEAT_SIMGRID

#include <mpi.h>

/* Local. Seconds that this process has waited in collectives. (In SimGrid each process has its own
 * global variables.) */
double halo_simulated_waited(void);

/* Local, called before and after a blocking collective that returned `code`: counts the time as
 * waited. Returns the code and sets *request to null. */
void halo_simulated_begin(void);
int halo_simulated_end(MPI_Request *request, int code);

#define HALO_SIMULATED_CALL(request, call) \
    (halo_simulated_begin(), halo_simulated_end((request), (call)))
#define MPI_Iallreduce(mine, all, count, type, op, comm, request) \
    HALO_SIMULATED_CALL(request, MPI_Allreduce(mine, all, count, type, op, comm))
#define MPI_Iexscan(mine, before, count, type, op, comm, request) \
    HALO_SIMULATED_CALL(request, MPI_Exscan(mine, before, count, type, op, comm))
#define MPI_Ibcast(data, count, type, root, comm, request) \
    HALO_SIMULATED_CALL(request, MPI_Bcast(data, count, type, root, comm))
#define MPI_Igather(mine, count, type, all, each, their_type, root, comm, request) \
    HALO_SIMULATED_CALL(request, MPI_Gather(mine, count, type, all, each, their_type, root, comm))
#define MPI_Iallgather(mine, count, type, all, each, their_type, comm, request) \
    HALO_SIMULATED_CALL(request, MPI_Allgather(mine, count, type, all, each, their_type, comm))
#define MPI_Ialltoall(mine, count, type, theirs, each, their_type, comm, request) \
    HALO_SIMULATED_CALL(request, MPI_Alltoall(mine, count, type, theirs, each, their_type, comm))

#endif

#endif
