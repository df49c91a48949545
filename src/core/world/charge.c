#include "core/world/charge.h"

#include <mpi.h>
#include <time.h>

/* For simulated machines only. */

void halo_charge(double flops)
{
    if (flops > 0) {
        smpi_execute_flops(flops);
    }
}

void halo_charge_seconds(double seconds)
{
    if (seconds > 0) {
        double whole = (double)(time_t)seconds;
        smpi_nanosleep(&(struct timespec){.tv_sec = (time_t)seconds,
                                          .tv_nsec = (long)((seconds - whole) * 1e9)},
                       NULL);
    }
}
