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

/* Measures for a few milliseconds; all ranks do so at once, as they will run. */
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

/* Measures what a simulated machine does in a second, and the share that slowdown leaves of it. */
static double simulated_speed(const halo_world *world, double *share)
{
    static const double trial = 1e5; /* operations */
    double begun = halo_seconds();
    halo_simulated_compute(trial);
    double alone = halo_seconds() - begun;
    halo_world_inject_slowdown(world, alone);
    double seconds = halo_seconds() - begun;
    *share = seconds > 0 ? alone / seconds : 1;
    return alone > 0 ? trial / alone : 1;
}

const double *halo_tasks_weigh(halo_tasks *tasks)
{
    for (int i = 0; i < tasks->workers; i++) {
        int rank = i + tasks->first;
        tasks->weights[i] = tasks->speeds[rank] * tasks->available[rank];
    }
    return tasks->weights;
}

halo_status halo_tasks_measure_speeds(halo_world *world, bool load, double *speeds, double *shares)
{
    enum { UNIT = 1000, SHARE_UNIT = 1000000 }; /* parts of a megahertz, and of a core */
    int rank = halo_world_rank(world), ranks = halo_world_ranks(world);
    int64_t *all;
    halo_status status = HALO_ALLOCATE(all, 2 * ranks, "speeds of ranks");
    status = halo_agree(world, status);
    if (status != HALO_OK || all == NULL) {
        free(all);
        return status;
    }
    double share = 1, speed = HALO_SIMULATED ? simulated_speed(world, &share) : clock_megahertz();
    if (load && !HALO_SIMULATED) {
        share = share_of_core(world);
    }
    all[rank] = (int64_t)fmax(speed * UNIT, 1);
    all[ranks + rank] = (int64_t)fmax((load ? share : 1) * SHARE_UNIT, 1);
    status = halo_allreduce_sum(world, all, 2 * ranks);
    for (int i = 0; i < ranks; i++) {
        speeds[i] = (double)all[i];
        shares[i] = (double)all[ranks + i] / SHARE_UNIT;
    }
    free(all);
    return status;
}
