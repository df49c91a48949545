#ifndef HALOBEAT_CORE_TRANSPORT_THREADS_SYNC_H
#define HALOBEAT_CORE_TRANSPORT_THREADS_SYNC_H

#include "base/relax.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Threads of one process wait for each other by atomic operations, a lock, and sleeping on a word
 * of memory (futex). All of them go through this header, so that a test can compile the
 * transport with HALO_SYNC_STEPPED and decide before each step which thread goes on. */

enum { SYNC_LINE = 128 }; /* bytes that processors fetch together: two cache lines */

/* Sleeps until another thread calls halo_sync_wake, if the word is `seen`; at most so long, if it
 * is not below 0. May return early. */
void halo_sync_sleep(atomic_uint *word, unsigned seen, long nanoseconds);
void halo_sync_wake(atomic_uint *word, int count);

/* Lets other threads have the core: for waits for one that is about to be done. */
void halo_sync_yield(void);

#ifdef HALO_SYNC_STEPPED /* the test defines these four functions */

void halo_sync_step(void);

static inline void sync_relax(void)
{
    halo_sync_step();
}

#else

static inline void halo_sync_step(void)
{
}

static inline void sync_relax(void)
{
    halo_relax();
}

#endif

#define SYNC_LOAD(word, order) \
    (halo_sync_step(), atomic_load_explicit((word), memory_order_##order))
#define SYNC_STORE(word, value, order) \
    (halo_sync_step(), atomic_store_explicit((word), (value), memory_order_##order))
#define SYNC_EXCHANGE(word, value, order) \
    (halo_sync_step(), atomic_exchange_explicit((word), (value), memory_order_##order))
#define SYNC_ADD(word, value, order) \
    (halo_sync_step(), atomic_fetch_add_explicit((word), (value), memory_order_##order))
#define SYNC_SWAP_WEAK(word, seen, value, order)              \
    (halo_sync_step(), atomic_compare_exchange_weak_explicit( \
                           (word), (seen), (value), memory_order_##order, memory_order_relaxed))

/* A lock for a few instructions. It is 0: free, 1: taken, 2: taken, and somebody may sleep. */
typedef atomic_uint sync_lock;

void halo_sync_take(sync_lock *lock);
void halo_sync_release(sync_lock *lock);

#endif
