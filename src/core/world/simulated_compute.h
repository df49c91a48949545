#ifndef HALOBEAT_CORE_WORLD_SIMULATED_COMPUTE_H
#define HALOBEAT_CORE_WORLD_SIMULATED_COMPUTE_H

#include <stdbool.h>

/* Simulated machines (the preset simgrid): computing costs no virtual time there but what is
 * said here, so that runs are exactly repeatable. */

#ifdef HALOBEAT_SIMGRID
enum { HALO_SIMULATED = true };
/* Local. This rank's simulated machine computes `flops` floating point operations. */
void halo_simulated_compute(double flops);
/* Local. `seconds` of virtual time pass, whatever the machine's speed. */
void halo_simulated_compute_seconds(double seconds);
#else
enum { HALO_SIMULATED = false };
static inline void halo_simulated_compute(double flops)
{
    (void)flops;
}
static inline void halo_simulated_compute_seconds(double seconds)
{
    (void)seconds;
}
#endif

#endif
