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

/* Local, before and after a blocking operation, which returned `code`: counts the time as waited.
 * Returns the code; *request is null, as of what is complete. */
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
