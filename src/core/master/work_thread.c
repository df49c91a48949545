#include "core/master/work_thread.h"

#include "core/world/thread.h"

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
    thread->run = function;
    thread->context = context;
    thread->done = false;
    pthread_mutex_init(&thread->lock, NULL);
    halo_thread_create_condition(&thread->ended);
    bool begun = halo_thread_begin(&thread->thread, 0, run, thread);
    if (!begun) {
        free_lock(thread);
    }
    return begun;
}

static bool is_done(const void *thread)
{
    return ((const work_thread *)thread)->done;
}

bool work_thread_wait(work_thread *thread, double seconds)
{
    pthread_mutex_lock(&thread->lock);
    bool done = seconds > 0
                    ? halo_thread_wait(&thread->ended, &thread->lock, seconds, is_done, thread)
                    : thread->done;
    pthread_mutex_unlock(&thread->lock);
    return done;
}

void work_thread_end(work_thread *thread)
{
    halo_thread_join(&thread->thread);
    free_lock(thread);
}
