#include "kernels/walk/walk_estimate.h"

#include "base/minmax.h"
#include "base/option.h"

#include <math.h>

/* ---- tasks ----------------------------------------------------------------------------------- */

int halo_walk_task_size(int64_t walkers)
{
    enum { GROUP = 64, WANTED = 32, MIN = 16 };
    int64_t share = walkers / WANTED / GROUP * GROUP;
    share = share > 0 ? share : (walkers + MIN - 1) / MIN;
    return (int)(share < HALO_WALK_TASK ? share : HALO_WALK_TASK);
}

int64_t halo_walk_tasks(int64_t walkers)
{
    int size = halo_walk_task_size(walkers);
    return (walkers + size - 1) / size;
}

int halo_walk_task_walkers(int64_t walkers, int64_t task)
{
    int64_t size = halo_walk_task_size(walkers);
    return (int)halo_min(size, walkers - task * size);
}

int64_t halo_walk_records(int64_t steps, int64_t every)
{
    return (steps + every - 1) / every;
}

int64_t halo_walk_default_every(int64_t steps)
{
    enum { RECORDS = 64 };
    return (steps + RECORDS - 1) / RECORDS;
}

/* ---- one set of walkers ---------------------------------------------------------------------- */

enum { QUARTER, HALF, WHOLE, TIMES };
enum { MEAN, SQUARE, VARIANCE, SLOPE, BEFORE, CHANGE, FOUND };

/* Sums over walkers: x is a displacement along an axis, y one along the same or another axis. */
typedef struct {
    double x, y, xy;
} moments;

typedef struct {
    const halo_walk_samples *samples;
    int axis, other;
    bool drifts;
    int64_t record[TIMES]; /* -1: the start */
    double steps[TIMES];
} question;

static int64_t steps_of(const halo_walk_samples *samples, int64_t record)
{
    int64_t steps = (record + 1) * samples->every;
    return steps < samples->steps ? steps : samples->steps;
}

static question ask(const halo_walk_samples *samples, int64_t record, int axis, int other,
                    bool drifts)
{
    question q = {.samples = samples,
                  .axis = axis,
                  .other = other,
                  .drifts = drifts,
                  .record[WHOLE] = record};
    for (int i = WHOLE; i >= QUARTER; i--) {
        q.record[i] = i == WHOLE ? record : (int64_t)(q.steps[i + 1] / 2) / samples->every - 1;
        q.steps[i] = q.record[i] >= 0 ? (double)steps_of(samples, q.record[i]) : 0;
    }
    return q;
}

/* Return the index of xx, xy, ... among the sums. */
static int place_of_product(int axes, int axis, int other)
{
    int first = (int)halo_min(axis, other), place = axes;
    for (int a = 0; a < first; a++) {
        place += axes - a;
    }
    return place + (int)halo_max(axis, other) - first;
}

static void add_task(const question *q, int64_t task, double factor, moments sums[TIMES])
{
    const halo_walk_samples *s = q->samples;
    int64_t records = halo_walk_records(s->steps, s->every);
    int width = halo_walk_sums(s->axes), product = place_of_product(s->axes, q->axis, q->other);
    for (int i = 0; i < TIMES; i++) {
        if (q->record[i] >= 0) {
            const int64_t *at = s->sums + (task * records + q->record[i]) * width;
            sums[i].x += factor * (double)at[q->axis];
            sums[i].y += factor * (double)at[q->other];
            sums[i].xy += factor * (double)at[product];
        }
    }
}

