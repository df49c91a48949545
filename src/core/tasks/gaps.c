#include "core/tasks/gaps.h"

#include <math.h>

static const double first = 1e-6, growth = 4. / 3;

static double end_of_bin(int bin)
{
    return first * pow(growth, bin);
}

void task_gaps_add(task_gaps *gaps, double seconds)
{
    double place = seconds > first ? ceil(log(seconds / first) / log(growth)) : 0;
    int bin = (int)fmin(place, TASK_GAP_BINS - 1);
    gaps->count[bin]++;
    gaps->seconds[bin] += seconds;
    gaps->longest = fmax(gaps->longest, seconds);
}

/* A request that arrives in the first g - t of a gap's g seconds waits for longer than t. */
double task_gaps_wait(const task_gaps *gaps, double total, double share)
{
    double longer = 0, count = 0, wait = gaps->longest;
    for (int bin = TASK_GAP_BINS - 1; bin >= 0; bin--) {
        longer += gaps->seconds[bin];
        count += (double)gaps->count[bin];
        double begin = bin > 0 ? end_of_bin(bin - 1) : 0;
        /* The left side is the time that gaps from this bin on last after their first `begin`. */
        if (longer - count * begin > (1 - share) * total) {
            return fmin((longer - (1 - share) * total) / count, wait);
        }
        wait = fmin(wait, begin);
    }
    return 0;
}
