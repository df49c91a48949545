#include "core/world/simulated_compute.h"

#include <mpi.h>
#include <time.h>

/* For simulated machines only. */

void halo_simulated_compute(double flops)
{
    if (flops > 0) {
        smpi_execute_flops(flops);
    }
}

void halo_simulated_compute_seconds(double seconds)
{
    if (seconds > 0) {
        double whole = (double)(time_t)seconds;
        smpi_nanosleep(&(struct timespec){.tv_sec = (time_t)seconds,
                                          .tv_nsec = (long)((seconds - whole) * 1e9)},
                       NULL);
    }
}
