#include "core/tasks/engine_internal.h"

#include "base/minmax.h"
#include "core/tasks/tasks_internal.h"
#include "core/world/clock.h"
#include "core/world/simulated_compute.h"
#include "core/world/thread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- without a thread ------------------------------------------------------------------------ */

static double count_flops(const task_engine *engine, int64_t lo, int64_t hi)
{
    const halo_tasks_options *options = engine->options;
    double flops = 0;
    for (int64_t task = lo; task < hi; task++) {
        flops += options->flops != NULL
                     ? options->flops(options->context, halo_tasks_number(options, task))
                     : 1;
    }
    return flops;
}

/* A simulated machine lets the time of its piece pass, for so long without looking at messages, or
 * a hundredth of a task. Its load is taken to be the same for as long. */
static void pass_time(task_engine *engine, double longest)
{
    static const double first = 1e4;               /* operations that tell how fast it is */
    static const double most = .0625, least = .01; /* shares of a task */
    double seconds = fmin(longest, fmax(ENGINE_GRAIN, most * engine->mean));
    seconds = fmax(seconds, least * engine->mean);
    double part = fmin(engine->owed, engine->speed > 0 ? engine->speed * seconds : first);
    double begun = halo_seconds();
    halo_simulated_compute(part);
    seconds = halo_seconds() - begun;
    engine->speed = seconds > 0 ? part / seconds : engine->speed;
    engine->on_core += seconds;
    halo_world_inject_slowdown(engine->world, seconds);
    engine->owed -= part;
}

static void run_piece(task_engine *engine, engine_slot *slot)
{
    double before = task_on_core_seconds();
    int64_t behind = slot->first + slot->piece;
    engine->memory = HALO_OK;
    engine->complete = task_piece_run(&slot->at_hand, slot->first, behind, &engine->memory);
    engine->owed = HALO_SIMULATED ? count_flops(engine, slot->first, behind) : 0;
    engine->on_core = HALO_SIMULATED ? 0 : task_on_core_seconds() - before;
    if (!HALO_SIMULATED) {
        halo_world_inject_slowdown(engine->world, halo_seconds() - slot->begun);
    }
}

/* A piece, if there is one; on a simulated machine, a part of the time that it takes. */
static void turn_here(task_engine *engine, double longest)
{
    engine_slot *slot = engine->slot;
    engine_lock(engine);
    bool busy = engine_is_busy(engine), begins = busy && slot->piece == 0;
    if (begins) {
        engine_begin_piece(engine, slot);
    }
    engine_unlock(engine);
    if (begins) {
        run_piece(engine, slot);
    }
    if (engine->owed > 0) {
        pass_time(engine, longest);
    }
    if (busy && engine->owed <= 0) {
        halo_world_count_beats(engine->world, slot->piece);
        engine_lock(engine);
        engine_end_piece(engine, slot, engine->complete, engine->memory);
        engine_unlock(engine);
    }
}

/* ---- for both -------------------------------------------------------------------------------- */

halo_status task_engine_create(task_engine **out, halo_tasks *tasks)
{
    const halo_tasks_options *options = &tasks->options;
    HALO_TRY(HALO_ALLOCATE(*out, 1, "what runs tasks"));
    task_engine *engine = *out;
    engine->tasks = tasks;
    engine->world = tasks->world;
    engine->options = options;
    engine->slots = options->once && options->slots > 1 ? options->slots : 1;
    engine->mean = -1;
    HALO_TRY(HALO_ALLOCATE(engine->slot, engine->slots, "what runs tasks"));
    for (int i = 0; i < engine->slots; i++) {
        engine->slot[i].engine = engine;
        engine->slot[i].at_hand =
            (task_piece){.options = options, .data = tasks->data, .engine = engine, .slot = i};
    }
    return engine_begin_threads(engine);
}

