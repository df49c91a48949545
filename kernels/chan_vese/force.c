#include "kernels/chan_vese/force.h"

#include <stddef.h>

/* Stretches of greys with the same sign, in ascending order. */
enum { MAX_RUNS = 16 };

typedef struct {
    int64_t first, last;
    int sign;
} run;

typedef struct {
    run run[MAX_RUNS];
    int count; /* more than MAX_RUNS: they were too many */
} runs;

static double weighted_square(double lambda, double mean, int64_t grey)
{
    double difference = (double)grey - mean;
    double square = difference * difference;
    return lambda * square;
}

int chan_vese_sign(const chan_vese_force *force, int64_t grey)
{
    double inside = weighted_square(force->lambda1, force->c1, grey);
    double outside = weighted_square(force->lambda2, force->c0, grey);
    double difference = inside - outside;
    return (difference > 0) - (difference < 0);
}

typedef struct {
    double min, max;
} span;

static span span_of(double lambda, double mean, int64_t first, int64_t last)
{
    double a = weighted_square(lambda, mean, first), b = weighted_square(lambda, mean, last);
    span of = {a < b ? a : b, a < b ? b : a};
    if ((double)first <= mean && mean <= (double)last) {
        of.min = 0;
    }
    return of;
}

static void append(runs *into, int64_t first, int64_t last, int sign)
{
    run *before = into->count > 0 && into->count <= MAX_RUNS ? &into->run[into->count - 1] : NULL;
    if (before != NULL && before->sign == sign) {
        before->last = last;
    } else if (into->count < MAX_RUNS) {
        into->run[into->count++] = (run){first, last, sign};
    } else {
        into->count = MAX_RUNS + 1;
    }
}

/* Halves stretches until their signs are known. */
static void find_runs(const chan_vese_force *force, int64_t first, int64_t last, runs *into)
{
    enum { MAX_STRETCHES = 40 }; /* stretches put off: one for each bit of a grey, and some */
    struct {
        int64_t first, last;
    } left[MAX_STRETCHES] = {{first, last}};
    for (int count = 1; count > 0 && into->count <= MAX_RUNS;) {
        count--;
        int64_t a = left[count].first, b = left[count].last;
        span inside = span_of(force->lambda1, force->c1, a, b);
        span outside = span_of(force->lambda2, force->c0, a, b);
        if (a == b) {
            append(into, a, b, chan_vese_sign(force, a));
        } else if (inside.min > outside.max) {
            append(into, a, b, 1);
        } else if (inside.max < outside.min) {
            append(into, a, b, -1);
        } else {
            int64_t middle = a + (b - a) / 2;
            left[count].first = middle + 1;
            left[count++].last = b;
            left[count].first = a;
            left[count++].last = middle;
        }
    }
}

/* The greys of one sign as one stretch, which may go on from 0 beyond the last. False if they are
 * not. */
static bool make_set(const chan_vese_force *force, const runs *all, int sign, chan_vese_set *set)
{
    const uint32_t mask = (uint32_t)((UINT64_C(1) << force->bits) - 1);
    const run *found[2] = {NULL, NULL};
    int count = 0;
    for (int i = 0; i < all->count; i++) {
        if (all->run[i].sign == sign) {
            if (count == 2) {
                return false;
            }
            found[count++] = &all->run[i];
        }
    }
    *set = (chan_vese_set){0};
    if (count == 0) {
        return true;
    }
    const run *low = found[0], *high = found[count - 1];
    int64_t end = low->last;
    if (count == 2) {
        if (low->first != force->min || high->last != force->max) {
            return false;
        }
        end += (int64_t)mask + 1;
    }
    *set =
        (chan_vese_set){(uint32_t)high->first, (uint32_t)(end - high->first) & mask, ~UINT64_C(0)};
    return true;
}

void chan_vese_find_sets(chan_vese_force *force)
{
    runs all = {.count = 0};
    find_runs(force, force->min, force->max, &all);
    force->ties = false;
    for (int i = 0; i < all.count && i < MAX_RUNS; i++) {
        force->ties = force->ties || all.run[i].sign == 0;
    }
    force->scattered = all.count > MAX_RUNS || !make_set(force, &all, -1, &force->in) ||
                       !make_set(force, &all, 1, &force->out);
    for (int64_t grey = force->min; force->scattered && grey <= force->max; grey++) {
        force->signs[grey] = (int8_t)chan_vese_sign(force, grey);
    }
}
