#include "base/minmax.h"
#include "core/tasks/tasks_internal.h"
#include "core/world/collect.h"

#include <math.h>
#include <stdlib.h>

/* The report of what all ranks have done is made on rank 0. */

static halo_status gather_events(halo_tasks *tasks)
{
    size_t bytes;
    void *all;
    HALO_TRY(halo_gatherv(tasks->world, tasks->events.data, tasks->events.size, &all, &bytes));
    tasks->all_events = all;
    tasks->report.events += (int64_t)(bytes / sizeof(halo_tasks_event));
    tasks->report.event = tasks->all_events;
    return HALO_OK;
}

/* Computes the idle share of the time until the last rank that works is done. */
static double imbalance(const halo_tasks *tasks)
{
    double last = 0, idle = 0;
    for (int i = tasks->first; i < tasks->ranks; i++) {
        last = fmax(last, tasks->by_rank[i].last);
    }
    for (int i = tasks->first; i < tasks->ranks; i++) {
        idle += last - tasks->by_rank[i].last;
    }
    return last > 0 && tasks->workers > 1 ? idle / ((tasks->workers - 1) * last) : 0;
}

halo_status halo_tasks_make_report(halo_tasks *tasks)
{
    if (tasks->mailbox != NULL) {
        halo_mailbox_count(tasks->mailbox, &tasks->counts.messages, &tasks->counts.bytes);
    }
    halo_status status = HALO_ALLOCATE(tasks->by_rank, tasks->ranks, "what ranks have done");
    HALO_TRY(halo_agree(tasks->world, status));
    HALO_TRY(halo_gather(tasks->world, &tasks->counts, sizeof tasks->counts, tasks->by_rank));
    HALO_TRY(halo_agree(tasks->world, gather_events(tasks)));
    halo_tasks_report *report = &tasks->report;
    report->ranks = tasks->ranks;
    if (tasks->rank == 0) {
        report->by_rank = tasks->by_rank;
        for (int i = 0; i < tasks->ranks; i++) {
            report->repeated += tasks->by_rank[i].tasks;
        }
        report->repeated = halo_max(report->repeated - report->finished, 0);
        report->imbalance = imbalance(tasks);
        report->wait_median = task_gaps_wait(&tasks->gaps, report->seconds, .5);
        report->wait_99 = task_gaps_wait(&tasks->gaps, report->seconds, .99);
        report->longest_gap = tasks->gaps.longest;
        report->service = report->requests > 0 ? tasks->served / (double)report->requests : 0;
    }
    return HALO_OK;
}
