#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "core/tasks/engine_internal.h"

#include "base/minmax.h"
#include "core/world/clock.h"

#include <math.h>
#include <time.h>

/* Pieces of work: a few tasks that a slot runs in one go. */

/* Needs the lock. Computes how many tasks are about as long as a piece should be. */
static int64_t piece_tasks(const task_engine *engine)
{
    double mean = engine->mean * engine->slots;
    double fit = mean > 0 ? fmin(ENGINE_GRAIN / mean, 2. * (double)engine->last) : 1;
    return halo_max(1, (int64_t)fmin(fit, (double)(engine->hi - engine->next)));
}

static void note_stretch(task_engine *engine, const engine_slot *slot, int64_t done, double ended)
{
    const task_stretch stretch = {slot->first, slot->first + done, slot->begun, ended};
    if (engine->slots > 1 && done > 0) {
        engine->status = halo_status_first(
            engine->status, halo_buffer_append(&engine->stretches, &stretch, sizeof stretch));
    }
}

static void add_results(task_engine *engine, task_results *found)
{
    if (engine->results.records == 0) {
        task_results empty = engine->results;
        engine->results = *found;
        *found = empty;
    } else {
        engine->results.last = engine->results.buffer.size + found->last;
        engine->results.joins = found->joins;
        engine->results.records += found->records;
        engine->status = halo_status_first(
            engine->status,
            halo_buffer_append(&engine->results.buffer, found->buffer.data, found->buffer.size));
    }
    found->joins = false;
    found->records = 0;
    found->buffer.size = found->last = 0;
}

/* Needs the lock. Notes what the piece found and took. */
void engine_end_piece(task_engine *engine, engine_slot *slot, bool complete, halo_status memory)
{
    static const double weight = .2; /* of the last piece */
    int64_t done = slot->at_hand.reported - slot->first;
    double whole = halo_seconds() - slot->begun, tasks = (double)halo_max(done, 1);
    double seconds = whole / engine->slots, each = seconds / tasks;
    engine->mean = engine->mean < 0 ? each : (1 - weight) * engine->mean + weight * each;
    engine->progress.tasks += done;
    engine->progress.seconds += seconds;
    engine->progress.squares += tasks * each * each;
    engine->progress.available = whole > 0 ? fmin(engine->on_core / whole, 1) : 0;
    engine->progress.ended = fmax(engine->progress.ended, slot->begun + whole);
    engine->status = halo_status_first(engine->status, memory);
    note_stretch(engine, slot, done, slot->begun + whole);
    add_results(engine, &slot->at_hand.found);
    slot->piece = 0;
    engine->running--;
    if (!complete || engine->status != HALO_OK) {
        engine->next = engine->hi;
    }
}

void engine_begin_piece(task_engine *engine, engine_slot *slot)
{
    slot->begun = halo_seconds();
    slot->piece = engine->last = piece_tasks(engine);
    slot->first = engine->next;
    engine->next += slot->piece;
    engine->running++;
}

double task_on_core_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
