#include "partition/balance/balance.h"
#include "partition/cuts.h"
#include "support/images.h"
#include "support/unit_check.h"

enum { MAX_RANKS = 40, PLANS = 200 };

/* Counts of the outcomes of 200 plans in a row. */
typedef struct {
    int emptied, refilled, kept, shifted; /* shifted: no cut by more than 3 rows */
    int64_t narrowest;                    /* strip that is not empty */
    uint64_t digest;                      /* of all cuts */
} outcome;

static void count_plan(const int64_t *before, const int64_t *after, int ranks, outcome *seen)
{
    bool near = true;
    for (int p = 0; p < ranks; p++) {
        int64_t had = before[p + 1] - before[p], has = after[p + 1] - after[p];
        int64_t shift = after[p] - before[p];
        near = near && shift >= -3 && shift <= 3;
        seen->emptied += had > 0 && has == 0 ? 1 : 0;
        seen->refilled += had == 0 && has > 0 ? 1 : 0;
        seen->narrowest = has > 0 && has < seen->narrowest ? has : seen->narrowest;
        seen->digest = (seen->digest ^ (uint64_t)after[p]) * 0x100000001b3;
    }
    seen->shifted += near ? 1 : 0;
}

static outcome plan_often(const char *options, int ranks, int64_t rows, int64_t min, bool may_empty)
{
    int64_t cuts[MAX_RANKS + 1], planned[MAX_RANKS + 1];
    void *state = NULL;
    outcome seen = {.narrowest = rows};
    halo_cuts_even(rows, ranks, cuts);
    SUCCEEDS(halo_balancer_random.create(&state, options));
    for (int i = 0; i < PLANS; i++) {
        halo_load loads[MAX_RANKS] = {{.rows = 0}};
        halo_decision decision;
        for (int p = 0; p < ranks; p++) {
            loads[p].rows = cuts[p + 1] - cuts[p];
        }
        halo_balance_input input = {
            .loads = loads, .ranks = ranks, .min_rows = min, .cuts = cuts, .may_empty = may_empty};
        SUCCEEDS(halo_balancer_random.plan(state, &input, planned, &decision));
        CU_ASSERT_TRUE(halo_cuts_are_valid(planned, ranks, rows));
        CU_ASSERT_EQUAL(halo_decision_moves(&decision),
                        halo_cuts_moved(cuts, planned, ranks) > 0 && decision.rows > 0);
        seen.kept += halo_decision_moves(&decision) ? 0 : 1;
        count_plan(cuts, planned, ranks, &seen);
        memcpy(cuts, planned, sizeof cuts);
    }
    halo_balancer_random.destroy(&state);
    return seen;
}

/* Ranks are emptied and refilled where they may be and unless that is not wanted. */
TEST("emptied and refilled")
{
    outcome free = plan_often(NULL, 5, 40, 0, false);
    outcome wide = plan_often(NULL, 5, 40, 3, true);
    outcome full = plan_often(NULL, 5, 40, 3, false);
    outcome unwanted = plan_often("empty=0", 5, 40, 3, true);
    CU_ASSERT_TRUE(free.emptied > 50 && free.refilled > 50 && free.narrowest == 1);
    CU_ASSERT_TRUE(wide.emptied > 50 && wide.refilled > 50 && wide.narrowest == 3);
    CU_ASSERT_TRUE(full.emptied == 0 && full.narrowest == 3);
    CU_ASSERT_TRUE(unwanted.emptied == 0 && unwanted.narrowest == 3);
    CU_ASSERT_TRUE(wide.shifted > 20 && wide.shifted < 100 && wide.kept < 20);
    CU_ASSERT_TRUE(full.shifted > 20 && full.shifted < 100 && full.kept < 20);
}

/* The seed decides, on every machine alike. */
TEST("by the seed")
{
    uint64_t first = plan_often(NULL, 40, 4096, 2, true).digest;
    CU_ASSERT_EQUAL(plan_often("seed=1", 40, 4096, 2, true).digest, first);
    CU_ASSERT_NOT_EQUAL(plan_often("seed=2", 40, 4096, 2, true).digest, first);
    CU_ASSERT_EQUAL(first, UINT64_C(0xe6e97c12acf6c932));
}

/* Sizes at which there is little or nothing to choose. */
TEST("few rows")
{
    for (int ranks = 1; ranks <= 6; ranks++) {
        for (int64_t rows = 0; rows <= 14; rows++) {
            for (int64_t min = 0; min <= 5; min++) {
                outcome rigid = plan_often(NULL, ranks, rows, min, false);
                outcome loose = plan_often(NULL, ranks, rows, min, true);
                int64_t there_is = rows / ranks < min ? rows / ranks : min;
                check(rigid.narrowest >= there_is, "%d ranks, %d rows, at least %d: %d", ranks,
                      (int)rows, (int)min, (int)rigid.narrowest);
                check(loose.narrowest >= (rows < min ? rows : min),
                      "%d ranks, %d rows, none or at least %d: %d", ranks, (int)rows, (int)min,
                      (int)loose.narrowest);
            }
        }
    }
}
