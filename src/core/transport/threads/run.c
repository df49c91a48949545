#define _GNU_SOURCE
#include "core/transport/threads/run.h"

#include "core/transport/threads/threads_internal.h"
#include "core/world/world_internal.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

struct halo_team {
    threads_team *ranks;
};

/* ---- teams ------------------------------------------------------------------------------------
 */

halo_status halo_team_create(halo_team **out, int ranks)
{
    *out = NULL;
    if (ranks < 1) {
        return halo_fail(HALO_ARGUMENT, "%d ranks: there must be at least 1", ranks);
    }
    halo_team *team = calloc(1, sizeof *team);
    threads_team *made = team != NULL ? halo_threads_team_create(ranks) : NULL;
    if (made == NULL) {
        free(team);
        return halo_fail(HALO_MEMORY, "out of memory: %d ranks", ranks);
    }
    team->ranks = made;
    *out = team;
    return HALO_OK;
}

void halo_team_destroy(halo_team **team)
{
    if (*team != NULL) {
        halo_threads_team_destroy((*team)->ranks);
        free(*team);
        *team = NULL;
    }
}

void halo_team_break(halo_team *team, halo_status status, const char *message)
{
    halo_threads_break(team->ranks, status, message);
}

halo_status halo_world_create_threads(halo_world **out, halo_team *team, int rank,
                                      const halo_world_options *options)
{
    halo_world *world;
    halo_status status = halo_world_allocate(&world, &halo_transport_threads);
    *out = NULL;
    if (status != HALO_OK) {
        halo_threads_break(team->ranks, status, halo_last_message());
        return status;
    }
    SYNC_ADD(&team->ranks->joined, 1, relaxed);
    halo_threads_begin_rank(&team->ranks->rank[rank]);
    halo_threads_fill_end((threads_end *)world->end, team->ranks->group, rank);
    status = halo_world_begin(world, options);
    if (status != HALO_OK) {
        halo_world_destroy(&world);
    }
    *out = world;
    return status;
}

/* ---- running ----------------------------------------------------------------------------------
 */

typedef struct running running;

typedef struct {
    running *of;
    int rank;
    pthread_t thread;
} member;

struct running {
    halo_team *team;
    const halo_world_options *options;
    halo_rank_body *body;
    void *context;
    atomic_uint go; /* GO or STAY */
    member *members;
};

enum { WAIT, GO, STAY };

static void run_rank(running *all, int rank)
{
    halo_world *world;
    halo_status status = halo_world_create_threads(&world, all->team, rank, all->options);
    if (status == HALO_OK) {
        status = all->body(world, all->context);
    }
    if (status != HALO_OK) {
        halo_team_break(all->team, status, halo_last_message());
        halo_threads_withdraw_all(&all->team->ranks->rank[rank]);
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
    if (go == GO) {
        run_rank(self->of, self->rank);
    }
    return NULL;
}

/* Ranks need the stack that a program of one rank has: some C libraries give threads 128 KiB. */
static void choose_stack(pthread_attr_t *attributes)
{
    const size_t least = (size_t)8 << 20, most = (size_t)64 << 20;
    struct rlimit limit;
    size_t bytes = least;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        bytes = limit.rlim_cur > most ? most : limit.rlim_cur > least ? limit.rlim_cur : least;
    }
    pthread_attr_setstacksize(attributes, bytes);
}

/* Returns how many threads there are, with all signals blocked in them. */
static int make_threads(running *all, int ranks)
{
    int made = 1; /* the caller's */
    sigset_t signals, before;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    choose_stack(&attributes);
    sigfillset(&signals);
    pthread_sigmask(SIG_SETMASK, &signals, &before);
    for (int r = 1; r < ranks && made == r; r++) {
        member *one = &all->members[r];
        *one = (member){.of = all, .rank = r};
        made += pthread_create(&one->thread, &attributes, run_member, one) == 0;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return made;
}

static halo_status run_all(running *all, int ranks)
{
    int made = make_threads(all, ranks);
    SYNC_STORE(&all->go, made == ranks ? GO : STAY, release);
    halo_sync_wake(&all->go, INT_MAX);
    if (made == ranks) {
        run_rank(all, 0);
    }
    for (int r = 1; r < made; r++) {
        pthread_join(all->members[r].thread, NULL);
    }
    if (made < ranks) {
        return halo_fail(HALO_MEMORY,
                         "the system allows no more than %d threads, and %d ranks need one each; "
                         "use fewer ranks, or raise the limit (ulimit -u, ulimit -v, the control "
                         "group's pids.max)",
                         made, ranks);
    }
    unsigned broken = atomic_load(&all->team->ranks->broken);
    return broken == HALO_OK ? HALO_OK
                             : halo_fail((halo_status)broken, "%s", all->team->ranks->message);
}

halo_status halo_run(int ranks, const halo_world_options *options, halo_rank_body *body,
                     void *context)
{
    running all = {.options = options, .body = body, .context = context};
    HALO_TRY(halo_team_create(&all.team, ranks));
    all.members = calloc((size_t)ranks, sizeof *all.members);
    halo_status status = all.members != NULL
                             ? run_all(&all, ranks)
                             : halo_fail(HALO_MEMORY, "out of memory: %d ranks", ranks);
    free(all.members);
    halo_team_destroy(&all.team);
    return status;
}
