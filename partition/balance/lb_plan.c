#include "base/memory.h"
#include "partition/balance/balance.h"
#include "partition/balance/decision.h"
#include "partition/balance/lb_lines.h"
#include "partition/balance/options.h"

#include <stdlib.h>
#include <string.h>

/* LB1 and LB2 for row strips. Halos are the constant part of the paper's equations, whatever the
 * rows, and nothing proportional to these is transferred: LB2's fixed part is what a halo costs
 * over a rank's own links. LB1 takes the whole time as proportional to the rows. */

typedef struct {
    double rows, compute, transfer;
} past;

typedef struct {
    int64_t memory;      /* plans remembered */
    double alpha;        /* weight of one against the one after it */
    bool fixed_part;     /* LB2 */
    int ranks, filled;   /* plans in `history`, at most `memory` */
    past *history;       /* [memory][ranks], the newest first */
    halo_lb_line *lines; /* [ranks], the last known; per_unit 0 if never */
    double *shares;      /* [ranks] */
    int64_t *units;      /* [ranks] */
} lb_state;

static void forget(lb_state *state)
{
    free(state->history);
    free(state->lines);
    free(state->shares);
    free(state->units);
    state->history = NULL;
    state->lines = NULL;
    state->shares = NULL;
    state->units = NULL;
    state->ranks = state->filled = 0;
}

static void lb_destroy(void **state)
{
    if (*state != NULL) {
        forget(*state);
        halo_balance_state_destroy(state);
    }
}

static halo_status lb_create(void **state, const char *name, const char *options,
                             const char *memory)
{
    const halo_option known[] = {
        {HALO_OPTION_ROW(lb_state, "m", INTEGER, memory), .min = 1, .max = 100, .standard = memory},
        {HALO_OPTION_ROW(lb_state, "alpha", REAL, alpha), .max = 1, .standard = ".5"},
        {0}};
    return halo_balance_state_create(state, sizeof(lb_state), name, known, options);
}

static halo_status lb1_create(void **state, const char *options)
{
    return lb_create(state, "lb1", options, "1");
}

static halo_status lb2_create(void **state, const char *options)
{
    HALO_TRY(lb_create(state, "lb2", options, "4"));
    ((lb_state *)*state)->fixed_part = true;
    return HALO_OK;
}

static halo_status set_ranks(lb_state *state, int ranks)
{
    if (state->ranks == ranks) {
        return HALO_OK;
    }
    forget(state);
    size_t plans = (size_t)state->memory;
    HALO_TRY(HALO_ALLOCATE(state->history, plans * (size_t)ranks, "plans to remember"));
    HALO_TRY(HALO_ALLOCATE(state->lines, ranks, "speeds of ranks"));
    HALO_TRY(HALO_ALLOCATE(state->shares, ranks, "shares of ranks"));
    HALO_TRY(HALO_ALLOCATE(state->units, ranks, "rows of ranks"));
    state->ranks = ranks;
    return HALO_OK;
}

static void remember(lb_state *state, const halo_load *loads)
{
    size_t ranks = (size_t)state->ranks, memory = (size_t)state->memory;
    memmove(state->history + ranks, state->history, (memory - 1) * ranks * sizeof(past));
    for (size_t p = 0; p < ranks; p++) {
        state->history[p] =
            (past){(double)loads[p].rows, loads[p].compute_seconds, loads[p].transfer_seconds};
    }
    state->filled += state->filled < (int)memory ? 1 : 0;
}

/* The line of one rank, from sums over the past, each plan's weighted with alpha: what was done
 * without rows tells nothing. */
static void fit(lb_state *state, int p)
{
    double weight = 1, weights = 0, rows = 0, seconds = 0, transfer = 0;
    for (int j = 0; j < state->filled; j++) {
        past then = state->history[(size_t)j * (size_t)state->ranks + (size_t)p];
        if (then.rows > 0) {
            weights += weight;
            rows += weight * then.rows;
            seconds += weight * then.compute;
            transfer += weight * then.transfer;
        }
        weight *= state->alpha;
    }
    if (rows <= 0) {
        return;
    }
    /* All that is transferred is one constant part. */
    const halo_lb_measured measured = {.units = rows / weights,
                                       .constant_out = 1,
                                       .transfer_seconds = transfer / weights,
                                       .compute_seconds = seconds / weights};
    state->lines[p] =
        state->fixed_part ? halo_lb2_line(&measured) : halo_lb1_line(rows, seconds + transfer);
}

/* A rank that never had rows is taken for an average one, so that it gets some. */
static void fill_unknown(halo_lb_line *lines, int ranks)
{
    halo_lb_line mean = {0, 0};
    int known = 0;
    for (int p = 0; p < ranks; p++) {
        mean.fixed += lines[p].fixed;
        mean.per_unit += lines[p].per_unit;
        known += lines[p].per_unit > 0 ? 1 : 0;
    }
    for (int p = 0; p < ranks; p++) {
        if (lines[p].per_unit <= 0) {
            lines[p].fixed = known > 0 ? mean.fixed / known : 0;
            lines[p].per_unit = known > 0 ? mean.per_unit / known : 1;
        }
    }
}

static double slowest(const halo_lb_line *lines, int ranks, const int64_t *cuts)
{
    double last = 0;
    for (int p = 0; p < ranks; p++) {
        int64_t rows = cuts[p + 1] - cuts[p];
        double seconds = rows > 0 ? lines[p].fixed + lines[p].per_unit * (double)rows : 0;
        last = seconds > last ? seconds : last;
    }
    return last;
}

static halo_status lb_plan(void *any, const halo_balance_input *input, int64_t *planned,
                           halo_decision *decision)
{
    lb_state *state = any;
    int ranks = input->ranks;
    int64_t total = input->cuts[ranks];
    HALO_TRY(halo_balance_check(input));
    HALO_TRY(set_ranks(state, ranks));
    remember(state, input->loads);
    for (int p = 0; p < ranks; p++) {
        fit(state, p);
    }
    fill_unknown(state->lines, ranks);
    double min = (double)halo_balance_min_rows(input);
    halo_lb_share(state->lines, ranks, (double)total, min, state->shares);
    halo_lb_whole(state->lines, ranks, total, state->shares, state->units);
    planned[0] = 0;
    for (int p = 0; p < ranks; p++) {
        planned[p + 1] = planned[p] + state->units[p];
    }
    *decision = (halo_decision){.seconds_now = slowest(state->lines, ranks, input->cuts),
                                .seconds_planned = slowest(state->lines, ranks, planned)};
    halo_decision_count(decision, input, HALO_HORIZON_PLANS, planned);
    return HALO_OK;
}

const halo_balancer halo_balancer_lb1 = {
    .name = "lb1",
    .help = "rows by speed, m=1 plans remembered, each older one by alpha=.5",
    .create = lb1_create,
    .destroy = lb_destroy,
    .plan = lb_plan,
};

const halo_balancer halo_balancer_lb2 = {
    .name = "lb2",
    .help = "rows by speed and fixed cost, m=4 plans remembered, each older one by alpha=.5",
    .create = lb2_create,
    .destroy = lb_destroy,
    .plan = lb_plan,
};
