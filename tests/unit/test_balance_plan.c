#include "partition/balance/balance.h"
#include "partition/cuts.h"
#include "support/images.h"
#include "support/unit_check.h"

#define COUNT_BALANCER(name, by) +1
enum { MAX_RANKS = 9, MAX_ROWS = 200, PLANS = 12, BALANCERS = HALO_BALANCER_LIST(COUNT_BALANCER) };

static halo_status plan_once(const halo_balancer *balancer, const halo_balance_input *input,
                             int64_t *planned, halo_decision *decision)
{
    void *state = NULL;
    halo_status status = balancer->create(&state, NULL);
    if (status == HALO_OK) {
        status = balancer->plan(state, input, planned, decision);
    }
    balancer->destroy(&state);
    return status;
}

TEST("the list")
{
    int count = 0;
    for (const halo_balancer *b; (b = halo_balancer_at(count)) != NULL; count++) {
        const halo_balancer *found;
        const char *options;
        SUCCEEDS(halo_balancer_parse(&found, &options, b->name));
        CU_ASSERT_TRUE(found == b && options == NULL);
        CU_ASSERT_TRUE(b->help[0] != '\0');
    }
    CU_ASSERT_EQUAL(count, BALANCERS);
    CU_ASSERT_PTR_NULL(halo_balancer_at(-1));
}

/* Texts of options, and a part of what is said where one is refused. */
static const struct {
    const char *name, *options, *says; /* NULL: accepted */
} option_cases[] = {
    {"none", "", NULL},
    {"lb1", "m=4", NULL},
    {"lb1", "m=4,alpha=.5", NULL},
    {"diffusion", "rate=5e-1", NULL},
    {"chain", "gain=.01,alarms=.01,lazy=0,horizon=1000", NULL},
    {"chain", "horizon=0",
     "balancer chain: horizon takes a whole number from 1 to 1000000000, not \"0\""},
    {"random", "seed=0,empty=0", NULL},
    {"random", "seed=1000000000", NULL},
    {"random", "seed=-1", "seed takes a whole number from 0 to 1000000000, not \"-1\""},
    {"random", "empty=2", "from 0 to 1"},
    {"none", "m=4", "balancer none has no option 'm'; it has none"},
    {"lb2", "weight=4", "balancer lb2 has no option 'weight'; it has m, alpha"},
    {"lb2", "m=0", "balancer lb2: m takes a whole number from 1 to 100, not \"0\""},
    {"lb2", "m=1.5", "whole number"},
    {"lb2", "m=4,", "no option ''"},
    {"lb2", "m", "m takes a whole number from 1 to 100, not \"\""},
    {"lb2", "m=", "not \"\""},
    {"lb2", "m= 4", "not \" 4\""},
    {"lb2", "m=4x", "not \"4x\""},
    {"lb2", "m=0x4", "not \"0x4\""},
    {"lb2", "alpha=nan", "alpha takes a number from 0 to 1, not \"nan\""},
    {"lb2", "alpha=1.01", "from 0 to 1"},
    {"diffusion", "rate=.6", "from 0 to 0.5"},
    {"chain", "lazy=-1", "from 0 to 1"},
};

TEST("options")
{
    for (size_t i = 0; i < COUNT(option_cases); i++) {
        const char *name = option_cases[i].name, *options = option_cases[i].options;
        const char *says = option_cases[i].says;
        const halo_balancer *balancer;
        const char *none;
        SUCCEEDS(halo_balancer_parse(&balancer, &none, name));
        void *state = NULL;
        halo_status status = balancer->create(&state, options);
        check(says == NULL ? status == HALO_OK
                           : status == HALO_ARGUMENT && state == NULL &&
                                 strstr(halo_last_message(), says) != NULL,
              "%s:%s: %s", name, options, halo_last_message());
        balancer->destroy(&state);
        balancer->destroy(&state);
    }
}

TEST("input that contradicts itself")
{
    const int64_t cuts[] = {0, 4, 8};
    const float costs[] = {1, -1, 1, 1};
    for (int bad = 0; bad < 9; bad++) {
        halo_load loads[] = {{.compute_seconds = 1, .rows = 4}, {.compute_seconds = 2, .rows = 4}};
        int64_t wrong[] = {0, 9, 8}, planned[3];
        halo_balance_input input = {
            .loads = loads, .ranks = 2, .min_rows = 1, .beats_left = -1, .cuts = cuts};
        halo_decision decision;
        loads[0].rows = bad == 0 ? 5 : 4;
        loads[1].compute_seconds = bad == 1 ? (double)NAN : 2;
        loads[1].transfer_seconds = bad == 2 ? -1 : 0;
        input.min_rows = bad == 3 ? -1 : 1;
        input.cuts = bad == 4 ? wrong : cuts;
        input.move_seconds_fixed = bad == 7 ? -1 : 0;
        input.move_seconds_per_row = bad == 8 ? (double)INFINITY : 0;
        loads[0].row_cost = bad == 5 || bad == 6 ? costs : NULL;
        loads[0].block_rows = bad == 5 ? 0 : 1;
        for (int b = 0; b < BALANCERS; b++) {
            check(plan_once(halo_balancer_at(b), &input, planned, &decision) == HALO_ARGUMENT,
                  "case %d was accepted", bad);
        }
    }
}

