#define _GNU_SOURCE /* sched_getaffinity */
#include "core/world/world_internal.h"

#include "base/cores.h"
#include "base/memory.h"
#include "base/option.h"
#include "core/world/activity.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "core/world/monitor.h"
#include "core/world/slowdown.h"
#include "core/world/watch.h"

#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- making ---------------------------------------------------------------------------------- */

halo_status halo_world_allocate(halo_world **out, const halo_transport *transport)
{
    *out = NULL;
    halo_world *world = calloc(1, sizeof *world);
    halo_endpoint *end = calloc(1, transport->end_size), *near = calloc(1, transport->end_size);
    if (world == NULL || end == NULL || near == NULL) {
        free(world);
        free(end);
        free(near);
        return halo_fail(HALO_MEMORY, "out of memory: a world");
    }
    world->transport = transport;
    world->end = end;
    world->near = near;
    end->transport = near->transport = transport;
    *out = world;
    return HALO_OK;
}

/* The cores that the ranks on this machine may use together: a rank bound to a core sees only that
 * one, so the sets are united. */
static halo_status count_cores(halo_world *world)
{
    union {
        cpu_set_t set;
        int64_t words[sizeof(cpu_set_t) / sizeof(int64_t)];
    } cores;
    halo_request request;
    CPU_ZERO(&cores.set);
    sched_getaffinity(0, sizeof cores.set, &cores.set);
    HALO_TRY(world->transport->iallreduce(world->near, cores.words, cores.words,
                                          (int)(sizeof cores.words / sizeof cores.words[0]),
                                          HALO_REDUCE_OR, &request));
    HALO_TRY(halo_wait(world, 1, &request));
    world->cores = CPU_COUNT(&cores.set) > 0 ? CPU_COUNT(&cores.set) : 1;
    return HALO_OK;
}

halo_status halo_world_begin(halo_world *world, const halo_world *of,
                             const halo_world_options *options)
{
    int policy;
    HALO_TRY(halo_wait_policy_find(options != NULL ? options->wait : NULL, &policy));
    /* Until the ranks are counted the careful policy is the safe one. */
    world->policy = WAIT_sleep;
    HALO_TRY(world->transport->near(world->end, world->near));
    if (of != NULL && of->near->ranks == world->near->ranks) { /* the same ranks */
        world->cores = of->cores;
    } else {
        HALO_TRY(count_cores(world));
    }
    world->policy = policy != WAIT_AUTO ? policy : halo_wait_policy_choose(world);
    world->waited = 0;
    world->spin_credit = 1; /* until the first wait that is long */
    world->slowdown = options != NULL ? options->slowdown : NULL;
    world->begun = halo_seconds();
    return HALO_OK;
}

/* A function that creates an endpoint of a new world from one of `world`. */
typedef halo_status end_maker(const halo_world *world, int colour, halo_endpoint *out);

static halo_status duplicate(const halo_world *world, int colour, halo_endpoint *out)
{
    (void)colour;
    return world->transport->duplicate(world->end, out);
}

static halo_status duplicate_near(const halo_world *world, int colour, halo_endpoint *out)
{
    (void)colour;
    return world->transport->duplicate(world->near, out);
}

static halo_status split(const halo_world *world, int colour, halo_endpoint *out)
{
    return world->transport->split(world->end, colour, out);
}

static halo_status derive(halo_world **out, halo_world *world, int colour, end_maker *make,
                          const halo_world_options *given, size_t given_bytes)
{
    halo_world_options options;
    halo_world *made = NULL;
    *out = NULL;
    halo_status status =
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_world_options");
    HALO_IF_OK(status, halo_world_allocate(&made, world->transport));
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        made->activity = world->activity;
        made->watch = world->watch;
        status = make(world, colour, made->end);
    }
    if (status == HALO_OK && made->end->ranks > 0) {
        status = halo_world_begin(made, world, &options);
    }
    if (status != HALO_OK || made->end->ranks == 0) {
        halo_world_destroy(&made);
    }
    *out = made;
    return status;
}

halo_status halo_world_duplicate_sized(halo_world **out, halo_world *world,
                                       const halo_world_options *given, size_t given_bytes)
{
    return derive(out, world, 0, duplicate, given, given_bytes);
}

halo_status halo_world_create_near_sized(halo_world **out, halo_world *world,
                                         const halo_world_options *given, size_t given_bytes)
{
    return derive(out, world, 0, duplicate_near, given, given_bytes);
}

halo_status halo_world_split_sized(halo_world **out, halo_world *world, int colour,
                                   const halo_world_options *given, size_t given_bytes)
{
    return derive(out, world, colour, split, given, given_bytes);
}

halo_status halo_world_create_alone(halo_world **out, const halo_world *of)
{
    halo_world *world;
    *out = NULL;
    HALO_TRY(halo_world_allocate(&world, &halo_transport_alone));
    world->end->ranks = world->near->ranks = 1;
    world->sharers = of != NULL ? of->near->ranks : 1;
    world->in_processes = of != NULL && !halo_world_shares_process(of);
    world->cores = of != NULL ? of->cores : halo_cores_usable();
    world->policy = of != NULL ? of->policy : halo_wait_policy_choose(world);
    world->begun = halo_seconds();
    *out = world;
    return HALO_OK;
}

bool halo_world_is_alone(const halo_world *world)
{
    return world->transport == &halo_transport_alone;
}

