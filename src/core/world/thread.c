#define _POSIX_C_SOURCE 200809L /* pthread_condattr_setclock */
#include "core/world/thread.h"

#include <signal.h>
#include <time.h>

static void *begin(void *memory)
{
    const halo_thread *self = memory;
    halo_memory_account_use(self->account);
    return self->run(self->context);
}

bool halo_thread_begin(halo_thread *thread, size_t stack, void *(*run)(void *context),
                       void *context)
{
    sigset_t all, before;
    pthread_attr_t attributes;
    thread->run = run;
    thread->context = context;
    thread->account = halo_memory_account_used();
    pthread_attr_init(&attributes);
    if (stack > 0) {
        pthread_attr_setstacksize(&attributes, stack);
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool begun = pthread_create(&thread->id, &attributes, begin, thread) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return begun;
}

void halo_thread_join(halo_thread *thread)
{
    pthread_join(thread->id, NULL);
}

void halo_thread_create_condition(pthread_cond_t *condition)
{
    pthread_condattr_t steady;
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &steady);
    pthread_condattr_destroy(&steady);
}

bool halo_thread_wait(pthread_cond_t *condition, pthread_mutex_t *lock, double seconds,
                      bool (*holds)(const void *context), const void *context)
{
    enum { BILLION = 1000000000 };
    struct timespec until;
    int result = 0;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(seconds * BILLION);
    until.tv_sec += until.tv_nsec / BILLION;
    until.tv_nsec %= BILLION;
    while (!holds(context) && result == 0) {
        result = pthread_cond_timedwait(condition, lock, &until);
    }
    return holds(context);
}
