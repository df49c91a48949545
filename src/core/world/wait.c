#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "base/names.h"
#include "core/world/clock.h"
#include "core/world/os_noise.h"
#include "core/world/world_internal.h"

#include <math.h>
#include <sched.h>
#include <time.h>

/* To look at memory takes a tenth of what MPI takes to look for messages. */
enum { LOOKS_PER_TEST = 8 };

/* What a rank does after a test that found its requests incomplete. */
static const struct {
    int64_t tests, yields; /* before it yields, and then before it sleeps each time, */
    long nanoseconds;      /* that long, and longer each time */
} policies[] = {
    /* A wait of about a millisecond is not for a message under way but for a rank that computes,
     * and on a machine shared with others that rank may need this very core: two ranks that spin
     * beside other programs were thirty times slower than three that sleep. */
    [WAIT_spin] = {.tests = 2000, .yields = 500, .nanoseconds = 20000},
    [WAIT_yield] = {.yields = INT64_MAX},
    /* From measurements at 2 to 16 ranks on two cores, where spinning longer starves the rank that
     * is waited for. */
    [WAIT_sleep] = {.tests = 50, .yields = 10, .nanoseconds = 1000},
    /* Within the limit of a control group every test is taken from computing. */
    [WAIT_SCARCE] = {.tests = 4, .nanoseconds = 20000},
};
static const char *const policy_names[] = {"auto", HALO_WAIT_LIST(HALO_NAME) "sleep"};

halo_status halo_wait_policy_find(const char *name, int *policy)
{
    return halo_names_find("waiting policy", policy_names, WAIT_NAMES, name, policy);
}

const char *halo_wait_policy_name(int policy)
{
    return policy_names[policy];
}

int halo_wait_policy_choose(const halo_world *world)
{
    halo_os_noise now;
    halo_os_noise_read(&now);
    bool scarce = now.quota > 0 && now.quota < world->node_ranks;
    return scarce ? WAIT_SCARCE : world->node_ranks <= world->cores ? WAIT_spin : WAIT_sleep;
}

/* The longer the wait has been the longer the next sleep, about a 16th of it: what waits need not
 * use up a core, or what a control group allows, that computing needs. */
static long sleep_nanoseconds(int policy, int64_t sleeps)
{
    static const long growth = 4000, longest = 1000000;
    long nanoseconds = policies[policy].nanoseconds;
    return sleeps < longest / growth ? nanoseconds + growth * (long)sleeps : longest;
}

static void pause_tests(int policy, int64_t tests)
{
    int64_t more = tests - policies[policy].tests;
    if (more >= 0 && more < policies[policy].yields) {
        sched_yield();
    } else if (more >= 0) {
        int64_t sleeps = more - policies[policy].yields;
        nanosleep(&(struct timespec){.tv_nsec = sleep_nanoseconds(policy, sleeps)}, NULL);
    }
}

#ifdef HALOBEAT_SIMGRID
halo_status halo_mpi_min(uint64_t *numbers, int count, MPI_Comm comm)
{
    HALO_MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_UINT64_T, MPI_MIN, comm));
    return HALO_OK;
}

halo_status halo_mpi_dup(MPI_Comm *out, MPI_Comm comm)
{
    HALO_MPI_TRY(MPI_Comm_dup(comm, out));
    return HALO_OK;
}
#else
/* As long as ranks and cores have not been counted. */
static halo_status wait_carefully(MPI_Request *request)
{
    int done;
    HALO_MPI_TRY(MPI_Test(request, &done, MPI_STATUS_IGNORE));
    for (int64_t tests = 1; !done; tests++) {
        pause_tests(WAIT_sleep, tests);
        HALO_MPI_TRY(MPI_Test(request, &done, MPI_STATUS_IGNORE));
    }
    return HALO_OK;
}

halo_status halo_mpi_min(uint64_t *numbers, int count, MPI_Comm comm)
{
    MPI_Request request;
    HALO_MPI_TRY(
        MPI_Iallreduce(MPI_IN_PLACE, numbers, count, MPI_UINT64_T, MPI_MIN, comm, &request));
    return wait_carefully(&request);
}

halo_status halo_mpi_dup(MPI_Comm *out, MPI_Comm comm)
{
    MPI_Request request;
    HALO_MPI_TRY(MPI_Comm_idup(comm, out, &request));
    return wait_carefully(&request);
}
#endif

double halo_world_waited(const halo_world *world)
{
#ifdef HALOBEAT_SIMGRID
    return world->waited + halo_simulated_waited();
#else
    return world->waited;
#endif
}

void halo_world_begin_service(halo_world *world, halo_service *service)
{
    service->next = world->services;
    world->services = service;
}

void halo_world_end_service(halo_world *world, halo_service *service)
{
    halo_service **at = &world->services;
    while (*at != NULL && *at != service) {
        at = &(*at)->next;
    }
    if (*at != NULL) {
        *at = service->next;
    }
}

