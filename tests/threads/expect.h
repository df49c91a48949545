#ifndef HALOBEAT_TESTS_THREADS_EXPECT_H
#define HALOBEAT_TESTS_THREADS_EXPECT_H

#include <stdatomic.h>
#include <stdio.h>

/* Checks on any thread of a test's program, which counts those that fail. */

static atomic_int failures;

#define EXPECT(condition, ...)                                      \
    do {                                                            \
        if (!(condition)) {                                         \
            atomic_fetch_add(&failures, 1);                         \
            fprintf(stderr, "line %d: %s: ", __LINE__, #condition); \
            fprintf(stderr, __VA_ARGS__);                           \
            fputc('\n', stderr);                                    \
        }                                                           \
    } while (0)

#endif
