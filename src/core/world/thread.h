#ifndef HALOBEAT_CORE_WORLD_THREAD_H
#define HALOBEAT_CORE_WORLD_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Threads of a rank besides the one that sends and receives its messages, where
 * halo_world_allows_threads says that there may be any. All functions are local. */

/* Starts a thread of the calling rank: the memory that it takes is in the rank's account
 * (base/memory.h). All signals are blocked in it, so that they go to the existing thread. Returns
 * false if there can be none. */
bool halo_thread_begin(pthread_t *thread, void *(*run)(void *context), void *context);

/* Initialises a condition for halo_thread_wait; destroy it by pthread_cond_destroy. */
void halo_thread_create_condition(pthread_cond_t *condition);

/* With the lock held, waits for at most `seconds` until `holds` returns true; `condition` is
 * signalled when it may have changed. Returns its last value. */
bool halo_thread_wait(pthread_cond_t *condition, pthread_mutex_t *lock, double seconds,
                      bool (*holds)(const void *context), const void *context);

#endif
