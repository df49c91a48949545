#ifndef HALOBEAT_CORE_TASKS_ENGINE_INTERNAL_H
#define HALOBEAT_CORE_TASKS_ENGINE_INTERNAL_H

#include "core/tasks/engine.h"
#include "core/world/thread.h"

#include <pthread.h>

/* The parts of an engine: its slots, pieces of work (engine_pieces.c), threads (engine_threads.c),
 * and what tasks tell (engine_tell.c). */

/* Seconds of a piece: what may pass between two looks at what else there is to do. */
#define ENGINE_GRAIN 1e-3

/* A slot runs a task at a time, in a thread of its own or in the caller. */
typedef struct {
    task_engine *engine;
    halo_thread thread;
    int64_t piece; /* tasks at hand; 0: none; */
    int64_t first; /* the first of them */
    double begun;  /* since when */
    task_piece at_hand;
    task_part part;
} engine_slot;

struct task_engine {
    halo_tasks *tasks; /* that it works for */
    halo_world *world;
    const halo_tasks_options *options;
    bool threaded;
    bool locks;           /* other threads use it */
    pthread_mutex_t lock; /* of all below, but for what the pieces at hand write */
    pthread_cond_t work, idle, answered;
    bool quits, woken;  /* woken: there may be something for the caller */
    int slots, running; /* how many there are; how many have a piece */
    int begun;          /* threads */
    engine_slot *slot;  /* [slots] */
    int64_t next, hi;   /* not begun */
    int64_t last;       /* tasks of the last piece, which the next one may double */
    double on_core;     /* seconds that it ran on a core, without slowdown on purpose */
    double mean;        /* seconds of a task, the last ones counted more; below 0: not known */
    task_progress progress;
    task_results results; /* of finished pieces */
    halo_buffer stretches;
    halo_status status; /* of their memory */

    bool complete; /* without a thread: were all of it run? */
    halo_status memory;
    double owed;  /* floating point operations that a simulated machine has yet to do */
    double speed; /* of these in a second; 0: not known */
};

/* Only where there are several threads is the lock needed. */
static inline void engine_lock(task_engine *engine)
{
    if (engine->locks) {
        pthread_mutex_lock(&engine->lock);
    }
}

static inline void engine_unlock(task_engine *engine)
{
    if (engine->locks) {
        pthread_mutex_unlock(&engine->lock);
    }
}

/* All that follows is called with the lock. Are there tasks that run, or wait? */
static inline bool engine_is_busy(const task_engine *engine)
{
    return engine->running > 0 || engine->next < engine->hi;
}

/* Is there a slot without work? */
static inline bool engine_has_room(const task_engine *engine)
{
    return engine->next >= engine->hi && engine->running < engine->slots;
}

/* Takes tasks for a slot; notes what it found, and what it took. */
void engine_begin_piece(task_engine *engine, engine_slot *slot);
void engine_end_piece(task_engine *engine, engine_slot *slot, bool complete, halo_status memory);

/* Tells the caller, who may wait, that there may be something for it. */
void engine_wake(task_engine *engine);

/* A part that a task tells, and nobody has taken; NULL: none. */
task_part *engine_find_part(const task_engine *engine);

/* Creates the lock. Starts the threads of the slots; without the only one the
 * caller runs tasks. HALO_FILE if one of several cannot be had. */
halo_status engine_begin_threads(task_engine *engine);

/* Ends the threads, and the lock. */
void engine_end_threads(task_engine *engine);

#endif
