#include "core/tasks/tasks_internal.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "core/world/simulated_compute.h"
#include "core/world/slowdown.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Relative speeds of ranks before anything has run: their clocks, as /proc/cpuinfo has them, times
 * the share of a core that a program gets (weights of the study of master-worker strategies, where
 * the Network Weather Service measured the share). */

/* 1 where Linux does not tell: then all are taken to be the same. */
static double clock_megahertz(void)
{
    enum { LINE = 256 };
    char line[LINE];
    double megahertz = 0, most = 0;
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "cpu MHz : %lf", &megahertz) == 1) {
            most = fmax(most, megahertz);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return most > 0 ? most : 1;
}

/* Of the core time of a few milliseconds; all ranks measure at once, as they will run. */
static double share_of_core(const halo_world *world)
{
    static const double trial = 5e-3;
    double begun = halo_seconds(), core = task_on_core_seconds();
    halo_slowdown_inject(trial);
    core = task_on_core_seconds() - core;
    double computed = halo_seconds() - begun;
    halo_world_inject_slowdown(world, computed);
    double seconds = halo_seconds() - begun;
    return seconds > 0 ? fmin(core / seconds, 1) : 1;
}

/* Of a simulated machine: what it does in a second, with the load that it has. */
static double simulated_speed(const halo_world *world)
{
    static const double trial = 1e5; /* operations */
    double begun = halo_seconds();
    halo_simulated_compute(trial);
    halo_world_inject_slowdown(world, halo_seconds() - begun);
    double seconds = halo_seconds() - begun;
    return seconds > 0 ? trial / seconds : 1;
}

halo_status halo_tasks_measure_speeds(halo_world *world, bool load, double *speeds)
{
    enum { UNIT = 1000 }; /* parts of a megahertz */
    int rank = halo_world_rank(world), ranks = halo_world_ranks(world);
    int64_t *all;
    halo_status status = HALO_ALLOCATE(all, ranks, "speeds of ranks");
    HALO_TRY(halo_agree(world, status));
    double speed = HALO_SIMULATED ? simulated_speed(world) : clock_megahertz();
    speed *= load && !HALO_SIMULATED ? share_of_core(world) : 1;
    all[rank] = (int64_t)fmax(speed * UNIT, 1);
    status = halo_allreduce_sum(world, all, ranks);
    for (int i = 0; i < ranks; i++) {
        speeds[i] = (double)all[i];
    }
    free(all);
    return status;
}
