#include "core/tasks/engine_internal.h"

#include "core/world/clock.h"
#include "core/world/thread.h"

/* The threads of an engine: one for each slot. */

void engine_wake(task_engine *engine)
{
    engine->woken = true;
    pthread_cond_signal(&engine->idle);
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

static void free_lock(task_engine *engine)
{
    pthread_cond_destroy(&engine->work);
    pthread_cond_destroy(&engine->idle);
    pthread_cond_destroy(&engine->answered);
    pthread_mutex_destroy(&engine->lock);
}

void engine_end_threads(task_engine *engine, int count)
{
    pthread_mutex_lock(&engine->lock);
    engine->quits = true;
    pthread_cond_broadcast(&engine->work);
    pthread_mutex_unlock(&engine->lock);
    for (int i = 0; i < count; i++) {
        halo_thread_join(&engine->slot[i].thread);
    }
    free_lock(engine);
}

halo_status engine_begin_threads(task_engine *engine)
{
    if (engine->options->same_thread || !halo_world_allows_threads(engine->world)) {
        engine->slots = 1;
        return HALO_OK;
    }
    pthread_mutex_init(&engine->lock, NULL);
    pthread_cond_init(&engine->work, NULL);
    pthread_cond_init(&engine->answered, NULL);
    halo_thread_create_condition(&engine->idle);
    int begun = 0;
    while (begun < engine->slots &&
           halo_thread_begin(&engine->slot[begun].thread, 0, work, &engine->slot[begun])) {
        begun++;
    }
    engine->threaded = begun == engine->slots;
    if (engine->threaded) {
        return HALO_OK;
    }
    engine_end_threads(engine, begun);
    return engine->slots == 1
               ? HALO_OK
               : halo_fail(HALO_FILE,
                           "%d tasks at a time need as many threads; the system starts %d",
                           engine->slots, begun);
}
