#include "app/schedule.h"
#include "support/unit_check.h"

/* Every beat of a run, one after the other and by leaps: the same things happen. */
TEST("by leaps")
{
    static const schedule_begin begins[] = {SCHEDULE_AS_EVER, SCHEDULE_ALWAYS, SCHEDULE_NEVER};
    for (int64_t every = 0; every <= 7; every++) {
        for (int64_t begin = 0; begin <= 9; begin++) {
            for (int kind = 0; kind < 6; kind++) {
                const schedule_event event = {
                    .every = every, .begin = begins[kind / 2], .end = kind % 2 == 1};
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

TEST("the first and the last beat")
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

/* ---- several things in a run, as the generations of Life have them --------------------------- */

typedef enum { SAMPLE, FRAME, SHOW, CHECKPOINT, PERIOD, EVENTS } event;

typedef struct {
    int64_t begin, end;
    schedule_event events[EVENTS];
} schedule;

static schedule make_schedule(int64_t begin, int64_t end, const int64_t every[EVENTS])
{
    schedule s = {.begin = begin,
                  .end = end,
                  .events = {[SAMPLE] = {.begin = SCHEDULE_ALWAYS, .end = true, .batch = 4096},
                             [FRAME] = {.begin = SCHEDULE_ALWAYS, .end = true},
                             [SHOW] = {.begin = SCHEDULE_ALWAYS, .end = true},
                             [CHECKPOINT] = {.begin = SCHEDULE_NEVER, .end = true}}};
    for (int e = 0; e < EVENTS; e++) {
        s.events[e].every = every[e];
    }
    return s;
}

static bool is_due(const schedule *s, int e, int64_t generation, bool ends)
{
    return schedule_due(&s->events[e], s->begin, generation, ends);
}

static int64_t next_of(const schedule *s, int64_t now)
{
    return schedule_next_of(s->events, EVENTS, now, s->end);
}

/* Going from one next to the next visits every generation at which something is due, and those
 * only; `end` is one of them. */
static void check_visits(const schedule *s)
{
    int64_t next = s->begin;
    for (int64_t g = s->begin; g <= s->end; g++) {
        bool due = false;
        for (int e = 0; e < EVENTS; e++) {
            due = due || (is_due(s, e, g, g == s->end) && !schedule_is_noted(&s->events[e]));
        }
        if (g == s->begin || g == s->end) {
            due = true;
        }
        check(due == (g == next), "generation %lld from %lld: due %d, next %lld", (long long)g,
              (long long)s->begin, due, (long long)next);
        if (g == next && g < s->end) {
            next = next_of(s, g);
            check(next > g && next <= s->end, "next is %lld", (long long)next);
        }
    }
}

TEST("several things")
{
    for (int64_t begin = 0; begin < 7; begin++) {
        for (int64_t every = 0; every < 5; every++) {
            const int64_t all[EVENTS] = {[SAMPLE] = every,
                                         [FRAME] = every > 0 ? 2 * every + 1 : 0,
                                         [CHECKPOINT] = every == 3 ? INT64_MAX : every * 4,
                                         [PERIOD] = every == 2 ? 6 : 0};
            schedule s = make_schedule(begin, begin + 23, all);
            check_visits(&s);
        }
    }
}

TEST("the first and the last of several")
{
    const schedule s = make_schedule(10, 25, (const int64_t[EVENTS]){4, 4, 4, 4, 5});
    static const struct {
        event event;
        int64_t generation;
        bool ends, due;
    } cases[] = {
        {SAMPLE, 10, false, true},      {SAMPLE, 11, false, false},   {SAMPLE, 12, false, true},
        {SAMPLE, 25, true, true},       {SAMPLE, 13, true, true},     {FRAME, 25, false, false},
        {CHECKPOINT, 10, false, false}, {CHECKPOINT, 10, true, true}, {CHECKPOINT, 13, true, true},
        {PERIOD, 10, false, true},      {PERIOD, 24, true, false},    {SHOW, 10, false, true},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        bool due = is_due(&s, (int)cases[i].event, cases[i].generation, cases[i].ends);
        check(due == cases[i].due, "case %zu: due %d", i, due);
    }
    const schedule counted = make_schedule(0, 1000000, (const int64_t[EVENTS]){[SAMPLE] = 1});
    check(schedule_is_noted(&counted.events[SAMPLE]) && next_of(&counted, 0) == 4096,
          "counts of all generations at once");
    check(next_of(&counted, 999999) == 1000000, "the last batch goes too far");
}

TEST("not too many pictures")
{
    static const int64_t cases[][2] = {{0, 1},   {1, 1},         {600, 1},
                                       {601, 2}, {600000, 1000}, {1000000, 1667}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        CU_ASSERT_EQUAL(schedule_pictures_every(cases[i][0]), cases[i][1]);
    }
}
