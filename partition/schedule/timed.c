#include "base/minmax.h"
#include "base/scan.h"
#include "partition/schedule/strategy.h"

#include <math.h>

/* As many tasks as take about S seconds: what a request costs matters little then, however short
 * tasks are, and long ones come one by one. */

static const double usual_seconds = .02;

static halo_status parse(halo_schedule *schedule, const char *parameter)
{
    static const double most = 1e9;
    schedule->number = usual_seconds;
    return *parameter == '\0' || (halo_scan_number(&parameter, 0, most, &schedule->number) &&
                                  *parameter == '\0' && schedule->number > 0)
               ? HALO_OK
               : HALO_ARGUMENT;
}

/* A worker begins with one task, and gets at most twice as many as it has done since its last
 * request; half of an even share of what is left, so that all end together. The time of a task
 * is the longer of the mean of its last tasks and that of all its tasks. */
static int64_t next(halo_schedule *schedule, int worker)
{
    const schedule_worker *w = &schedule->workers[worker];
    double half = (double)halo_schedule_part(schedule->left, 2 * (int64_t)schedule->count);
    if (w->tasks == 0) {
        return 1;
    }
    double task = fmax(w->last_seconds, w->seconds / (double)w->tasks);
    double fit = task > 0 ? floor(schedule->number / task) : half;
    return (int64_t)fmin(fmin(fit, half), 2 * (double)halo_max(w->last_tasks, 1));
}

const halo_schedule_strategy halo_schedule_timed = {
    .entry = {.name = "timed",
              .parameter = "[:S]",
              .help = "as many as take S seconds (default: .02), from the time of a task so far"},
    .parse = parse,
    .next = next};
