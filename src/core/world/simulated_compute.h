#ifndef HALOBEAT_CORE_WORLD_SIMULATED_COMPUTE_H
#define HALOBEAT_CORE_WORLD_SIMULATED_COMPUTE_H

#include <stdbool.h>

/* Simulated machines (the preset simgrid): computing takes no virtual time except by these
 * functions, so that runs are exactly repeatable. */

#ifdef HALOBEAT_SIMGRID
enum { HALO_SIMULATED = true };
/* Local. Simulates `flops` floating-point operations on this rank's machine. */
void halo_simulated_compute(double flops);
/* Local. Lets `seconds` of virtual time pass, whatever the machine's speed. */
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
