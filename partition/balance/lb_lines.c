#include "partition/balance/lb_lines.h"

#include <math.h>
#include <stdbool.h>

/* A clock too coarse for the work must not make a rank infinitely fast. */
static const double min_seconds = 1e-12;

static double at_least(double value, double min)
{
    return value > min ? value : min;
}

halo_lb_line halo_lb1_line(double units, double seconds)
{
    return (halo_lb_line){0, at_least(seconds / units, min_seconds)};
}

halo_lb_line halo_lb2_line(const halo_lb_measured *measured)
{
    double constant = measured->constant_out + measured->constant_back;
    double each = measured->unit_out + measured->unit_back;
    double delays = 2 * measured->delay_seconds;
    double transferred = constant + each * measured->units;
    double wire = at_least(measured->transfer_seconds - delays, 0);
    double per_datum = transferred > 0 ? wire / transferred : 0;
    double per_unit = each * per_datum + measured->compute_seconds / measured->units;
    return (halo_lb_line){delays + constant * per_datum, at_least(per_unit, min_seconds)};
}

double halo_lb2_delay(const halo_lb_measured *measured, double acknowledge_seconds)
{
    double back = measured->constant_back + measured->unit_back * measured->units;
    double out = measured->constant_out + measured->unit_out * measured->units;
    double after = at_least(measured->transfer_seconds - acknowledge_seconds, 0);
    double on_the_way = back > 0 ? out * (after / back) : 0;
    double delay = (acknowledge_seconds - on_the_way) / 2;
    return at_least(delay, 0);
}

/* Seconds at which those not fixed finish `units` together. */
static double finish(const halo_lb_line *lines, int ranks, const double *shares, double units)
{
    double sum = units, speeds = 0;
    for (int i = 0; i < ranks; i++) {
        if (shares[i] < 0) {
            sum += lines[i].fixed / lines[i].per_unit;
            speeds += 1 / lines[i].per_unit;
        }
    }
    return speeds > 0 ? sum / speeds : 0;
}

double halo_lb_share(const halo_lb_line *lines, int ranks, double total, double min, double *shares)
{
    double left = total, seconds = 0;
    for (int i = 0; i < ranks; i++) {
        shares[i] = -1; /* not fixed */
    }
    for (int pass = 0; pass < ranks; pass++) {
        bool clamped = false;
        seconds = finish(lines, ranks, shares, left);
        for (int i = 0; i < ranks; i++) {
            if (shares[i] < 0 && (seconds - lines[i].fixed) / lines[i].per_unit < min) {
                shares[i] = min;
                left -= min;
                clamped = true;
            }
        }
        if (!clamped) {
            break;
        }
    }
    for (int i = 0; i < ranks; i++) {
        shares[i] = shares[i] < 0 ? (seconds - lines[i].fixed) / lines[i].per_unit : shares[i];
    }
    return seconds;
}

void halo_lb_whole(const halo_lb_line *lines, int ranks, int64_t total, const double *shares,
                   int64_t *units)
{
    int64_t left = total;
    for (int i = 0; i < ranks; i++) {
        /* Rounding in the shares must not hand out more than there is. */
        int64_t whole = (int64_t)floor(at_least(shares[i], 0));
        units[i] = whole < left ? whole : left;
        left -= units[i];
    }
    for (; left > 0; left--) {
        int first = 0;
        double earliest = INFINITY;
        for (int i = 0; i < ranks; i++) {
            double seconds = lines[i].fixed + lines[i].per_unit * (double)(units[i] + 1);
            if (seconds < earliest) {
                first = i;
                earliest = seconds;
            }
        }
        units[first]++;
    }
}
