#ifndef HALOBEAT_TESTS_SCHEDULES_H
#define HALOBEAT_TESTS_SCHEDULES_H

#include "partition/schedule/schedule.h"
#include "support/unit_check.h"

/* Weights of four workers. */
#define BY_HAND ((const double[]){1, 1, 2, 4})

/* A valid schedule; the caller destroys it. */
static inline halo_schedule *make_schedule(const char *words, int64_t tasks, int workers,
                                           const double *weights)
{
    halo_schedule *schedule;
    SUCCEEDS(halo_schedule_create(
        &schedule, words,
        &(halo_schedule_options){.tasks = tasks, .workers = workers, .weights = weights}));
    return schedule;
}

#endif
