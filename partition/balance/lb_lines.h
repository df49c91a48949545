#ifndef HALOBEAT_PARTITION_BALANCE_LB_LINES_H
#define HALOBEAT_PARTITION_BALANCE_LB_LINES_H

#include <stdint.h>

/* The formulas of the methods LB1 and LB2: shares of units of work with which all ranks finish at
 * the same time. Local and pure; all arrays are [ranks]. */

/* Predicted seconds for n units: fixed + per_unit * n. */
typedef struct {
    double fixed, per_unit; /* per_unit is above 0 */
} halo_lb_line;

/* LB2 measures these numbers on a rank. Data may be counted in any unit, for instance bytes. In
 * the paper the unit is the data sent for a unit of work in both directions, so that unit_out and
 * unit_back are 1. */
typedef struct {
    double units;               /* units of work done */
    double constant_out;        /* data sent to the rank, whatever its units */
    double constant_back;       /* data returned by the rank, whatever its units */
    double unit_out, unit_back; /* data sent and returned for each unit of work */
    double transfer_seconds;    /* in both directions, with delays (tk in the paper) */
    double compute_seconds;     /* (tp in the paper) */
    double delay_seconds;       /* delay of the network in one direction (top in the paper); see
                                 * halo_lb2_delay */
} halo_lb_measured;

/* LB1: the line without a fixed part through (units, seconds). */
halo_lb_line halo_lb1_line(double units, double seconds);

/* LB2, equations 8 to 10 of the paper: data travel at one speed in both directions. The fixed part
 * is both delays and the transfer of the constant parts; a unit costs its transfer in both
 * directions and its processing. */
halo_lb_line halo_lb2_line(const halo_lb_measured *measured);

/* LB2's delay, from the time at which the acknowledgement of the sent data arrived,
 * `acknowledge_seconds` after the sending began. The time after it is that of the return, whose
 * speed is taken for the sending too. At least 0, at most half of acknowledge_seconds. */
double halo_lb2_delay(const halo_lb_measured *measured, double acknowledge_seconds);

/* Divides `total` units so that all ranks finish at the same time and none gets less than `min`
 * (total >= ranks * min). Ranks below `min` are fixed there and the rest is divided again, at most
 * `ranks` times. Returns the seconds of the ranks that are not fixed. */
double halo_lb_share(const halo_lb_line *lines, int ranks, double total, double min,
                     double *shares);

/* Whole units: shares rounded down, then each remaining unit to the rank that would finish
 * first. */
void halo_lb_whole(const halo_lb_line *lines, int ranks, int64_t total, const double *shares,
                   int64_t *units);

#endif
