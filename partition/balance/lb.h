#ifndef HALOBEAT_PARTITION_BALANCE_LB_H
#define HALOBEAT_PARTITION_BALANCE_LB_H

#include <stdint.h>

/* The formulas of the methods LB1 and LB2: units of work shared out so that all ranks finish
 * together. Local and pure; all arrays are [ranks]. */

/* Seconds for n units: fixed + per_unit * n. */
typedef struct {
    double fixed, per_unit; /* per_unit > 0 */
} halo_lb_line;

/* What LB2 measures of a rank that is sent its units and sends back as many. */
typedef struct {
    double units;            /* processed */
    double units_out;        /* constant part sent out, in units */
    double units_back;       /* constant part sent back, in units */
    double transfer_seconds; /* out and back */
    double compute_seconds;
    double delay_seconds; /* of the network, one way */
} halo_lb_measured;

/* LB1: speed is units / seconds; the line has no fixed part. */
halo_lb_line halo_lb1_line(double units, double seconds);

/* LB2: the fixed part is both delays and the constant units' transfer; each unit is transferred
 * both ways and processed. */
halo_lb_line halo_lb2_line(const halo_lb_measured *measured);

/* LB2's delay from the acknowledgement of what was sent out, which arrives
 * `acknowledge_seconds` after the sending began: what comes after it is the way back, whose speed
 * is also the way out's. At least 0, at most half the acknowledgement's time. */
double halo_lb2_delay(const halo_lb_measured *measured, double acknowledge_seconds);

/* Shares of `total` units with which all finish together, none below `min` (total >= ranks *
 * min): those below are fixed there and the rest shared out again, at most `ranks` times.
 * Returns the seconds of those not fixed. */
double halo_lb_share(const halo_lb_line *lines, int ranks, double total, double min,
                     double *shares);

/* Whole units: shares rounded down, then each unit left over to the rank that would then be first
 * to finish. */
void halo_lb_whole(const halo_lb_line *lines, int ranks, int64_t total, const double *shares,
                   int64_t *units);

#endif