/* A random machine whose loads follow the cuts. */
typedef struct {
    int ranks;
    int64_t rows, min, block;
    double cost[MAX_ROWS], speed[MAX_RANKS], fixed[MAX_RANKS];
    float blocks[MAX_RANKS][MAX_ROWS];
} machine;

static void make_machine(uint64_t *random, machine *made)
{
    made->ranks = 1 + (int)random_below(random, MAX_RANKS);
    made->rows = random_below(random, MAX_ROWS + 1);
    made->min = random_below(random, 4);
    made->block = random_below(random, 6);
    for (int64_t y = 0; y < made->rows; y++) {
        made->cost[y] = 1e-4 * (double)random_below(random, 20);
    }
    for (int p = 0; p < made->ranks; p++) {
        made->speed[p] = .2 + (double)random_below(random, 20) / 4;
        made->fixed[p] = 1e-3 * (double)random_below(random, 3);
    }
}

static void measure(machine *made, uint64_t *random, const int64_t *cuts, halo_load *loads)
{
    for (int p = 0; p < made->ranks; p++) {
        double scale = (.9 + .2 * (double)random_below(random, 100) / 100) / made->speed[p];
        int64_t rows = cuts[p + 1] - cuts[p], block = made->block > 0 ? made->block : 1;
        memset(made->blocks[p], 0, sizeof made->blocks[p]);
        loads[p] = (halo_load){.transfer_seconds = made->fixed[p],
                               .rows = rows,
                               .block_rows = block,
                               .row_cost = made->block > 0 ? made->blocks[p] : NULL};
        for (int64_t y = 0; y < rows; y++) {
            double cost = made->cost[cuts[p] + y] * scale;
            loads[p].compute_seconds += cost;
            int64_t first = y / block * block;
            int64_t length = rows - first < block ? rows - first : block;
            made->blocks[p][y / block] += (float)(cost / (double)length);
        }
        loads[p].supersteps = random_below(random, 12);
        loads[p].noise_seconds = loads[p].supersteps > 1 ? loads[p].compute_seconds *
                                                               (double)random_below(random, 3) / 20
                                                         : 0;
    }
}

/* Strips are empty or have their least; one alone has all rows if those are too few. */
static void check_may_empty(const halo_balance_input *input, const int64_t *planned, int i)
{
    for (int p = 0; p < input->ranks; p++) {
        int64_t rows = planned[p + 1] - planned[p];
        check(rows == 0 || rows >= input->min_rows || rows == input->cuts[input->ranks],
              "random, case %d: %d rows", i, (int)rows);
    }
}

/* Cuts are valid and keep the least; a kept decision keeps them; what is said adds up. */
static void check_plan(const halo_balance_input *input, const halo_decision *decision,
                       const int64_t *planned, const char *name, int i)
{
    int ranks = input->ranks;
    int64_t rows = input->cuts[ranks], min = rows / ranks;
    min = input->min_rows < min ? input->min_rows : min;
    char text[200];
    halo_decision_write(decision, text, sizeof text);
    bool good = halo_cuts_are_valid(planned, ranks, rows);
    bool same = memcmp(planned, input->cuts, ((size_t)ranks + 1) * sizeof *planned) == 0;
    bool random = strcmp(name, "random") == 0;
    if (random && (input->may_empty || input->min_rows == 0)) {
        check_may_empty(input, planned, i);
        min = 0;
    }
    for (int p = 0; p < ranks; p++) {
        good = good && (same || planned[p + 1] - planned[p] >= min);
    }
    check(good, "%s, case %d: bad cuts", name, i);
    check(same != halo_decision_moves(decision), "%s, case %d: %s", name, i, text);
    check(random == (decision->reason >= HALO_REASON_CHANCE), "%s, case %d: %s", name, i, text);
    check(strncmp(text, same ? "kept" : "moved", 4) == 0, "%s, case %d: %s", name, i, text);
    if (!same) {
        int64_t moved = halo_cuts_moved(input->cuts, planned, ranks);
        CU_ASSERT_TRUE(decision->rows == moved && decision->max_rows > 0);
        CU_ASSERT_TRUE(decision->from - decision->to == 1 || decision->to - decision->from == 1);
        CU_ASSERT_TRUE(halo_cuts_busiest(input->cuts, planned, ranks) <= 2 * moved);
    }
}

