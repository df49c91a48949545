#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "core/tasks/engine.h"

#include "base/minmax.h"
#include "core/world/clock.h"
#include "core/world/simulated_compute.h"
#include "core/world/thread.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Seconds of a piece: what may pass between two looks at what else there is to do. */
static const double grain = 1e-3;

struct task_engine {
    halo_world *world;
    const halo_tasks_options *options;
    bool threaded;
    pthread_t thread;
    pthread_mutex_t lock; /* of all below, but for what the piece at hand writes */
    pthread_cond_t work, idle;
    bool quits;
    int64_t next, hi; /* not begun */
    int64_t last;     /* tasks of the last piece, which the next one may double */
    int64_t piece;    /* tasks at hand; 0: none; */
    int64_t first;    /* the first of them */
    double begun;     /* since when */
    double on_core;   /* seconds that it ran on a core, without slowdown on purpose */
    double mean;      /* seconds of a task, the last ones counted more; below 0: not known */
    task_progress progress;
    task_results results; /* of finished pieces */
    halo_status status;   /* of their memory */

    task_piece at_hand;
    bool complete; /* without a thread: were all of it run? */
    halo_status memory;
    double owed;  /* floating point operations that a simulated machine has yet to do */
    double speed; /* of these in a second; 0: not known */
};

/* ---- pieces -----------------------------------------------------------------------------------
 */

/* With the lock: how many tasks are about as long as a piece should be. */
static int64_t piece_tasks(const task_engine *engine)
{
    double fit = engine->mean > 0 ? fmin(grain / engine->mean, 2. * (double)engine->last) : 1;
    return halo_max(1, (int64_t)fmin(fit, (double)(engine->hi - engine->next)));
}

/* With the lock: what the piece found and took. */
static void end_piece(task_engine *engine, bool complete, halo_status memory)
{
    static const double weight = .2; /* of the last piece */
    int64_t done = engine->at_hand.reported - engine->first;
    double seconds = halo_seconds() - engine->begun, tasks = (double)halo_max(done, 1);
    double each = seconds / tasks;
    engine->mean = engine->mean < 0 ? each : (1 - weight) * engine->mean + weight * each;
    engine->progress.tasks += done;
    engine->progress.seconds += seconds;
    engine->progress.squares += tasks * each * each;
    engine->progress.available = seconds > 0 ? fmin(engine->on_core / seconds, 1) : 0;
    engine->progress.ended = engine->begun + seconds;
    engine->status = halo_status_first(engine->status, memory);
    if (engine->results.records == 0) {
        task_results empty = engine->results;
        engine->results = engine->at_hand.found;
        engine->at_hand.found = empty;
    } else {
        engine->results.last = engine->results.buffer.size + engine->at_hand.found.last;
        engine->results.joins = engine->at_hand.found.joins;
        engine->results.records += engine->at_hand.found.records;
        engine->status = halo_status_first(engine->status,
                                           halo_buffer_append(&engine->results.buffer,
                                                              engine->at_hand.found.buffer.data,
                                                              engine->at_hand.found.buffer.size));
    }
    engine->at_hand.found.joins = false;
    engine->at_hand.found.records = 0;
    engine->at_hand.found.buffer.size = engine->at_hand.found.last = 0;
    engine->piece = 0;
    if (!complete || engine->status != HALO_OK) {
        engine->next = engine->hi;
    }
}

static void begin_piece(task_engine *engine)
{
    engine->begun = halo_seconds();
    engine->piece = engine->last = piece_tasks(engine);
    engine->first = engine->next;
    engine->next += engine->piece;
}

double task_on_core_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- in a thread ----------------------------------------------------------------------------- */

static void *work(void *context)
{
    task_engine *engine = context;
    pthread_mutex_lock(&engine->lock);
    while (!engine->quits) {
        if (engine->next >= engine->hi) {
            pthread_cond_wait(&engine->work, &engine->lock);
            continue;
        }
        begin_piece(engine);
        int64_t lo = engine->first, hi = engine->next;
        double begun = engine->begun;
        halo_status memory = HALO_OK;
        pthread_mutex_unlock(&engine->lock);
        double before = task_on_core_seconds();
        bool complete = task_piece_run(&engine->at_hand, lo, hi, &memory);
        double on_core = task_on_core_seconds() - before;
        halo_world_inject_slowdown(engine->world, halo_seconds() - begun);
        halo_world_count_beats(engine->world, hi - lo);
        pthread_mutex_lock(&engine->lock);
        engine->on_core = on_core;
        end_piece(engine, complete, memory);
        if (engine->next >= engine->hi) {
            pthread_cond_signal(&engine->idle);
        }
    }
    pthread_mutex_unlock(&engine->lock);
    return NULL;
}

static void free_lock(task_engine *engine)
{
    pthread_cond_destroy(&engine->work);
    pthread_cond_destroy(&engine->idle);
    pthread_mutex_destroy(&engine->lock);
}

