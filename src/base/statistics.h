#ifndef HALOBEAT_BASE_STATISTICS_H
#define HALOBEAT_BASE_STATISTICS_H

#include <stdbool.h>

/* Statistics of repeated measurements. All functions are local and pure.
 *
 * Repeats are interleaved: repeat i of everything that is compared was measured in the same round,
 * so that disturbances of the machine affect all of them. Differences within rounds are therefore
 * tested, by the signed-rank test of F. Wilcoxon (Individual Comparisons by Ranking Methods, 1945),
 * with its exact distribution. */

enum { HALO_SAMPLES_MAX = 100 };

/* A difference is significant if it, or a larger one, has a probability below 5 % by chance
 * (two-sided), and if the medians differ in the same direction by more than 1 %, which is also the
 * effect of clock frequencies and of the placement of pages. With fewer than 6 repeats no
 * difference is significant. */
#define HALO_SAMPLES_CHANCE   .05
#define HALO_SAMPLES_MIN_GAIN .01
enum { HALO_SAMPLES_MIN = 6 };

/* In the unit of the samples. */
typedef struct {
    double median, low, high; /* median and quartiles */
    double deviation;         /* median absolute deviation from the median */
} halo_sample_spread;

/* Sorts `values` [count] in ascending order. */
void halo_values_sort(double *values, int count);

/* Statistics of `samples` [count], 1 to HALO_SAMPLES_MAX, which are not changed. */
halo_sample_spread halo_sample_spread_of(const double *samples, int count);

/* The probability of differences between a[i] and b[i] [count] at least as large by chance; 1 if
 * all are equal. */
double halo_samples_chance(const double *a, const double *b, int count);

/* True if a [count] is significantly faster (smaller) than b [count]. */
bool halo_samples_faster(const double *a, const double *b, int count);

/* The index with the lowest median among `many` sets of samples, samples[i] [count]. same[i] is
 * true if it is not significantly faster than set i, as for itself. */
int halo_samples_fastest(const double *const *samples, int many, int count, bool *same);

#endif
