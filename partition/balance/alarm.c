#include "partition/balance/alarm.h"

/* exp(-x) for x >= 0: the root's series, squared again and again. */
static double exp_minus(double x)
{
    enum { TERMS = 12, SQUARINGS = 12 };
    double part = x / (1 << SQUARINGS), term = 1, sum = 1;
    for (int i = 1; i <= TERMS; i++) {
        term *= part / i;
        sum += term;
    }
    double result = 1 / sum;
    for (int i = 0; i < SQUARINGS; i++) {
        result *= result;
    }
    return result;
}

/* Laplace's continued fraction for the ratio of Mills. */
double halo_alarm_tail(double deviates)
{
    enum { LEVELS = 200 };
    static const double root_of_two_pi = 2.5066282746310002;
    double rest = deviates;
    for (int i = LEVELS; i > 0; i--) {
        rest = deviates + i / rest;
    }
    return exp_minus(deviates * deviates / 2) / root_of_two_pi / rest;
}

double halo_alarm_errors(double alarms, int ranks)
{
    enum { BISECTIONS = 40 };
    double chance = alarms / 2 / ((double)HALO_ALARM_PLANS * ranks), low = 1, high = 38;
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = (low + high) / 2;
        if (halo_alarm_tail(middle) > chance) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

double halo_alarm_student(double errors, double freedom)
{
    return 1 + (errors * errors + 1) / (4 * (freedom > 1 ? freedom : 1));
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
