#include "partition/balance/balance.h"
#include "partition/balance/decision.h"
#include "partition/balance/options.h"

/* Diffusion on a chain (Cybenko 1989): neighbours exchange load in proportion to its difference.
 * What crosses a boundary shifts that cut, so that flows are differences of prefix sums. */

typedef struct {
    double rate; /* share of a difference that crosses a boundary */
} diffusion_state;

static halo_status diffusion_create(void **state, const char *options)
{
    static const halo_option known[] = {{HALO_OPTION_ROW(diffusion_state, "rate", REAL, rate),
                                         .max = .5, /* above it oscillates */
                                         .standard = ".25"},
                                        {0}};
    return halo_balance_state_create(state, sizeof(diffusion_state), "diffusion", known, options);
}

static double load_seconds(const halo_load *load)
{
    return load->rows > 0 ? load->compute_seconds + load->transfer_seconds : 0;
}

/* Rows that the busier of two neighbours gives, at most `max`. */
static int64_t flow(const halo_load *from, const halo_load *to, double rate, int64_t max)
{
    double seconds = rate * (load_seconds(from) - load_seconds(to));
    if (from->rows == 0 || from->compute_seconds <= 0 || seconds <= 0) {
        return 0;
    }
    double rows = seconds / (from->compute_seconds / (double)from->rows);
    return rows < (double)max ? (int64_t)rows : max;
}

static double seconds_with(const halo_load *load, int64_t rows)
{
    double per_row = load->rows > 0 ? load->compute_seconds / (double)load->rows : 0;
    return rows > 0 ? load->transfer_seconds + per_row * (double)rows : 0;
}

static halo_status diffusion_plan(void *any, const halo_balance_input *input, int64_t *planned,
                                  halo_decision *decision)
{
    const diffusion_state *state = any;
    int ranks = input->ranks;
    HALO_TRY(halo_balance_check(input));
    int64_t min = halo_balance_min_rows(input);
    const halo_load *loads = input->loads;
    planned[0] = 0;
    planned[ranks] = input->cuts[ranks];
    for (int p = 1; p < ranks; p++) {
        /* Half of what each can spare goes to either side: both sides together never take all. */
        int64_t spare_left = loads[p - 1].rows - min, spare_right = loads[p].rows - min;
        int64_t right = flow(&loads[p - 1], &loads[p], state->rate,
                             spare_left > 0 ? spare_left / (p > 1 ? 2 : 1) : 0);
        int64_t left = flow(&loads[p], &loads[p - 1], state->rate,
                            spare_right > 0 ? spare_right / (p < ranks - 1 ? 2 : 1) : 0);
        planned[p] = input->cuts[p] - right + left;
    }
    halo_balance_widen(planned, ranks, min);
    *decision = (halo_decision){0};
    for (int p = 0; p < ranks; p++) {
        double now = seconds_with(&loads[p], loads[p].rows);
        double then = seconds_with(&loads[p], planned[p + 1] - planned[p]);
        decision->seconds_now = now > decision->seconds_now ? now : decision->seconds_now;
        decision->seconds_planned =
            then > decision->seconds_planned ? then : decision->seconds_planned;
    }
    halo_decision_count(decision, input, HALO_HORIZON_PLANS, planned);
    return HALO_OK;
}

const halo_balancer halo_balancer_diffusion = {
    .name = "diffusion",
    .help = "neighbours exchange rate=.25 of their difference",
    .create = diffusion_create,
    .destroy = halo_balance_state_destroy,
    .plan = diffusion_plan,
};
