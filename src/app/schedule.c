#include "app/schedule.h"

enum { MAX_PICTURES = 600 };

int64_t schedule_pictures_every(int64_t beats)
{
    int64_t every = (beats + MAX_PICTURES - 1) / MAX_PICTURES;
    return every > 1 ? every : 1;
}

bool schedule_due(const schedule_event *event, int64_t begin, int64_t now, bool ends)
{
    if (event->every == 0) {
        return false;
    }
    if (ends && event->end) {
        return true;
    }
    if (now == begin && event->begin != SCHEDULE_AS_EVER) {
        return event->begin == SCHEDULE_ALWAYS;
    }
    return now % event->every == 0;
}

int64_t schedule_next(const schedule_event *event, int64_t now, int64_t end)
{
    if (event->every == 0) {
        return end;
    }
    int64_t step = schedule_is_noted(event) ? event->batch : event->every - now % event->every;
    return step < end - now ? now + step : end;
}

int64_t schedule_next_of(const schedule_event *events, int count, int64_t now, int64_t end)
{
    for (int e = 0; e < count; e++) {
        end = schedule_next(&events[e], now, end);
    }
    return end;
}

bool schedule_is_noted(const schedule_event *event)
{
    return event->every == 1 && event->batch > 0;
}
