#ifndef HALOBEAT_TESTS_TASKS_CASE_H
#define HALOBEAT_TESTS_TASKS_CASE_H

#include "core/tasks/tasks.h"
#include "support/mpi_check.h"

#include <stdatomic.h>

/* A bag of tasks under MPI, whose results are checked when they are collected. */

enum { TASKS_MOST = 700 };

/* State of a test. Tasks run in another thread. */
typedef struct {
    int rank;
    int64_t count;
    bool with_data, large;
    int64_t failing;            /* a task, or -1 */
    int64_t stuck_rank;         /* rank whose first task takes until the run is over, or -1 */
    atomic_bool over;           /* the run is over */
    atomic_int ran[TASKS_MOST]; /* on this rank */
    int collected[TASKS_MOST];  /* on rank 0 */
    int failures;
    int64_t failed;
    char message[HALO_MESSAGE_SIZE];
} tasks_case;

/* Local. Creates a case with this number of tasks; the caller frees it. */
tasks_case *tasks_case_create(int64_t count);

/* Local. Options that run the case's tasks and collect their results. */
halo_tasks_options tasks_case_options(tasks_case *j, const char *schedule);

/* Collective. Runs them; *report is rank 0's, without its arrays. */
halo_status tasks_case_run(const halo_tasks_options *options, halo_tasks_report *report);

/* Local. Checks that rank 0 has each result once. */
void tasks_case_check(const tasks_case *j, const char *schedule);

/* Local. Bytes of a result: none, some, or many. */
size_t tasks_case_size(const tasks_case *j, int64_t task);

/* Local. Sleeps until j->over, for about 20 seconds at most. */
void tasks_case_await_end(tasks_case *j);

#endif
