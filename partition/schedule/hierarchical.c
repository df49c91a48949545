#include "partition/schedule/strategy.h"

/* Submasters ask for K tasks for each of their workers, and hand them out one by one (MEH of A. L.
 * de Oliveira and others). */

static halo_status parse(halo_schedule *schedule, const char *parameter)
{
    return halo_schedule_parse_whole(parameter, 1, &schedule->whole);
}

const halo_schedule_strategy halo_schedule_hierarchical = {
    .entry = {.name = "hierarchical",
              .parameter = ":K",
              .help = "a submaster for each host, which asks for K tasks for each of its workers",
              .place = HALO_SCHEDULE_GROUPS},
    .parse = parse};
