#define _POSIX_C_SOURCE 200809L /* pthread_condattr_setclock */
#include "core/master/work_thread.h"

#include "core/world/simulated_compute.h"

#include <mpi.h>
#include <signal.h>
#include <time.h>

bool work_thread_is_allowed(void)
{
    int level;
    return !HALO_SIMULATED && MPI_Query_thread(&level) == MPI_SUCCESS &&
           level >= MPI_THREAD_FUNNELED;
}

static void *run(void *context)
{
    work_thread *thread = context;
    thread->run(thread->context);
    pthread_mutex_lock(&thread->lock);
    thread->done = true;
    pthread_cond_signal(&thread->ended);
    pthread_mutex_unlock(&thread->lock);
    return NULL;
}

static void free_lock(work_thread *thread)
{
    pthread_cond_destroy(&thread->ended);
    pthread_mutex_destroy(&thread->lock);
}

bool work_thread_begin(work_thread *thread, void (*function)(void *context), void *context)
{
    sigset_t all, before;
    pthread_condattr_t steady;
    thread->run = function;
    thread->context = context;
    thread->done = false;
    pthread_mutex_init(&thread->lock, NULL);
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&thread->ended, &steady);
    pthread_condattr_destroy(&steady);
    /* Signals are for the thread that had them before. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool begun = pthread_create(&thread->thread, NULL, run, thread) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!begun) {
        free_lock(thread);
    }
    return begun;
}

bool work_thread_wait(work_thread *thread, double seconds)
{
    enum { BILLION = 1000000000 };
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(seconds * BILLION);
    until.tv_sec += until.tv_nsec / BILLION;
    until.tv_nsec %= BILLION;
    int result = 0;
    pthread_mutex_lock(&thread->lock);
    while (!thread->done && result == 0 && seconds > 0) {
        result = pthread_cond_timedwait(&thread->ended, &thread->lock, &until);
    }
    bool done = thread->done;
    pthread_mutex_unlock(&thread->lock);
    return done;
}

void work_thread_end(work_thread *thread)
{
    pthread_join(thread->thread, NULL);
    free_lock(thread);
}
