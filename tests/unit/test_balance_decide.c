#include "partition/balance/decision.h"
#include "support/unit_check.h"

/* Why cuts move or do not, and how that is told. */

typedef struct {
    const char *options;
    double slow; /* as the first rank's rows take */
    int64_t min, beats_left;
    double move_seconds;
    int64_t cut;
    int plans;
    halo_reason reason;
    int64_t beats; /* 0: any */
} decision_case;

/* Chain's decision on 200 rows after some plans with the same loads. */
static halo_decision decide(const decision_case *given)
{
    const int64_t cuts[] = {0, given->cut, 200};
    halo_load loads[2];
    int64_t planned[3];
    void *state = NULL;
    halo_decision decision = {0};
    for (int p = 0; p < 2; p++) {
        int64_t rows = cuts[p + 1] - cuts[p];
        double per_row = p == 0 ? 1e-3 : given->slow * 1e-3;
        loads[p] = (halo_load){.compute_seconds = per_row * (double)rows, .rows = rows};
    }
    halo_balance_input input = {.loads = loads,
                                .ranks = 2,
                                .min_rows = given->min,
                                .beats_left = given->beats_left,
                                .move_seconds_per_row = given->move_seconds,
                                .cuts = cuts};
    SUCCEEDS(halo_balancer_chain.create(&state, given->options));
    for (int i = 0; i < given->plans; i++) {
        SUCCEEDS(halo_balancer_chain.plan(state, &input, planned, &decision));
    }
    halo_balancer_chain.destroy(&state);
    return decision;
}

TEST("chain's reasons and horizon")
{
    static const decision_case cases[] = {
        /* 300 ms become 150: 50 rows at .6 s cost 30 s, and 50 beats gain 7.5. */
        {NULL, 3, 1, -1, 0, 100, 1, HALO_REASON_EARLY, 0},
        {NULL, 3, 1, -1, 0, 100, 2, HALO_REASON_GAIN, 50},
        {NULL, 3, 1, -1, .6, 100, 2, HALO_REASON_COST, 0},
        {NULL, 3, 1, 100, .01, 100, 2, HALO_REASON_GAIN, 0},
        {NULL, 3, 1, 3, .01, 100, 2, HALO_REASON_COST, 0},
        {NULL, 3, 1, 0, 0, 100, 2, HALO_REASON_COST, 0},
        /* Noise that has not been measured is assumed, less and less. */
        {NULL, 1.04, 1, -1, 0, 100, 2, HALO_REASON_NOISE, 0},
        {NULL, 1.04, 1, -1, 0, 100, 100, HALO_REASON_SMALL, 0},
        {NULL, 3, 100, -1, 0, 100, 100, HALO_REASON_SMALL, 0},
        {NULL, 200, 5, -1, .6, 199, 2, HALO_REASON_GAIN, 0},
        /* A gain is counted ahead as far as told, but never beyond the end. */
        {"horizon=500", 3, 1, -1, .6, 100, 2, HALO_REASON_GAIN, 500},
        {"horizon=500", 3, 1, 50, .6, 100, 2, HALO_REASON_COST, 50},
        {"horizon=3", 3, 1, -1, .01, 100, 2, HALO_REASON_COST, 3},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        halo_decision decision = decide(&cases[i]);
        check(decision.reason == cases[i].reason &&
                  (cases[i].beats == 0 || decision.beats == cases[i].beats),
              "case %zu: reason %d, %d beats", i, (int)decision.reason, (int)decision.beats);
    }
    halo_decision gain = decide(&cases[1]), narrow = decide(&cases[9]);
    CU_ASSERT(gain.from == 1 && gain.to == 0 && gain.rows >= 47 && gain.rows <= 51);
    /* The second rank is so slow that its row is enough, but it must have five. */
    CU_ASSERT(narrow.from == 0 && narrow.to == 1 && narrow.rows == 4);
    const decision_case enough = {NULL, 200, 1, -1, 0, 199, 2, HALO_REASON_GAIN, 0};
    CU_ASSERT_NOT_EQUAL(decide(&enough).reason, HALO_REASON_GAIN);
}

/* Plans every ten beats count ten times as many. */
TEST("rare plans")
{
    const int64_t cuts[] = {0, 100, 200};
    const halo_load loads[] = {{.compute_seconds = .1, .rows = 100},
                               {.compute_seconds = .3, .rows = 100}};
    for (int b = 0; halo_balancer_at(b) != NULL; b++) {
        const halo_balancer *balancer = halo_balancer_at(b);
        int64_t planned[3];
        void *state = NULL;
        halo_decision decision = {.reason = HALO_REASON_NEVER};
        halo_balance_input input = {
            .loads = loads, .ranks = 2, .beats_left = -1, .beats_a_plan = 10, .cuts = cuts};
        SUCCEEDS(balancer->create(&state, NULL));
        for (int i = 0; i < 3; i++) {
            SUCCEEDS(balancer->plan(state, &input, planned, &decision));
        }
        balancer->destroy(&state);
        check(decision.reason == HALO_REASON_NEVER || decision.beats == 500, "%s: %d beats",
              balancer->name, (int)decision.beats);
    }
}

