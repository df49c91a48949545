#define _GNU_SOURCE /* syscall */
#include "core/transport/threads/sync.h"

#ifndef HALO_SYNC_STEPPED
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void halo_sync_sleep(atomic_uint *word, unsigned seen, long nanoseconds)
{
    enum { BILLION = 1000000000 };
    struct timespec limit = {.tv_sec = nanoseconds / BILLION, .tv_nsec = nanoseconds % BILLION};
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, nanoseconds >= 0 ? &limit : NULL, NULL, 0);
}

void halo_sync_wake(atomic_uint *word, int count)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

void halo_sync_yield(void)
{
    sched_yield();
}
#endif

/* The lock of Drepper, "Futexes Are Tricky" (2011), third version, which looks a while first: who
 * holds it is mostly done by then. */
void halo_sync_take(sync_lock *lock)
{
    enum { LOOKS = 100 };
    for (int i = 0; i < LOOKS; i++) {
        unsigned is_free = 0;
        if ((i == 0 || SYNC_LOAD(lock, relaxed) == 0) &&
            SYNC_SWAP_WEAK(lock, &is_free, 1, acquire)) {
            return;
        }
        sync_relax();
    }
    while (SYNC_EXCHANGE(lock, 2, acquire) != 0) {
        halo_sync_sleep(lock, 2, -1);
    }
}

void halo_sync_release(sync_lock *lock)
{
    if (SYNC_EXCHANGE(lock, 0, release) == 2) {
        halo_sync_wake(lock, 1);
    }
}
