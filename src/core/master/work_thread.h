#ifndef HALOBEAT_CORE_MASTER_WORK_THREAD_H
#define HALOBEAT_CORE_MASTER_WORK_THREAD_H

#include "core/world/thread.h"

#include <pthread.h>
#include <stdbool.h>

/* A thread that works while its creator drives messages. All functions are called by the
 * creator. */
typedef struct {
    void (*run)(void *context);
    void *context;
    halo_thread thread;
    pthread_mutex_t lock; /* protects `done` */
    pthread_cond_t ended;
    bool done;
} work_thread;

/* Starts the thread. Returns false if there can be none; work_thread_end must not be called
 * then. */
bool work_thread_begin(work_thread *thread, void (*run)(void *context), void *context);

/* Waits until the thread is done, for at most `seconds`. Returns true if it is done. */
bool work_thread_wait(work_thread *thread, double seconds);

/* Waits until the thread is done and frees it. */
void work_thread_end(work_thread *thread);

#endif
