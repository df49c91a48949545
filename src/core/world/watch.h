#ifndef HALOBEAT_CORE_WORLD_WATCH_H
#define HALOBEAT_CORE_WORLD_WATCH_H

#include "core/world/world.h"

/* Work that takes long says how far it is, and asks whether it should end, wherever in the library
 * it is done: calls on arrays report progress by this, and are cancelled. */
typedef struct halo_watch {
    /* On the thread of each rank: `done` of `total` of the work at hand are done. A failure ends
     * the work. */
    halo_status (*work)(void *context, int64_t done, int64_t total);
    /* Called at least a hundred times a second while the rank waits for others; NULL: not called.
     * It must not wait for other ranks. */
    void (*wait)(void *context);
    void *context;
} halo_watch;

/* Local. Sets what watches this rank in this world, and in worlds that are derived from it later;
 * NULL: nothing. The structure belongs to the caller and must stay at its address until then. */
void halo_world_set_watch(halo_world *world, const halo_watch *watch);

/* Local. Called in work of this rank alone that takes long, every few thousand elements. After a
 * failure, which is HALO_CANCELLED, the rank ends the work and agrees on it with the others
 * (halo_agree) before anything else that is collective. HALO_OK if nothing watches, or there is no
 * world: NULL. */
halo_status halo_watch_work(const halo_world *world, int64_t done, int64_t total);

/* Entries, or elements, between two questions of the functions below. */
enum { HALO_WATCH_ENTRIES = 1 << 16 };

/* The same for entry `i` of a list: asks at each multiple of HALO_WATCH_ENTRIES. */
static inline halo_status halo_watch_entry(const halo_world *world, int64_t i)
{
    return i % HALO_WATCH_ENTRIES == 0 ? halo_watch_work(world, 0, 0) : HALO_OK;
}

/* The same after a piece of work that took as long as this number of elements: adds it to *since,
 * which begins at 0, and asks once there are HALO_WATCH_ENTRIES. */
static inline halo_status halo_watch_piece(const halo_world *world, int64_t *since,
                                           int64_t elements)
{
    *since += elements;
    if (*since < HALO_WATCH_ENTRIES) {
        return HALO_OK;
    }
    *since = 0;
    return halo_watch_work(world, 0, 0);
}

#endif
