#include "core/transport/mpi/mpi_internal.h"
#include "core/world/world_internal.h"

#ifdef HALOBEAT_SIMGRID
halo_status halo_mpi_min(uint64_t *numbers, int count, MPI_Comm comm)
{
    HALO_MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_UINT64_T, MPI_MIN, comm));
    return HALO_OK;
}

halo_status halo_mpi_dup(MPI_Comm *out, MPI_Comm comm)
{
    HALO_MPI_TRY(MPI_Comm_dup(comm, out));
    return HALO_OK;
}
#else
/* As long as ranks and cores have not been counted. */
static halo_status wait_carefully(MPI_Request *request)
{
    int done;
    HALO_MPI_TRY(MPI_Test(request, &done, MPI_STATUS_IGNORE));
    for (int64_t tests = 1; !done; tests++) {
        halo_wait_pause(WAIT_sleep, tests);
        HALO_MPI_TRY(MPI_Test(request, &done, MPI_STATUS_IGNORE));
    }
    return HALO_OK;
}

halo_status halo_mpi_min(uint64_t *numbers, int count, MPI_Comm comm)
{
    MPI_Request request;
    HALO_MPI_TRY(
        MPI_Iallreduce(MPI_IN_PLACE, numbers, count, MPI_UINT64_T, MPI_MIN, comm, &request));
    return wait_carefully(&request);
}

halo_status halo_mpi_dup(MPI_Comm *out, MPI_Comm comm)
{
    MPI_Request request;
    HALO_MPI_TRY(MPI_Comm_idup(comm, out, &request));
    return wait_carefully(&request);
}
#endif
