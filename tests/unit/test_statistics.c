#include "base/statistics.h"
#include "support/images.h"
#include "support/unit_check.h"

enum { CASES = 400, MAX_TRIED = 12 };

TEST("medians and quartiles")
{
    static const struct {
        double samples[5];
        int count;
        halo_sample_spread spread;
    } cases[] = {{{5, 1, 4, 2, 3}, 5, {.median = 3, .low = 2, .high = 4, .deviation = 1}},
                 {{10, 0, 4, 6}, 4, {.median = 5, .low = 3, .high = 7, .deviation = 3}},
                 {{10, 0, 4, 6}, 1, {.median = 10, .low = 10, .high = 10, .deviation = 0}},
                 /* One that was disturbed changes little. */
                 {{1, 1, 1000, 1, 1}, 5, {.median = 1, .low = 1, .high = 1, .deviation = 0}}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const halo_sample_spread *wanted = &cases[i].spread;
        halo_sample_spread got = halo_sample_spread_of(cases[i].samples, cases[i].count);
        check(got.median == wanted->median && got.low == wanted->low && got.high == wanted->high &&
                  got.deviation == wanted->deviation,
              "case %zu: median %g, quartiles %g and %g, deviation %g", i, got.median, got.low,
              got.high, got.deviation);
    }
}

/* All 2^n ways to choose signs, one by one. */
static double chance_by_trying(const double *differences, int count)
{
    double ranks[MAX_TRIED], above = 0, all = 0;
    for (int i = 0; i < count; i++) {
        double smaller = 0, equal = 0;
        for (int j = 0; j < count; j++) {
            smaller += fabs(differences[j]) < fabs(differences[i]);
            equal += fabs(differences[j]) == fabs(differences[i]);
        }
        ranks[i] = smaller + (equal + 1) / 2;
        all += ranks[i];
        above += differences[i] > 0 ? ranks[i] : 0;
    }
    double min = fmin(above, all - above);
    int extreme = 0;
    for (int signs = 0; signs < 1 << count; signs++) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += (signs >> i) & 1 ? ranks[i] : 0;
        }
        extreme += sum <= min;
        extreme += sum >= all - min;
    }
    return fmin(1, (double)extreme / (1 << count));
}

TEST("chance by trying all")
{
    uint64_t random = 1;
    for (int i = 0; i < CASES; i++) {
        int count = 1 + (int)random_below(&random, MAX_TRIED);
        double a[MAX_TRIED], b[MAX_TRIED], differences[MAX_TRIED];
        for (int j = 0; j < count; j++) {
            a[j] = (double)random_below(&random, 20);
            b[j] = a[j] - 1 - (double)random_below(&random, 9);
            if (random_below(&random, 3) == 0) {
                b[j] = a[j] + 1 + (double)random_below(&random, 9);
            }
            differences[j] = a[j] - b[j];
        }
        NEAR(halo_samples_chance(a, b, count), chance_by_trying(differences, count), 1e-12);
    }
}

TEST("is one faster?")
{
    const double a[] = {1, 1.1, .9, 1.2, 1, 1.05, .95}, noise[] = {1.02, 1, 1, 1, 1.1, 1, 1.02};
    double slower[7], hardly[7];
    for (int i = 0; i < 7; i++) {
        slower[i] = a[i] + .05;
        hardly[i] = a[i] * 1.005;
    }
    CU_ASSERT_TRUE(halo_samples_faster(a, slower, 7));
    CU_ASSERT_FALSE(halo_samples_faster(slower, a, 7));
    CU_ASSERT_FALSE(halo_samples_faster(a, slower, 5)); /* five cannot tell */
    CU_ASSERT_TRUE(halo_samples_faster(a, slower, HALO_SAMPLES_MIN));
    CU_ASSERT_FALSE(halo_samples_faster(a, hardly, 7)); /* clear, but half a percent */
    CU_ASSERT_FALSE(halo_samples_faster(a, noise, 7));
    CU_ASSERT_FALSE(halo_samples_faster(noise, a, 7));
}

/* Twelve rounds a little slower and one much faster, which happens to be the median: the ranks say
 * one thing, and the medians the other. */
TEST("medians against ranks")
{
    double a[13], b[13];
    for (int i = 0; i < 13; i++) {
        b[i] = i < 6 ? 1 + i : 4 + i;
        a[i] = b[i] + .01 * (i + 1);
    }
    a[6] = 6.5;
    CU_ASSERT_TRUE(halo_sample_spread_of(a, 13).median < halo_sample_spread_of(b, 13).median * .99);
    CU_ASSERT_TRUE(halo_samples_chance(a, b, 13) < HALO_SAMPLES_CHANCE);
    CU_ASSERT_FALSE(halo_samples_faster(a, b, 13));
    CU_ASSERT_FALSE(halo_samples_faster(b, a, 13));
}

TEST("the winner")
{
    double rows[4][8];
    for (int i = 0; i < 8; i++) {
        double drift = 1 + .3 * i; /* the machine becomes slower while it is measured */
        rows[0][i] = 2 * drift;
        rows[1][i] = 1 * drift;
        rows[2][i] = (i % 2 == 0 ? 1.03 : .99) * drift;
        rows[3][i] = 1.1 * drift;
    }
    const double *samples[] = {rows[0], rows[1], rows[2], rows[3]};
    bool same[4];
    CU_ASSERT_EQUAL(halo_samples_fastest(samples, 4, 8, same), 1);
    CU_ASSERT_TRUE(same[1] && same[2]);
    CU_ASSERT_FALSE(same[0] || same[3]);
    /* With few repeats a best one is named, but nothing is really slower. */
    CU_ASSERT_EQUAL(halo_samples_fastest(samples, 4, 5, same), 1);
    CU_ASSERT_TRUE(same[0] && same[1] && same[2] && same[3]);
    CU_ASSERT_EQUAL(halo_samples_fastest(samples + 3, 1, 8, same), 0);
    CU_ASSERT_TRUE(same[0]);
}
