#include "base/cores.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "core/transport/threads/run.h"
#include "core/world/clock.h"
#include "kernels/array/array_internal.h"

#include <stdlib.h>

/* The ranks of a call. */

struct halo_context {
    int ranks;
    const char *instructions;
    halo_progress *progress;
    void *user;
};

halo_status halo_context_create(halo_context **out)
{
    return HALO_ALLOCATE(*out, 1, "a context");
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

/* ---- progress -------------------------------------------------------------------------------- */

bool array_call_watch(array_call *call, const halo_world *world, int64_t done, int64_t total)
{
    const double interval = .05;
    const halo_context *context = call->context;
    if (context != NULL && context->progress != NULL && halo_world_rank(world) == 0) {
        double now = halo_seconds();
        if (now >= call->next) {
            call->next = now + interval;
            if (context->progress(context->user, done, total)) {
                atomic_store_explicit(&call->cancelled, true, memory_order_relaxed);
            }
        }
    }
    return atomic_load_explicit(&call->cancelled, memory_order_relaxed);
}

halo_status array_call_stop(void)
{
    return halo_fail(HALO_CANCELLED, "the call was cancelled by its function of progress");
}

/* ---- running --------------------------------------------------------------------------------- */

typedef struct {
    array_call *call;
    array_body *body;
    void *job;
} running;

static halo_status run_rank(halo_world *world, void *context)
{
    const running *all = context;
    return all->body(world, all->call, all->job);
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
    array_call call = {.context = context, .instructions = array_instructions(context)};
    running all = {&call, body, job};
    bool chosen = array_ranks(context) == 0;
    int ranks = chosen ? choose_ranks(seconds, most) : (int)halo_min(array_ranks(context), most);
    halo_status status = HALO_OK;
    atomic_init(&call.cancelled, false);
    if (ranks == 1) {
        status = run_alone(&all);
    } else {
        status = chosen ? halo_run_fewer(&ranks, NULL, run_rank, &all)
                        : halo_run(ranks, NULL, run_rank, &all);
    }
    /* Beats that were stopped end well, so that the reason is looked at here. */
    return status == HALO_OK && atomic_load(&call.cancelled) ? array_call_stop() : status;
}
