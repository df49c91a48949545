#define _GNU_SOURCE /* sched_getaffinity */
#include "core/world/world_internal.h"

#include "base/host.h"
#include "base/memory.h"
#include "core/world/clock.h"
#include "core/world/handshake.h"
#include "core/world/monitor.h"
#include "core/world/mpi_failure.h"
#include "core/world/slowdown.h"

#include <assert.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

halo_status halo_mpi_status(int code, const char *call)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) {
        snprintf(text, sizeof text, "error %d", code);
    }
    for (char *line; (line = strchr(text, '\n')) != NULL;) {
        *line = ' ';
    }
    halo_fail(HALO_MPI, "an MPI call failed: %.*s%s%s", call != NULL ? (int)strcspn(call, "(") : 0,
              call, call != NULL ? ": " : "", text);
    halo_mpi_failure(halo_last_message());
    return HALO_MPI;
}

/* A split waits inside MPI, where five ranks on two cores take turns for a fifth of a second: it is
 * left out where all ranks are on one host. */
static halo_status find_near(halo_world *world)
{
#ifndef HALOBEAT_SIMGRID /* whose hosts are threads of one process */
    uint64_t host = halo_host_id(), pair[] = {host, ~host};
    HALO_TRY(halo_mpi_min(pair, 2, world->comm));
    if (host != 0 && pair[0] == ~pair[1]) { /* the least is the greatest */
        world->near = world->comm;
        return HALO_OK;
    }
#endif
    HALO_MPI_TRY(MPI_Comm_split_type(world->comm, MPI_COMM_TYPE_SHARED, world->rank, MPI_INFO_NULL,
                                     &world->near));
    return HALO_OK;
}

/* Ranks on this machine, and the cores that they together may use: a rank bound to a core sees
 * only that one, so the sets are united. */
static halo_status look_at_node(halo_world *world)
{
    HALO_TRY(find_near(world));
    MPI_Comm_size(world->near, &world->node_ranks);
    MPI_Comm_group(world->near, &world->node);
    cpu_set_t cores;
    CPU_ZERO(&cores);
    sched_getaffinity(0, sizeof cores, &cores);
    MPI_Request request;
    int code = MPI_Iallreduce(MPI_IN_PLACE, &cores, (int)sizeof cores, MPI_BYTE, MPI_BOR,
                              world->near, &request);
    halo_status status = code == MPI_SUCCESS ? halo_wait(world, 1, &request)
                                             : halo_mpi_status(code, "MPI_Iallreduce");
    world->cores = CPU_COUNT(&cores) > 0 ? CPU_COUNT(&cores) : 1;
    return status;
}

/* Collective. Before there is a world nothing but MPI itself can tell the others that a rank has no
 * memory for it; do they run the same library? */
static halo_status agree_first(const halo_world *world, MPI_Comm comm)
{
    uint64_t entries[1 + HALO_HANDSHAKE_ENTRIES] = {world != NULL};
#ifdef HALOBEAT_SIMGRID /* all ranks are copies of one program */
    HALO_TRY(halo_mpi_min(entries, 1, comm));
#else
    halo_handshake_offer(entries + 1, false);
    HALO_TRY(halo_mpi_min(entries, 1 + HALO_HANDSHAKE_ENTRIES, comm));
    HALO_TRY(halo_handshake_check(entries + 1, false, comm));
#endif
    return world != NULL && entries[0] != 0
               ? HALO_OK
               : halo_fail(HALO_MEMORY, "out of memory: a world, on some rank");
}

/* A world of a duplicate of `comm`. */
static halo_status allocate(halo_world **out, MPI_Comm comm)
{
    MPI_Comm own;
    HALO_TRY(halo_mpi_dup(&own, comm));
    MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    halo_world *world = calloc(1, sizeof *world);
    halo_status status = agree_first(world, own);
    if (world == NULL || status != HALO_OK) {
        free(world);
        MPI_Comm_free(&own);
        return status;
    }
    world->comm = own;
    MPI_Comm_rank(own, &world->rank);
    MPI_Comm_size(own, &world->ranks);
    MPI_Comm_group(own, &world->all);
    world->node = MPI_GROUP_NULL;
    world->near = MPI_COMM_NULL;
    *out = world;
    return HALO_OK;
}

