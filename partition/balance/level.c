#include "partition/balance/level.h"

#include "base/statistics.h"

#include <math.h>

enum {
    ENOUGH = 1000,         /* measurements, beyond which none are counted */
    LEARNING = 4,          /* measurements before a drift is believed */
    MIN_SUPERSTEPS = 2,    /* that a jump must show, */
    MAX_SUPERSTEPS = 12,   /* and that one is looked back upon, */
    RETURN_SUPERSTEPS = 50 /* or on which it is back to what it was */
};

/* The mean error follows each new error with this weight: about the last nine count ((2 - .2) /
 * .2), fewer than HALO_MEASUREMENT_WEIGHT remembers, so that it overtakes a drift. */
static const double smoothing = .2;

/* An error above this multiple of the mean size of errors is an outlier: 2.4 standard errors,
 * beyond which are 1.6 % of normal ones. */
static const double outlier = 3;

/* A mean over two different states may be off by this multiple of the usual error. It is set, not
 * derived: a jump believed on such a mean is put right by the next measurement. */
static const double unsettled = 4;

/* A relative jump of this size is believed when it lasts. An interruption below it moves the
 * estimate by .25 times HALO_MEASUREMENT_WEIGHT at most, which is less than the gain of .03 that a
 * move needs. */
static const double min_jump = .25;

/* The first measurement is dropped if the second takes less than this share of it: an interruption
 * doubled it. The mean of two that differ less is off by less than a half, which later ones bring
 * down. */
static const double first_wrong = .5;

/* Every mean has at least this share of the usual variance, whatever its own error. With it no
 * single mean has more than 1 / (1 + .18) = .85 of the weight. It is set, not derived. */
static const double min_share = .18;

/* A rank is often interrupted if more than this share of its measurements are jumps that go away.
 * One in a hundred is several in each run of HALO_ALARM_PLANS plans. */
static const double spiky = .01;

/* Interruptions, and the longest of them, are remembered over about a run: machines change. */
void halo_patience_update(halo_patience *patience)
{
    static const double kept = 1 - 1. / HALO_ALARM_PLANS;
    halo_alarm_history *history = &patience->history;
    history->all += history->ranks;
    history->measured = kept * history->measured + history->ranks;
    history->interrupted = kept * history->interrupted + patience->returned;
    patience->longest *= kept;
    patience->returned = 0;
}

bool halo_patience_is_tried(const halo_patience *patience)
{
    return patience->history.interrupted > spiky * patience->history.measured;
}

static void went_away(halo_patience *patience, double supersteps, int measurements)
{
    patience->longest =
        fmax(patience->longest, supersteps < MAX_SUPERSTEPS ? supersteps : MAX_SUPERSTEPS);
    patience->returned += measurements;
}

static void forget_jump(halo_rank_estimate *rank)
{
    rank->strike = 0;
    rank->strike_supersteps = rank->strikes = 0;
    rank->rough = false;
}

/* The least number of supersteps that took longer, if the mean is off by `errors` standard errors:
 * with k of n that took longer, the mean is sqrt(k (n - 1) / (n - k)) errors away.
 */
static int64_t supersteps_in_jump(const halo_level *level, double errors)
{
    double n = (double)level->supersteps, square = errors * errors;
    return level->noise > 0 ? (int64_t)ceil(square * n / (square + n - 1)) : 1;
}

/* If the first two measurements disagree, the shorter one is right: an interruption never makes
 * one shorter. */
static bool is_first_wrong(const halo_rank_estimate *rank)
{
    return rank->seen == 1 && rank->strike < 1;
}

/* Has the jump shown often enough? Going back to what was before needs only
 * MIN_SUPERSTEPS. */
static bool is_believed(const halo_rank_estimate *rank, const halo_patience *patience, double limit)
{
    if (is_first_wrong(rank)) {
        return true;
    }
    if (rank->strike_supersteps < MIN_SUPERSTEPS) {
        return false;
    }
    bool back = rank->jumped > 0 && rank->since <= RETURN_SUPERSTEPS &&
                fabs(rank->strike * rank->jumped - 1) <= limit;
    double supersteps = (double)rank->strike_supersteps;
    return back ||
           (supersteps >= patience->longest + 1 &&
            halo_alarm_is_change(&patience->history, patience->alarms, rank->strikes, supersteps));
}

static void believe(halo_rank_estimate *rank, halo_patience *patience)
{
    bool back = rank->jumped > 0 && (rank->jumped > 1) != (rank->strike > 1);
    bool first = is_first_wrong(rank);
    if (first) {
        went_away(patience, 1, 1);
    }
    if (back && rank->since <= MAX_SUPERSTEPS) {
        went_away(patience, (double)rank->since, 1);
    }
    rank->jumped = back || first ? 0 : rank->strike;
    rank->since = rank->strike_supersteps;
    rank->speed /= rank->strike;
    rank->drift = rank->size = rank->residual = 0;
    rank->share = first ? 1 : 1. / fmax(rank->strikes, 2);
    rank->seen = first ? 1 : rank->strikes > 2 ? rank->strikes : 2;
    bool rough = rank->rough;
    forget_jump(rank);
    rank->rough = rough;
}

