#include "app/schedule.h"
#include "support/unit_check.h"

/* Every beat of a run, one after the other and by leaps: the same things happen. */
static void test_leaps(void)
{
    static const schedule_begin begins[] = {SCHEDULE_AS_EVER, SCHEDULE_ALWAYS, SCHEDULE_NEVER};
    for (int64_t every = 0; every <= 7; every++) {
        for (int64_t begin = 0; begin <= 9; begin++) {
            for (int kind = 0; kind < 6; kind++) {
                const schedule_event event = {every, begins[kind / 2], kind % 2 == 1};
                int64_t end = begin + 11, next = begin;
                for (int64_t now = begin; now <= end; now++) {
                    bool due = schedule_due(&event, begin, now, now == end);
                    check(!due || now == next, "every %d from %d: %d is leapt over", (int)every,
                          (int)begin, (int)now);
                    next = now == next && now < end ? schedule_next(&event, now, end) : next;
                }
                CU_ASSERT_EQUAL(next, end);
            }
        }
    }
}

static void test_ends(void)
{
    const schedule_event frame = {.every = 5, .begin = SCHEDULE_ALWAYS, .end = true};
    const schedule_event save = {.every = 5, .begin = SCHEDULE_NEVER, .end = true};
    const schedule_event look = {.every = 5};
    const schedule_event never = {.begin = SCHEDULE_ALWAYS, .end = true};
    CU_ASSERT_TRUE(schedule_due(&frame, 3, 3, false));
    CU_ASSERT_FALSE(schedule_due(&save, 5, 5, false));
    CU_ASSERT_TRUE(schedule_due(&save, 5, 5, true));
    CU_ASSERT_TRUE(schedule_due(&save, 5, 10, false));
    CU_ASSERT_TRUE(schedule_due(&look, 5, 5, false));
    CU_ASSERT_FALSE(schedule_due(&look, 3, 3, false));
    CU_ASSERT_FALSE(schedule_due(&look, 3, 8, true));
    CU_ASSERT_FALSE(schedule_due(&never, 0, 0, true));
    CU_ASSERT_EQUAL(schedule_next(&never, 4, 9), 9);
    CU_ASSERT_EQUAL(schedule_next(&frame, INT64_MAX - 3, INT64_MAX), INT64_MAX - 2);
    const schedule_event only_in_the_end = {.every = INT64_MAX, .end = true};
    CU_ASSERT_EQUAL(schedule_next(&only_in_the_end, 1, INT64_MAX / 2), INT64_MAX / 2);
}

static void test_pictures(void)
{
    CU_ASSERT_EQUAL(schedule_pictures_every(1), 1);
    CU_ASSERT_EQUAL(schedule_pictures_every(600), 1);
    CU_ASSERT_EQUAL(schedule_pictures_every(601), 2);
    CU_ASSERT_EQUAL(schedule_pictures_every(600000), 1000);
}

int main(void)
{
    CU_TestInfo tests[] = {{"by leaps", test_leaps},
                           {"the first and the last beat", test_ends},
                           {"not too many pictures", test_pictures},
                           CU_TEST_INFO_NULL};
    return unit_check_run("schedule", tests);
}
