#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "base/cores.h"
#include "base/names.h"
#include "base/relax.h"
#include "core/world/activity.h"
#include "core/world/clock.h"
#include "core/world/simulated_compute.h"
#include "core/world/watch.h"
#include "core/world/world_internal.h"

#include <math.h>
#include <sched.h>
#include <time.h>

/* To look at memory takes a tenth of what a transport takes to look for messages. */
enum { LOOKS_PER_TEST = 8 };

/* A policy says what a rank does after a test that found its requests incomplete. */
typedef struct {
    int64_t tests, yields; /* before it yields, and then before it sleeps each time, */
    long nanoseconds;      /* that long, and longer each time */
} waiting_policy;

static const waiting_policy policies[] = {
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

/* These are for transports that wake a sleeping rank: to sleep costs a microsecond or two, and to
 * test 20 ns. */
static const waiting_policy woken_policies[] = {
    [WAIT_spin] = {.tests = 4000, .nanoseconds = 20000},
    [WAIT_yield] = {.yields = INT64_MAX},
    [WAIT_sleep] = {.tests = 50, .yields = 2, .nanoseconds = 1000},
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
    int ranks = world->near->ranks;
    /* The limits of the machine that simulates are not those of the simulated ones. */
    bool scarce = !HALO_SIMULATED && halo_cores_quota() < ranks;
    return scarce ? WAIT_SCARCE : ranks <= world->cores ? WAIT_spin : WAIT_sleep;
}

/* The longer the wait has been the longer the next sleep, about a 16th of it: what waits need not
 * use up a core, or what a control group allows, that computing needs. */
static long sleep_nanoseconds(int policy, int64_t sleeps)
{
    static const long growth = 4000, longest = 1000000;
    long nanoseconds = policies[policy].nanoseconds;
    return sleeps < longest / growth ? nanoseconds + growth * (long)sleeps : longest;
}

void halo_wait_pause(int policy, int64_t tests)
{
    int64_t more = tests - policies[policy].tests;
    if (more >= 0 && more < policies[policy].yields) {
        sched_yield();
    } else if (more >= 0) {
        int64_t sleeps = more - policies[policy].yields;
        nanosleep(&(struct timespec){.tv_nsec = sleep_nanoseconds(policy, sleeps)}, NULL);
    }
}

/* One wait of a rank. */
typedef struct {
    halo_world *world;
    double limit;  /* seconds of the clock; HUGE_VAL: none */
    bool looks;    /* at memory, which nobody wakes it for */
    int64_t tests; /* so far */
    int64_t spins; /* tests before it yields or sleeps */
    bool announced;
    unsigned seen;
} patience;

static bool is_watched(const halo_world *world)
{
    return world->watch != NULL && world->watch->wait != NULL;
}

static long woken_within(const patience *p, int64_t sleeps)
{
    static const long watch = 10000000;
    long nanoseconds = -1;
    if (p->looks || p->world->services != NULL) {
        nanoseconds = sleep_nanoseconds(p->world->policy, sleeps);
    } else if (p->limit < HUGE_VAL) {
        nanoseconds = (long)fmin(1e9, fmax(0, 1e9 * (p->limit - halo_seconds())));
    }
    bool longer = nanoseconds < 0 || nanoseconds > watch;
    return longer && is_watched(p->world) ? watch : nanoseconds;
}

/* On a machine shared with others the rank that is waited for may have no core, or need this very
 * one. So a rank spins for as long as its policy says only while that pays, which it tries again
 * now and then. */
enum { FEW_TESTS = 50, FULL_CREDIT = 8, TRY_EVERY = 16 };

static int64_t choose_spins(halo_world *world)
{
    int64_t most = woken_policies[world->policy].tests;
    if (world->spin_credit > 0 || most <= FEW_TESTS) {
        return most;
    }
    world->unspun = (world->unspun + 1) % TRY_EVERY;
    return world->unspun == 0 ? most : FEW_TESTS;
}

static void learn_of_spins(const patience *p)
{
    halo_world *world = p->world;
    if (p->announced && p->spins > FEW_TESTS) {
        world->spin_credit /= 2;
    } else if (!p->announced && p->tests > FEW_TESTS) {
        world->spin_credit = FULL_CREDIT;
    }
}

/* After a test in vain, and before the next. */
static void pause_again(patience *p)
{
    halo_world *world = p->world;
    const halo_sleeping *sleeping = world->transport->sleeping;
    const waiting_policy *policy = &woken_policies[world->policy];
    if (p->tests++ == 0 && sleeping != NULL) {
        p->spins = choose_spins(world);
    }
    if (sleeping == NULL) {
        halo_wait_pause(world->policy, p->tests);
    } else if (p->tests < p->spins) {
        halo_relax();
    } else if (p->tests - p->spins < policy->yields) {
        sched_yield();
    } else {
        if (p->announced) {
            sleeping->sleep(world->end, p->seen,
                            woken_within(p, p->tests - p->spins - policy->yields));
        }
        p->seen = sleeping->announce(world->end);
        p->announced = true;
    }
}

static void pause_no_more(const patience *p)
{
    learn_of_spins(p);
    if (p->announced) {
        p->world->transport->sleeping->end(p->world->end);
    }
}

double halo_world_waited(const halo_world *world)
{
    double (*waited)(void) = world->transport->waited;
    return world->waited + (waited != NULL ? waited() : 0);
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
    if (is_watched(world)) {
        world->watch->wait(world->watch->context);
    }
}

static halo_status test_one(const halo_world *world, halo_request *request, bool *complete,
                            int *bytes)
{
    *complete = true;
    return halo_request_is_set(*request)
               ? world->transport->test(world->end, request, complete, bytes)
               : HALO_OK;
}

/* Tests the requests from *first on; it becomes the first that is not complete, `count` if none is.
 */
static halo_status test_from(const halo_world *world, int *first, int count, halo_request *requests)
{
    bool complete = true;
    while (*first < count) {
        HALO_TRY(test_one(world, &requests[*first], &complete, NULL));
        if (!complete) {
            break;
        }
        ++*first;
    }
    return HALO_OK;
}

/* *index becomes that of a request that is complete, -1 if none is. */
static halo_status test_any(const halo_world *world, int count, halo_request *requests, int *index,
                            int *bytes)
{
    *index = -1;
    if (world->transport->test_any != NULL) {
        for (int done = 0; done < count && *index < 0; done += HALO_TEST_AT_ONCE) {
            int some = count - done < HALO_TEST_AT_ONCE ? count - done : HALO_TEST_AT_ONCE;
            HALO_TRY(world->transport->test_any(world->end, some, requests + done, index, bytes));
            *index += *index >= 0 ? done : 0;
        }
        return HALO_OK;
    }
    for (int i = 0; i < count; i++) {
        bool complete = false;
        if (halo_request_is_set(requests[i])) {
            HALO_TRY(test_one(world, &requests[i], &complete, bytes));
        }
        if (complete) {
            *index = i;
            return HALO_OK;
        }
    }
    return HALO_OK;
}

/* Some transports wait better inside their own call; there is no limit of time there. */
static halo_status wait_inside(halo_world *world, int count, halo_request *requests)
{
    double begun = halo_seconds();
    halo_status status = world->transport->wait_all(world->end, count, requests);
    world->waited += halo_seconds() - begun;
    return status;
}

static halo_status wait_all(halo_world *world, int count, halo_request *requests, double seconds,
                            bool *complete)
{
    int first = 0;
    HALO_TRY(test_from(world, &first, count, requests));
    *complete = first == count;
    if (*complete) {
        return HALO_OK;
    }
    double begun = halo_seconds();
    patience waiting = {.world = world, .limit = begun + seconds};
    halo_status status = HALO_OK;
    halo_activity_set(world->activity, HALO_DOES_WAIT);
    while (first < count && status == HALO_OK) {
        if (seconds < HUGE_VAL && halo_seconds() > waiting.limit) {
            break;
        }
        pause_again(&waiting);
        serve(world);
        status = test_from(world, &first, count, requests);
    }
    pause_no_more(&waiting);
    halo_activity_set(world->activity, HALO_DOES_OTHER);
    world->waited += halo_seconds() - begun;
    *complete = first == count;
    return status;
}

halo_status halo_wait(halo_world *world, int count, halo_request *requests)
{
    bool complete;
    return count > 0 && world->transport->wait_all != NULL
               ? wait_inside(world, count, requests)
               : wait_all(world, count, requests, HUGE_VAL, &complete);
}

halo_status halo_wait_for(halo_world *world, halo_request *request, double seconds, bool *complete)
{
    if (world->transport->wait_all != NULL) { /* a simulated machine does not fall silent */
        *complete = true;
        return wait_inside(world, 1, request);
    }
    return wait_all(world, 1, request, seconds, complete);
}

static halo_status wait_any(halo_world *world, int count, halo_request *requests, int *index,
                            int *bytes)
{
    patience waiting = {.world = world, .limit = HUGE_VAL};
    halo_status status = HALO_OK;
    halo_activity_set(world->activity, HALO_DOES_WAIT);
    while (*index < 0 && status == HALO_OK) {
        pause_again(&waiting);
        serve(world);
        status = test_any(world, count, requests, index, bytes);
    }
    pause_no_more(&waiting);
    halo_activity_set(world->activity, HALO_DOES_OTHER);
    return status;
}

halo_status halo_wait_any(halo_world *world, int count, halo_request *requests, int *index,
                          int *bytes)
{
    *index = -1;
    if (world->transport->wait_any == NULL) {
        HALO_TRY(test_any(world, count, requests, index, bytes));
    }
    if (*index >= 0) {
        return HALO_OK;
    }
    double begun = halo_seconds();
    halo_status status = world->transport->wait_any != NULL
                             ? world->transport->wait_any(world->end, count, requests, index, bytes)
                             : wait_any(world, count, requests, index, bytes);
    world->waited += halo_seconds() - begun;
    return status;
}

static halo_status wait_for_memory(halo_world *world, bool (*holds)(void *context), void *context,
                                   bool woken)
{
    if (holds(context)) {
        return HALO_OK;
    }
    double begun = halo_seconds();
    patience waiting = {.world = world, .limit = HUGE_VAL, .looks = !woken};
    halo_status status = HALO_OK;
    halo_activity_set(world->activity, HALO_DOES_WAIT);
    bool held = false;
    while (!held && status == HALO_OK) {
        for (int looks = 0; !held && looks < LOOKS_PER_TEST; looks++) {
            held = holds(context);
        }
        if (!held) {
            pause_again(&waiting);
            serve(world);
            status = world->transport->progress(world->end);
        }
    }
    pause_no_more(&waiting);
    halo_activity_set(world->activity, HALO_DOES_OTHER);
    world->waited += halo_seconds() - begun;
    return status;
}

halo_status halo_wait_until(halo_world *world, bool (*holds)(void *context), void *context)
{
    return wait_for_memory(world, holds, context, false);
}

halo_status halo_wait_until_woken(halo_world *world, bool (*holds)(void *context), void *context)
{
    return wait_for_memory(world, holds, context, true);
}

void halo_world_wake(const halo_world *world, int rank)
{
    if (world->transport->common != NULL) {
        world->transport->common->wake(world->end, rank);
    }
}

halo_status halo_world_progress(halo_world *world)
{
    serve(world);
    return world->transport->progress(world->end);
}

halo_status halo_test(halo_world *world, halo_request *request, bool *complete)
{
    serve(world);
    return test_one(world, request, complete, NULL);
}

halo_status halo_test_in_service(halo_world *world, halo_request *request, bool *complete)
{
    return test_one(world, request, complete, NULL);
}

halo_status halo_test_any(halo_world *world, int count, halo_request *requests, int *index)
{
    serve(world);
    return test_any(world, count, requests, index, NULL);
}
