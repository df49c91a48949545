#include "base/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void halo_values_sort(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
}

/* Between two of the sorted samples, where it falls between them. */
static double quantile(const double *sorted, int count, double share)
{
    double place = share * (count - 1);
    int below = (int)place;
    int above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

halo_sample_spread halo_sample_spread_of(const double *samples, int count)
{
    double sorted[HALO_SAMPLES_MAX];
    memcpy(sorted, samples, (size_t)count * sizeof *sorted);
    halo_values_sort(sorted, count);
    halo_sample_spread spread = {.median = quantile(sorted, count, .5),
                                 .low = quantile(sorted, count, .25),
                                 .high = quantile(sorted, count, .75)};
    for (int i = 0; i < count; i++) {
        sorted[i] = fabs(samples[i] - spread.median);
    }
    halo_values_sort(sorted, count);
    spread.deviation = quantile(sorted, count, .5);
    return spread;
}

/* By size; what is the same shares the mean of its ranks, so that twice a rank is a whole number.
 * Differences of 0 say nothing and are left out. Returns how many there are. */
static int rank_differences(const double *a, const double *b, int count, double *differences,
                            int *twice)
{
    int many = 0;
    for (int i = 0; i < count; i++) {
        if (a[i] != b[i]) {
            differences[many++] = a[i] - b[i];
        }
    }
    for (int i = 0; i < many; i++) {
        int smaller = 0, equal = 0;
        for (int j = 0; j < many; j++) {
            smaller += fabs(differences[j]) < fabs(differences[i]);
            equal += fabs(differences[j]) == fabs(differences[i]);
        }
        twice[i] = 2 * smaller + equal + 1;
    }
    return many;
}

double halo_samples_chance(const double *a, const double *b, int count)
{
    enum { MAX_SUM = HALO_SAMPLES_MAX * (HALO_SAMPLES_MAX + 1) };
    double differences[HALO_SAMPLES_MAX];
    int twice[HALO_SAMPLES_MAX];
    int many = rank_differences(a, b, count, differences, twice);
    /* share[s]: of all ways to choose signs, those whose ranks with a plus add up to s / 2. */
    double share[MAX_SUM + 1] = {1};
    int all = 0, above = 0;
    for (int i = 0; i < many; i++) {
        for (int sum = all + twice[i]; sum >= 0; sum--) {
            double without = sum <= all ? share[sum] : 0;
            double with = sum >= twice[i] ? share[sum - twice[i]] : 0;
            share[sum] = (without + with) / 2;
        }
        all += twice[i];
        above += differences[i] > 0 ? twice[i] : 0;
    }
    int min = above < all - above ? above : all - above;
    double chance = 0;
    for (int sum = 0; sum <= min; sum++) {
        chance += 2 * share[sum];
    }
    return chance < 1 ? chance : 1;
}

/* Do the ranks of the differences speak for a? Medians alone may say the contrary. */
static bool is_ahead(const double *a, const double *b, int count)
{
    double differences[HALO_SAMPLES_MAX];
    int twice[HALO_SAMPLES_MAX];
    int many = rank_differences(a, b, count, differences, twice);
    int balance = 0;
    for (int i = 0; i < many; i++) {
        balance += differences[i] < 0 ? twice[i] : -twice[i];
    }
    return balance > 0;
}

bool halo_samples_faster(const double *a, const double *b, int count)
{
    double mine = halo_sample_spread_of(a, count).median,
           other = halo_sample_spread_of(b, count).median;
    return mine < other * (1 - HALO_SAMPLES_MIN_GAIN) && is_ahead(a, b, count) &&
           halo_samples_chance(a, b, count) < HALO_SAMPLES_CHANCE;
}

int halo_samples_fastest(const double *const *samples, int many, int count, bool *same)
{
    int best = 0;
    double min = INFINITY;
    for (int i = 0; i < many; i++) {
        double median = halo_sample_spread_of(samples[i], count).median;
        if (median < min) {
            min = median;
            best = i;
        }
    }
    for (int i = 0; i < many; i++) {
        same[i] = i == best || !halo_samples_faster(samples[best], samples[i], count);
    }
    return best;
}