static bool begin_thread(task_engine *engine)
{
    if (engine->options->same_thread || !halo_thread_is_allowed()) {
        return false;
    }
    pthread_mutex_init(&engine->lock, NULL);
    pthread_cond_init(&engine->work, NULL);
    halo_thread_create_condition(&engine->idle);
    bool begun = halo_thread_begin(&engine->thread, work, engine);
    if (!begun) {
        free_lock(engine);
    }
    return begun;
}

static void end_thread(task_engine *engine)
{
    pthread_mutex_lock(&engine->lock);
    engine->quits = true;
    pthread_cond_signal(&engine->work);
    pthread_mutex_unlock(&engine->lock);
    pthread_join(engine->thread, NULL);
    free_lock(engine);
}

static void lock(task_engine *engine)
{
    if (engine->threaded) {
        pthread_mutex_lock(&engine->lock);
    }
}

static void unlock(task_engine *engine)
{
    if (engine->threaded) {
        pthread_mutex_unlock(&engine->lock);
    }
}

static bool is_busy(const task_engine *engine)
{
    return engine->piece > 0 || engine->next < engine->hi;
}

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
    double seconds = fmin(longest, fmax(grain, most * engine->mean));
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

/* A piece; on a simulated machine, a part of the time that it takes. */
static void run_here(task_engine *engine, double longest)
{
    if (engine->piece == 0) {
        begin_piece(engine);
        double before = task_on_core_seconds();
        engine->memory = HALO_OK;
        engine->complete =
            task_piece_run(&engine->at_hand, engine->first, engine->next, &engine->memory);
        engine->owed = HALO_SIMULATED ? count_flops(engine, engine->first, engine->next) : 0;
        engine->on_core = HALO_SIMULATED ? 0 : task_on_core_seconds() - before;
        if (!HALO_SIMULATED) {
            halo_world_inject_slowdown(engine->world, halo_seconds() - engine->begun);
        }
    }
    if (engine->owed > 0) {
        pass_time(engine, longest);
    }
    if (engine->owed <= 0) {
        halo_world_count_beats(engine->world, engine->piece);
        end_piece(engine, engine->complete, engine->memory);
    }
}

/* ---- for both -------------------------------------------------------------------------------- */

halo_status task_engine_create(task_engine **out, halo_world *world,
                               const halo_tasks_options *options, const task_data *data)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "what runs tasks"));
    task_engine *engine = *out;
    engine->world = world;
    engine->options = options;
    engine->at_hand = (task_piece){.options = options, .data = data};
    engine->mean = -1;
    engine->threaded = begin_thread(engine);
    return HALO_OK;
}

void task_engine_destroy(task_engine **out)
{
    task_engine *engine = *out;
    if (engine == NULL) {
        return;
    }
    if (engine->threaded) {
        end_thread(engine);
    }
    halo_buffer_free(&engine->results.buffer);
    halo_buffer_free(&engine->at_hand.found.buffer);
    free(engine);
    *out = NULL;
}

void task_engine_start(task_engine *engine, int64_t lo, int64_t hi)
{
    lock(engine);
    engine->next = lo;
    engine->hi = hi;
    if (engine->threaded) {
        pthread_cond_signal(&engine->work);
    }
    unlock(engine);
}

bool task_engine_is_busy(task_engine *engine)
{
    lock(engine);
    bool busy = is_busy(engine);
    unlock(engine);
    return busy;
}

static bool is_idle(const void *engine)
{
    return !is_busy(engine);
}

void task_engine_turn(task_engine *engine, double seconds)
{
    if (!engine->threaded) {
        if (is_busy(engine)) {
            run_here(engine, fmax(seconds, grain));
        }
        return;
    }
    pthread_mutex_lock(&engine->lock);
    (void)halo_thread_wait(&engine->idle, &engine->lock, seconds, is_idle, engine);
    pthread_mutex_unlock(&engine->lock);
}

void task_engine_abandon(task_engine *engine)
{
    lock(engine);
    engine->next = engine->hi;
    unlock(engine);
}

task_engine_load task_engine_left(task_engine *engine)
{
    lock(engine);
    double mean = engine->mean, expected = (double)engine->piece * fmax(mean, 0);
    double runs = engine->piece > 0 ? halo_seconds() - engine->begun : 0;
    const task_engine_load load = {
        .tasks = engine->hi - engine->next,
        .seconds =
            mean < 0 ? -1 : (double)(engine->hi - engine->next) * mean + fmax(expected - runs, 0),
        .longer = fmax(runs - expected, 0)};
    unlock(engine);
    return load;
}

int64_t task_engine_take(task_engine *engine, int64_t count, int64_t *lo, int64_t *hi)
{
    lock(engine);
    int64_t taken = halo_min(count, engine->hi - engine->next);
    *hi = engine->hi;
    *lo = engine->hi = engine->hi - taken;
    unlock(engine);
    return taken;
}

halo_status task_engine_collect(task_engine *engine, task_results *results, task_progress *progress)
{
    lock(engine);
    task_results full = engine->results;
    engine->results = *results;
    engine->results.buffer.size = engine->results.last = 0;
    engine->results.records = 0;
    engine->results.joins = false;
    *results = full;
    *progress = engine->progress;
    engine->progress = (task_progress){0};
    halo_status status = engine->status;
    unlock(engine);
    return status;
}
