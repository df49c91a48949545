#include "partition/balance/estimate.h"

#include <math.h>
#include <stdlib.h>

enum {
    SEGMENTS = 8,   /* of a strip, in which its shape is compared */
    EDGE_ROWS = 16, /* at most, that tell the cost where strips meet */
    ENOUGH = 1000,  /* measurements, beyond which none are counted */
    LEARNING = 4    /* measurements before a drift is believed */
};

static const double weight = .08;      /* of a new measurement */
static const double smoothing = .2;    /* of errors, for the drift */
static const double least_jump = .25;  /* relative, that is believed after two beats */
static const double least_edge = .12;  /* relative, where strips meet, below which it is rows */
static const double least_shape = .03; /* mean relative difference that is a change of shape */
static const double shape_weight = .9; /* of a new shape */
static const double tiny = 1e-12;      /* seconds; a coarse clock must not make costs vanish */

void halo_estimate_free(halo_estimate *estimate)
{
    free(estimate->work);
    free(estimate->profile);
    free(estimate->rank);
    *estimate = (halo_estimate){0};
}

halo_status halo_estimate_reset(halo_estimate *estimate, int ranks, int64_t rows)
{
    halo_estimate_free(estimate);
    size_t entries = (size_t)rows + 1;
    estimate->work = calloc(entries, sizeof *estimate->work);
    estimate->profile = malloc(entries * sizeof *estimate->profile);
    estimate->rank = calloc((size_t)ranks, sizeof *estimate->rank);
    if (estimate->work == NULL || estimate->profile == NULL || estimate->rank == NULL) {
        halo_estimate_free(estimate);
        return halo_fail(HALO_MEMORY, "out of memory: balancing %d ranks", ranks);
    }
    estimate->ranks = ranks;
    estimate->rows = rows;
    return HALO_OK;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double sum(const double *values, int64_t lo, int64_t hi)
{
    double total = 0;
    for (int64_t y = lo; y < hi; y++) {
        total += values[y];
    }
    return total;
}

/* The measured cost of each row of a strip, together its computing time. False if unknown. */
static bool unfold(const halo_load *load, double *profile)
{
    double total = 0;
    if (load->row_cost == NULL) {
        return false;
    }
    for (int64_t y = 0; y < load->rows; y++) {
        profile[y] = larger((double)load->row_cost[y / load->block_rows], tiny);
        total += profile[y];
    }
    double scale = larger(load->compute_seconds, tiny) / total;
    for (int64_t y = 0; y < load->rows; y++) {
        profile[y] *= scale;
    }
    return true;
}

/* Mean difference, over the segments of a strip, between two shapes that sum up to 1. */
static double shape_difference(const double *work, double work_sum, const double *profile,
                               double profile_sum, int64_t rows)
{
    double difference = 0;
    int64_t segments = rows < SEGMENTS ? rows : SEGMENTS;
    for (int64_t s = 0; s < segments; s++) {
        int64_t lo = rows * s / segments, hi = rows * (s + 1) / segments;
        difference += fabs(sum(work, lo, hi) / work_sum - sum(profile, lo, hi) / profile_sum);
    }
    return difference;
}

/* What a difference of shape must exceed. Noise of single blocks shows in how much neighbouring
 * blocks' changes differ; the mean of square roots does not mind the few that differ because the
 * costs did change there. */
static double shape_limit(const double *work, const double *profile, const halo_load *load,
                          double noise)
{
    double roots = 0, before = 0;
    int64_t blocks = 0;
    for (int64_t y = 0; y < load->rows; y += load->block_rows, blocks++) {
        double change = profile[y] / work[y];
        roots += blocks > 0 ? sqrt(fabs(change - before)) : 0;
        before = change;
    }
    /* Of normal deviates the mean root is .822 of the root of their standard deviation. */
    double root = blocks > 1 ? roots / (double)(blocks - 1) / .822 : 0;
    double block_noise = root * root / sqrt(2), segment = (double)blocks / SEGMENTS;
    double segment_noise = block_noise / sqrt(larger(segment, 1));
    return larger(least_shape, larger(2 * segment_noise, 2.5 * noise * sqrt(SEGMENTS)));
}

/* A strip whose shape changed: take most of it at once, and the level with it. */
static void reshape(halo_rank_estimate *rank, double *work, const double *profile, int64_t rows)
{
    double rest = 1 - shape_weight;
    for (int64_t y = 0; y < rows; y++) {
        work[y] = rest * work[y] + shape_weight * (profile[y] * rank->speed);
    }
    rank->share = shape_weight * shape_weight + rest * rest * rank->share;
    rank->reshaped = true;
    rank->residual = rank->strike = 0;
    rank->seen += rank->seen < ENOUGH ? 1 : 0;
}

/* The same shape: follow it slowly, to the sum that `level` leads to. */
static void blend(double *work, double level, const double *profile, double scale, int64_t rows)
{
    for (int64_t y = 0; y < rows; y++) {
        work[y] = level * ((1 - weight) * work[y] + weight * scale * profile[y]);
    }
}

/* A jump is believed when a second one in a row goes the same way. True if this was a jump. */
static bool take_jump(halo_rank_estimate *rank, double ratio, double variance)
{
    double limit = larger(least_jump, 3 * sqrt(variance * (1 + rank->share)));
    if (fabs(ratio - 1) <= limit) {
        rank->strike = 0;
        return false;
    }
    if (rank->strike > 0 && (rank->strike > 1) == (ratio > 1)) {
        rank->speed /= (rank->strike + ratio) / 2;
        rank->strike = rank->drift = rank->size = rank->residual = 0;
        rank->share = .5;
        rank->seen = 2;
    } else {
        rank->strike = ratio;
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

/* By how much the strip as a whole seems to take longer than estimated; jumps are left to the speed
 * at once. */
static double take_level(halo_rank_estimate *rank, double ratio, double noise, double all_variance)
{
    if (take_jump(rank, ratio, larger(rank->variance, all_variance))) {
        return 1;
    }
    double error = ratio - 1;
    if (rank->seen == 1 || !rank->shifted) {
        /* From one measurement to the next, so that what drifts does not count as noise; of the
         * same rows, since rows that come are less well known. */
        double change = error - rank->residual, measured = change * change / 2;
        rank->variance += larger(weight, 1. / rank->seen) * (measured - rank->variance);
    }
    rank->variance = larger(rank->variance, noise * noise);
    rank->drift += smoothing * (error - rank->drift);
    rank->size += smoothing * (fabs(error) - rank->size);
    double gain = larger(larger(weight, 1. / (rank->seen + 1)), drift_gain(rank));
    rank->residual = (1 - gain) * error;
    rank->share = (1 - gain) * (1 - gain) * rank->share + gain * gain;
    rank->seen += rank->seen < ENOUGH ? 1 : 0;
    return 1 + gain * error;
}

/* The first measurement of a rank, perhaps on rows known from others. `usual` is the cost of a row
 * that nothing is known of. */
static void begin(halo_rank_estimate *rank, double *work, const double *profile, int64_t rows,
                  double seconds, double usual)
{
    double total = 0;
    for (int64_t y = 0; y < rows; y++) {
        work[y] = work[y] > 0 ? work[y] : rank->blocks ? profile[y] : usual;
        total += work[y];
    }
    rank->speed = total / seconds;
    rank->share = 1;
    rank->seen = 1;
}

static void update_rank(halo_estimate *estimate, int p, const halo_load *load, int64_t lo,
                        double usual)
{
    halo_rank_estimate *rank = &estimate->rank[p];
    double *work = estimate->work + lo, *profile = estimate->profile + lo;
    int64_t rows = load->rows;
    rank->reshaped = false;
    rank->shifted = lo != rank->lo || rows != rank->rows;
    rank->lo = lo;
    rank->rows = rows;
    rank->blocks = rows > 0 && unfold(load, profile);
    if (rows == 0) {
        return;
    }
    double fixed_weight = larger(weight, 1. / (rank->seen + 1));
    rank->fixed += fixed_weight * (load->transfer_seconds - rank->fixed);
    double seconds = larger(load->compute_seconds, tiny);
    if (rank->seen == 0) {
        begin(rank, work, profile, rows, seconds, usual);
        return;
    }
    double noise = load->noise_seconds / seconds, total = sum(work, 0, rows);
    double ratio = seconds * rank->speed / total;
    if (rank->blocks) {
        double limit = shape_limit(work, profile, load, noise);
        double profile_sum = sum(profile, 0, rows);
        if (shape_difference(work, total, profile, profile_sum, rows) > limit) {
            reshape(rank, work, profile, rows);
            return;
        }
        double level = take_level(rank, ratio, noise, estimate->variance);
        blend(work, level, profile, total / profile_sum, rows);
    } else {
        rank->speed /= take_level(rank, ratio, noise, estimate->variance);
    }
}

static double edge(const double *work, int64_t lo, int64_t hi, bool first)
{
    int64_t rows = (hi - lo) / 8;
    rows = rows < 1 ? 1 : rows > EDGE_ROWS ? EDGE_ROWS : rows;
    return (first ? sum(work, lo, lo + rows) : sum(work, hi - rows, hi)) / (double)rows;
}

/* The jump of cost where strip p meets q, the one before it, whose work has been divided already;
 * 1 if there is none to be believed. */
static double find_jump(halo_estimate *estimate, const int64_t *cuts, int q, int p, double divided)
{
    halo_rank_estimate *rank = &estimate->rank[p], *before = &estimate->rank[q];
    int strike = rank->jump_strike;
    rank->jump_strike = 0;
    if (!rank->blocks || !before->blocks || rank->reshaped || before->reshaped ||
        rank->strike > 0 || before->strike > 0) {
        return 1;
    }
    double jump = edge(estimate->work, cuts[p], cuts[p + 1], true) /
                  (divided * edge(estimate->work, cuts[q], cuts[q + 1], false));
    double error = estimate->variance * (rank->share + before->share);
    double limit = 1 + larger(least_edge, 3 * sqrt(error));
    if (jump <= limit && jump >= 1 / limit) {
        return 1;
    }
    rank->jump_strike = jump > 1 ? 1 : -1;
    /* The second measurement confirms the first, a later jump must show twice. */
    return strike == rank->jump_strike ? jump : 1;
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

/* Ranks without rows know no speed: a usual one, so that they are given some. */
static void finish(halo_estimate *estimate, double usual_speed)
{
    double variance = 0;
    int known = 0;
    for (int p = 0; p < estimate->ranks; p++) {
        halo_rank_estimate *rank = &estimate->rank[p];
        rank->speed = rank->speed > 0 ? rank->speed : usual_speed;
        variance += rank->seen > 1 ? rank->variance : 0;
        known += rank->seen > 1 ? 1 : 0;
    }
    estimate->variance = known > 0 ? variance / known : 0;
}

void halo_estimate_update(halo_estimate *estimate, const halo_load *loads, const int64_t *cuts)
{
    double seconds = 0;
    for (int p = 0; p < estimate->ranks; p++) {
        seconds += loads[p].compute_seconds;
    }
    double usual = estimate->rows > 0 ? larger(seconds / (double)estimate->rows, tiny) : tiny;
    for (int p = 0; p < estimate->ranks; p++) {
        update_rank(estimate, p, &loads[p], cuts[p], usual);
    }
    double speeds = 0;
    int known = 0;
    for (int p = 0; p < estimate->ranks; p++) {
        speeds += estimate->rank[p].speed;
        known += estimate->rank[p].speed > 0 ? 1 : 0;
    }
    finish(estimate, known > 0 ? speeds / known : 1);
    split(estimate, cuts);
}

bool halo_estimate_is_ready(const halo_estimate *estimate, const int64_t *cuts)
{
    for (int p = 0; p < estimate->ranks; p++) {
        if (cuts[p] < cuts[p + 1] && estimate->rank[p].seen < 2) {
            return false;
        }
    }
    return true;
}

double halo_estimate_error(const halo_estimate *estimate, int rank)
{
    const halo_rank_estimate *of = &estimate->rank[rank];
    return sqrt(of->share * larger(of->variance, estimate->variance));
}
