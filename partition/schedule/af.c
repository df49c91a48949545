#include "partition/schedule/strategy.h"

#include <math.h>

/* Adaptive factoring: I. Banicescu and Z. Liu, 2000. With mu and sigma of each worker's tasks, D =
 * sum(sigma^2 / mu), T = 1 / sum(1 / mu) and R tasks left: (D + 2 T R - sqrt(D^2 + 4 D T R)) / (2
 * mu). Until all have reported, small chunks. Where tasks were not timed one by one, sigma is taken
 * to be as large as mu. */

static const double shortest = 1e-9; /* seconds of a task */

static void measure(const schedule_worker *w, double *mean, double *variance)
{
    double tasks = (double)w->tasks;
    *mean = fmax(w->seconds / tasks, shortest);
    *variance = w->squares > 0 ? fmax(w->squares / tasks - *mean * *mean, 0) : *mean * *mean;
}

static int64_t next_af(halo_schedule *schedule, int worker)
{
    double spread = 0, speeds = 0, left = (double)schedule->left, mean, variance;
    for (int i = 0; i < schedule->count; i++) {
        if (schedule->workers[i].chunks == 0) {
            return halo_schedule_probe(schedule);
        }
        measure(&schedule->workers[i], &mean, &variance);
        spread += variance / mean;
        speeds += 1 / mean;
    }
    double total = left / speeds;
    measure(&schedule->workers[worker], &mean, &variance);
    return (int64_t)((spread + 2 * total - sqrt(spread * spread + 4 * spread * total)) /
                     (2 * mean));
}

const halo_schedule_strategy halo_schedule_af = {
    .entry = {.name = "af", .help = "by the mean and the deviation of each worker's tasks"},
    .next = next_af};
