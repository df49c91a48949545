#include "base/cores.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "core/transport/threads/run.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "kernels/array/array_internal.h"

#include <stdlib.h>

/* The ranks of a call. */

halo_status halo_context_create(halo_context **out)
{
    const double interval = .05;
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a context"));
    (*out)->interval = interval;
    return HALO_OK;
}

void halo_context_destroy(halo_context **context)
{
    free(*context);
    *context = NULL;
}

halo_status halo_context_set_ranks(halo_context *context, int ranks)
{
    HALO_FAIL_IF(ranks < 0, HALO_ARGUMENT,
                 "%d ranks: there must be at least 1, or 0 for as many as there are cores", ranks);
    context->ranks = ranks;
    return HALO_OK;
}

void halo_context_set_instructions(halo_context *context, const char *instructions)
{
    context->instructions = instructions;
}

void halo_context_set_progress(halo_context *context, halo_progress *progress, void *user)
{
    context->progress = progress;
    context->user = user;
}

int array_ranks(const halo_context *context)
{
    return context != NULL ? context->ranks : 0;
}

const char *array_instructions(const halo_context *context)
{
    return context != NULL ? context->instructions : NULL;
}

void halo_context_set_world(halo_context *context, halo_world *world)
{
    context->world = world;
}

halo_world *array_world(const halo_context *context)
{
    return context != NULL ? context->world : NULL;
}

halo_status array_world_agree(const halo_context *context, halo_status mine)
{
    halo_world *world = array_world(context);
    return world != NULL ? halo_agree(world, mine) : mine;
}

halo_status array_world_refuse(const halo_context *context)
{
    return HALO_REQUIRE(array_world(context) == NULL, HALO_ARGUMENT,
                        "this call cannot be collective over a world; use halo_label_array, or "
                        "leave out halo_context_set_world");
}

/* ---- progress -------------------------------------------------------------------------------- */

void array_call_count(array_call *call, const halo_world *world, int64_t total)
{
    if (halo_world_rank(world) == 0) {
        call->total = total;
    }
}

void array_call_phase(array_call *call, const halo_world *world, double until)
{
    if (halo_world_rank(world) == 0) {
        call->begin = call->end;
        call->end = until;
    }
}

/* The part of the whole call that is done. */
static int64_t done_of_call(const array_call *call, int64_t done, int64_t total)
{
    if (call->total == 0 || total <= 0) {
        return call->done;
    }
    double share = call->begin + (call->end - call->begin) * (double)done / (double)total;
    return halo_min((int64_t)(share * (double)call->total), call->total);
}

static void report(array_call *call)
{
    const halo_context *context = call->context;
    if (context->progress(context->user, call->done, call->total)) {
        atomic_store_explicit(&call->cancelled, true, memory_order_relaxed);
    }
}

static bool is_cancelled(const array_call *call)
{
    return atomic_load_explicit(&call->cancelled, memory_order_relaxed);
}

bool array_call_watch(array_call *call, const halo_world *world, int64_t done, int64_t total)
{
    const halo_context *context = call->context;
    if (context != NULL && context->progress != NULL && !is_cancelled(call) &&
        halo_world_rank(world) == 0) {
        double now = halo_seconds();
        if (now >= call->next) {
            call->next = now + context->interval;
            call->done = halo_max(call->done, done_of_call(call, done, total));
            report(call);
        }
    }
    return is_cancelled(call);
}

/* The last report of a call says that all is done. */
static halo_status end_call(array_call *call, bool first, halo_status status)
{
    const halo_context *context = call->context;
    if (status == HALO_OK && first && context != NULL && context->progress != NULL &&
        !is_cancelled(call) && call->total > 0) {
        call->done = call->total;
        report(call);
    }
    /* Beats that were stopped end well, so that the reason is looked at here. */
    return status == HALO_OK && is_cancelled(call) ? array_call_stop() : status;
}

bool array_beats_watch(void *context, int64_t done, int64_t changed)
{
    const array_beats *beats = context;
    array_call *call = beats->call;
    (void)changed;
    if (halo_world_rank(beats->world) == 0 && call->total == 0) {
        call->done = halo_max(call->done, done - beats->first);
    }
    return array_call_watch(call, beats->world, done - beats->first, beats->total);
}

halo_status array_call_stop(void)
{
    return halo_fail(HALO_CANCELLED, "the call was cancelled by its function of progress");
}

/* ---- running --------------------------------------------------------------------------------- */

typedef struct {
    array_call *call;
    const halo_world *world;
} watched_rank;

static halo_status watch_work(void *context, int64_t done, int64_t total)
{
    const watched_rank *rank = context;
    return array_call_watch(rank->call, rank->world, done, total) ? array_call_stop() : HALO_OK;
}

static void watch_wait(void *context)
{
    const watched_rank *rank = context;
    (void)array_call_watch(rank->call, rank->world, 0, 0);
}

