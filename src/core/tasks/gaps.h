#ifndef HALOBEAT_CORE_TASKS_GAPS_H
#define HALOBEAT_CORE_TASKS_GAPS_H

#include <stdint.h>

/* How long a request waits until it is seen: from times in which a rank does not look for messages.
 * All functions are local. */

enum { TASK_GAP_BINS = 64 };

/* Zero-initialise it. */
typedef struct {
    int64_t count[TASK_GAP_BINS];
    double seconds[TASK_GAP_BINS]; /* sums; bins grow by a third, from a microsecond */
    double longest;
} task_gaps;

/* One more, of so many seconds. */
void task_gaps_add(task_gaps *gaps, double seconds);

/* What a share of requests, above 0, below 1, waits at most, if they come at any moment of `total`
 * seconds, at which none waits but in these times: to within a third. */
double task_gaps_wait(const task_gaps *gaps, double total, double share);

#endif
