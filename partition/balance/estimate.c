#include "partition/balance/estimate.h"

#include "base/memory.h"
#include "partition/balance/level.h"
#include "partition/balance/shape.h"

#include <math.h>
#include <stdlib.h>

enum {
    EDGE_SHARE = 8,      /* this part of a strip shows the cost where strips meet, */
    EDGE_ROWS = 16,      /* but at most this many rows of it */
    ENOUGH = 1000,       /* measurements, beyond which none are counted */
    SETTLING = 4,        /* measurements in which shapes may still settle */
    SURE_SUPERSTEPS = 4, /* whose mean stands alone if its noise is known */
    ASSUMED = 10         /* differences, see below */
};

/* A jump where strips meet is a rank's speed if it is beyond both of these, twice in a row;
 * otherwise it is the rows'. What is misjudged moves nothing by itself, but the price of rows that
 * move is wrong by the jump: for as many rows as an edge has, by an eighth of .12 of the strip's
 * time. That is .015, as much as keeping old cuts may cost. */
static const double min_edge = .015 * EDGE_SHARE, edge_errors = 3;

/* Noise of a tenth a superstep is assumed before any is measured, as if it had been seen in ASSUMED
 * differences. That is the fewest with which two ranks, one of them half as fast, are put right by
 * the second plan under uniform noise of a tenth. What could be gained is .5, but for a standard
 * error of .058, the means of two measurements being off by .041 each: .38 but in one of 40 runs.
 * The threshold is .05 times the standard errors of alarm.h: .37 for 10, .44 for 8. */
static const double assumed_noise = .1;

/* This is the weight of a newly measured shape. One that differs does so by three times its noise,
 * and with a signal s over the noise n the weight of least error is s^2 / (s^2 + n^2) (Kalman
 * 1960). */
static const double shape_weight = 9. / (9 + 1);
static const double common_weight = .2; /* of a change for all alike: moves nothing by itself */

void halo_estimate_free(halo_estimate *estimate)
{
    free(estimate->work);
    free(estimate->profile);
    free(estimate->rank);
    free(estimate->struck);
    free(estimate->ratio);
    *estimate = (halo_estimate){0};
}

halo_status halo_estimate_reset(halo_estimate *estimate, int ranks, int64_t rows, double alarms)
{
    halo_estimate_free(estimate);
    HALO_TRY(HALO_ALLOCATE(estimate->work, rows, "estimates of rows"));
    HALO_TRY(HALO_ALLOCATE(estimate->profile, rows, "estimates of rows"));
    HALO_TRY(HALO_ALLOCATE(estimate->rank, ranks, "estimates of ranks"));
    HALO_TRY(HALO_ALLOCATE(estimate->struck, rows, "estimates of rows"));
    HALO_TRY(HALO_ALLOCATE(estimate->ratio, ranks, "estimates of ranks"));
    estimate->ranks = ranks;
    estimate->patience = (halo_patience){.alarms = alarms, .history.ranks = ranks};
    estimate->rows = rows;
    return HALO_OK;
}

/* A strip whose shape changed: take most of it at once, and the level with it unless that has
 * jumped also where the shape has not. */
static void reshape(halo_estimate *estimate, halo_rank_estimate *rank, const halo_level *level,
                    double *work, const double *profile)
{
    double rest = 1 - shape_weight, scale = rank->speed;
    halo_level middle = *level;
    middle.ratio = halo_shape_middle(work, profile, rank->rows) * rank->speed;
    /* Rows that have just come may have been misjudged with their former rank, but where jumps
     * come and go it is more likely to be one of those. */
    bool moved = rank->mixed && !halo_patience_is_tried(&estimate->patience);
    bool jump = !moved && halo_level_take_jump(rank, &estimate->patience, &middle,
                                               estimate->assumed.variance);
    scale = jump ? scale / middle.ratio : scale;
    for (int64_t y = 0; y < rank->rows; y++) {
        work[y] = rest * work[y] + shape_weight * (profile[y] * scale);
    }
    rank->reshaped = true;
    if (jump) {
        return;
    }
    rank->share = shape_weight * shape_weight + rest * rest * rank->share;
    rank->residual = 0;
    rank->seen += rank->seen < ENOUGH ? 1 : 0;
}