/* Only the calling thread reports, also while it waits: what the others wait for ends anyway. */
static halo_status run_watched(halo_world *world, array_call *call, array_body *body, void *job)
{
    watched_rank rank = {call, world};
    const halo_watch watch = {
        .work = watch_work,
        .wait = halo_world_rank(world) == 0 ? watch_wait : NULL,
        .context = &rank,
    };
    bool watched = call->context != NULL && call->context->progress != NULL;
    halo_world_set_watch(world, watched ? &watch : NULL);
    halo_status status = body(world, call, job);
    halo_world_set_watch(world, NULL);
    return status;
}

typedef struct {
    array_call *call;
    array_body *body;
    void *job;
} running;

static halo_status run_rank(halo_world *world, void *context)
{
    const running *all = context;
    return run_watched(world, all->call, all->body, all->job);
}

/* The calling thread alone: no thread is started, and no message is sent. */
static halo_status run_alone(running *all)
{
    halo_world *world;
    HALO_TRY(halo_world_create_alone(&world, NULL));
    halo_status status = run_rank(world, all);
    halo_world_destroy(&world);
    return status;
}

/* Starting a thread and joining it takes about 60 microseconds, and its first beat a few more, so
 * that a rank must save several times that. */
static int choose_ranks(double seconds, int64_t most)
{
    const double worth = 4e-4;
    double useful = seconds / worth;
    if (useful < 2 || most < 2) {
        return 1;
    }
    int64_t ranks = halo_min((int64_t)halo_cores_usable(), most);
    return (int)(useful < (double)ranks ? (int64_t)useful : ranks);
}

halo_status array_call_run(halo_context *context, double seconds, int64_t most, array_body *body,
                           void *job)
{
    array_call call = {
        .context = context, .instructions = array_instructions(context), .total = ARRAY_PARTS};
    running all = {&call, body, job};
    atomic_init(&call.cancelled, false);
    bool chosen = array_ranks(context) == 0;
    HALO_TRY(array_world_refuse(context));
    int ranks = chosen ? choose_ranks(seconds, most) : (int)halo_min(array_ranks(context), most);
    halo_status status = HALO_OK;
    if (ranks == 1) {
        status = run_alone(&all);
    } else {
        status = chosen ? halo_run_fewer(&ranks, NULL, run_rank, &all)
                        : halo_run(ranks, NULL, run_rank, &all);
    }
    return end_call(&call, true, status);
}

/* ---- worlds of the caller -------------------------------------------------------------------- */

halo_status array_call_collect(halo_context *context, array_body *body, void *job)
{
    halo_world *world = array_world(context);
    array_call call = {
        .context = context, .instructions = array_instructions(context), .total = ARRAY_PARTS};
    atomic_init(&call.cancelled, false);
    halo_status status = run_watched(world, &call, body, job);
    return halo_agree(world, end_call(&call, halo_world_rank(world) == 0, status));
}

/* HALO_ARGUMENT unless all ranks have as many planes, rows and columns beside axis 0. */
static halo_status check_alike(halo_world *world, const halo_domain *domain)
{
    int64_t least[] = {-domain->n[1], -domain->n[2], -domain->axes};
    int64_t most[] = {domain->n[1], domain->n[2], domain->axes};
    HALO_TRY(halo_allreduce_max(world, least, 3));
    HALO_TRY(halo_allreduce_max(world, most, 3));
    bool alike = true;
    for (int i = 0; i < 3; i++) {
        alike = alike && least[i] == -most[i];
    }
    return HALO_REQUIRE(alike, HALO_ARGUMENT,
                        "strips of one array have the same number of axes, and the same length "
                        "along all axes but the first; those of the ranks differ");
}

halo_status array_world_strips(const halo_context *context, halo_world *world, halo_domain *domain,
                               halo_partition *strips, int64_t *before)
{
    int ranks = halo_world_ranks(world), rank = halo_world_rank(world);
    int64_t *cuts;
    *before = 0;
    if (array_world(context) == NULL) {
        return halo_partition_strips(strips, domain, ranks);
    }
    HALO_TRY(check_alike(world, domain));
    halo_status status = HALO_ALLOCATE(cuts, ranks + 1, "the strips of all ranks");
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        for (int r = rank + 1; r <= ranks; r++) {
            cuts[r] = domain->n[0];
        }
        status = halo_allreduce_sum(world, cuts, ranks + 1);
    }
    if (status == HALO_OK) {
        domain->n[0] = cuts[ranks];
        *before = cuts[rank];
        bool none = domain->n[0] * domain->n[1] * domain->n[2] == 0;
        status = halo_agree(world,
                            none ? HALO_OK : halo_partition_with_cuts(strips, domain, ranks, cuts));
    }
    free(cuts);
    return status;
}

void array_make_whole(halo_array *array, const halo_domain *domain, int64_t before)
{
    if (array->data != NULL) {
        array->data = (char *)array->data - before * array->stride[0];
    }
    array->n[0] = domain->n[0];
}