halo_status halo_world_create(halo_world **out, MPI_Comm comm, const halo_world_options *options)
{
    *out = NULL;
    int policy;
    HALO_TRY(halo_wait_policy_find(options != NULL ? options->wait : NULL, &policy));
    halo_world *world = NULL;
    HALO_TRY(allocate(&world, comm));
    /* Until the ranks are counted the careful policy is the safe one. */
    world->policy = WAIT_sleep;
    halo_status status = look_at_node(world);
    if (status != HALO_OK) {
        halo_world_destroy(&world);
        return status;
    }
    world->policy = policy != WAIT_AUTO ? policy : halo_wait_policy_choose(world);
    world->waited = 0;
    world->slowdown = options != NULL ? options->slowdown : NULL;
    world->begun = halo_seconds();
    *out = world;
    return HALO_OK;
}

halo_status halo_world_create_alone(halo_world **out, const halo_world *of)
{
    halo_world *world;
    *out = NULL;
    HALO_TRY(HALO_ALLOCATE(world, 1, "a world of one rank"));
    world->alone = true;
    world->ranks = world->node_ranks = 1;
    world->sharers = of->node_ranks;
    world->cores = of->cores;
    world->policy = of->policy;
    world->comm = world->near = MPI_COMM_NULL;
    world->all = world->node = MPI_GROUP_NULL;
    world->begun = halo_seconds();
    *out = world;
    return HALO_OK;
}

bool halo_world_is_alone(const halo_world *world)
{
    return world->alone;
}

static void free_communicators(halo_world *world)
{
    if (world->node != MPI_GROUP_NULL) {
        MPI_Group_free(&world->node);
    }
    if (world->near != MPI_COMM_NULL && world->near != world->comm) {
        MPI_Comm_free(&world->near);
    }
    MPI_Group_free(&world->all);
    MPI_Comm_free(&world->comm);
}

void halo_world_destroy(halo_world **world)
{
    if (*world != NULL) {
        for (int i = 0; i < WORLD_PARTS && (*world)->kept[i].destroy != NULL; i++) {
            (*world)->kept[i].destroy((*world)->kept[i].data);
        }
        if (!(*world)->alone) {
            free_communicators(*world);
        }
        free(*world);
        *world = NULL;
    }
}

int halo_world_rank(const halo_world *world)
{
    return world->rank;
}

int halo_world_ranks(const halo_world *world)
{
    return world->ranks;
}

int halo_world_node_ranks(const halo_world *world)
{
    return world->node_ranks;
}

int halo_world_sharers(const halo_world *world)
{
    return world->alone ? world->sharers : world->node_ranks;
}

bool halo_world_is_near(const halo_world *world, int rank)
{
    int place = MPI_UNDEFINED;
    if (world->alone) {
        return true;
    }
    MPI_Group_translate_ranks(world->all, 1, &rank, world->node, &place);
    return place != MPI_UNDEFINED;
}

int halo_world_cores(const halo_world *world)
{
    return world->cores;
}

const char *halo_world_wait_policy(const halo_world *world)
{
    return halo_wait_policy_name(world->policy);
}

MPI_Comm halo_world_comm(const halo_world *world)
{
    return world->comm;
}

MPI_Comm halo_world_near_comm(const halo_world *world)
{
    return world->near;
}

int64_t halo_world_beats(const halo_world *world)
{
    return world->beats;
}

void halo_world_count_beats(halo_world *world, int64_t beats)
{
    world->beats += beats;
    if (!world->alone) { /* whose beats are not those of the job */
        halo_monitor_beat(world->beats);
    }
}

bool halo_world_inject_slowdown(const halo_world *world, double seconds)
{
    double since = world->slowdown != NULL ? halo_seconds() - world->begun : 0;
    double factor = halo_slowdown_factor(world->slowdown, world->rank, world->beats, since);
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

/* What the lowest failing rank tells the others. */
typedef struct {
    int status;
    char message[HALO_MESSAGE_SIZE];
} failure_notice;

halo_status halo_world_agree(halo_world *world, halo_status mine)
{
    int first = mine == HALO_OK ? world->ranks : world->rank;
    if (world->ranks == 1) {
        return mine;
    }
    MPI_Request request;
    HALO_MPI_TRY(MPI_Iallreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, world->comm, &request));
    HALO_TRY(halo_wait(world, 1, &request));
    if (first == world->ranks) {
        return HALO_OK;
    }
    failure_notice notice = {.status = (int)mine};
    if (first == world->rank) {
        snprintf(notice.message, sizeof notice.message, "%s", halo_last_message());
    }
    HALO_MPI_TRY(MPI_Ibcast(&notice, (int)sizeof notice, MPI_BYTE, first, world->comm, &request));
    HALO_TRY(halo_wait(world, 1, &request));
    if (strncmp(notice.message, "rank ", 5) == 0) {
        return halo_fail((halo_status)notice.status, "%s", notice.message);
    }
    return halo_fail((halo_status)notice.status, "rank %d: %s", first, notice.message);
}