/* The same shape: follow it slowly, to the sum that `level` leads to. */
static void blend(double *work, double level, const double *profile, double scale, int64_t rows)
{
    static const double rest = 1 - HALO_MEASUREMENT_WEIGHT;
    for (int64_t y = 0; y < rows; y++) {
        work[y] = level * (rest * work[y] + HALO_MEASUREMENT_WEIGHT * scale * profile[y]);
    }
}

/* The first measurement of a rank, perhaps on rows known from others. `typical` is the cost of a
 * row that nothing is known of. */
static void begin(halo_rank_estimate *rank, double *work, const double *profile, int64_t rows,
                  const halo_level *level, double seconds, double typical)
{
    double total = 0;
    for (int64_t y = 0; y < rows; y++) {
        work[y] = work[y] > 0 ? work[y] : rank->blocks ? profile[y] : typical;
        total += work[y];
    }
    rank->speed = total / seconds;
    rank->square = rank->variance = level->noise * level->noise;
    rank->freedom = level->noise > 0 ? (double)level->supersteps - 1 : 0;
    rank->share = 1;
    rank->seen = 1;
}

/* A measurement of rows that are known. */
static void follow(halo_estimate *estimate, halo_rank_estimate *rank, const halo_load *load,
                   const halo_level *level, double *work, const double *profile)
{
    halo_patience *patience = &estimate->patience;
    if (!rank->blocks) {
        rank->speed /= halo_level_take(rank, patience, level, estimate->assumed.variance);
        return;
    }
    if (halo_shape_differs(work, profile, load, level->noise)) {
        reshape(estimate, rank, level, work, profile);
        return;
    }
    double scale = halo_shape_sum(work, 0, load->rows) / halo_shape_sum(profile, 0, load->rows);
    double longer = halo_level_take(rank, patience, level, estimate->assumed.variance);
    blend(work, longer, profile, scale, load->rows);
}

/* Rows that it had before, too. */
static int64_t common_rows(const halo_rank_estimate *rank, int64_t lo, int64_t rows)
{
    int64_t low = lo > rank->lo ? lo : rank->lo;
    int64_t hi = lo + rows, before = rank->lo + rank->rows, high = hi < before ? hi : before;
    return high > low ? high - low : 0;
}

static void update_rank(halo_estimate *estimate, int p, const halo_load *load, int64_t lo,
                        double typical)
{
    halo_rank_estimate *rank = &estimate->rank[p];
    double *work = estimate->work + lo, *profile = estimate->profile + lo;
    int64_t rows = load->rows, supersteps = load->supersteps > 1 ? load->supersteps : 1;
    rank->reshaped = false;
    rank->freedom = 0;
    rank->shifted = lo != rank->lo || rows != rank->rows;
    rank->mixed = 4 * common_rows(rank, lo, rows) < 3 * rows;
    rank->lo = lo;
    rank->rows = rows;
    rank->sure = load->noise_seconds > 0 && supersteps >= SURE_SUPERSTEPS;
    rank->blocks = false;
    if (rows == 0) {
        return;
    }
    double measured = fmax(load->compute_seconds, HALO_MIN_COST),
           seconds = measured / estimate->common;
    rank->blocks = halo_shape_unfold(load, seconds, work, estimate->struck + lo, profile);
    double fixed_weight = fmax(HALO_MEASUREMENT_WEIGHT, 1. / (rank->seen + 1));
    rank->fixed += fixed_weight * (load->transfer_seconds - rank->fixed);
    halo_level level = {.noise = load->noise_seconds / measured,
                        .supersteps = supersteps,
                        .spread = estimate->spread};
    if (rank->seen == 0) {
        begin(rank, work, profile, rows, &level, seconds, typical);
        return;
    }
    level.ratio = seconds * rank->speed / halo_shape_sum(work, 0, rows);
    follow(estimate, rank, load, &level, work, profile);
}

static double edge(const double *work, int64_t lo, int64_t hi, bool first)
{
    int64_t rows = (hi - lo) / EDGE_SHARE;
    rows = rows < 1 ? 1 : rows > EDGE_ROWS ? EDGE_ROWS : rows;
    return (first ? halo_shape_sum(work, lo, lo + rows) : halo_shape_sum(work, hi - rows, hi)) /
           (double)rows;
}

/* A rank whose costs have moved between rows explains a jump at its cut by these costs, not by its
 * speed; the first measurements do not count, since costs only settle in them. */
static bool has_moved_on(const halo_rank_estimate *rank)
{
    return rank->reshaped && rank->seen > SETTLING;
}

