#define _POSIX_C_SOURCE 200809L
#include "support/virtual_clock.h"

#include "support/mpi_check.h"

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* The functions that stand here have no argument for it. */
static PER_RANK struct {
    bool runs;
    double now, look, pause;
    volatile int64_t *pauses;
} its = {.now = 1000};

void virtual_clock_start(double look, double pause)
{
    its.runs = true;
    its.look = look;
    its.pause = pause;
}

void virtual_clock_stop(void)
{
    its.runs = false;
}

void virtual_clock_pass(double seconds)
{
    its.now += its.runs ? seconds : 0;
}

void virtual_clock_count(volatile int64_t *pauses)
{
    its.pauses = pauses;
}

static void note_pause(void)
{
    if (its.pauses != NULL) {
        ++*its.pauses;
    }
    virtual_clock_pass(its.pause);
}

/* The linker's names for a wrapped function (--wrap) and for what it stands in front of. */
int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __real_nanosleep(const struct timespec *requested, struct timespec *left);
int __real_sched_yield(void);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    if (!its.runs) {
        return __real_clock_gettime(clock, now);
    }
    virtual_clock_pass(its.look);
    now->tv_sec = (time_t)its.now;
    now->tv_nsec = (long)((its.now - (double)now->tv_sec) * 1e9);
    return 0;
}

int __wrap_nanosleep(const struct timespec *requested, struct timespec *left);
int __wrap_nanosleep(const struct timespec *requested, struct timespec *left)
{
    note_pause();
    return __real_nanosleep(requested, left);
}

int __wrap_sched_yield(void);
int __wrap_sched_yield(void)
{
    note_pause();
    return __real_sched_yield();
}
