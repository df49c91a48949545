#define _GNU_SOURCE /* sched_setaffinity, program_invocation_short_name */
#include "tests/bench/measure.h"

#include <errno.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void measure_check(halo_status status, const char *what)
{
    if (status != HALO_OK) {
        fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, halo_last_message());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

void measure_pin(const halo_world *world)
{
    cpu_set_t all, one;
    int place = 0;
    if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < halo_world_ranks(world)) {
        return;
    }
    CPU_ZERO(&one);
    for (size_t c = 0; c < CPU_SETSIZE; c++) {
        if (CPU_ISSET(c, &all) && place++ == halo_world_rank(world)) {
            CPU_SET(c, &one);
        }
    }
    sched_setaffinity(0, sizeof one, &one);
}

double measure_processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double measure_median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, compare);
    return values[n / 2];
}
