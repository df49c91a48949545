#ifndef HALOBEAT_PARTITION_BALANCE_ALARM_H
#define HALOBEAT_PARTITION_BALANCE_ALARM_H

#include <stdbool.h>

/* How often noise may move the boundaries of an even load, and what follows from that for the
 * thresholds of `chain`. All functions are local and pure, and use only operations that round the
 * same way on every machine.
 *
 * The rate is stated for a run of R = HALO_ALARM_PLANS plans: in a share of `alarms` of such runs
 * of an even load, boundaries move. Two things can be taken for a change of load; each may cause
 * half of these false alarms, a = alarms / 2.
 *
 * 1. Noise. A plan compares the time of each of P ranks with what the best cuts would take. A
 *    threshold of z standard errors is exceeded by chance in fewer than R P Q(z) of all runs, Q
 *    being the upper tail of the normal distribution (a union bound: it holds whatever the
 *    correlation between plans, which share measurements). So Q(z) = a / (R P).
 *    For alarms = .001 and 16 ranks z is 5.2. With the
 *    standard error itself estimated from n differences, z grows by the first term of the expansion
 *    of Student's quantiles, (z^2 + 1) / (4 n) of itself.
 *
 * 2. Interruptions: jumps, beyond any noise, that go away again. A jump must be confirmed by being
 *    measured k times in a row. The question is how often that is, if each measurement is
 *    interrupted with a probability p that has to be learnt. Let N be the measurements of all ranks
 *    so far, h of them in jumps that went away.
 *    - While h = 0 nothing is known of p but that it is small. From N on, and until the first
 *      jump that goes away, the expected number of k interruptions in a row is
 *          sum over n >= N of p^k (1 - p)^n = p^(k - 1) exp(-p N),
 *      largest for p = (k - 1) / N: ((k - 1) / (e N))^(k - 1), for the worst machine there is.
 *      For alarms = .001 two in a row suffice after 736 measurements, three after 33.
 *    - With h > 0 the probability of the next k being interrupted is, by Bayes' rule from the prior
 *      1 / p, h (h + 1) ... (h + k - 1) / (N (N + 1) ... (N + k - 1)); in a run that happens P R
 *      times as often.
 *    Both must be at most a. */

enum { HALO_ALARM_PLANS = 300 };

/* The default of `alarms`. */
#define HALO_ALARM_RATE 1e-3

/* The chance that a normal deviate exceeds `deviates`, which is at least 1. */
double halo_alarm_tail(double deviates);

/* Standard errors z that noise exceeds with a false alarm in a share of `alarms` of all runs, above
 * 0 and at most 1. */
double halo_alarm_errors(double alarms, int ranks);

/* By what factor that many errors must be more, where the standard error is estimated from
 * `freedom` differences; fewer than one count as one. */
double halo_alarm_student(double errors, double freedom);

/* What is known of interruptions. */
typedef struct {
    double all;         /* measurements of all ranks since it began, */
    double measured;    /* and with older ones counting less: N of the second rule, */
    double interrupted; /* and of these in jumps that went away, h */
    int ranks;          /* P */
} halo_alarm_history;

/* Is a jump that has been measured `measurements` times in a row, and has shown in `supersteps`
 * supersteps of these, too rare to be interruptions? While nothing was ever interrupted every
 * superstep counts, otherwise every measurement. */
bool halo_alarm_is_change(const halo_alarm_history *history, double alarms, int measurements,
                          double supersteps);

#endif
