#ifndef HALOBEAT_PARTITION_BALANCE_ALARM_H
#define HALOBEAT_PARTITION_BALANCE_ALARM_H

#include <stdbool.h>
#include <stdint.h>

/* The rate of false alarms, in which the cuts of an even load move, and the thresholds of `chain`
 * that follow from it. All functions are local and pure, and use only operations that round alike
 * on every machine.
 *
 * The rate is that of a run of R = HALO_ALARM_PLANS plans: the share of such runs of an even load
 * in which cuts move is at most `alarms`. Noise and interruptions can be taken for a change of
 * load; each may cause half of the false alarms, a = alarms / 2.
 *
 * 1. Noise. Plan n compares the time of each of P ranks with the time for the best cuts. The share
 *    of this comparison in all false alarms by noise in a run is
 *        (1 / R + 1 / (n (n + 1))) / (2 P),
 *    whose sum over R plans is 1. One half is spent evenly, the other on the first plans, since
 *    little is known of noise then, and an uneven load at the start is best corrected at once (Lan
 *    and DeMets, "Discrete sequential boundaries for clinical trials", 1983). The sum of the
 *    probabilities bounds the probability of any false alarm, although plans share measurements. A
 *    gain must exceed one of two thresholds; each has half of that probability.
 *    - With the standard error estimated from n independent differences of measurements, the
 *      threshold is a number of errors by Student's distribution with n degrees of freedom.
 *    - While n is small an assumed noise is used, with the weight of some differences.
 *    With alarms = .001 and 16 ranks each has 1.3e-6 in the second plan and 2.7e-8 in the
 *    hundredth. That is 4.7 and 5.5 standard errors if noise is well known; 6.4 in the latter if n
 *    is 50.
 *
 * 2. Interruptions: temporary jumps larger than any noise. A jump must be measured k times in a
 *    row. How often does that happen by chance if each measurement is interrupted with an unknown
 *    probability p? Let N be the measurements of all ranks so far, h of them in temporary jumps.
 *    - While h = 0 it is only known that p is small. From N on, and until the first temporary
 *      jump, the expected number of k interruptions in a row is
 *          sum over n >= N of p^k (1 - p)^n = p^(k - 1) exp(-p N),
 *      with the maximum ((k - 1) / (e N))^(k - 1) at p = (k - 1) / N, for the worst machine. For
 *      alarms = .001 two in a row suffice after 736 measurements, three after 33.
 *    - With h > 0 the probability that the next k are interrupted is, by Bayes' rule from the
 *      prior 1 / p, h (h + 1) ... (h + k - 1) / (N (N + 1) ... (N + k - 1)); in a run that happens
 *      P R times as often.
 *    Both must be at most a. */

enum { HALO_ALARM_PLANS = 300 };

/* Default of `alarms`. */
#define HALO_ALARM_RATE 1e-3

/* Student's distribution with more degrees of freedom is computed with this number; at 6 standard
 * errors that exceeds the normal distribution by less than 1 %. */
enum { HALO_ALARM_FREEDOM = 1000 };

/* The probability with which noise may exceed one of the two thresholds of plan number `plan`, from
 * 1, for one of `ranks` ranks. `alarms` is the share of runs, above 0 and at most 1. */
double halo_alarm_chance(double alarms, int ranks, double plan);

/* The probability that a deviate of Student's distribution exceeds `errors`, which is at least 1.
 * `freedom` is rounded down to an even number from 2 to HALO_ALARM_FREEDOM. */
double halo_alarm_tail(double errors, double freedom);

/* The number of standard errors, at least 1, that noise exceeds with this probability (below .1),
 * if the standard error is estimated from differences with that many degrees of freedom. */
double halo_alarm_errors(double chance, double freedom);

/* The number of independent differences that one measurement after the first adds to the estimate
 * of noise. A single superstep gives its difference from the one before; the squares of such
 * differences, which share measurements, vary by half more than independent ones. A mean of n
 * supersteps also has its own standard error, from n - 1 differences. The mean of both squares
 * varies by (3 + 2 / (n - 1)) / 4 of the square of a variance, like that of 8 / (3 + 2 / (n - 1))
 * differences. */
double halo_alarm_freedom(int64_t supersteps);

/* History of interruptions. */
typedef struct {
    double all;         /* measurements of all ranks since the start */
    double measured;    /* the same with less weight for older ones: N of the second rule */
    double interrupted; /* of these, measurements in temporary jumps: h */
    int ranks;          /* P */
} halo_alarm_history;

/* True if a jump that was measured `measurements` times in a row, in `supersteps` supersteps, is
 * too unlikely to be an interruption. As long as there were no interruptions every superstep
 * counts, afterwards every measurement. */
bool halo_alarm_is_change(const halo_alarm_history *history, double alarms, int measurements,
                          double supersteps);

#endif
