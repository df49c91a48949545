#include "partition/balance/alarm.h"

#include <math.h>

/* With n even, c = n / (n + t^2), the chance is sqrt(1 - c) / 2 times the terms from the (n / 2)-th
 * on of the series of 1 / sqrt(1 - c) (Abramowitz and Stegun 26.7.4, whose sum has the terms before
 * them): all are positive, so that nothing cancels however small the chance is. */
double halo_alarm_tail(double errors, double freedom)
{
    static const double rounding = 1e-17;
    double most = fmin(fmax(freedom, 2), HALO_ALARM_FREEDOM);
    int half = (int)(most / 2);
    double square = errors * errors, all = 2. * half + square;
    double c = 2. * half / all, term = 1, sum = 0;
    for (int k = 1; k <= half; k++) {
        term *= c * (2. * k - 1) / (2. * k);
    }
    for (int k = half + 1; term > rounding * (1 - c) * sum; k++) {
        sum += term;
        term *= c * (2. * k - 1) / (2. * k);
    }
    return sqrt(square / all) / 2 * sum;
}

double halo_alarm_chance(double alarms, int ranks, double plan)
{
    double each = 1. / HALO_ALARM_PLANS + 1 / (plan * (plan + 1));
    return alarms / 2 / 2 / ranks * each / 2;
}

double halo_alarm_errors(double chance, double freedom)
{
    enum { BISECTIONS = 24 };
    double low = 1, high = 2;
    while (halo_alarm_tail(high, freedom) > chance) {
        low = high;
        high *= 2;
    }
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = (low + high) / 2;
        if (halo_alarm_tail(middle, freedom) > chance) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

double halo_alarm_freedom(int64_t supersteps)
{
    return supersteps > 1 ? 8 / (3 + 2 / ((double)supersteps - 1)) : 2. / 3;
}

/* ((k - 1) / (e N))^(k - 1) */
static double worst_chance(double measured, double times)
{
    static const double e = 2.718281828459045;
    double one = (times - 1) / (e * (measured > 1 ? measured : 1)), all = 1;
    for (int i = 1; i < (int)times && all > 0; i++) {
        all *= one;
    }
    return all;
}

static double learnt_chance(const halo_alarm_history *history, int times)
{
    double all = (double)HALO_ALARM_PLANS * history->ranks;
    for (int i = 0; i < times; i++) {
        all *= (history->interrupted + i) / (history->measured + i);
    }
    return all;
}

bool halo_alarm_is_change(const halo_alarm_history *history, double alarms, int measurements,
                          double supersteps)
{
    return worst_chance(history->all, supersteps) <= alarms / 2 &&
           (history->measured <= 0 || learnt_chance(history, measurements) <= alarms / 2);
}