static const struct {
    halo_decision decision;
    const char *text;
} sentences[] = {
    {{.reason = HALO_REASON_NOISE,
      .seconds_now = 1.012,
      .seconds_planned = 1,
      .needed = .038,
      .errors = 4},
     "kept: predicted gain 1.2 % below 4 standard errors (3.8 %)"},
    {{.reason = HALO_REASON_SMALL, .seconds_now = 1.012, .seconds_planned = 1, .needed = .03},
     "kept: predicted gain 1.2 % below 3.0 %"},
    {{.reason = HALO_REASON_GAIN,
      .seconds_now = 2.82e-3,
      .seconds_planned = 2e-3,
      .beats = 50,
      .move_seconds = 3e-3,
      .rows = 37,
      .max_rows = 37,
      .from = 2,
      .to = 3},
     "moved 37 rows 2 -> 3: gain 41 ms over 50 beats for 3 ms"},
    {{.reason = HALO_REASON_COST,
      .seconds_now = 2,
      .seconds_planned = 1,
      .beats = 2,
      .move_seconds = 3,
      .rows = 37},
     "kept: gain 2 s over 2 beats below 3 s for moving 37 rows"},
    {{.reason = HALO_REASON_COST,
      .seconds_now = 2,
      .seconds_planned = 1,
      .beats = 1,
      .move_seconds = 3,
      .rows = 1},
     "kept: gain 1 s over 1 beat below 3 s for moving 1 row"},
    {{.reason = HALO_REASON_COST, .seconds_now = 2, .seconds_planned = 1, .rows = 2},
     "kept: gain 0 s over 0 beats not above 0 s for moving 2 rows"},
    {{.reason = HALO_REASON_GAIN,
      .seconds_now = 3,
      .seconds_planned = 2,
      .beats = 1,
      .rows = 3,
      .max_rows = 1,
      .from = 1,
      .to = 0},
     "moved 3 rows, at most 1 row 1 -> 0: gain 1 s over 1 beat, moving not timed yet"},
    {{.reason = HALO_REASON_CHANCE, .rows = 90, .max_rows = 37, .from = 2, .to = 3},
     "moved at random: 90 rows, at most 37 rows 2 -> 3"},
    {{.reason = HALO_REASON_SAME}, "kept: the same cuts at random"},
    {{.reason = HALO_REASON_EARLY}, "kept: too few measurements"},
};
TEST("decisions in words")
{
    for (size_t i = 0; i < COUNT(sentences); i++) {
        char text[200];
        halo_decision_write(&sentences[i].decision, text, sizeof text);
        check(strcmp(text, sentences[i].text) == 0, "'%s' is not '%s'", text, sentences[i].text);
    }
}

/* The fixed cost of a move is added to the cost of its rows, but only if something moves. */
TEST("the price of a move")
{
    const int64_t cuts[] = {0, 100, 200}, planned[] = {0, 110, 200};
    halo_balance_input input = {.ranks = 2,
                                .beats_left = -1,
                                .move_seconds_fixed = 2,
                                .move_seconds_per_row = .25,
                                .cuts = cuts};
    halo_decision decision = {0};
    halo_decision_count(&decision, &input, 50, planned);
    CU_ASSERT_TRUE(decision.reason == HALO_REASON_GAIN && decision.rows == 10);
    CU_ASSERT_DOUBLE_EQUAL(decision.move_seconds, 4.5, 1e-12);
    halo_decision_count(&decision, &input, 50, cuts);
    CU_ASSERT_TRUE(decision.reason == HALO_REASON_BEST && decision.move_seconds == 0);
}

TEST("index of load imbalance")
{
    CU_ASSERT_DOUBLE_EQUAL(halo_load_imbalance((const double[]){1, 1, 3}, 3), 4. / 6, 1e-15);
    CU_ASSERT_EQUAL(halo_load_imbalance((const double[]){2, 2}, 2), 0);
    CU_ASSERT_EQUAL(halo_load_imbalance((const double[]){2}, 1), 0);
    CU_ASSERT_EQUAL(halo_load_imbalance((const double[]){0, 0}, 2), 0);
    /* Six sums of this are more than six times it. */
    CU_ASSERT_EQUAL(halo_load_imbalance((const double[]){0.565910746, 0, 0, 0, 0, 0, 0}, 7), 1);
}
