#include "partition/schedule/strategy.h"

#include "base/scan.h"

#include <limits.h>

/* Submasters ask for K tasks for each of their workers, and hand them out one by one (MEH of A. L.
 * de Oliveira and others). Who is whose submaster is known by the hosts, or said: sites of several
 * hosts, which nobody sees. */

static halo_status parse(halo_schedule *schedule, const char *parameter)
{
    int64_t size = 0;
    bool good = halo_scan_integer(&parameter, 1, INT64_MAX, &schedule->whole);
    if (good && *parameter == ',') {
        parameter++;
        good = halo_scan_integer(&parameter, 1, INT_MAX, &size);
    }
    schedule->variant = (int)size;
    return good && *parameter == '\0' ? HALO_OK : HALO_ARGUMENT;
}

int halo_schedule_group_size(const halo_schedule *schedule)
{
    return schedule->strategy == &halo_schedule_hierarchical ? schedule->variant : 0;
}

const halo_schedule_strategy halo_schedule_hierarchical = {
    .entry = {.name = "hierarchical",
              .parameter = ":K[,RANKS]",
              .help =
                  "a submaster for each host, or for each group of RANKS ranks, which asks for K "
                  "tasks for each of its workers",
              .place = HALO_SCHEDULE_GROUPS},
    .parse = parse};