/* The jump of cost where strip p meets q, the one before it, whose work has been divided already;
 * 1 if there is none to be believed. */
static double find_jump(halo_estimate *estimate, const int64_t *cuts, int q, int p, double divided)
{
    halo_rank_estimate *rank = &estimate->rank[p], *before = &estimate->rank[q];
    int strike = rank->jump_strike;
    rank->jump_strike = 0;
    if (!rank->blocks || !before->blocks || has_moved_on(rank) || has_moved_on(before) ||
        rank->strike > 0 || before->strike > 0) {
        return 1;
    }
    double jump = edge(estimate->work, cuts[p], cuts[p + 1], true) /
                  (divided * edge(estimate->work, cuts[q], cuts[q + 1], false));
    double error = estimate->assumed.variance * (rank->share + before->share);
    double limit = 1 + fmax(min_edge, edge_errors * sqrt(error));
    if (jump <= limit && jump >= 1 / limit) {
        return 1;
    }
    rank->jump_strike = jump > 1 ? 1 : -1;
    /* The second measurement confirms the first, a later jump must show twice. */
    return strike == rank->jump_strike || (rank->sure && before->sure) ? jump : 1;
}

/* Jumps of cost where strips meet are the ranks' speeds. */
static void split(halo_estimate *estimate, const int64_t *cuts)
{
    double all = 1;
    int before = -1;
    for (int p = 0; p < estimate->ranks; p++) {
        if (cuts[p] == cuts[p + 1]) {
            continue;
        }
        all *= before >= 0 ? find_jump(estimate, cuts, before, p, all) : 1;
        estimate->rank[p].speed /= all;
        for (int64_t y = cuts[p]; all != 1 && y < cuts[p + 1]; y++) {
            estimate->work[y] /= all;
        }
        before = p;
    }
}

/* Ranks without rows know no speed: a typical one, so that they are given some. */
static void finish(halo_estimate *estimate, double typical_speed)
{
    for (int p = 0; p < estimate->ranks; p++) {
        halo_rank_estimate *rank = &estimate->rank[p];
        rank->speed = rank->speed > 0 ? rank->speed : typical_speed;
    }
}

/* The ranks' mean variance. Noise is a machine's property as interruptions are, and remembered as
 * long: over about a run. What all ranks have in common is taken out of their differences, which
 * leaves P - 1 of P independent ones, and as much more has to be taken for each (take_variance). */
static void pool_noise(halo_estimate *estimate, const halo_load *loads)
{
    static const double kept = 1 - 1. / HALO_ALARM_PLANS;
    double squares = 0, freedom = 0;
    int64_t supersteps = INT64_MAX;
    for (int p = 0; p < estimate->ranks; p++) {
        const halo_rank_estimate *rank = &estimate->rank[p];
        int64_t of = loads[p].supersteps > 1 ? loads[p].supersteps : 1;
        supersteps = loads[p].rows > 0 && of < supersteps ? of : supersteps;
        squares += rank->freedom * rank->square;
        freedom += rank->freedom;
    }
    halo_noise *seen = &estimate->seen, *assumed = &estimate->assumed;
    double all = kept * seen->freedom + freedom / estimate->spread;
    double sum = kept * seen->freedom * seen->variance + squares / estimate->spread;
    double prior = ASSUMED * assumed_noise * assumed_noise / (double)supersteps;
    seen->freedom = all;
    seen->variance = all > 0 ? sum / all : 0;
    assumed->freedom = ASSUMED + all;
    assumed->variance = (prior + sum) / (ASSUMED + all);
}

/* Find the factor by which all ranks took longer than predicted. It is found from the same
 * measurements: without it P ranks differ as much as P - 1 would. */
static void find_common(halo_estimate *estimate, const halo_load *loads, const int64_t *cuts)
{
    int known = 0;
    for (int p = 0; p < estimate->ranks; p++) {
        const halo_rank_estimate *rank = &estimate->rank[p];
        if (loads[p].rows > 0 && rank->seen > 0) {
            double seconds = fmax(loads[p].compute_seconds, HALO_MIN_COST) * rank->speed;
            double work = halo_shape_sum(estimate->work, cuts[p], cuts[p + 1]);
            estimate->ratio[known++] = seconds / work;
        }
    }
    estimate->common = halo_level_common(estimate->ratio, known);
    estimate->spread = known > 1 ? known / (known - 1.) : 1;
}

