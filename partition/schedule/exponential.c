#include "partition/schedule/strategy.h"

#include <math.h>

/* Rounds of a p-th of what is left, in one set for each worker (exponential decomposition). */

static halo_status parse(halo_schedule *schedule, const char *parameter)
{
    schedule->number = 2;
    return *parameter == '\0' ? HALO_OK : halo_schedule_parse_ratio(parameter, &schedule->number);
}

/* `batch`: what is left of the round; `requested`: how many sets of it there have been. */
static int64_t next_set(halo_schedule *schedule, int worker)
{
    static const double tiny = 1e-9;
    (void)worker;
    if (schedule->batch == 0) {
        schedule->batch = (int64_t)ceil((double)schedule->left / schedule->number - tiny);
        schedule->requested = 0;
    }
    int64_t set = halo_schedule_part(schedule->batch, schedule->count - schedule->requested);
    schedule->batch -= set;
    schedule->requested++;
    return set;
}

const halo_schedule_strategy halo_schedule_exponential = {
    .entry = {.name = "exponential",
              .parameter = "[:p]",
              .help = "rounds of a p-th of what is left (default: 2), a set for each worker"},
    .parse = parse,
    .next = next_set};
