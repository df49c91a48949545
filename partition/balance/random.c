#include "partition/balance/balance.h"
#include "partition/balance/decision.h"
#include "partition/balance/options.h"

#include <stdlib.h>
#include <string.h>

/* Cuts at random, to test that results do not depend on them. Every fourth plan shifts cuts by a
 * few rows, the others draw them all anew; where strips may be empty, every second of those leaves
 * rows to some of the ranks only. */

enum { MAX_SHIFT = 3, NEW_OF_4 = 3 };

typedef struct {
    int64_t seed, empty; /* options */
    uint64_t random;
} random_state;

static halo_status random_create(void **out, const char *options)
{
    static const halo_option known[] = {
        {HALO_OPTION_ROW(random_state, "seed", INTEGER, seed), .max = 1e9, .standard = "1"},
        {HALO_OPTION_ROW(random_state, "empty", INTEGER, empty), .max = 1, .standard = "1"},
        {0}};
    HALO_TRY(halo_balance_state_create(out, sizeof(random_state), "random", known, options));
    random_state *state = *out;
    state->random = (uint64_t)state->seed;
    return HALO_OK;
}

/* 0 to n - 1, by splitmix64 (Steele, Lea and Flood 2014): the same on every machine. */
static int64_t below(random_state *state, int64_t n)
{
    uint64_t z = state->random += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (int64_t)((z ^ (z >> 31)) % (uint64_t)n);
}

/* A rule says which numbers of rows a random strip may have. */
typedef struct {
    int64_t min; /* rows of a strip that is not empty */
    bool empty;  /* may strips be empty? */
} strip_rule;

static bool is_allowed(const strip_rule *rule, int64_t rows)
{
    return rows >= rule->min || (rule->empty && rows == 0);
}

static strip_rule find_rule(const random_state *state, const halo_balance_input *input)
{
    bool empty = state->empty > 0 && (input->may_empty || input->min_rows == 0);
    if (!empty) {
        return (strip_rule){halo_balance_min_rows(input), false};
    }
    int64_t rows = input->cuts[input->ranks], min = input->min_rows > 1 ? input->min_rows : 1;
    return (strip_rule){min < rows ? min : rows, true};
}

/* Shift each cut by a few rows where the strips beside it allow that. */
static void shift_cuts(random_state *state, const strip_rule *rule, int ranks, int64_t *cuts)
{
    for (int p = 1; p < ranks; p++) {
        int64_t to = cuts[p] + below(state, 2 * MAX_SHIFT + 1) - MAX_SHIFT;
        if (is_allowed(rule, to - cuts[p - 1]) && is_allowed(rule, cuts[p + 1] - to)) {
            cuts[p] = to;
        }
    }
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Draw the cuts of `owners` strips into the first of `cuts`, each cut as likely as any other. */
static void draw_owners(random_state *state, int64_t rows, int64_t min, int owners, int64_t *cuts)
{
    int64_t spare = rows - owners * min;
    cuts[0] = 0;
    for (int i = 1; i < owners; i++) {
        cuts[i] = below(state, spare + 1);
    }
    cuts[owners] = spare;
    qsort(cuts + 1, (size_t)owners - 1, sizeof *cuts, compare);
    for (int i = 1; i <= owners; i++) {
        cuts[i] += i * min;
    }
}

static void draw_cuts(random_state *state, const strip_rule *rule, int64_t rows, int ranks,
                      int64_t *cuts)
{
    int owners = ranks;
    if (rule->empty && rows > 0) {
        int64_t max = rows / rule->min;
        max = max < ranks ? max : ranks;
        owners = (int)(below(state, 2) == 0 ? max : 1 + below(state, max));
    }
    draw_owners(state, rows, rule->min, owners, cuts);
    /* Choose the owners backwards, so that no cut is overwritten before it has been read. */
    for (int p = ranks, left = owners; p > 0; p--) {
        cuts[p] = cuts[left];
        left -= below(state, p) < left ? 1 : 0;
    }
}

static halo_status random_plan(void *any, const halo_balance_input *input, int64_t *planned,
                               halo_decision *decision)
{
    random_state *state = any;
    int ranks = input->ranks;
    HALO_TRY(halo_balance_check(input));
    strip_rule rule = find_rule(state, input);
    bool anew = below(state, 4) < NEW_OF_4;
    for (int p = 0; p < ranks; p++) {
        anew = anew || !is_allowed(&rule, input->cuts[p + 1] - input->cuts[p]);
    }
    if (anew) {
        draw_cuts(state, &rule, input->cuts[ranks], ranks, planned);
    } else {
        memcpy(planned, input->cuts, ((size_t)ranks + 1) * sizeof *planned);
        shift_cuts(state, &rule, ranks, planned);
    }
    *decision = (halo_decision){0};
    halo_decision_count(decision, input, HALO_HORIZON_PLANS, planned);
    bool moves = decision->reason == HALO_REASON_GAIN;
    decision->reason = moves ? HALO_REASON_CHANCE : HALO_REASON_SAME;
    return HALO_OK;
}

const halo_balancer halo_balancer_random = {
    .name = "random",
    .help = "cuts at random, from seed=1, to test that results do not depend on them; strips are "
            "emptied where they may be, unless empty=0",
    .create = random_create,
    .destroy = halo_balance_state_destroy,
    .plan = random_plan,
};
