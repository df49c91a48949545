#include "app/beats.h"
#include "app/frame_internal.h"
#include "app/ranks/signals.h"
#include "app/schedule.h"
#include "core/world/collect.h"

/* ---- what beats ------------------------------------------------------------------------------ */

int64_t app_beats_done(const app_run *run)
{
    const app_beats *beats = run->command->beats;
    return beats->count != NULL ? beats->count(run) : halo_beat_get_report(run->beat).beats;
}

static bool has_settled(const app_run *run)
{
    const app_beats *beats = run->command->beats;
    return beats->settled != NULL ? beats->settled(run)
                                  : run->beat != NULL && halo_beat_get_report(run->beat).converged;
}

static bool asks_to_stop(const app_run *run)
{
    const app_beats *beats = run->command->beats;
    return beats->stops != NULL && beats->stops(run);
}

bool app_watch(void *context, int64_t beats, int64_t changed)
{
    app_run *run = context;
    run->loop->changed = changed;
    progress_update(&run->progress, beats - run->first_beat, run->last_beat - run->first_beat);
    return halo_signals_pending() != 0 || asks_to_stop(run);
}

void app_end_beats(app_run *run, const char *text)
{
    run->loop->ending = APP_OTHERWISE;
    run->loop->ended = text;
}

const char *app_ending_text(const app_run *run)
{
    static const char *const texts[] = {[APP_NOT_YET] = "",
                                        [APP_DONE] = "all that were asked for",
                                        [APP_STEADY] = "nothing changes any more",
                                        [APP_SIGNAL] = "stopped by a signal before its end"};
    const app_beats *beats = run->command->beats;
    const char *own = run->loop->ending == APP_OTHERWISE ? run->loop->ended
                      : run->loop->ending == APP_STEADY && beats->ending != NULL
                          ? beats->ending(run)
                          : NULL;
    return own != NULL ? own : texts[run->loop->ending];
}

/* ---- from one event to the next -------------------------------------------------------------- */

/* Has anything ended it? The same on all ranks. */
static halo_status find_ending(app_run *run)
{
    int64_t stops[] = {halo_signals_pending() != 0, asks_to_stop(run)};
    HALO_TRY(halo_allreduce_max(run->world, stops, 2));
    run->loop->stop_requested = stops[1] != 0;
    if (run->loop->ending != APP_NOT_YET) {
        return HALO_OK;
    }
    if (has_settled(run)) {
        run->loop->ending = APP_STEADY;
    } else if (app_beats_done(run) >= run->last_beat) {
        run->loop->ending = APP_DONE;
    } else if (stops[0] != 0) {
        run->loop->ending = APP_SIGNAL;
    }
    return HALO_OK;
}

static int count_events(const app_event *events)
{
    int count = 0;
    while (events[count].visit != NULL) {
        count++;
    }
    return count;
}

static halo_status advance(app_run *run, const app_event *events)
{
    const app_beats *beats = run->command->beats;
    int64_t now = app_beats_done(run);
    int64_t next = schedule_next_of(run->loop->schedule, count_events(events), now, run->last_beat);
    double begun = halo_seconds();
    HALO_TRY(beats->advance != NULL ? beats->advance(run, next - now)
                                    : halo_beat_run(run->beat, next - now));
    run->loop->seconds += halo_seconds() - begun;
    return find_ending(run);
}

static bool is_due(app_run *run, const app_event *event, int i)
{
    int64_t now = app_beats_done(run);
    bool ends = run->loop->ending != APP_NOT_YET;
    if (event->due != NULL && event->due(run)) {
        return true;
    }
    if (run->loop->visited[i] == now ||
        !schedule_due(&run->loop->schedule[i], run->first_beat, now, ends)) {
        return false;
    }
    run->loop->visited[i] = now;
    return true;
}

static halo_status visit(app_run *run, const app_event *events)
{
    for (int i = 0; i < count_events(events); i++) {
        if (is_due(run, &events[i], i)) {
            HALO_TRY(events[i].visit(run));
        }
    }
    return HALO_OK;
}

static void list_events(const app_run *run, app_event events[APP_EVENTS + 2])
{
    int count = 0;
    const app_service_use *use = app_service_uses(run->command);
    for (; use != NULL && use->service != NULL; use++) {
        if (use->service->event != NULL && count <= APP_EVENTS) { /* one too many is refused */
            events[count++] = *use->service->event;
        }
    }
    events[count] = (app_event){.visit = NULL};
}

halo_status app_run_beats(app_run *run, const app_event *events)
{
    app_event of_services[APP_EVENTS + 2];
    if (events == NULL) {
        list_events(run, of_services);
        events = of_services;
    }
    int count = count_events(events);
    HALO_FAIL_IF(count > APP_EVENTS, HALO_ARGUMENT, "`%s` has %d events between beats; %d can be",
                 run->program, count, APP_EVENTS);
    run->loop->ending = APP_NOT_YET;
    for (int i = 0; i < count; i++) {
        run->loop->schedule[i] = events[i].when(run);
        run->loop->visited[i] = -1;
    }
    app_services_expect(run, run->last_beat - app_beats_done(run));
    HALO_TRY(find_ending(run));
    HALO_TRY(visit(run, events));
    while (run->loop->ending == APP_NOT_YET) {
        HALO_TRY(advance(run, events));
        HALO_TRY(visit(run, events));
    }
    return HALO_OK;
}
