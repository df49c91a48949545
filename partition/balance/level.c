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

static const double weight = .08;    /* of a new measurement */
static const double smoothing = .2;  /* of errors, for the drift */
static const double outlier = 3;     /* times the usual error */
static const double unsettled = 4;   /* times the usual error, of a mean */
static const double min_jump = .25;  /* relative, that is believed when it lasts */
static const double min_share = .18; /* of the usual variance, that any mean has */
static const double fading =
    .005; /* supersteps a superstep that the longest jump is forgotten by */
static const double rate_weight = .02; /* of an update, in the rate of jumps that go away */
static const double min_chance = 1e-3; /* a plan, at which such jumps may be believed */

void halo_patience_update(halo_patience *patience, int64_t supersteps)
{
    double rate = (double)patience->returned / patience->ranks;
    double share = fmax(rate_weight, 1. / (double)(patience->updates + 5));
    patience->rate += share * (rate - patience->rate);
    patience->updates += patience->updates < ENOUGH ? 1 : 0;
    patience->longest = fmax(0, patience->longest - fading * (double)supersteps);
    patience->returned = 0;
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

/* How many of the supersteps, at least, took part in a jump that the mean shows beyond three
 * standard errors: with k of n that took longer, the mean is sqrt(k (n - 1) / (n - k)) errors away.
 */
static int64_t supersteps_in_jump(const halo_level *level)
{
    return level->noise > 0 ? (10 * level->supersteps + 7) / (level->supersteps + 8) : 1;
}

/* Has the jump shown often enough? Going back to what was before needs only
 * MIN_SUPERSTEPS. */
static bool is_believed(const halo_rank_estimate *rank, const halo_patience *patience, double limit)
{
    if (rank->strike_supersteps < MIN_SUPERSTEPS) {
        return false;
    }
    bool back = rank->jumped > 0 && rank->since <= RETURN_SUPERSTEPS &&
                fabs(rank->strike * rank->jumped - 1) <= limit;
    double chance = patience->ranks;
    for (int i = 0; i < rank->strikes; i++) {
        chance *= patience->rate;
    }
    return back ||
           ((double)rank->strike_supersteps >= patience->longest + 1 && chance <= min_chance);
}

static void believe(halo_rank_estimate *rank, halo_patience *patience)
{
    bool back = rank->jumped > 0 && (rank->jumped > 1) != (rank->strike > 1);
    if (back && rank->since <= MAX_SUPERSTEPS) {
        went_away(patience, (double)rank->since, 1);
    }
    rank->jumped = back ? 0 : rank->strike;
    rank->since = rank->strike_supersteps;
    rank->speed /= rank->strike;
    rank->drift = rank->size = rank->residual = 0;
    rank->share = 1. / fmax(rank->strikes, 2);
    rank->seen = rank->strikes > 2 ? rank->strikes : 2;
    bool rough = rank->rough;
    forget_jump(rank);
    rank->rough = rough;
}

bool halo_level_take_jump(halo_rank_estimate *rank, halo_patience *patience,
                          const halo_level *level, double all_variance)
{
    double variance = fmax(rank->variance, all_variance);
    double noise = fmax(variance, level->noise * level->noise);
    double limit = fmax(min_jump, 3 * sqrt(noise + variance * rank->share));
    bool jump = fabs(level->ratio - 1) > limit;
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
    rank->strike_supersteps += supersteps_in_jump(level);
    rank->strike += (level->ratio - rank->strike) / rank->strikes;
    /* A mean whose supersteps differ far more than usual is half one thing and half another. */
    rank->rough = level->noise > unsettled * sqrt(variance);
    if (is_believed(rank, patience, limit)) {
        believe(rank, patience);
    }
    return true;
}

/* (|E| / A)^12: near 1 only when errors keep going the same way (Trigg and Leach 1967, sharper).
 * Multiplied out, since the rounding of pow differs from machine to machine. */
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

/* From one measurement to the next, so that what drifts does not count as noise; of the same rows,
 * since rows that come are less well known. */
static void take_variance(halo_rank_estimate *rank, double error, double noise)
{
    double change = error - rank->residual, measured = change * change / 2;
    if (noise > 0) {
        measured = (measured + noise * noise) / 2;
    }
    double share = fmax(weight, 1. / (rank->seen + (noise > 0 ? 1 : 0)));
    rank->variance += share * (measured - rank->variance);
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
        take_variance(rank, error, level->noise);
    }
    take_drift(rank, error, trust);
    double typical =
        rank->seen >= LEARNING ? fmin(1, 3 * sqrt(variance) / fmax(fabs(error), 1e-9)) : 1;
    double gain = trust * fmax(typical * fmax(weight, 1. / (rank->seen + 1)), drift_gain(rank));
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
