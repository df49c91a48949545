#ifndef HALOBEAT_TESTS_ARRAY_PROGRESS_H
#define HALOBEAT_TESTS_ARRAY_PROGRESS_H

#include "kernels/array/array.h"

#include <pthread.h>

/* A function of progress for tests of calls on arrays. */
typedef struct {
    int calls, limit;    /* calls so far; it cancels with the last of `limit` */
    pthread_t thread;    /* on which it must be called */
    int64_t done, total; /* of the last call */
} array_progress;

/* One that cancels with call number `limit`, to be called on this thread. */
array_progress array_progress_until(int limit);

/* A halo_progress whose context is an array_progress. Asserts that it is called on its thread, with
 * one total, with numbers that never fall and are not above it, and not after it has cancelled. */
bool array_progress_watch(void *progress, int64_t done, int64_t total);

#endif
