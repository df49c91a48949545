/* Ranks that do not return from their kernels, as a monitor sees them at given times. */
#include "core/world/activity.h"
#include "support/unit_check.h"

#include <stdlib.h>

enum { RANKS = 3, LIMIT = 30 };

/* Three ranks and their activities, with a monitor's observations. */
typedef struct {
    halo_activity *ranks;
    halo_seen seen[RANKS];
} scene;

static scene begin(void)
{
    scene s = {.ranks = halo_activities_create(RANKS)};
    CU_ASSERT_PTR_NOT_NULL_FATAL(s.ranks);
    for (int r = 0; r < RANKS; r++) {
        halo_activity_begin(&s.ranks[r]);
    }
    return s;
}

static halo_stuck look(scene *s, double now)
{
    return halo_activity_look(s->ranks, s->seen, RANKS, LIMIT, now);
}

TEST("a rank is stuck when all others have waited for it as long")
{
    scene s = begin();
    halo_activity_set(&s.ranks[0], HALO_DOES_WAIT);
    halo_activity_update(&s.ranks[1], 16);
    halo_activity_update(&s.ranks[2], 16);
    CU_ASSERT_EQUAL(look(&s, 100).count, 0);
    halo_activity_set(&s.ranks[2], HALO_DOES_WAIT);
    CU_ASSERT_EQUAL(look(&s, 110).count, 0);
    CU_ASSERT_EQUAL(look(&s, 139).count, 0); /* the last one waits for 29 s */
    halo_stuck found = look(&s, 141);
    CU_ASSERT_EQUAL(found.count, 1);
    CU_ASSERT_EQUAL(found.first, 1);
    CU_ASSERT_EQUAL(found.beat, 16);
    NEAR(found.seconds, 41, 1e-9);
    halo_activity_set(&s.ranks[1], HALO_DOES_OTHER);
    CU_ASSERT_EQUAL(look(&s, 200).count, 0);
    CU_ASSERT_EQUAL(look(&s, 300).count, 0);
    free(s.ranks);
}

TEST("ranks that compute, or read for others, are not stuck")
{
    scene s = begin();
    for (int r = 0; r < RANKS; r++) {
        halo_activity_update(&s.ranks[r], 0);
    }
    look(&s, 1);
    CU_ASSERT_EQUAL(look(&s, 1000).count, 0);
    halo_activity_set(&s.ranks[0], HALO_DOES_OTHER);
    halo_activity_set(&s.ranks[1], HALO_DOES_WAIT);
    halo_activity_set(&s.ranks[2], HALO_DOES_WAIT);
    look(&s, 1001);
    CU_ASSERT_EQUAL(look(&s, 2000).count, 0);
    free(s.ranks);
}

TEST("each call of a kernel and each wait begins anew")
{
    scene s = begin();
    halo_activity_set(&s.ranks[0], HALO_DOES_WAIT);
    halo_activity_set(&s.ranks[2], HALO_DOES_WAIT);
    for (int call = 0; call < 100; call++) {
        halo_activity_update(&s.ranks[1], 7);
        CU_ASSERT_EQUAL(look(&s, 10 + 10 * call).count, 0);
        halo_activity_set(&s.ranks[1], HALO_DOES_OTHER);
    }
    free(s.ranks);
}

TEST("several are stuck, the others wait")
{
    scene s = begin();
    halo_activity_update(&s.ranks[0], 3);
    halo_activity_set(&s.ranks[1], HALO_DOES_WAIT);
    halo_activity_update(&s.ranks[2], 4);
    look(&s, 1);
    halo_stuck found = look(&s, 31);
    CU_ASSERT_EQUAL(found.count, 2);
    CU_ASSERT_EQUAL(found.first, 0);
    CU_ASSERT_EQUAL(found.beat, 3);
    free(s.ranks);
}

TEST("ranks that never begin, since the system allows no more threads")
{
    halo_activity *ranks = halo_activities_create(RANKS);
    halo_seen seen[RANKS] = {{0}};
    CU_ASSERT_PTR_NOT_NULL_FATAL(ranks);
    halo_activity_begin(&ranks[0]);
    halo_activity_begin(&ranks[1]);
    halo_activity_set(&ranks[0], HALO_DOES_WAIT);
    halo_activity_update(&ranks[1], 5);
    halo_activity_look(ranks, seen, RANKS, LIMIT, 1);
    CU_ASSERT_EQUAL(halo_activity_look(ranks, seen, RANKS, LIMIT, 40).count, 1);
    free(ranks);
}

TEST("the rank of a thread")
{
    halo_activity *ranks = halo_activities_create(RANKS);
    CU_ASSERT_PTR_NOT_NULL_FATAL(ranks);
    CU_ASSERT_EQUAL(halo_activity_rank(ranks, RANKS), -1);
    halo_activity_begin(&ranks[2]);
    CU_ASSERT_EQUAL(halo_activity_rank(ranks, RANKS), 2);
    CU_ASSERT_EQUAL(halo_activity_rank(ranks, 2), -1);
    free(ranks);
}