void halo_world_destroy(halo_world **out)
{
    halo_world *world = *out;
    if (world == NULL) {
        return;
    }
    for (int i = 0; i < WORLD_PARTS && world->kept[i].destroy != NULL; i++) {
        world->kept[i].destroy(world->kept[i].data);
    }
    world->transport->close(world->near);
    world->transport->close(world->end);
    free(world->near);
    free(world->end);
    free(world);
    *out = NULL;
}

bool halo_world_shares_process(const halo_world *world)
{
    return halo_world_is_alone(world) ? !world->in_processes
                                      : world->transport->in_process || world->near->ranks == 1;
}

/* ---- memory in common ------------------------------------------------------------------------ */

halo_status halo_world_create_common(halo_world *world, size_t bytes, void **out)
{
    const halo_common_memory *common = world->transport->common;
    *out = NULL;
    if (common != NULL) {
        return common->create(world->end, bytes, out);
    }
    if (world->end->ranks > 1) {
        return HALO_OK;
    }
    *out = halo_memory_zeroed(1, bytes, "what one rank has in common");
    return *out != NULL ? HALO_OK : HALO_MEMORY;
}

void halo_world_release_common(const halo_world *world, void *memory)
{
    const halo_common_memory *common = world->transport->common;
    if (common != NULL) {
        common->release(memory);
    } else {
        free(memory);
    }
}

/* ---- what is known of it --------------------------------------------------------------------- */

int halo_world_rank(const halo_world *world)
{
    return world->end->rank;
}

int halo_world_ranks(const halo_world *world)
{
    return world->end->ranks;
}

int halo_world_node_ranks(const halo_world *world)
{
    return world->near->ranks;
}

int halo_world_sharers(const halo_world *world)
{
    return halo_world_is_alone(world) ? world->sharers : world->near->ranks;
}

bool halo_world_is_near(const halo_world *world, int rank)
{
    return world->transport->rank_in(world->end, rank, world->near) >= 0;
}

const halo_transport *halo_transport_of(const halo_world *world)
{
    return world->transport;
}

halo_endpoint *halo_endpoint_of(const halo_world *world)
{
    return world->end;
}

bool halo_world_is_process(const halo_world *world)
{
    return world->transport->in_process || world->end->ranks == 1;
}

int halo_world_cores(const halo_world *world)
{
    return world->cores;
}

bool halo_world_allows_threads(const halo_world *world)
{
    return world->transport->allows_threads();
}

const char *halo_world_transport(const halo_world *world)
{
    return world->transport->name;
}

const char *halo_world_wait_policy(const halo_world *world)
{
    return halo_wait_policy_name(world->policy);
}

int64_t halo_world_beats(const halo_world *world)
{
    return world->beats;
}

void halo_world_watch(halo_world *world, halo_activity *activity)
{
    halo_activity_begin(activity);
    world->activity = activity;
}

void halo_world_begin_update(const halo_world *world, int64_t beat)
{
    halo_activity_update(world->activity, beat);
}

void halo_world_end_update(const halo_world *world)
{
    halo_activity_set(world->activity, HALO_DOES_OTHER);
}

void halo_world_count_beats(halo_world *world, int64_t beats)
{
    int64_t done = atomic_fetch_add(&world->beats, beats) + beats;
    if (!halo_world_is_alone(world)) { /* whose beats are not those of the job */
        halo_monitor_beat(done);
    }
}

bool halo_world_inject_slowdown(const halo_world *world, double seconds)
{
    double since = world->slowdown != NULL ? halo_seconds() - world->begun : 0;
    double factor = halo_slowdown_factor(world->slowdown, world->end->rank, world->beats, since);
    if (factor > 1) {
        halo_slowdown_inject((factor - 1) * seconds);
    }
    return factor > 1;
}

void **halo_world_keep(halo_world *world, void (*destroy)(void *data))
{
    int part = 0;
    while (world->kept[part].destroy != NULL && world->kept[part].destroy != destroy) {
        part++;
        assert(part < WORLD_PARTS);
    }
    world->kept[part].destroy = destroy;
    return &world->kept[part].data;
}

/* ---- watching ---------------------------------------------------------------------------------
 */

void halo_world_set_watch(halo_world *world, const halo_watch *watch)
{
    world->watch = watch;
}

halo_status halo_watch_work(const halo_world *world, int64_t done, int64_t total)
{
    const halo_watch *watch = world != NULL ? world->watch : NULL;
    return watch != NULL ? watch->work(watch->context, done, total) : HALO_OK;
}

/* ---- agreement ------------------------------------------------------------------------------ */

/* The lowest failing rank broadcasts this to the others. */
typedef struct {
    int status;
    char message[HALO_MESSAGE_SIZE];
} failure_notice;

halo_status halo_world_agree(halo_world *world, halo_status mine)
{
    int rank = world->end->rank, ranks = world->end->ranks;
    int64_t first = mine == HALO_OK ? ranks : rank;
    if (ranks == 1) {
        return mine;
    }
    HALO_TRY(halo_allreduce_min(world, &first, 1));
    if (first == ranks) {
        return HALO_OK;
    }
    failure_notice notice = {.status = (int)mine};
    if (first == rank) {
        snprintf(notice.message, sizeof notice.message, "%s", halo_last_message());
    }
    HALO_TRY(halo_bcast(world, &notice, sizeof notice, (int)first));
    if (strncmp(notice.message, "rank ", 5) == 0) {
        return halo_fail((halo_status)notice.status, "%s", notice.message);
    }
    return halo_fail((halo_status)notice.status, "rank %d: %s", (int)first, notice.message);
}

halo_status halo_world_fail(halo_world *world, halo_status status)
{
    if (world->transport->fail != NULL) {
        world->transport->fail(world->end, status, halo_last_message());
    }
    return status;
}
