#include "base/memory.h"
#include "partition/balance/balance.h"
#include "partition/balance/chains.h"
#include "partition/balance/decision.h"
#include "partition/balance/estimate.h"
#include "partition/balance/groups.h"
#include "partition/balance/options.h"

#include <stdlib.h>
#include <string.h>

/* The default: estimates of rows' costs and ranks' speeds, the best cuts for them, and moving only
 * where that is beyond noise and pays. */

/* Gain that is large, where moving costs so many times less. To move by mistake, and back, costs
 * two moves, a fifth of what is gained where it is none: it pays if more than one in six is right.
 * Such gains are of runs whose noise is mostly interruptions, which no number of standard errors
 * bounds; without this rank speeds that go back and forth are followed too late (test
 * balance_disturbed). .35 is set, not derived. */
static const double much = .35;
static const double cheap_times = 10;

typedef struct {
    double min_gain;    /* what a gain must exceed, a share */
    double alarms;      /* share of runs of an even load that noise may move */
    double lazy;        /* share that keeping old cuts may cost */
    int64_t horizon;    /* plans over whose beats a gain is counted, at most */
    halo_groups groups; /* which are the rows of all that follows */
    halo_estimate estimate;
    double *before; /* [rows + 1] */
    double *fixed;  /* [ranks] */
    double *speed;  /* [ranks] */
} chain_state;

static void forget(chain_state *state)
{
    halo_groups_free(&state->groups);
    halo_estimate_free(&state->estimate);
    free(state->before);
    free(state->fixed);
    free(state->speed);
    state->before = state->fixed = state->speed = NULL;
}

static void chain_destroy(void **state)
{
    if (*state != NULL) {
        forget(*state);
        halo_balance_state_destroy(state);
    }
}

static halo_status chain_create(void **state, const char *options)
{
    static const halo_option known[] = {
        {HALO_OPTION_ROW(chain_state, "gain", REAL, min_gain), .max = 10, .standard = ".03"},
        {HALO_OPTION_ROW(chain_state, "alarms", REAL, alarms), .min = 1e-12, .max = 1,
         .standard = HALO_TEXT_OF(HALO_ALARM_RATE)},
        {HALO_OPTION_ROW(chain_state, "lazy", REAL, lazy), .max = 1, .standard = ".015"},
        {HALO_OPTION_ROW(chain_state, "horizon", INTEGER, horizon), .min = 1, .max = 1e9,
         .standard = HALO_TEXT_OF(HALO_HORIZON_PLANS)},
        {0}};
    return halo_balance_state_create(state, sizeof(chain_state), "chain", known, options);
}

/* Other ranks or another number of rows: nothing known holds any more. */
static halo_status set_size(chain_state *state, int ranks, int64_t rows)
{
    if (state->speed != NULL && state->groups.ranks == ranks && state->groups.rows == rows) {
        return HALO_OK;
    }
    forget(state);
    HALO_TRY(halo_groups_reset(&state->groups, ranks, rows));
    HALO_TRY(halo_estimate_reset(&state->estimate, ranks, state->groups.groups, state->alarms));
    HALO_TRY(HALO_ALLOCATE(state->before, state->groups.groups + 1, "costs of rows"));
    HALO_TRY(HALO_ALLOCATE(state->fixed, ranks, "costs of ranks"));
    return HALO_ALLOCATE(state->speed, ranks, "speeds of ranks");
}

static halo_chains as_chains(chain_state *state, int64_t min)
{
    const halo_estimate *estimate = &state->estimate;
    state->before[0] = 0;
    for (int64_t y = 0; y < estimate->rows; y++) {
        state->before[y + 1] = state->before[y] + estimate->work[y];
    }
    for (int p = 0; p < estimate->ranks; p++) {
        state->fixed[p] = estimate->rank[p].fixed;
        state->speed[p] = estimate->rank[p].speed;
    }
    return (halo_chains){.rows = estimate->rows,
                         .ranks = estimate->ranks,
                         .before = state->before,
                         .fixed = state->fixed,
                         .speed = state->speed,
                         .min_rows = min};
}

