#ifndef HALOBEAT_CORE_WORLD_THREAD_H
#define HALOBEAT_CORE_WORLD_THREAD_H

#include "base/memory.h"

#include <pthread.h>
#include <stdbool.h>

/* Threads of a rank besides the one that sends and receives its messages, where
 * halo_world_allows_threads says that there may be any. All functions are local. */

/* A thread. The rest is for the thread itself, so that nothing has to be allocated. */
typedef struct {
    pthread_t id;
    void *(*run)(void *context);
    void *context;
    halo_memory_account *account;
} halo_thread;

/* Starts a thread of the calling rank, with a stack of `stack` bytes (0: as large as the system
 * makes it). The memory that it takes is in the rank's account (base/memory.h). All signals are
 * blocked in it, so that they go to the existing thread. `thread` must stay where it is until the
 * thread has ended. Returns false if there can be none. */
bool halo_thread_begin(halo_thread *thread, size_t stack, void *(*run)(void *context),
                       void *context);

/* Waits until the thread has ended. */
void halo_thread_join(halo_thread *thread);

/* Initialises a condition for halo_thread_wait; destroy it by pthread_cond_destroy. */
void halo_thread_create_condition(pthread_cond_t *condition);

/* With the lock held, waits for at most `seconds` until `holds` returns true; `condition` is
 * signalled when it may have changed. Returns its last value. */
bool halo_thread_wait(pthread_cond_t *condition, pthread_mutex_t *lock, double seconds,
                      bool (*holds)(const void *context), const void *context);

#endif
