#include "cli/life/schedule.h"

#include "app/schedule.h"

/* Each takes 24 bytes of memory until it is in the table. */
static const int64_t MOST_COUNTED = 4096;

int64_t life_schedule_frames_every(int64_t generations)
{
    return schedule_pictures_every(generations);
}

static schedule_event event_of(const life_schedule *schedule, life_event event)
{
    static const schedule_event kinds[LIFE_EVENTS] = {
        [LIFE_SAMPLE] = {.begin = SCHEDULE_ALWAYS, .end = true},
        [LIFE_FRAME] = {.begin = SCHEDULE_ALWAYS, .end = true},
        [LIFE_SHOW] = {.begin = SCHEDULE_ALWAYS, .end = true},
        [LIFE_CHECKPOINT] = {.begin = SCHEDULE_NEVER, .end = true}};
    schedule_event kind = kinds[event];
    kind.every = schedule->every[event];
    return kind;
}

bool life_schedule_due(const life_schedule *schedule, life_event event, int64_t generation,
                       bool ends)
{
    schedule_event kind = event_of(schedule, event);
    return schedule_due(&kind, schedule->begin, generation, ends);
}

bool life_schedule_counts_all(const life_schedule *schedule)
{
    return schedule->every[LIFE_SAMPLE] == 1;
}

int64_t life_schedule_next(const life_schedule *schedule, int64_t now)
{
    int64_t next = schedule->end;
    bool counts_all = life_schedule_counts_all(schedule);
    if (counts_all && next - now > MOST_COUNTED) {
        next = now + MOST_COUNTED;
    }
    for (int e = 0; e < LIFE_EVENTS; e++) {
        if (e != LIFE_SAMPLE || !counts_all) {
            schedule_event kind = event_of(schedule, (life_event)e);
            next = schedule_next(&kind, now, next);
        }
    }
    return next;
}