/* Between two tests of a rank that waits. */
static void serve(const halo_world *world)
{
    for (halo_service *service = world->services; service != NULL; service = service->next) {
        service->serve(service->context);
    }
}

/* MPICH's MPI_STATUSES_IGNORE is the address 1, which GCC takes for an array that is too small. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#endif
static halo_status test_all(int count, MPI_Request *requests, int *complete)
{
    HALO_MPI_TRY(MPI_Testall(count, requests, complete, MPI_STATUSES_IGNORE));
    return HALO_OK;
}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

/* Any call that looks for messages moves those that are under way. */
static halo_status drive_messages(const halo_world *world)
{
    int there;
    MPI_Status result;
    HALO_MPI_TRY(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, world->comm, &there, &result));
    return HALO_OK;
}

/* A world of one rank alone has no messages. */
static bool has_none(const halo_world *world, int count)
{
    return count == 0 || world->alone;
}

#ifdef HALOBEAT_SIMGRID
/* Blocking costs a simulated machine nothing, and ends at the very moment; each test that fails
 * would cost a tenth of a virtual millisecond. */
halo_status halo_wait(halo_world *world, int count, MPI_Request *requests)
{
    if (has_none(world, count)) {
        return HALO_OK;
    }
    double begun = halo_seconds();
    HALO_MPI_TRY(MPI_Waitall(count, requests, MPI_STATUSES_IGNORE));
    world->waited += halo_seconds() - begun;
    return HALO_OK;
}

/* A simulated machine does not fall silent. */
halo_status halo_wait_for(halo_world *world, MPI_Request *request, double seconds, int *complete)
{
    (void)seconds;
    *complete = 1;
    return halo_wait(world, 1, request);
}

halo_status halo_wait_any(halo_world *world, int count, MPI_Request *requests, int *index,
                          int *bytes)
{
    MPI_Status result;
    double begun = halo_seconds();
    HALO_MPI_TRY(MPI_Waitany(count, requests, index, &result));
    world->waited += halo_seconds() - begun;
    HALO_MPI_TRY(MPI_Get_count(&result, MPI_BYTE, bytes));
    return HALO_OK;
}
#else
static halo_status wait_all(halo_world *world, int count, MPI_Request *requests, double seconds,
                            int *complete)
{
    HALO_TRY(test_all(count, requests, complete));
    if (*complete) {
        return HALO_OK;
    }
    double begun = halo_seconds(), limit = begun + seconds;
    halo_status status = HALO_OK;
    for (int64_t tests = 1; !*complete && status == HALO_OK; tests++) {
        if (seconds < HUGE_VAL && halo_seconds() > limit) {
            break;
        }
        pause_tests(world->policy, tests);
        serve(world);
        status = test_all(count, requests, complete);
    }
    world->waited += halo_seconds() - begun;
    return status;
}

halo_status halo_wait(halo_world *world, int count, MPI_Request *requests)
{
    int complete = 0;
    return has_none(world, count) ? HALO_OK : wait_all(world, count, requests, HUGE_VAL, &complete);
}

halo_status halo_wait_for(halo_world *world, MPI_Request *request, double seconds, int *complete)
{
    return wait_all(world, 1, request, seconds, complete);
}

halo_status halo_wait_any(halo_world *world, int count, MPI_Request *requests, int *index,
                          int *bytes)
{
    int complete = 0;
    MPI_Status result;
    HALO_MPI_TRY(MPI_Testany(count, requests, index, &complete, &result));
    double begun = complete ? 0 : halo_seconds();
    bool waits = !complete;
    for (int64_t tests = 1; !complete; tests++) {
        pause_tests(world->policy, tests);
        serve(world);
        HALO_MPI_TRY(MPI_Testany(count, requests, index, &complete, &result));
    }
    world->waited += waits ? halo_seconds() - begun : 0;
    HALO_MPI_TRY(MPI_Get_count(&result, MPI_BYTE, bytes));
    return HALO_OK;
}
#endif

halo_status halo_wait_until(halo_world *world, bool (*holds)(void *context), void *context)
{
    if (holds(context)) {
        return HALO_OK;
    }
    double begun = halo_seconds();
    halo_status status = HALO_OK;
    bool held = false;
    for (int64_t tests = 1; !held && status == HALO_OK; tests++) {
        for (int looks = 0; !held && looks < LOOKS_PER_TEST; looks++) {
            held = holds(context);
        }
        if (!held) {
            pause_tests(world->policy, tests);
            serve(world);
            status = drive_messages(world);
        }
    }
    world->waited += halo_seconds() - begun;
    return status;
}

halo_status halo_test(halo_world *world, MPI_Request *request, int *complete)
{
    serve(world);
    return test_all(1, request, complete);
}

halo_status halo_test_any(halo_world *world, int count, MPI_Request *requests, int *index)
{
    int complete = 0;
    MPI_Status result;
    serve(world);
    HALO_MPI_TRY(MPI_Testany(count, requests, index, &complete, &result));
    if (!complete || *index == MPI_UNDEFINED) {
        *index = -1;
    }
    return HALO_OK;
}