/* Two ranks with a state each plan the same, and plan soundly, for a dozen beats. */
static void run_machine(machine *made, const halo_balancer *balancer, uint64_t *random, int i)
{
    void *states[2] = {NULL, NULL};
    int64_t cuts[MAX_RANKS + 1], planned[2][MAX_RANKS + 1];
    halo_decision decisions[2];
    halo_load loads[MAX_RANKS];
    halo_cuts_even(made->rows, made->ranks, cuts);
    SUCCEEDS(balancer->create(&states[0], NULL));
    SUCCEEDS(balancer->create(&states[1], NULL));
    for (int plan = 0; plan < PLANS; plan++) {
        measure(made, random, cuts, loads);
        halo_balance_input input = {.loads = loads,
                                    .ranks = made->ranks,
                                    .min_rows = made->min,
                                    .beats_left = 100,
                                    .move_seconds_per_row = 1e-6,
                                    .cuts = cuts,
                                    .may_empty = i % 2 == 0};
        for (int rank = 0; rank < 2; rank++) {
            SUCCEEDS(balancer->plan(states[rank], &input, planned[rank], &decisions[rank]));
        }
        size_t bytes = ((size_t)made->ranks + 1) * sizeof *cuts;
        check(memcmp(planned[0], planned[1], bytes) == 0, "%s, case %d: differ", balancer->name, i);
        CU_ASSERT_EQUAL(decisions[0].reason, decisions[1].reason);
        check_plan(&input, &decisions[0], planned[0], balancer->name, i);
        memcpy(cuts, planned[0], bytes);
        if (random_below(random, 4) == 0) {
            random_cuts(random, made->rows, made->ranks, 1, cuts); /* moved by someone else */
        }
    }
    balancer->destroy(&states[0]);
    balancer->destroy(&states[1]);
}

TEST("random machines")
{
    static machine made;
    uint64_t random = 11;
    for (int i = 0; i < 1000; i++) {
        make_machine(&random, &made);
        for (int b = 0; b < BALANCERS; b++) {
            run_machine(&made, halo_balancer_at(b), &random, i);
        }
    }
}

/* One state may go on with other ranks and rows: it forgets what it knew. */
TEST("other ranks and rows")
{
    static machine made;
    for (int b = 0; b < BALANCERS; b++) {
        const halo_balancer *balancer = halo_balancer_at(b);
        uint64_t random = 13;
        void *state = NULL;
        SUCCEEDS(balancer->create(&state, NULL));
        for (int i = 0; i < 100; i++) {
            int64_t cuts[MAX_RANKS + 1], planned[MAX_RANKS + 1];
            halo_load loads[MAX_RANKS];
            halo_decision decision;
            make_machine(&random, &made);
            halo_cuts_even(made.rows, made.ranks, cuts);
            measure(&made, &random, cuts, loads);
            halo_balance_input input = {.loads = loads,
                                        .ranks = made.ranks,
                                        .min_rows = made.min,
                                        .beats_left = -1,
                                        .cuts = cuts};
            SUCCEEDS(balancer->plan(state, &input, planned, &decision));
            check_plan(&input, &decision, planned, balancer->name, i);
        }
        balancer->destroy(&state);
    }
}

/* LB1 and LB2 on the strips' vector, through their plans. */
TEST("row strips' vector")
{
    const halo_load loads[] = {
        {.compute_seconds = .8, .transfer_seconds = .1, .rows = 80},
        {.compute_seconds = .8, .transfer_seconds = .2, .rows = 80},
        {.compute_seconds = 80 / 33.333, .transfer_seconds = .1, .rows = 80}};
    const int64_t cuts[] = {0, 80, 160, 240};
    halo_balance_input input = {.loads = loads,
                                .ranks = 3,
                                .min_rows = 1,
                                .beats_left = -1,
                                .move_seconds_per_row = 1e-3,
                                .cuts = cuts};
    int64_t planned[4];
    halo_decision decision;
    SUCCEEDS(plan_once(&halo_balancer_lb2, &input, planned, &decision));
    CU_ASSERT_TRUE(planned[1] == 107 && planned[2] == 205);
    CU_ASSERT_TRUE(decision.rows == 72 && decision.beats == 50 && decision.from == 2 &&
                   decision.to == 1 && decision.max_rows == 45);
    SUCCEEDS(plan_once(&halo_balancer_lb1, &input, planned, &decision));
    /* 80 rows in .9, 1 and 2.5 s */
    CU_ASSERT_TRUE(planned[1] == 106 && planned[2] == 202);
}
