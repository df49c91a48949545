#include "partition/balance/decision.h"
#include "support/unit_check.h"

/* Why cuts move or do not, and how that is told. */

/* The reason for chain's decision after `plans` plans with the same loads. */
static halo_reason decide_with(const char *options, double slow, int64_t least, int64_t beats_left,
                               double move_seconds, const int64_t *cuts, int plans,
                               halo_decision *decision)
{
    halo_load loads[2];
    int64_t planned[3];
    void *state = NULL;
    for (int p = 0; p < 2; p++) {
        int64_t rows = cuts[p + 1] - cuts[p];
        double per_row = p == 0 ? 1e-3 : slow * 1e-3;
        loads[p] = (halo_load){.compute_seconds = per_row * (double)rows, .rows = rows};
    }
    halo_balance_input input = {.loads = loads,
                                .ranks = 2,
                                .least_rows = least,
                                .beats_left = beats_left,
                                .move_seconds_per_row = move_seconds,
                                .cuts = cuts};
    SUCCEEDS(halo_balancer_chain.create(&state, options));
    for (int i = 0; i < plans; i++) {
        SUCCEEDS(halo_balancer_chain.plan(state, &input, planned, decision));
    }
    halo_balancer_chain.destroy(&state);
    return decision->reason;
}

static halo_reason decide(double slow, int64_t least, int64_t beats_left, double move_seconds,
                          const int64_t *cuts, int plans, halo_decision *decision)
{
    return decide_with(NULL, slow, least, beats_left, move_seconds, cuts, plans, decision);
}

/* How far ahead a gain is counted: the beats of 50 plans, or as it is told, but never beyond the
 * end. */
TEST("chain's horizon")
{
    const int64_t even[] = {0, 100, 200};
    halo_decision decision;
    CU_ASSERT_EQUAL(decide_with("horizon=500", 3, 1, -1, .6, even, 2, &decision), HALO_REASON_GAIN);
    CU_ASSERT_EQUAL(decision.beats, 500);
    CU_ASSERT_EQUAL(decide_with("horizon=500", 3, 1, 50, .6, even, 2, &decision), HALO_REASON_COST);
    CU_ASSERT_EQUAL(decision.beats, 50);
    CU_ASSERT_EQUAL(decide_with("horizon=3", 3, 1, -1, .01, even, 2, &decision), HALO_REASON_COST);
    CU_ASSERT_EQUAL(decision.beats, 3);
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

TEST("chain's reasons")
{
    const int64_t even[] = {0, 100, 200}, narrow[] = {0, 199, 200};
    halo_decision decision;
    /* 300 ms become 150: 50 rows at .6 s cost 30 s, and 50 beats gain 7.5. */
    CU_ASSERT_EQUAL(decide(3, 1, -1, 0, even, 1, &decision), HALO_REASON_EARLY);
    CU_ASSERT_EQUAL(decide(3, 1, -1, 0, even, 2, &decision), HALO_REASON_GAIN);
    CU_ASSERT_TRUE(decision.from == 1 && decision.to == 0 && decision.beats == 50);
    CU_ASSERT_TRUE(decision.rows >= 47 && decision.rows <= 51);
    CU_ASSERT_EQUAL(decide(3, 1, -1, .6, even, 2, &decision), HALO_REASON_COST);
    CU_ASSERT_EQUAL(decide(3, 1, 100, .01, even, 2, &decision), HALO_REASON_GAIN);
    CU_ASSERT_EQUAL(decide(3, 1, 3, .01, even, 2, &decision), HALO_REASON_COST);
    CU_ASSERT_EQUAL(decide(3, 1, 0, 0, even, 2, &decision), HALO_REASON_COST);
    CU_ASSERT_EQUAL(decide(1.04, 1, -1, 0, even, 2, &decision), HALO_REASON_SMALL);
    CU_ASSERT_EQUAL(decide(3, 100, -1, 0, even, 2, &decision), HALO_REASON_SMALL);
    /* The second rank is so slow that its row is enough, but it must have five. */
    CU_ASSERT_NOT_EQUAL(decide(200, 1, -1, 0, narrow, 2, &decision), HALO_REASON_GAIN);
    CU_ASSERT_EQUAL(decide(200, 5, -1, .6, narrow, 2, &decision), HALO_REASON_GAIN);
    CU_ASSERT_TRUE(decision.rows == 4 && decision.from == 0 && decision.to == 1);
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
      .most_rows = 37,
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
      .most_rows = 1,
      .from = 1,
      .to = 0},
     "moved 3 rows, at most 1 row 1 -> 0: gain 1 s over 1 beat, moving not timed yet"},
    {{.reason = HALO_REASON_CHANCE, .rows = 90, .most_rows = 37, .from = 2, .to = 3},
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

/* What any move takes is added to what its rows take, but only where something moves. */
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
}
