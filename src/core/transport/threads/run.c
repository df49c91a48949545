#define _POSIX_C_SOURCE 200809L
#include "core/transport/threads/run.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/option.h"
#include "core/transport/threads/threads_internal.h"
#include "core/world/thread.h"
#include "core/world/world_internal.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/resource.h>

/* ---- teams ----------------------------------------------------------------------------------- */

halo_status halo_team_create(halo_team **out, int ranks)
{
    *out = NULL;
    if (ranks < 1) {
        return halo_fail(HALO_ARGUMENT, "%d ranks: there must be at least 1", ranks);
    }
    *out = halo_threads_team_create(ranks);
    return *out != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: %d ranks", ranks);
}

void halo_team_destroy(halo_team **team)
{
    halo_threads_team_destroy(*team);
    *team = NULL;
}

void halo_team_break(halo_team *team, halo_status status, const char *message)
{
    halo_threads_break(team, status, message);
}

halo_status halo_world_create_threads_sized(halo_world **out, halo_team *team, int rank,
                                            const halo_world_options *given, size_t given_bytes)
{
    halo_world_options options;
    halo_world *world;
    halo_status status =
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_world_options");
    *out = NULL;
    if (status == HALO_OK) {
        status = halo_world_allocate(&world, &halo_transport_threads);
    }
    if (status != HALO_OK) {
        halo_threads_break(team, status, halo_last_message());
        return status;
    }
    SYNC_ADD(&team->joined, 1, relaxed);
    halo_threads_begin_rank(&team->rank[rank]);
    halo_threads_fill_end((threads_end *)world->end, team->group, rank);
    status = halo_world_begin(world, NULL, &options);
    if (status != HALO_OK) {
        halo_world_destroy(&world);
    }
    *out = world;
    return status;
}

/* ---- running --------------------------------------------------------------------------------- */

typedef struct running running;

typedef struct {
    running *of;
    int rank;
    halo_thread thread;
} member;

struct running {
    halo_team *team;
    const halo_world_options *options;
    halo_rank_body *body;
    void *context;
    atomic_uint go; /* WAIT, or BEGIN + the number of ranks */
    member *members;
};

enum { WAIT, BEGIN };

static void run_rank(running *all, int rank)
{
    halo_world *world;
    halo_status status = halo_world_create_threads(&world, all->team, rank, all->options);
    if (status == HALO_OK) {
        status = all->body(world, all->context);
    }
    if (status != HALO_OK) {
        halo_threads_fail(&all->team->rank[rank], status, halo_last_message());
    }
    halo_world_destroy(&world);
}

static void *run_member(void *context)
{
    member *self = context;
    unsigned go;
    while ((go = SYNC_LOAD(&self->of->go, acquire)) == WAIT) {
        halo_sync_sleep(&self->of->go, WAIT, -1);
    }
    if ((unsigned)self->rank < go - BEGIN) {
        run_rank(self->of, self->rank);
    }
    return NULL;
}

/* Ranks need the stack that a program of one rank has: some C libraries give threads 128 KiB. */
static size_t choose_stack(void)
{
    const size_t least = (size_t)8 << 20, most = (size_t)64 << 20;
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return least;
    }
    return limit.rlim_cur > most ? most : limit.rlim_cur > least ? limit.rlim_cur : least;
}

/* Half of the address space that a limit leaves may be that of threads: they take it when they
 * begin, and the other half is for what ranks compute with. A heap of its own, of which most is
 * never used, is what the GNU C library reserves for each thread. */
static int leave_address_space(int ranks)
{
    static const int64_t heap = (int64_t)64 << 20;
    int64_t left = halo_memory_address_space(), each = (int64_t)choose_stack() + heap;
    return left < INT64_MAX ? (int)halo_min(ranks, 1 + left / 2 / each) : ranks;
}

/* Returns how many threads there are, the caller's included. */
static int make_threads(running *all, int ranks)
{
    size_t stack = choose_stack();
    int made = 1;
    for (int r = 1; r < ranks && made == r; r++) {
        member *one = &all->members[r];
        *one = (member){.of = all, .rank = r};
        made += halo_thread_begin(&one->thread, stack, run_member, one);
    }
    return made;
}

/* Runs `ranks` ranks on threads that wait, of which there are `made` in all. */
static halo_status run_made(running *all, int made, int ranks)
{
    halo_status status = ranks > 0 ? halo_team_create(&all->team, ranks) : HALO_OK;
    unsigned begin = status == HALO_OK ? BEGIN + (unsigned)ranks : BEGIN;
    SYNC_STORE(&all->go, begin, release);
    halo_sync_wake(&all->go, INT_MAX);
    if (begin > BEGIN) {
        run_rank(all, 0);
    }
    for (int r = 1; r < made; r++) {
        halo_thread_join(&all->members[r].thread);
    }
    if (begin > BEGIN) {
        unsigned broken = atomic_load(&all->team->broken);
        status =
            broken == HALO_OK ? HALO_OK : halo_fail((halo_status)broken, "%s", all->team->message);
    }
    halo_team_destroy(&all->team);
    return status;
}

static halo_status run(running *all, int *ranks, bool fewer)
{
    int made = make_threads(all, *ranks), requested = *ranks;
    if (made < requested) {
        *ranks = fewer ? (made + 1) / 2 : 0;
    }
    HALO_TRY(run_made(all, made, *ranks));
    return *ranks > 0 ? HALO_OK
                      : halo_fail(HALO_MEMORY,
                                  "the system allows no more than %d thread%s, and %d ranks need "
                                  "one each; use fewer ranks, or raise the limit (ulimit -u, "
                                  "ulimit -v, the control group's pids.max)",
                                  made, made == 1 ? "" : "s", requested);
}

static halo_status run_up_to(int *ranks, const halo_world_options *given, size_t given_bytes,
                             halo_rank_body *body, void *context, bool fewer)
{
    halo_world_options options;
    running all = {.options = &options, .body = body, .context = context};
    HALO_TRY(halo_options_take(&options, sizeof options, given, given_bytes, "halo_world_options"));
    if (*ranks < 1) {
        return halo_fail(HALO_ARGUMENT, "%d ranks: there must be at least 1", *ranks);
    }
    *ranks = fewer ? leave_address_space(*ranks) : *ranks;
    all.members = calloc((size_t)*ranks, sizeof *all.members);
    halo_status status = all.members != NULL
                             ? run(&all, ranks, fewer)
                             : halo_fail(HALO_MEMORY, "out of memory: %d ranks", *ranks);
    free(all.members);
    return status;
}

halo_status halo_run_sized(int ranks, const halo_world_options *given, halo_rank_body *body,
                           void *context, size_t given_bytes)
{
    return run_up_to(&ranks, given, given_bytes, body, context, false);
}

halo_status halo_run_fewer_sized(int *ranks, const halo_world_options *given, halo_rank_body *body,
                                 void *context, size_t given_bytes)
{
    return run_up_to(ranks, given, given_bytes, body, context, true);
}
