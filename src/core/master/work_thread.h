#ifndef HALOBEAT_CORE_MASTER_WORK_THREAD_H
#define HALOBEAT_CORE_MASTER_WORK_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* A thread that works while its maker drives messages. All functions are called by the maker. */
typedef struct {
    void (*run)(void *context);
    void *context;
    pthread_t thread;
    pthread_mutex_t lock; /* of `done` */
    pthread_cond_t ended;
    bool done;
} work_thread;

/* Begins to run. False if there can be no thread; nothing is to be ended then. */
bool work_thread_begin(work_thread *thread, void (*run)(void *context), void *context);

/* Waits for `seconds`, or until it has run: true then. */
bool work_thread_wait(work_thread *thread, double seconds);

/* Waits until it has run. */
void work_thread_end(work_thread *thread);

#endif
