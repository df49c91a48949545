#include "kernels/trace/maths.h"

#include <math.h>
#include <stddef.h>

/* 2^t for -1/2 <= t <= 1/2: the exponential series, to 1e-14. */
static double power_of_two(double t)
{
    static const double of[] = {1.0 / 13, 1.0 / 12, 1.0 / 11, 1.0 / 10, 1.0 / 9, 1.0 / 8, 1.0 / 7,
                                1.0 / 6,  1.0 / 5,  1.0 / 4,  1.0 / 3,  1.0 / 2, 1};
    const double ln2 = 0.69314718055994530942;
    double x = t * ln2, sum = 1;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        sum = 1 + x * sum * of[i];
    }
    return sum;
}

/* The logarithm to base 2 of 1/2 <= m < 1, by that of (1 + s) / (1 - s), to 1e-14. */
static double logarithm(double m)
{
    static const double of[] = {1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9,
                                1.0 / 7,  1.0 / 5,  1.0 / 3,  1};
    const double two_by_ln2 = 2.88539008177792681472, root = 0.70710678118654752440;
    double shift = m < root ? -1 : 0;
    m = m < root ? 2 * m : m;
    double s = (m - 1) / (m + 1), square = s * s, sum = 0;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        sum = sum * square + of[i];
    }
    return shift + two_by_ln2 * s * sum;
}

double trace_power(double x, double y)
{
    const double nothing = -60; /* 2^-60 */
    if (x <= 0) {
        return 0;
    }
    int exponent;
    double m = frexp(x, &exponent);
    double t = y * (exponent + logarithm(m));
    if (!(t > nothing)) {
        return 0;
    }
    double whole = floor(t + 0.5);
    return ldexp(power_of_two(t - whole), (int)whole);
}

double trace_tangent(double degrees)
{
    enum { TERMS = 40 };
    const double half_circle = 180, pi = 3.14159265358979323846;
    double x = degrees * (pi / half_circle), sine = 1, cosine = 1;
    for (int n = TERMS; n > 0; n -= 2) {
        sine = 1 - sine * x * x / (n * (n + 1));
        cosine = 1 - cosine * x * x / (n * (n - 1));
    }
    return x * sine / cosine;
}
