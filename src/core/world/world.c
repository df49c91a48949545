#define _GNU_SOURCE /* sched_getaffinity */
#include "core/world/world.h"

#include "base/names.h"
#include "core/world/clock.h"
#include "core/world/handshake.h"
#include "core/world/monitor.h"
#include "core/world/mpi_failure.h"
#include "core/world/os_noise.h"
#include "core/world/slowdown.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* To look at memory takes a tenth of what MPI takes to look for messages. */
enum { LOOKS_PER_TEST = 8 };

enum {
    WAIT_AUTO,
#define WAIT_ENUM(name, help) WAIT_##name,
    HALO_WAIT_LIST(WAIT_ENUM)
#undef WAIT_ENUM
        WAIT_SCARCE, /* of `sleep`, where a control group allows less than a core */
    WAIT_NAMES = WAIT_SCARCE
};

struct halo_world {
    MPI_Comm comm;
    int rank, ranks;
    MPI_Comm near;       /* the ranks on this machine */
    MPI_Group all, node; /* its ranks, and those of `near` */
    int node_ranks, cores;
    int policy;    /* WAIT_spin, ... */
    double waited; /* seconds */
    double begun;
    int64_t beats;
    const halo_slowdown *slowdown;
    halo_service *services;       /* a list, mostly empty */
    struct halo_folders *folders; /* freed by free */
};

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

halo_status halo_mpi_min(uint64_t *numbers, int count, MPI_Comm comm)
{
#ifdef HALOBEAT_SIMGRID
    HALO_MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_UINT64_T, MPI_MIN, comm));
#else
    MPI_Request request;
    HALO_MPI_TRY(
        MPI_Iallreduce(MPI_IN_PLACE, numbers, count, MPI_UINT64_T, MPI_MIN, comm, &request));
    int done;
    HALO_MPI_TRY(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    for (int64_t tests = 1; !done; tests++) {
        pause_tests(WAIT_sleep, tests); /* as long as ranks and cores have not been counted */
        HALO_MPI_TRY(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    }
#endif
    return HALO_OK;
}

/* Ranks on this machine, and the cores that they together may use: a rank bound to a core sees
 * only that one, so the sets are united. */
static halo_status look_at_node(halo_world *world)
{
    HALO_MPI_TRY(MPI_Comm_split_type(world->comm, MPI_COMM_TYPE_SHARED, world->rank, MPI_INFO_NULL,
                                     &world->near));
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
    HALO_MPI_TRY(MPI_Comm_dup(comm, &own));
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

/* By the cores of the ranks on this machine, and by what control groups allow them. */
static int choose_policy(const halo_world *world)
{
    halo_os_noise now;
    halo_os_noise_read(&now);
    bool scarce = now.quota > 0 && now.quota < world->node_ranks;
    return scarce ? WAIT_SCARCE : world->node_ranks <= world->cores ? WAIT_spin : WAIT_sleep;
}

halo_status halo_world_create(halo_world **out, MPI_Comm comm, const halo_world_options *options)
{
    *out = NULL;
    int policy;
    HALO_TRY(halo_names_find("waiting policy", policy_names, WAIT_NAMES,
                             options != NULL ? options->wait : NULL, &policy));
    halo_world *world = NULL;
    HALO_TRY(allocate(&world, comm));
    /* Until the ranks are counted the careful policy is the safe one. */
    world->policy = WAIT_sleep;
    halo_status status = look_at_node(world);
    if (status != HALO_OK) {
        halo_world_destroy(&world);
        return status;
    }
    world->policy = policy != WAIT_AUTO ? policy : choose_policy(world);
    world->waited = 0;
    world->slowdown = options != NULL ? options->slowdown : NULL;
    world->begun = halo_seconds();
    *out = world;
    return HALO_OK;
}

void halo_world_destroy(halo_world **world)
{
    if (*world != NULL) {
        if ((*world)->node != MPI_GROUP_NULL) {
            MPI_Group_free(&(*world)->node);
            MPI_Comm_free(&(*world)->near);
        }
        MPI_Group_free(&(*world)->all);
        MPI_Comm_free(&(*world)->comm);
        free((*world)->folders);
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

bool halo_world_is_near(const halo_world *world, int rank)
{
    int place = MPI_UNDEFINED;
    MPI_Group_translate_ranks(world->all, 1, &rank, world->node, &place);
    return place != MPI_UNDEFINED;
}

int halo_world_cores(const halo_world *world)
{
    return world->cores;
}

const char *halo_world_wait_policy(const halo_world *world)
{
    return policy_names[world->policy];
}

MPI_Comm halo_world_comm(const halo_world *world)
{
    return world->comm;
}

MPI_Comm halo_world_near_comm(const halo_world *world)
{
    return world->near;
}

double halo_world_waited(const halo_world *world)
{
#ifdef HALOBEAT_SIMGRID
    return world->waited + halo_simulated_waited();
#else
    return world->waited;
#endif
}

int64_t halo_world_beats(const halo_world *world)
{
    return world->beats;
}

void halo_world_count_beats(halo_world *world, int64_t beats)
{
    world->beats += beats;
    halo_monitor_beat(world->beats);
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

struct halo_folders **halo_world_folders(halo_world *world)
{
    return &world->folders;
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

#ifdef HALOBEAT_SIMGRID
/* Blocking costs a simulated machine nothing, and ends at the very moment; each test that fails
 * would cost a tenth of a virtual millisecond. */
halo_status halo_wait(halo_world *world, int count, MPI_Request *requests)
{
    double begun = halo_seconds();
    HALO_MPI_TRY(MPI_Waitall(count, requests, MPI_STATUSES_IGNORE));
    world->waited += halo_seconds() - begun;
    return HALO_OK;
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
halo_status halo_wait(halo_world *world, int count, MPI_Request *requests)
{
    int complete = 0;
    HALO_TRY(test_all(count, requests, &complete));
    if (complete) {
        return HALO_OK;
    }
    double begun = halo_seconds();
    halo_status status = HALO_OK;
    for (int64_t tests = 1; !complete && status == HALO_OK; tests++) {
        pause_tests(world->policy, tests);
        serve(world);
        status = test_all(count, requests, &complete);
    }
    world->waited += halo_seconds() - begun;
    return status;
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

/* What the lowest failing rank tells the others. */
typedef struct {
    int status;
    char message[HALO_MESSAGE_SIZE];
} failure_notice;

halo_status halo_world_agree(halo_world *world, halo_status mine)
{
    int first = mine == HALO_OK ? world->ranks : world->rank;
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
    if (world->ranks == 1 || strncmp(notice.message, "rank ", 5) == 0) {
        return halo_fail((halo_status)notice.status, "%s", notice.message);
    }
    return halo_fail((halo_status)notice.status, "rank %d: %s", first, notice.message);
}
