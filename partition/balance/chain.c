#include "partition/balance/balance.h"
#include "partition/balance/chains.h"
#include "partition/balance/decision.h"
#include "partition/balance/estimate.h"
#include "partition/balance/options.h"

#include <stdlib.h>
#include <string.h>

/* The default: estimates of rows' costs and ranks' speeds, the best cuts for them, and moving only
 * where that is beyond noise and pays. */

typedef struct {
    double least_gain, errors; /* what a gain must exceed: a share, standard errors */
    double lazy;               /* share that keeping old cuts may cost */
    double horizon;            /* plans over whose beats a gain is counted, at most */
    halo_estimate estimate;
    double *before; /* [rows + 1] */
    double *fixed;  /* [ranks] */
    double *speed;  /* [ranks] */
} chain_state;

static void forget(chain_state *state)
{
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
        free(*state);
        *state = NULL;
    }
}

static halo_status chain_create(void **out, const char *options)
{
    chain_state *state = malloc(sizeof *state);
    *out = state;
    if (state == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: balancer chain");
    }
    *state =
        (chain_state){.least_gain = .03, .errors = 4, .lazy = .015, .horizon = HALO_HORIZON_PLANS};
    const halo_balance_option known[] = {
        {"gain", &state->least_gain, 0, 10, false},
        {"errors", &state->errors, 0, 100, false},
        {"lazy", &state->lazy, 0, 1, false},
        {"horizon", &state->horizon, 1, 1e9, true},
        {.name = NULL},
    };
    halo_status status = halo_balance_options_read("chain", options, known);
    if (status != HALO_OK) {
        chain_destroy(out);
    }
    return status;
}

/* Other ranks or another number of rows: nothing known holds any more. */
static halo_status set_size(chain_state *state, int ranks, int64_t rows)
{
    if (state->speed != NULL && state->estimate.ranks == ranks && state->estimate.rows == rows) {
        return HALO_OK;
    }
    forget(state);
    HALO_TRY(halo_estimate_reset(&state->estimate, ranks, rows));
    size_t count = (size_t)ranks;
    state->before = malloc(((size_t)rows + 1) * sizeof *state->before);
    state->fixed = malloc(count * sizeof *state->fixed);
    state->speed = malloc(count * sizeof *state->speed);
    if (state->before == NULL || state->fixed == NULL || state->speed == NULL) {
        forget(state);
        return halo_fail(HALO_MEMORY, "out of memory: balancing %d ranks", ranks);
    }
    return HALO_OK;
}

static halo_chains as_chains(chain_state *state, int64_t least)
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
                         .least = least};
}

/* The best cuts, then those near the old ones that are almost as good. */
static halo_status find_cuts(const chain_state *state, const halo_chains *chains,
                             const halo_balance_input *input, int64_t *planned, double *best)
{
    memcpy(planned, input->cuts, ((size_t)chains->ranks + 1) * sizeof *planned);
    HALO_TRY(halo_chains_solve(chains, planned, best));
    halo_chains_clip(chains, *best * (1 + state->lazy), input->cuts, planned);
    return HALO_OK;
}

static bool is_too_narrow(const halo_balance_input *input)
{
    int64_t least = halo_balance_least(input);
    for (int p = 0; p < input->ranks; p++) {
        if (input->cuts[p + 1] - input->cuts[p] < least) {
            return true;
        }
    }
    return false;
}

/* Is it beyond noise, and does it pay? Strips that are too narrow must change in any case. */
static void decide(const chain_state *state, const halo_balance_input *input, double best,
                   double error, int64_t *planned, halo_decision *decision)
{
    double noise = state->errors * error;
    bool noisy = noise > state->least_gain;
    halo_decision_count(decision, input, (int64_t)state->horizon, planned);
    if (is_too_narrow(input)) {
        return;
    }
    decision->needed = noisy ? noise : state->least_gain;
    decision->errors = noisy ? state->errors : 0;
    double gain = decision->seconds_now - decision->seconds_planned;
    if (decision->seconds_now <= best * (1 + decision->needed)) {
        decision->seconds_planned = best;
        halo_decision_keep(decision, noisy ? HALO_REASON_NOISE : HALO_REASON_SMALL, input, planned);
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
    HALO_TRY(halo_balance_check(input));
    HALO_TRY(set_size(state, ranks, input->cuts[ranks]));
    halo_estimate_update(&state->estimate, input->loads, input->cuts);
    *decision = (halo_decision){0};
    if (!halo_estimate_is_ready(&state->estimate, input->cuts)) {
        halo_decision_keep(decision, HALO_REASON_EARLY, input, planned);
        return HALO_OK;
    }
    halo_chains chains = as_chains(state, halo_balance_least(input));
    double best = 0;
    HALO_TRY(find_cuts(state, &chains, input, planned, &best));
    decision->seconds_now = halo_chains_seconds(&chains, input->cuts, &last);
    decision->seconds_planned = halo_chains_seconds(&chains, planned, NULL);
    double error = halo_estimate_error(&state->estimate, last);
    decide(state, input, best, error, planned, decision);
    return HALO_OK;
}

const halo_balancer halo_balancer_chain = {
    .name = "chain",
    .help = "best cuts for estimated costs and speeds, if gain=.03 and errors=4 standard errors "
            "are exceeded and it pays within horizon=50 plans; old cuts stay where that costs at "
            "most lazy=.015",
    .create = chain_create,
    .destroy = chain_destroy,
    .plan = chain_plan,
};
