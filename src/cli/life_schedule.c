#include "cli/life_schedule.h"

enum { MOST_FRAMES = 600 };

/* Each takes 24 bytes of memory until it is in the table. */
static const int64_t MOST_COUNTED = 4096;

int64_t life_schedule_frames_every(int64_t generations)
{
    int64_t every = (generations + MOST_FRAMES - 1) / MOST_FRAMES;
    return every > 1 ? every : 1;
}

bool life_schedule_due(const life_schedule *schedule, life_event event, int64_t generation,
                       bool ends)
{
    static const bool at_begin[LIFE_EVENTS] = {
        [LIFE_SAMPLE] = true, [LIFE_FRAME] = true, [LIFE_SHOW] = true};
    static const bool at_end[LIFE_EVENTS] = {
        [LIFE_SAMPLE] = true, [LIFE_FRAME] = true, [LIFE_SHOW] = true, [LIFE_CHECKPOINT] = true};
    int64_t every = schedule->every[event];
    if (every == 0) {
        return false;
    }
    bool begins = generation == schedule->begin;
    return (begins && at_begin[event]) || (ends && at_end[event]) ||
           (generation % every == 0 && !(begins && event == LIFE_CHECKPOINT));
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
        int64_t every = schedule->every[e];
        if (every == 0 || (e == LIFE_SAMPLE && counts_all)) {
            continue;
        }
        int64_t step = every - now % every;
        next = step < next - now ? now + step : next;
    }
    return next;
}