void task_engine_destroy(task_engine **out)
{
    task_engine *engine = *out;
    if (engine == NULL) {
        return;
    }
    engine_end_threads(engine);
    halo_buffer_free(&engine->results.buffer);
    halo_buffer_free(&engine->stretches);
    for (int i = 0; engine->slot != NULL && i < engine->slots; i++) {
        halo_buffer_free(&engine->slot[i].at_hand.found.buffer);
    }
    free(engine->slot);
    free(engine);
    *out = NULL;
}

void task_engine_start(task_engine *engine, int64_t lo, int64_t hi)
{
    engine_lock(engine);
    engine->next = lo;
    engine->hi = hi;
    if (engine->threaded) {
        pthread_cond_broadcast(&engine->work);
    }
    engine_unlock(engine);
}

bool task_engine_is_threaded(const task_engine *engine)
{
    return engine->threaded;
}

bool task_engine_is_busy(task_engine *engine)
{
    engine_lock(engine);
    bool busy = engine_is_busy(engine);
    engine_unlock(engine);
    return busy;
}

bool task_engine_has_room(task_engine *engine)
{
    engine_lock(engine);
    bool room = engine_has_room(engine);
    engine_unlock(engine);
    return room;
}

/* Is there something for the caller? */
static bool calls(const void *context)
{
    const task_engine *engine = context;
    return engine->woken || !engine_is_busy(engine) || engine_find_part(engine) != NULL;
}

void task_engine_turn(task_engine *engine, double seconds)
{
    if (!engine->threaded) {
        turn_here(engine, fmax(seconds, ENGINE_GRAIN));
        return;
    }
    pthread_mutex_lock(&engine->lock);
    (void)halo_thread_wait(&engine->idle, &engine->lock, seconds, calls, engine);
    engine->woken = false;
    pthread_mutex_unlock(&engine->lock);
}

void task_engine_abandon(task_engine *engine)
{
    engine_lock(engine);
    engine->next = engine->hi;
    engine_unlock(engine);
}

/* Needs the lock. Computes the seconds until a slot has nothing to do, and by which the task at
 * hand that is nearest to its expected time exceeds it; 0 while there is room. */
static void look_at_slots(const task_engine *engine, double *until, double *longer)
{
    *until = *longer = engine->running == engine->slots ? HUGE_VAL : 0;
    for (int i = 0; engine->running == engine->slots && i < engine->slots; i++) {
        const engine_slot *slot = &engine->slot[i];
        double expected = (double)slot->piece * fmax(engine->mean, 0) * engine->slots;
        double runs = halo_seconds() - slot->begun;
        *until = fmin(*until, fmax(expected - runs, 0));
        *longer = fmin(*longer, fmax(runs - expected, 0));
    }
}

task_engine_load task_engine_left(task_engine *engine)
{
    double until, longer;
    engine_lock(engine);
    look_at_slots(engine, &until, &longer);
    const task_engine_load load = {
        .tasks = engine->hi - engine->next,
        .seconds =
            engine->mean < 0 ? -1 : (double)(engine->hi - engine->next) * engine->mean + until,
        .longer = longer};
    engine_unlock(engine);
    return load;
}

int64_t task_engine_take(task_engine *engine, int64_t count, int64_t *lo, int64_t *hi)
{
    engine_lock(engine);
    int64_t taken = halo_min(count, engine->hi - engine->next);
    *hi = engine->hi;
    *lo = engine->hi = engine->hi - taken;
    engine_unlock(engine);
    return taken;
}

halo_status task_engine_collect(task_engine *engine, task_results *results, task_progress *progress,
                                halo_buffer *stretches)
{
    engine_lock(engine);
    task_results full = engine->results;
    engine->results = *results;
    engine->results.buffer.size = engine->results.last = 0;
    engine->results.records = 0;
    engine->results.joins = false;
    *results = full;
    *progress = engine->progress;
    engine->progress = (task_progress){0};
    halo_status status =
        halo_status_first(engine->status, halo_buffer_append(stretches, engine->stretches.data,
                                                             engine->stretches.size));
    engine->stretches.size = 0;
    engine_unlock(engine);
    return status;
}
