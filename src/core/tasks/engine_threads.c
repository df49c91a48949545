#include "core/tasks/engine_internal.h"

#include "core/tasks/tasks_internal.h"
#include "core/world/clock.h"
#include "core/world/thread.h"

/* The threads of an engine: one for each slot. */

void engine_wake(task_engine *engine)
{
    engine->woken = true;
    pthread_cond_signal(&engine->idle);
}

void task_engine_wake(task_engine *engine)
{
    engine_lock(engine);
    engine_wake(engine);
    engine_unlock(engine);
}

static void *work(void *context)
{
    engine_slot *slot = context;
    task_engine *engine = slot->engine;
    pthread_mutex_lock(&engine->lock);
    while (!engine->quits) {
        if (engine->next >= engine->hi) {
            pthread_cond_wait(&engine->work, &engine->lock);
            continue;
        }
        engine_begin_piece(engine, slot);
        if (engine_has_room(engine)) {
            engine_wake(engine);
        }
        int64_t lo = slot->first, hi = lo + slot->piece;
        halo_status memory = HALO_OK;
        pthread_mutex_unlock(&engine->lock);
        double before = task_on_core_seconds();
        bool complete = task_piece_run(&slot->at_hand, lo, hi, &memory);
        double on_core = task_on_core_seconds() - before;
        halo_world_inject_slowdown(engine->world, halo_seconds() - slot->begun);
        pthread_mutex_lock(&engine->lock);
        halo_world_count_beats(engine->world, hi - lo);
        engine->on_core = on_core;
        engine_end_piece(engine, slot, complete, memory);
        if (engine->next >= engine->hi) {
            engine_wake(engine);
        }
    }
    pthread_mutex_unlock(&engine->lock);
    return NULL;
}

void engine_end_threads(task_engine *engine)
{
    if (!engine->locks) {
        return;
    }
    pthread_mutex_lock(&engine->lock);
    engine->quits = true;
    pthread_cond_broadcast(&engine->work);
    pthread_mutex_unlock(&engine->lock);
    for (int i = 0; i < engine->begun; i++) {
        halo_thread_join(&engine->slot[i].thread);
    }
    pthread_cond_destroy(&engine->work);
    pthread_cond_destroy(&engine->idle);
    pthread_cond_destroy(&engine->answered);
    pthread_mutex_destroy(&engine->lock);
    engine->locks = engine->threaded = false;
    engine->begun = 0;
}

static void create_lock(task_engine *engine)
{
    pthread_mutex_init(&engine->lock, NULL);
    pthread_cond_init(&engine->work, NULL);
    pthread_cond_init(&engine->answered, NULL);
    halo_thread_create_condition(&engine->idle);
    engine->locks = true;
}

/* If no rank has to be answered, the thread that would answer runs the tasks. */
static bool wants_threads(const task_engine *engine)
{
    bool answers = engine->tasks->pool == NULL || engine->slots > 1;
    return answers && !engine->options->same_thread && halo_world_allows_threads(engine->world);
}

halo_status engine_begin_threads(task_engine *engine)
{
    bool shared = engine->tasks->pool != NULL, wants = wants_threads(engine);
    if (shared || wants) {
        create_lock(engine);
    }
    if (!wants) {
        engine->slots = 1;
        return HALO_OK;
    }
    while (engine->begun < engine->slots &&
           halo_thread_begin(&engine->slot[engine->begun].thread, 0, work,
                             &engine->slot[engine->begun])) {
        engine->begun++;
    }
    engine->threaded = engine->begun == engine->slots;
    if (engine->threaded) {
        return HALO_OK;
    }
    int begun = engine->begun;
    engine_end_threads(engine);
    return engine->slots == 1
               ? HALO_OK
               : halo_fail(HALO_FILE,
                           "%d tasks at a time need as many threads; the system starts %d; run "
                           "fewer at a time, or raise the limit (ulimit -u, ulimit -v, the control "
                           "group's pids.max)",
                           engine->slots, begun);
}
