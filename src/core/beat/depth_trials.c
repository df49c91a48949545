#include "core/beat/depth_trials.h"

#include "base/minmax.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* A shorter beat that is worth making other fields. */
static const double worth = .9;

/* Times the prediction that ask for another depth to be tried. */
static const double surprising = 1.25;

/* Times the seconds before, or a fraction of them, after which nothing old holds. */
static const double changed = 1.5;

static double predict(const halo_depth_range *range, int beats)
{
    halo_workload workload = *range->workload;
    workload.beats = beats;
    return halo_model_predict(range->machine, &workload, range->parts).seconds;
}

/* Return the ratio of the larger to the smaller: 1 if they are equal. */
static double ratio_of(double a, double b)
{
    return fmax(a / b, b / a);
}

/* The trial nearest to so many beats; -1 where there is none. */
static int find_nearest(const halo_depth_trials *trials, int beats)
{
    int nearest = -1;
    double least = INFINITY;
    for (int i = 0; i < trials->count; i++) {
        double distance = ratio_of(trials->tried[i].beats, beats);
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    return nearest;
}

/* A full table forgets its oldest entry. */
static void append(halo_depth_trials *trials, int beats, double seconds)
{
    if (trials->count == HALO_DEPTH_TRIALS) {
        trials->count--;
        memmove(trials->tried, trials->tried + 1, sizeof trials->tried[0] * (size_t)trials->count);
    }
    trials->tried[trials->count].beats = beats;
    trials->tried[trials->count++].seconds = seconds;
}

void halo_depth_trials_note(halo_depth_trials *trials, int beats, double seconds)
{
    int i = find_nearest(trials, beats);
    if (i < 0 || trials->tried[i].beats != beats) {
        append(trials, beats, seconds);
    } else if (ratio_of(trials->tried[i].seconds, seconds) > changed) {
        trials->count = 0;
        append(trials, beats, seconds);
    } else {
        trials->tried[i].seconds = seconds;
    }
}

double halo_depth_trials_expect(const halo_depth_trials *trials, const halo_depth_range *range,
                                int beats)
{
    int i = find_nearest(trials, beats);
    if (i < 0) {
        return predict(range, beats);
    }
    int tried = trials->tried[i].beats;
    return tried == beats
               ? trials->tried[i].seconds
               : predict(range, beats) * trials->tried[i].seconds / predict(range, tried);
}

/* The depth with the shortest expected beat: one that was tried, or what the model says. */
static int find_best(const halo_depth_trials *trials, const halo_depth_range *range)
{
    int best = halo_model_best_beats(range->machine, range->workload, range->parts, range->min,
                                     range->max);
    double least = halo_depth_trials_expect(trials, range, best);
    for (int i = 0; i < trials->count; i++) {
        int beats = trials->tried[i].beats;
        if (beats >= range->min && beats <= range->max && trials->tried[i].seconds < least) {
            best = beats;
            least = trials->tried[i].seconds;
        }
    }
    return best;
}

/* Has nothing near it been tried? */
static bool is_unknown(const halo_depth_trials *trials, int beats)
{
    static const double near = 1.5;
    int i = find_nearest(trials, beats);
    return i < 0 || ratio_of(trials->tried[i].beats, beats) > near;
}

int halo_depth_trials_choose(const halo_depth_trials *trials, const halo_depth_range *range,
                             int now)
{
    int best = find_best(trials, range);
    if (now < range->min || now > range->max) {
        return best;
    }
    double expected = halo_depth_trials_expect(trials, range, now);
    double least = fmin(worth * expected, expected - range->change);
    if (halo_depth_trials_expect(trials, range, best) < least) {
        return best;
    }
    double explained = fmin(expected / surprising, expected - range->change);
    if (predict(range, now) < explained) {
        int fewer = (int)halo_max(now / 2, range->min), more = (int)halo_min(2 * now, range->max);
        if (is_unknown(trials, fewer)) {
            return fewer;
        }
        if (is_unknown(trials, more)) {
            return more;
        }
    }
    return now;
}
