#ifndef HALOBEAT_PARTITION_BALANCE_ALARM_H
#define HALOBEAT_PARTITION_BALANCE_ALARM_H

#include <stdbool.h>
#include <stdint.h>

/* How often noise may move the boundaries of an even load, and what follows from that for the
 * thresholds of `chain`. All functions are local and pure, and use only operations that round the
 * same way on every machine.
 *
 * The rate is stated for a run of R = HALO_ALARM_PLANS plans: in a share of `alarms` of such runs
 * of an even load, boundaries move. Two things can be taken for a change of load; each may cause
 * half of these false alarms, a = alarms / 2.
 *
 * 1. Noise. Plan n compares the time of each of P ranks with what the best cuts would take. Of all
 *    false alarms that noise may cause in a run, this one comparison has the share
 *        (1 / R + 1 / (n (n + 1))) / (2 P),
 *    of which the sum over all is 1 in R plans: one half is spent evenly, the other on the first
 *    plans, since little is known of noise then and what is uneven from the beginning is best
 * mended at once (Lan and DeMets, "Discrete sequential boundaries for clinical trials", 1983). A
 * sum of chances bounds the chance of any, whatever plans have in common, which share measurements.
 *    There are two thresholds, of which a gain must exceed one; so each has half of that chance.
 *    - With the standard error estimated from the differences of measurements, n of them
 *      independent, it is that many errors by Student's distribution with n degrees of freedom.
 *    - As long as these are few, noise is assumed, with the weight of some differences.
 *    With alarms = .001 and 16 ranks each has 1.3e-6 in the second plan and 2.7e-8 in the
 * hundredth, which is 4.7 and 5.5 standard errors if much is known of noise; 6.4 in the latter if n
 * is 50.
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

/* Beyond this Student's distribution is taken for one of so many degrees of freedom: at 6 standard
 * errors that is more than the normal distribution's by less than one in a hundred. */
enum { HALO_ALARM_FREEDOM = 1000 };

/* The chance that noise may have to exceed one of the two thresholds of plan number `plan`, from 1
 * on, for one of `ranks` ranks. `alarms` is the share of all runs, above 0 and at most 1. */
double halo_alarm_chance(double alarms, int ranks, double plan);

/* The chance that a deviate of Student's distribution exceeds `errors`, which is at least 1.
 * `freedom` is rounded down to an even number from 2 to HALO_ALARM_FREEDOM. */
double halo_alarm_tail(double errors, double freedom);

/* Standard errors that noise exceeds with that chance, below .1, where their size is itself
 * estimated from differences with that freedom; at least 1. */
double halo_alarm_errors(double chance, double freedom);

/* How many independent differences one measurement adds to what is known of noise, after the first.
 * Of a single superstep only its difference from the one before is known; such squares, which share
 * measurements, vary by half more than independent ones. A mean of n supersteps has its own error,
 * too, from n - 1 differences. The mean of both squares varies by (3 + 2 / (n - 1)) / 4 of a
 * variance's square, as that of 8 / (3 + 2 / (n - 1)) differences does. */
double halo_alarm_freedom(int64_t supersteps);

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
