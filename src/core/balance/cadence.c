#include "core/balance/balancing_internal.h"

#include "base/minmax.h"
#include "core/world/clock.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>

/* When to plan: by the count of beats, which all ranks share, so that as many of them take the time
 * that is wanted, as measured with all waiting since the last plan; and by the clock, where beats
 * have become longer since. */

/* Share of the time that planning may cost, as long as that leaves a plan every so often. */
static const double allowed = .005;

/* Seconds between plans, at least: at first, and later. Slices of time that an operating system
 * gives out tell nothing of a rank, and virtual machines may be held up for tens of milliseconds; a
 * plan also leaves a cold cache behind, which costs more than the plan. */
static const double first_interval = .005, later_interval = .05;

/* And at most, whatever plans cost: with the supersteps until it is seen that time is up and until
 * all ranks have agreed, 2 seconds. */
static const double max_interval = 1.5;

/* A standard error of a rank's time, relative to the longest, with which it is known well enough.
 * Where it is larger, programs or limits on processor time interrupt that rank, and more of that
 * must be seen before it is known how much is left. */
static const double known_well = .05, known_at_all = .1;

double halo_balancing_longest_plan(const halo_balancing *balancing)
{
    return halo_balancing_largest(balancing, offsetof(load_packet, overhead));
}

void halo_balancing_begin_cadence(halo_balancing *balancing)
{
    balancing->cadence = (plan_cadence){.interval = later_interval,
                                        .begun = halo_seconds(),
                                        .last = halo_world_beats(balancing->world),
                                        .next = halo_world_beats(balancing->world) +
                                                halo_max(1, balancing->options.every),
                                        .urgent = FIRST_PLANS};
}

static double noise_of(const halo_balancing *balancing)
{
    double longest = halo_balancing_largest(balancing, offsetof(load_packet, compute));
    return longest > 0 ? halo_balancing_largest(balancing, offsetof(load_packet, noise)) / longest
                       : 0;
}

bool halo_balancing_knows_enough(const halo_balancing *balancing)
{
    return balancing->options.every > 0 || noise_of(balancing) <= known_at_all ||
           balancing->cadence.interval >= max_interval;
}

void halo_balancing_schedule(halo_balancing *balancing)
{
    plan_cadence *cadence = &balancing->cadence;
    double beat = halo_balancing_largest(balancing, offsetof(load_packet, beat_seconds));
    double interval = cadence->interval;
    interval = noise_of(balancing) > known_well ? 2 * interval : interval / 2;
    cadence->interval = fmin(fmax(interval, later_interval), max_interval);
    double wanted = cadence->urgent > 0
                        ? first_interval
                        : fmax(cadence->interval, halo_balancing_longest_plan(balancing) / allowed);
    double beats = beat > 0 ? floor(fmin(wanted, max_interval) / beat) : 1;
    int64_t chosen = beats < (double)INT_MAX ? (int64_t)fmax(beats, 1) : INT_MAX;
    cadence->urgent -= cadence->urgent > 0;
    cadence->next =
        cadence->last + (balancing->options.every > 0 ? balancing->options.every : chosen);
}

bool halo_balancing_is_overdue(const halo_balancing *balancing)
{
    return balancing != NULL && balancing->options.every == 0 && balancing->step == PLAN_NONE &&
           halo_seconds() - balancing->cadence.begun > max_interval;
}
