#define _POSIX_C_SOURCE 200809L
#include "core/world/clock.h"

#include "core/world/world.h"

#ifdef HALOBEAT_SIMGRID
#include <simgrid/engine.h>
#endif
#include <time.h>

double halo_seconds(void)
{
#ifdef HALOBEAT_SIMGRID
    return simgrid_get_clock(); /* what MPI's clock tells, for less */
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#endif
}

const char *halo_phase_name(halo_phase phase)
{
    static const char *const names[] = {
#define HALO_PHASE_ENTRY(name, text) [HALO_PHASE_##name] = (text),
        HALO_PHASE_LIST(HALO_PHASE_ENTRY)
#undef HALO_PHASE_ENTRY
    };
    return names[phase];
}

halo_stretch halo_clock_begin(const halo_world *world)
{
    return (halo_stretch){.begun = halo_seconds(), .waited = halo_world_waited(world)};
}

double halo_clock_end(halo_clock *clock, halo_phase phase, halo_stretch stretch,
                      const halo_world *world)
{
    double waited = halo_world_waited(world) - stretch.waited;
    double worked = halo_seconds() - stretch.begun - waited;
    worked = worked > 0 ? worked : 0; /* a stretch that only waits may be rounded below */
    clock->seconds[phase] += worked;
    clock->seconds[HALO_PHASE_WAIT] += waited;
    return worked;
}

void halo_clock_add(halo_clock *clock, const halo_clock *more)
{
    for (int phase = 0; phase < HALO_PHASES; phase++) {
        clock->seconds[phase] += more->seconds[phase];
    }
}