/* Set the number of standard errors beyond which a difference counts as a change, not as noise. It
 * is computed anew only when the plan's number or the degrees of freedom change by some percent,
 * and is rounded up. */
static void set_errors(const halo_estimate *estimate, halo_noise *noise)
{
    double plan = 1, step = 2;
    while (plan < (double)estimate->plans && plan < HALO_ALARM_PLANS) {
        plan *= 2;
    }
    while (32 * step < noise->freedom) {
        step *= 2;
    }
    double freedom = fmin(step * floor(noise->freedom / step), HALO_ALARM_FREEDOM);
    if (plan != noise->of_plan || freedom != noise->of_freedom) {
        double chance = halo_alarm_chance(estimate->patience.alarms, estimate->ranks, plan);
        noise->errors = freedom > 0 ? halo_alarm_errors(chance, freedom) : HUGE_VAL;
        noise->of_plan = plan;
        noise->of_freedom = freedom;
    }
}

/* Follow a change for all alike: later, since it only estimates what a gain is worth. */
static void scale_all(halo_estimate *estimate)
{
    double scale = 1 + common_weight * (estimate->common - 1);
    for (int64_t y = 0; scale != 1 && y < estimate->rows; y++) {
        estimate->work[y] *= scale;
    }
}

void halo_estimate_update(halo_estimate *estimate, const halo_load *loads, const int64_t *cuts)
{
    double seconds = 0;
    estimate->plans++;
    find_common(estimate, loads, cuts);
    for (int p = 0; p < estimate->ranks; p++) {
        seconds += loads[p].compute_seconds / estimate->common;
    }
    double rows = estimate->rows > 0 ? (double)estimate->rows : 1;
    double typical = fmax(seconds / rows, HALO_MIN_COST);
    for (int p = 0; p < estimate->ranks; p++) {
        update_rank(estimate, p, &loads[p], cuts[p], typical);
    }
    halo_patience_update(&estimate->patience);
    double speeds = 0;
    int known = 0;
    for (int p = 0; p < estimate->ranks; p++) {
        speeds += estimate->rank[p].speed;
        known += estimate->rank[p].speed > 0 ? 1 : 0;
    }
    finish(estimate, known > 0 ? speeds / known : 1);
    pool_noise(estimate, loads);
    set_errors(estimate, &estimate->seen);
    set_errors(estimate, &estimate->assumed);
    estimate->patience.errors = estimate->assumed.errors;
    split(estimate, cuts);
    scale_all(estimate);
}

bool halo_estimate_is_ready(const halo_estimate *estimate, const int64_t *cuts)
{
    for (int p = 0; p < estimate->ranks; p++) {
        if (cuts[p] < cuts[p + 1] && estimate->rank[p].seen < 2 && !estimate->rank[p].sure) {
            return false;
        }
    }
    return true;
}

/* Variance of the predicted gain: of how much longer the last rank takes than the time T in which
 * all could end together, which is all work over all speeds. Where a strip's time is wrong by a
 * share e, its rank's speed is, and T is wrong by e times this rank's share of all speeds. If there
 * is nothing to be gained, so that all end together, that is its share u of all work. So the error
 * of the gain is 1 - u of the last rank's and u of each other's. */
static double gain_variance(const halo_estimate *estimate, int last, double variance)
{
    double work = halo_shape_sum(estimate->work, 0, estimate->rows), sum = 0;
    for (int p = 0; p < estimate->ranks; p++) {
        const halo_rank_estimate *rank = &estimate->rank[p];
        double part = halo_shape_sum(estimate->work, rank->lo, rank->lo + rank->rows) / work;
        double weight = p == last ? 1 - part : part;
        sum += weight * weight * rank->share * fmax(rank->variance, variance);
    }
    return sum;
}

/* Noise that is less than was assumed shows in its own differences before it outweighs those that
 * were assumed. */
double halo_estimate_noise(const halo_estimate *estimate, int last, double *errors)
{
    const halo_noise *seen = &estimate->seen, *assumed = &estimate->assumed;
    double usual = assumed->errors * sqrt(gain_variance(estimate, last, assumed->variance));
    *errors = assumed->errors;
    if (seen->errors < HUGE_VAL) {
        double noise = seen->errors * sqrt(gain_variance(estimate, last, seen->variance));
        *errors = noise < usual ? seen->errors : *errors;
        usual = fmin(noise, usual);
    }
    return usual;
}
