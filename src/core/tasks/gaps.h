#ifndef HALOBEAT_CORE_TASKS_GAPS_H
#define HALOBEAT_CORE_TASKS_GAPS_H

#include <stdint.h>

/* How long a request waits until it is seen, derived from the intervals in which a rank does not
 * poll for messages. All functions are local. */

enum { TASK_GAP_BINS = 64 };

/* A histogram. Zero-initialise it. */
typedef struct {
    int64_t count[TASK_GAP_BINS];
    double seconds[TASK_GAP_BINS]; /* sums; bins grow by a third, from a microsecond on */
    double longest;
} task_gaps;

/* Adds an interval of `seconds`. */
void task_gaps_add(task_gaps *gaps, double seconds);

/* The time within which a share (between 0 and 1) of requests is seen, to within a third, if they
 * arrive at random moments of `total` seconds and wait only in these intervals. */
double task_gaps_wait(const task_gaps *gaps, double total, double share);

#endif
