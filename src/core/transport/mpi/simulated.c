#include "core/transport/mpi/simulated.h"

#include "core/world/clock.h"

static double waited, begun;

double halo_simulated_waited(void)
{
    return waited;
}

void halo_simulated_begin(void)
{
    begun = halo_seconds();
}

int halo_simulated_end(MPI_Request *request, int code)
{
    *request = MPI_REQUEST_NULL;
    waited += halo_seconds() - begun;
    return code;
}
