#ifndef HALOBEAT_CORE_WORLD_THREAD_H
#define HALOBEAT_CORE_WORLD_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Threads beside the one that calls MPI. All functions are local. */

/* May there be threads that do not call MPI? Simulated machines have none. */
bool halo_thread_is_allowed(void);

/* Begins one, with all signals blocked: they are for the thread that had them before. False if
 * there can be none. */
bool halo_thread_begin(pthread_t *thread, void *(*run)(void *context), void *context);

/* Makes a condition that halo_thread_wait can wait for. To be destroyed by pthread_cond_destroy. */
void halo_thread_create_condition(pthread_cond_t *condition);

/* With the lock held: waits for `seconds` at most until `holds` is true, of which `condition`
 * tells. Returns what it is then. */
bool halo_thread_wait(pthread_cond_t *condition, pthread_mutex_t *lock, double seconds,
                      bool (*holds)(const void *context), const void *context);

#endif
