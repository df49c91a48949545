#ifndef HALOBEAT_BENCH_MEASURE_H
#define HALOBEAT_BENCH_MEASURE_H

#include "base/status.h"
#include "core/world/world.h"

/* What the measuring programs that run under MPI share. */

/* Local. Ends the program on all ranks, with the last message, where `status` is a failure. */
void measure_check(halo_status status, const char *what);

/* Local. A core for each rank, if there are enough: a launcher may start all of them on one. */
void measure_pin(const halo_world *world);

/* Local. What this process has had of processors: what others on the machine do is not in it. */
double measure_processor_seconds(void);

/* Local. The middle one of n > 0 values, the upper of two; sorts them. */
double measure_median(double *values, int n);

#endif