/* The best cuts, then those near the old ones that are almost as good. */
static halo_status find_cuts(const chain_state *state, const halo_chains *chains,
                             const int64_t *cuts, int64_t *planned, double *best)
{
    memcpy(planned, cuts, ((size_t)chains->ranks + 1) * sizeof *planned);
    HALO_TRY(halo_chains_solve(chains, planned, best));
    halo_chains_clip(chains, *best * (1 + state->lazy), cuts, planned);
    return HALO_OK;
}

static bool is_too_narrow(const halo_balance_input *input)
{
    int64_t min = halo_balance_min_rows(input);
    for (int p = 0; p < input->ranks; p++) {
        if (input->cuts[p + 1] - input->cuts[p] < min) {
            return true;
        }
    }
    return false;
}

/* The gain must exceed the noise of the estimate, or min_gain where that is more. A gain that
 * exceeds the cost of the move many times over needs only `much`, once enough supersteps of the
 * last rank were averaged: interruptions would otherwise keep a large imbalance that is cheap to
 * mend. */
static void set_threshold(const chain_state *state, const halo_balance_input *input, int last,
                          halo_decision *decision)
{
    double errors = 0, noise = halo_estimate_noise(&state->estimate, last, &errors);
    double gain = decision->seconds_now - decision->seconds_planned;
    bool cheap = state->estimate.rank[last].sure && input->move_seconds_per_row > 0 &&
                 gain * (double)decision->beats > cheap_times * decision->move_seconds;
    bool capped = cheap && noise > much;
    noise = capped ? much : noise;
    bool noisy = noise > state->min_gain;
    decision->needed = noisy ? noise : state->min_gain;
    decision->errors = noisy && !capped ? errors : 0;
}

/* Is it beyond noise, and does it pay? Strips that are too narrow must change in any case. `last`
 * is the last rank to finish, `best` when it could. */
static void decide(const chain_state *state, const halo_balance_input *input, double best, int last,
                   int64_t *planned, halo_decision *decision)
{
    halo_decision_count(decision, input, state->horizon, planned);
    if (is_too_narrow(input)) {
        return;
    }
    set_threshold(state, input, last, decision);
    double gain = decision->seconds_now - decision->seconds_planned;
    if (decision->seconds_now <= best * (1 + decision->needed)) {
        decision->seconds_planned = best;
        halo_reason reason = decision->errors > 0 ? HALO_REASON_NOISE : HALO_REASON_SMALL;
        halo_decision_keep(decision, reason, input, planned);
    } else if (decision->reason == HALO_REASON_BEST) {
        return;
    } else if (gain * (double)decision->beats <= decision->move_seconds) {
        halo_decision_keep(decision, HALO_REASON_COST, input, planned);
    }
}

static halo_status chain_plan(void *any, const halo_balance_input *input, int64_t *planned,
                              halo_decision *decision)
{
    chain_state *state = any;
    int ranks = input->ranks, last = 0;
    const halo_load *loads = NULL;
    const int64_t *cuts = NULL;
    HALO_TRY(halo_balance_check(input));
    HALO_TRY(set_size(state, ranks, input->cuts[ranks]));
    halo_groups_take(&state->groups, input, &loads, &cuts);
    halo_estimate_update(&state->estimate, loads, cuts);
    *decision = (halo_decision){0};
    if (!halo_estimate_is_ready(&state->estimate, cuts)) {
        halo_decision_keep(decision, HALO_REASON_EARLY, input, planned);
        return HALO_OK;
    }
    int64_t min = halo_balance_min_rows(input);
    halo_chains chains = as_chains(state, halo_groups_min(&state->groups, min));
    double best = 0;
    HALO_TRY(find_cuts(state, &chains, cuts, planned, &best));
    decision->seconds_now = halo_chains_seconds(&chains, cuts, &last);
    decision->seconds_planned = halo_chains_seconds(&chains, planned, NULL);
    halo_groups_give(&state->groups, input, min, planned);
    decide(state, input, best, last, planned, decision);
    return HALO_OK;
}

const halo_balancer halo_balancer_chain = {
    .name = "chain",
    .help =
        "best cuts for estimated costs and speeds; moves rows for a gain above gain=.03 that noise "
        "shows in at most alarms=.001 of runs of 300 plans, if it pays within horizon=50 plans; "
        "old cuts stay where that costs at most lazy=.015",
    .create = chain_create,
    .destroy = chain_destroy,
    .plan = chain_plan,
};