static void find(const question *q, const moments sums[TIMES], double walkers, double found[FOUND])
{
    double spread[TIMES];
    for (int i = 0; i < TIMES; i++) {
        double mean = sums[i].x / walkers, square = sums[i].xy / walkers;
        double variance = square - mean * (sums[i].y / walkers);
        spread[i] = q->drifts ? variance : square;
        if (i == WHOLE) {
            found[MEAN] = mean;
            found[SQUARE] = square;
            found[VARIANCE] = variance;
        }
    }
    double late = q->steps[WHOLE] - q->steps[HALF], early = q->steps[HALF] - q->steps[QUARTER];
    found[SLOPE] = (spread[WHOLE] - spread[HALF]) / late;
    found[BEFORE] = early > 0 ? (spread[HALF] - spread[QUARTER]) / early : found[SLOPE];
    found[CHANGE] = found[SLOPE] - found[BEFORE];
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* Beyond it, either way, Student's t is in 5 of 100 cases: R. A. Fisher and E. A. Cornish's
 * expansion (The percentile points of distributions having known cumulants, 1960), exact to a
 * percent from 3 degrees of freedom on. */
static double students_t(double freedom)
{
    static const double few[] = {0, 12.706, 4.303};
    const double z = 1.959964, z2 = z * z;
    double one = z * (z2 + 1) / 4, two = z * ((5 * z2 + 16) * z2 + 3) / 96;
    double three = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
    return freedom < 3 ? few[(int)freedom]
                       : z + (one + (two + three / freedom) / freedom) / freedom;
}

void halo_walk_estimate_pair_sized(const halo_walk_samples *samples, int64_t record, int a, int b,
                                   bool drifts, halo_walk_motion *motion, size_t motion_bytes)
{
    question q = ask(samples, record, a, b, drifts);
    moments all[TIMES] = {{0, 0, 0}};
    double found[FOUND], mean[FOUND] = {0}, square[FOUND] = {0}, error[FOUND];
    int64_t tasks = halo_walk_tasks(samples->walkers);
    for (int64_t task = 0; task < tasks; task++) {
        add_task(&q, task, 1, all);
    }
    find(&q, all, (double)samples->walkers, found);
    for (int64_t task = 0; task < tasks && tasks > 1; task++) {
        moments rest[TIMES] = {all[0], all[1], all[2]};
        double without[FOUND];
        add_task(&q, task, -1, rest);
        find(&q, rest, (double)(samples->walkers - halo_walk_task_walkers(samples->walkers, task)),
             without);
        for (int i = 0; i < FOUND; i++) { /* from the result of all, so that no digits are lost */
            mean[i] += without[i] - found[i];
            square[i] += (without[i] - found[i]) * (without[i] - found[i]);
        }
    }
    for (int i = 0; i < FOUND; i++) {
        double n = (double)tasks, spread = square[i] - mean[i] * mean[i] / n;
        error[i] =
            tasks > 1 ? students_t(n - 1) * sqrt((n - 1) / n * (spread > 0 ? spread : 0)) : -1;
    }
    const halo_walk_motion own = {.steps = steps_of(samples, record),
                                  .mean = {found[MEAN], error[MEAN]},
                                  .square = {found[SQUARE], error[SQUARE]},
                                  .variance = {found[VARIANCE], error[VARIANCE]},
                                  .slope = {found[SLOPE], error[SLOPE]},
                                  .before = {found[BEFORE], error[BEFORE]},
                                  .change = {found[CHANGE], error[CHANGE]}};
    halo_report_give(motion, motion_bytes, &own, sizeof own);
}

/* A copy of a motion, in which what the caller does not know is 0. */
static halo_walk_motion take(const halo_walk_motion *motion, size_t motion_bytes)
{
    halo_walk_motion own;
    halo_options_take_known(&own, sizeof own, motion, motion_bytes);
    return own;
}

bool halo_walk_is_curved_sized(const halo_walk_motion *motion, size_t motion_bytes)
{
    const halo_walk_number change = take(motion, motion_bytes).change;
    return change.error >= 0 && fabs(change.value) > 1.25 * change.error;
}

bool halo_walk_is_confined_sized(const halo_walk_motion *motion, size_t motion_bytes)
{
    const halo_walk_number slope = take(motion, motion_bytes).slope;
    return slope.value <= (slope.error > 0 ? slope.error : 0);
}

halo_walk_interval halo_walk_tortuosity_sized(const halo_walk_motion *motion, double free_slope,
                                              size_t motion_bytes)
{
    const halo_walk_motion own = take(motion, motion_bytes);
    const halo_walk_number *slope = &own.slope;
    if (halo_walk_is_confined(&own)) {
        return (halo_walk_interval){NAN, NAN, NAN};
    }
    bool known = slope->error >= 0;
    return (halo_walk_interval){free_slope / slope->value,
                                known ? free_slope / (slope->value + slope->error) : NAN,
                                known ? free_slope / (slope->value - slope->error) : NAN};
}
