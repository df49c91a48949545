#include "core/world/activity.h"

#include <stdlib.h>
#include <string.h>

halo_activity *halo_activities_create(int count)
{
    halo_activity *all = aligned_alloc(HALO_ACTIVITY_LINE, (size_t)count * sizeof *all);
    if (all != NULL) {
        memset((void *)all, 0, (size_t)count * sizeof *all);
    }
    return all;
}

void halo_activity_begin(halo_activity *of)
{
    of->thread = pthread_self();
    atomic_store_explicit(&of->begun, true, memory_order_release);
}

int halo_activity_rank(const halo_activity *ranks, int count)
{
    pthread_t self = pthread_self();
    for (int r = 0; r < count; r++) {
        if (atomic_load_explicit(&ranks[r].begun, memory_order_acquire) &&
            pthread_equal(ranks[r].thread, self)) {
            return r;
        }
    }
    return -1;
}

/* For how long has the rank done the same? */
static double look(const halo_activity *rank, halo_seen *seen, double now)
{
    uint64_t does = atomic_load_explicit(&rank->now, memory_order_relaxed);
    if (does != seen->now || seen->since <= 0) {
        *seen = (halo_seen){.now = does, .since = now};
    }
    return now - seen->since;
}

halo_stuck halo_activity_look(const halo_activity *ranks, halo_seen *seen, int count, double limit,
                              double now)
{
    halo_stuck found = {.first = -1};
    int waiting = 0, there = 0;
    for (int r = 0; r < count; r++) {
        if (!atomic_load_explicit(&ranks[r].begun, memory_order_acquire)) {
            continue;
        }
        there++;
        double seconds = look(&ranks[r], &seen[r], now);
        halo_doing does = (halo_doing)(seen[r].now % HALO_DOINGS);
        waiting += does == HALO_DOES_WAIT && seconds >= limit;
        if (does == HALO_DOES_UPDATE && seconds >= limit) {
            found.count++;
            if (found.first < 0) {
                found.first = r;
                found.beat = atomic_load_explicit(&ranks[r].beat, memory_order_relaxed);
                found.seconds = seconds;
            }
        }
    }
    if (waiting == 0 || waiting + found.count < there) {
        found.count = 0;
    }
    return found;
}
