#include "threads/faults.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Calls have no argument for it. */
static atomic_bool armed[2], failed;
static atomic_int_fast64_t left;

void fault_arm(fault_kind kind, int64_t calls)
{
    atomic_store(&failed, false);
    atomic_store(&left, calls);
    atomic_store(&armed[kind], true);
}

bool fault_disarm(void)
{
    atomic_store(&armed[FAULT_MEMORY], false);
    atomic_store(&armed[FAULT_THREADS], false);
    return atomic_load(&failed);
}

static bool refuse(fault_kind kind)
{
    bool is_it = atomic_load(&armed[kind]) && atomic_fetch_sub(&left, 1) == 0;
    if (is_it) {
        atomic_store(&failed, true);
    }
    return is_it;
}

/* The linker's names for a wrapped function and for what it stands in front of. */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*run)(void *context), void *context);

void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes)
{
    return refuse(FAULT_MEMORY) ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes)
{
    return refuse(FAULT_MEMORY) ? NULL : __real_calloc(count, bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    return refuse(FAULT_MEMORY) ? NULL : __real_aligned_alloc(alignment, bytes);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*run)(void *context), void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*run)(void *context), void *context)
{
    return refuse(FAULT_THREADS) ? EAGAIN : __real_pthread_create(thread, attributes, run, context);
}
