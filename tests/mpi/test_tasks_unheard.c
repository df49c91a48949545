/* A bag of tasks on ranks that are processes, of which rank 0 hears nothing any more. It leaves
 * messages behind, which another world in the same process could take for its own: there is one. */

#include "support/tasks_case.h"

#include <stdlib.h>

static atomic_bool messages_fail;

halo_status __real_halo_wait_for(halo_world *world, halo_request *request, double seconds,
                                 bool *complete);
halo_status __wrap_halo_wait_for(halo_world *world, halo_request *request, double seconds,
                                 bool *complete);
halo_status __wrap_halo_wait_for(halo_world *world, halo_request *request, double seconds,
                                 bool *complete)
{
    return atomic_load(&messages_fail) ? halo_fail(HALO_TRANSPORT, "a message fails")
                                       : __real_halo_wait_for(world, request, seconds, complete);
}

/* On rank 0. */
static halo_status refuse(void *context, int64_t task, const void *data, size_t bytes)
{
    (void)context;
    (void)data;
    (void)bytes;
    if (task < 20) {
        return HALO_OK;
    }
    atomic_store(&messages_fail, true);
    return halo_fail(HALO_FILE, "no room for task %lld", (long long)task);
}

static halo_status take_nothing(void *context, int64_t task, const void *data, size_t bytes,
                                double *reply)
{
    (void)context;
    (void)task;
    (void)data;
    (void)bytes;
    *reply = 0;
    return HALO_OK;
}

/* Rank 0 waits for the ends of others, and for what is under way, until that fails: not for ever,
 * whatever failed before. */
static void test_unheard(void)
{
    tasks_case *j = tasks_case_create(60);
    halo_tasks_report report;
    halo_tasks_options options = tasks_case_options(j, "guided");
    options.collect = refuse;
    options.part = take_nothing;
    expect_fails(tasks_case_run(&options, &report), HALO_FILE, "no room for task ");
    free(j);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("a bag of tasks whose messages fail",
               {"after a collection that fails", test_unheard})
