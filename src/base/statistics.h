#ifndef HALOBEAT_BASE_STATISTICS_H
#define HALOBEAT_BASE_STATISTICS_H

#include <stdbool.h>

/* What repeated measurements say, and what they do not say. All functions are local and pure.
 *
 * Repeats are interleaved: repeat i of everything that is compared was measured in the same round,
 * so that whatever disturbs the machine disturbs all of them. What is judged are therefore the
 * differences within rounds, by the signed-rank test of F. Wilcoxon (Individual Comparisons by
 * Ranking Methods, 1945), with its exact distribution. */

enum { HALO_SAMPLES_MAX = 100 };

/* A difference is real if chance alone would make one as clear in less than 5 of 100 cases
 * (two-sided), and if the medians differ the same way by more than 1 %, since processors' clocks
 * and the placing of pages do by as much. Fewer than 6 repeats can never show a difference. */
#define HALO_SAMPLES_CHANCE   .05
#define HALO_SAMPLES_MIN_GAIN .01
enum { HALO_SAMPLES_MIN = 6 };

/* All of the unit of the samples. */
typedef struct {
    double median, low, high; /* and quartiles, between which half of the repeats lie */
    double deviation;         /* the median of the distances from the median */
} halo_sample_spread;

/* Sorts `values` [count], the smallest first. */
void halo_values_sort(double *values, int count);

/* `samples` [count], 1 to HALO_SAMPLES_MAX of them, stay as they are. */
halo_sample_spread halo_sample_spread_of(const double *samples, int count);

/* The probability that chance alone makes differences as clear as those of a[i] and b[i] [count],
 * or clearer; 1 where all are the same. */
double halo_samples_chance(const double *a, const double *b, int count);

/* Is a [count] really faster (smaller) than b [count]? */
bool halo_samples_faster(const double *a, const double *b, int count);

/* The one of `many` with the lowest median; samples[i] are the [count] of each. same[i] says
 * whether it is not really faster than i; itself included. */
int halo_samples_fastest(const double *const *samples, int many, int count, bool *same);

#endif
