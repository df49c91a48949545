#include "partition/balance/groups.h"
#include "partition/cuts.h"
#include "support/unit_check.h"

/* Plans of so many layers that they are known in groups only. */

enum { RANKS = 4, BLOCKS = 64 };

/* Plans of a domain of one axis, where a layer is a cell: the second of four ranks is three times
 * slower. Memory for each layer of 10^12 would not be there. */
static void run_many(int64_t rows, int64_t min, const int64_t *first, bool blocks)
{
    static float costs[RANKS][BLOCKS];
    int64_t cuts[RANKS + 1], planned[RANKS + 1];
    halo_load loads[RANKS];
    halo_decision decision = {0};
    void *state = NULL;
    SUCCEEDS(halo_balancer_chain.create(&state, NULL));
    memcpy(cuts, first, sizeof cuts);
    for (int plan = 0; plan < 8; plan++) {
        for (int p = 0; p < RANKS; p++) {
            int64_t owned = cuts[p + 1] - cuts[p];
            double per_row = p == 1 ? 3e-9 : 1e-9;
            loads[p] = (halo_load){.compute_seconds = per_row * (double)owned,
                                   .rows = owned,
                                   .block_rows = owned / BLOCKS + 1,
                                   .row_cost = blocks ? costs[p] : NULL};
            for (int b = 0; b < BLOCKS; b++) {
                costs[p][b] = (float)per_row;
            }
        }
        halo_balance_input input = {
            .loads = loads, .ranks = RANKS, .min_rows = min, .beats_left = -1, .cuts = cuts};
        SUCCEEDS(halo_balancer_chain.plan(state, &input, planned, &decision));
        check(halo_cuts_are_valid(planned, RANKS, rows), "plan %d: bad cuts", plan);
        for (int p = 0; p < RANKS; p++) {
            int64_t owned = planned[p + 1] - planned[p];
            check(owned >= min, "plan %d: rank %d has %d rows", plan, p, (int)owned);
        }
        memcpy(cuts, planned, sizeof cuts);
    }
    halo_balancer_chain.destroy(&state);
    double fast = (double)rows * .3;
    for (int p = 0; p < RANKS; p++) {
        double share = (double)(cuts[p + 1] - cuts[p]) / (p == 1 ? fast / 3 : fast);
        check(share <= 1.02, "rank %d has %.3f times its share", p, share);
    }
}

TEST("very many layers")
{
    const int64_t max[] = {100000000, INT64_C(1000000000000)};
    for (int i = 0; i < 2; i++) {
        int64_t rows = max[i], even[5], uneven[] = {0, 17, rows / 2 + 5, rows - 33, rows};
        halo_cuts_even(rows, 4, even);
        run_many(rows, 1, even, true);
        run_many(rows, rows / 100, even, false);
        run_many(rows, 16, uneven, true);
    }
}

/* Cuts go to the nearest boundaries of groups and come back; those that do not change stay, and
 * strips keep their least where a boundary would leave less. */
TEST("groups of layers")
{
    const int64_t rows = 10 * HALO_MAX_GROUPS - 3;
    const int64_t cuts[] = {0, 14, 16, rows, rows};
    const float costs[] = {1, 2};
    const halo_load all[] = {
        {.compute_seconds = 14, .rows = 14, .block_rows = 7, .row_cost = costs},
        {.compute_seconds = 2, .rows = 2},
        {.compute_seconds = 5, .rows = rows - 16},
        {.rows = 0}};
    halo_balance_input input = {.loads = all, .ranks = 4, .cuts = cuts};
    const halo_load *loads = NULL;
    const int64_t *grouped = NULL;
    halo_groups groups = {0};
    SUCCEEDS(halo_groups_reset(&groups, 4, rows));
    CU_ASSERT_TRUE(groups.size == 10 && groups.groups == HALO_MAX_GROUPS);
    halo_groups_take(&groups, &input, &loads, &grouped);
    CU_ASSERT_TRUE(grouped[1] == 1 && grouped[2] == 2 && grouped[3] == HALO_MAX_GROUPS);
    CU_ASSERT_TRUE(loads[0].rows == 1 && loads[1].rows == 1 && loads[3].rows == 0);
    CU_ASSERT_DOUBLE_EQUAL(loads[0].compute_seconds, 10, 1e-9); /* 14 rows were 1 s each */
    CU_ASSERT_DOUBLE_EQUAL((double)loads[0].row_cost[0], 20, 1e-6);
    CU_ASSERT_TRUE(loads[0].block_rows == 1 && loads[1].row_cost == NULL);
    CU_ASSERT_TRUE(halo_groups_min(&groups, 0) == 0 && halo_groups_min(&groups, 11) == 2);
    int64_t planned[] = {0, 1, 1, HALO_MAX_GROUPS, HALO_MAX_GROUPS};
    halo_groups_give(&groups, &input, 0, planned);
    CU_ASSERT_TRUE(planned[1] == 14 && planned[2] == 14 && planned[3] == rows);
    int64_t narrow[] = {0, 0, 2, 3, HALO_MAX_GROUPS};
    halo_groups_give(&groups, &input, 4, narrow);
    CU_ASSERT_TRUE(narrow[1] == 4 && narrow[2] == 16 && narrow[3] == 30 && narrow[4] == rows);
    halo_groups_free(&groups);
    SUCCEEDS(halo_groups_reset(&groups, 4, HALO_MAX_GROUPS));
    CU_ASSERT_TRUE(groups.size == 1 && groups.cost == NULL);
    halo_groups_free(&groups);
}