static double jump_limit(const halo_rank_estimate *rank, const halo_patience *patience,
                         double noise, double variance)
{
    double all = noise + variance * rank->share;
    return fmax(min_jump, patience->errors * sqrt(all));
}

bool halo_level_take_jump(halo_rank_estimate *rank, halo_patience *patience,
                          const halo_level *level, double all_variance)
{
    double variance = fmax(rank->variance, all_variance);
    double noise = fmax(variance, level->noise * level->noise);
    double limit = jump_limit(rank, patience, noise, variance);
    bool jump = rank->seen == 1 && level->ratio < 1 ? level->ratio < first_wrong
                                                    : fabs(level->ratio - 1) > limit;
    bool same = rank->strike > 0 && (rank->strike > 1) == (level->ratio > 1);
    if (rank->strike > 0 && !(jump && same)) {
        went_away(patience, (double)rank->strike_supersteps, rank->strikes);
        forget_jump(rank);
    }
    if (!jump) {
        rank->since += rank->since < ENOUGH ? level->supersteps : 0;
        return false;
    }
    rank->strikes++;
    rank->strike_supersteps += supersteps_in_jump(level, patience->errors);
    rank->strike += (level->ratio - rank->strike) / rank->strikes;
    /* A mean whose supersteps differ far more than usual is half one thing and half another. */
    rank->rough = level->noise > unsettled * sqrt(variance);
    if (is_believed(rank, patience, limit)) {
        believe(rank, patience);
    }
    return true;
}

/* (|E| / A)^12: near 1 only when errors keep going the same way (Trigg and Leach 1967, sharper).
 * The power is such that noise adds less than a tenth to the gain: the mean of the ratio's 12th
 * power is .006 for normal errors, HALO_MEASUREMENT_WEIGHT is .074. Multiplied out, since the
 * rounding of pow differs from machine to machine. */
static double drift_gain(const halo_rank_estimate *rank)
{
    double ratio = rank->size > 0 ? fabs(rank->drift) / rank->size : 0;
    double cube = ratio * ratio * ratio;
    return rank->seen >= LEARNING ? cube * cube * cube * cube : 0;
}

/* An error far from the usual ones is not yet a drift. */
static void take_drift(halo_rank_estimate *rank, double error, double trust)
{
    double max = rank->seen >= LEARNING ? outlier * rank->size : fabs(error);
    double size = fabs(error) < max ? fabs(error) : max;
    rank->drift += smoothing * trust * ((error < 0 ? -size : size) - rank->drift);
    rank->size += smoothing * trust * (size - rank->size);
}

/* A square of what is noise: from one measurement to the next, and about the mean change, so that
 * what drifts does not count as noise; of the same rows, since rows that come are less well known.
 */
static void take_variance(halo_rank_estimate *rank, double error, const halo_level *level)
{
    double noise = level->noise;
    double change = error - rank->residual, deviation = change - rank->change;
    double measured = level->spread * deviation * deviation / 2;
    rank->change += HALO_MEASUREMENT_WEIGHT * deviation;
    if (noise > 0) {
        measured = (measured + noise * noise) / 2;
    }
    double share = fmax(HALO_MEASUREMENT_WEIGHT, 1. / (rank->seen + (noise > 0 ? 1 : 0)));
    rank->variance += share * (measured - rank->variance);
    rank->square = measured;
    rank->freedom = halo_alarm_freedom(noise > 0 ? level->supersteps : 1);
}

double halo_level_take(halo_rank_estimate *rank, halo_patience *patience, const halo_level *level,
                       double all_variance)
{
    double variance = fmax(rank->variance, all_variance);
    if (rank->rough && rank->strikes == 0) { /* what has been believed is put right */
        rank->rough = false;
        return level->ratio;
    }
    if (halo_level_take_jump(rank, patience, level, all_variance)) {
        return 1;
    }
    double error = level->ratio - 1, noise = level->noise * level->noise;
    /* A mean of supersteps that differed more than usual tells less; one of supersteps that none
     * interrupted more, as much as its own error says (Kalman 1960). */
    double trust = variance > 0 && noise > variance ? variance / noise : 1;
    if (rank->seen == 1 || !rank->shifted) {
        take_variance(rank, error, level);
    }
    take_drift(rank, error, trust);
    double usual = sqrt(variance);
    double typical = rank->seen >= LEARNING ? fmin(1, 3 * usual / fmax(fabs(error), 1e-9)) : 1;
    double gain = trust * fmax(typical * fmax(HALO_MEASUREMENT_WEIGHT, 1. / (rank->seen + 1)),
                               drift_gain(rank));
    if (rank->sure && noise < variance) {
        double known = rank->share * variance;
        gain = fmax(gain, known / (known + noise + min_share * variance));
    }
    rank->residual = (1 - gain) * error;
    rank->share = (1 - gain) * (1 - gain) * rank->share + gain * gain;
    rank->seen += rank->seen < ENOUGH ? 1 : 0;
    return 1 + gain * error;
}

double halo_level_common(double *ratios, int count)
{
    if (count == 0) {
        return 1;
    }
    halo_values_sort(ratios, count);
    double low = ratios[(count - 1) / 2], high = ratios[count / 2];
    return low > 1 ? low : high < 1 ? high : 1;
}
