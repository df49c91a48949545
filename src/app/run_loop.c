#include "app/run_loop.h"

#include "app/signals.h"
#include "core/world/clock.h"
#include "core/world/collect.h"

const char *course_ending_text(course_ending ending)
{
    static const char *const texts[] = {
#define ENDING_ENTRY(code, text) text,
        COURSE_ENDING_LIST(ENDING_ENTRY)
#undef ENDING_ENTRY
    };
    return texts[ending];
}

bool course_watch(void *context, int64_t beats, int64_t changed)
{
    (void)changed;
    cli_course *course = context;
    progress_update(course->progress, beats - course->begin, course->end - course->begin);
    return halo_signals_pending() != 0;
}

static int64_t beats_done(const cli_course *course)
{
    return course->work->beats(course->context);
}

/* Has anything ended it? The same on all ranks. */
static halo_status judge(cli_course *course)
{
    int64_t wish = halo_signals_pending();
    HALO_TRY(halo_allreduce_max(course->world, &wish, 1));
    if (course->work->settled(course->context)) {
        course->ending = COURSE_ENDING_STILL;
    } else if (beats_done(course) >= course->end) {
        course->ending = COURSE_ENDING_DONE;
    } else if (wish != 0) {
        course->ending = COURSE_ENDING_SIGNAL;
    }
    return HALO_OK;
}

static halo_status advance(cli_course *course)
{
    int64_t now = beats_done(course);
    int64_t next = schedule_next_of(course->events, COURSE_EVENTS, now, course->end);
    double begun = halo_seconds();
    HALO_TRY(course->work->advance(course->context, next - now));
    course->seconds += halo_seconds() - begun;
    return judge(course);
}

static bool is_due(cli_course *course, course_event event)
{
    int64_t now = beats_done(course);
    bool ends = course->ending != COURSE_ENDING_NOT_YET;
    if (course->visited[event] == now ||
        !schedule_due(&course->events[event], course->begin, now, ends)) {
        return false;
    }
    course->visited[event] = now;
    return true;
}

static halo_status visit(cli_course *course)
{
    for (course_event e = 0; e < COURSE_EVENTS; e++) {
        if (course->work->visit[e] != NULL && is_due(course, e)) {
            HALO_TRY(course->work->visit[e](course->context));
        }
    }
    return HALO_OK;
}

halo_status course_run(cli_course *course)
{
    for (int e = 0; e < COURSE_EVENTS; e++) {
        course->visited[e] = -1;
    }
    HALO_TRY(judge(course));
    HALO_TRY(visit(course));
    while (course->ending == COURSE_ENDING_NOT_YET) {
        HALO_TRY(advance(course));
        HALO_TRY(visit(course));
    }
    return HALO_OK;
}
