#ifndef HALOBEAT_CORE_WORLD_ACTIVITY_H
#define HALOBEAT_CORE_WORLD_ACTIVITY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A rank that is a thread notes its activity for a monitor on another thread: only the rank writes
 * it, and it takes a nanosecond. All functions are local. */

typedef enum {
    HALO_DOES_OTHER,  /* reads, writes, moves rows */
    HALO_DOES_WAIT,   /* for other ranks */
    HALO_DOES_UPDATE, /* calls its kernel */
    HALO_DOINGS
} halo_doing;

enum { HALO_ACTIVITY_LINE = 64 };

struct halo_world;

typedef struct halo_activity {
    /* HALO_DOINGS times the number of changes so far, plus what it does now. */
    _Alignas(HALO_ACTIVITY_LINE) _Atomic uint64_t now;
    _Atomic int64_t beat; /* of the update, from 0 */
    pthread_t thread;     /* set by the rank before `begun` */
    atomic_bool begun;
} halo_activity;

/* Local. From now on the rank notes what it does, in this world and in those that will be made of
 * it, in `activity`, which must outlive them. */
void halo_world_watch(struct halo_world *world, halo_activity *activity);

/* [count] that have done nothing; the caller frees them. NULL: there is no memory. */
halo_activity *halo_activities_create(int count);

/* By the rank's thread, which is noted. */
void halo_activity_begin(halo_activity *of);

/* By the rank. NULL: nobody watches. */
static inline void halo_activity_set(halo_activity *of, halo_doing doing)
{
    if (of != NULL) {
        uint64_t changes = atomic_load_explicit(&of->now, memory_order_relaxed) / HALO_DOINGS + 1;
        atomic_store_explicit(&of->now, changes * HALO_DOINGS + (uint64_t)doing,
                              memory_order_relaxed);
    }
}

static inline void halo_activity_update(halo_activity *of, int64_t beat)
{
    if (of != NULL) {
        atomic_store_explicit(&of->beat, beat, memory_order_relaxed);
        halo_activity_set(of, HALO_DOES_UPDATE);
    }
}

/* By any thread. */
static inline halo_doing halo_activity_doing(const halo_activity *of)
{
    return (halo_doing)(atomic_load_explicit(&of->now, memory_order_relaxed) % HALO_DOINGS);
}

/* The rank that runs on the calling thread; -1: none does. For handlers of signals, too. */
int halo_activity_rank(const halo_activity *ranks, int count);

/* ---- ranks that are stuck -------------------------------------------------------------------- */

/* The monitor's last observation of a rank. */
typedef struct {
    uint64_t now;
    double since; /* seconds of the clock */
} halo_seen;

typedef struct {
    int count, first; /* ranks that are stuck; the lowest of them */
    int64_t beat;     /* of its update, from 0 */
    double seconds;   /* that it has been in it */
} halo_stuck;

/* Looks at all ranks at the time `now`. `seen` is [count], zero before the first look. A rank is
 * stuck if it has been in one call of its kernel for `limit` seconds, and if for as long all ranks
 * that are not stuck have waited, of which there must be one: ranks that all compute for long are
 * well. Ranks that have not begun do not count. */
halo_stuck halo_activity_look(const halo_activity *ranks, halo_seen *seen, int count, double limit,
                              double now);

#endif
