#ifndef HALOBEAT_CLI_BENCH_STATISTICS_H
#define HALOBEAT_CLI_BENCH_STATISTICS_H

#include <stdbool.h>

/* What repeated measurements say, and what they do not say. All functions are local and pure.
 *
 * Repeats are interleaved: repeat i of everything that is compared was measured in the same round,
 * so that whatever disturbs the machine disturbs all of them. What is judged are therefore the
 * differences within rounds, by the signed-rank test of F. Wilcoxon (Individual Comparisons by
 * Ranking Methods, 1945), with its exact distribution. */

enum { BENCH_MOST_REPEATS = 100 };

/* A difference is real if chance alone would make one as clear in less than 5 of 100 cases
 * (two-sided), and if the medians differ the same way by more than 1 %, since processors' clocks
 * and the placing of pages do by as much. Fewer than 6 repeats can never tell. */
#define BENCH_CHANCE     .05
#define BENCH_LEAST_GAIN .01
enum { BENCH_LEAST_REPEATS = 6 };

typedef struct {
    double median, low, high; /* and quartiles, between which half of the repeats lie */
    double deviation;         /* the median of the distances from the median */
} bench_spread;

/* `samples` [count], 1 to BENCH_MOST_REPEATS of them, stay as they are. */
bench_spread bench_spread_of(const double *samples, int count);

/* How probable are differences as clear as those of a[i] and b[i] [count], or clearer, if nothing
 * but chance makes them? 1 where all are the same. */
double bench_chance(const double *a, const double *b, int count);

/* Is a really faster (smaller) than b? */
bool bench_is_faster(const double *a, const double *b, int count);

/* The one of `many` with the least median; samples[i] are the [count] of each. same[i] tells those
 * that it is not really faster than, itself included. */
int bench_winner(const double *const *samples, int many, int count, bool *same);

#endif
