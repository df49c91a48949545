#ifndef HALOBEAT_PARTITION_BALANCE_LB_LINES_H
#define HALOBEAT_PARTITION_BALANCE_LB_LINES_H

#include <stdint.h>

/* The formulas of the methods LB1 and LB2: units of work shared out so that all ranks finish
 * together. Local and pure; all arrays are [ranks]. */

/* Seconds for n units: fixed + per_unit * n. */
typedef struct {
    double fixed, per_unit; /* per_unit > 0 */
} halo_lb_line;

/* What LB2 measures of a rank. Data are counted in any unit, such as bytes: the paper's is what is
 * sent of a unit of work, both ways, so that unit_out and unit_back are 1 there. */
typedef struct {
    double units;               /* processed */
    double constant_out;        /* data sent out, whatever the units, */
    double constant_back;       /* and back */
    double unit_out, unit_back; /* of each unit of work, besides */
    double transfer_seconds;    /* out and back, delays included (tk) */
    double compute_seconds;     /* (tp) */
    double delay_seconds;       /* of the network, one way (top) */
} halo_lb_measured;

/* LB1: speed is units / seconds; the line has no fixed part. */
halo_lb_line halo_lb1_line(double units, double seconds);

/* LB2, the paper's equations 8 to 10: all transfer is at one speed, so that the fixed part is both
 * delays and the constant parts' transfer, and a unit takes its transfer both ways and its
 * processing. */
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
