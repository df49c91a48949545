#include "core/world/simulated.h"

#include "core/world/clock.h"

static double waited;

double halo_simulated_waited(void)
{
    return waited;
}

static int note(double begun, MPI_Request *request, int code)
{
    *request = MPI_REQUEST_NULL;
    waited += halo_seconds() - begun;
    return code;
}

int halo_simulated_allreduce(const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm, MPI_Request *request)
{
    double begun = halo_seconds();
    return note(begun, request, MPI_Allreduce(mine, all, count, type, op, comm));
}

int halo_simulated_exscan(const void *mine, void *before, int count, MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm, MPI_Request *request)
{
    double begun = halo_seconds();
    return note(begun, request, MPI_Exscan(mine, before, count, type, op, comm));
}

int halo_simulated_bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm,
                         MPI_Request *request)
{
    double begun = halo_seconds();
    return note(begun, request, MPI_Bcast(data, count, type, root, comm));
}

int halo_simulated_gather(const void *mine, int count, MPI_Datatype type, void *all, int each,
                          MPI_Datatype their_type, int root, MPI_Comm comm, MPI_Request *request)
{
    double begun = halo_seconds();
    return note(begun, request, MPI_Gather(mine, count, type, all, each, their_type, root, comm));
}

int halo_simulated_allgather(const void *mine, int count, MPI_Datatype type, void *all, int each,
                             MPI_Datatype their_type, MPI_Comm comm, MPI_Request *request)
{
    double begun = halo_seconds();
    return note(begun, request, MPI_Allgather(mine, count, type, all, each, their_type, comm));
}

int halo_simulated_alltoall(const void *mine, int count, MPI_Datatype type, void *theirs, int each,
                            MPI_Datatype their_type, MPI_Comm comm, MPI_Request *request)
{
    double begun = halo_seconds();
    return note(begun, request, MPI_Alltoall(mine, count, type, theirs, each, their_type, comm));
}
