#include "cli/run_course.h"

#include "core/collect.h"
#include "core/signals.h"

bool run_course_watch(void *context, int64_t beats, int64_t changed)
{
    (void)changed;
    run_job *job = context;
    progress_update(&job->progress, beats - job->begin, job->end - job->begin);
    return halo_signals_pending() != 0;
}

/* Has anything ended the course? The same on all ranks. */
static halo_status judge(run_job *job)
{
    int64_t wish = halo_signals_pending();
    HALO_TRY(halo_max(job->world, &wish, 1));
    if (halo_beat_reported(job->beat).settled) {
        job->ending = RUN_ENDING_STILL;
    } else if (run_job_beats(job) >= job->end) {
        job->ending = RUN_ENDING_DONE;
    } else if (wish != 0) {
        job->ending = RUN_ENDING_SIGNAL;
    }
    return HALO_OK;
}

static halo_status advance(run_job *job)
{
    int64_t now = run_job_beats(job), next = job->end;
    for (int e = 0; e < RUN_EVENTS; e++) {
        next = schedule_next(&job->events[e], now, next);
    }
    double begun = halo_seconds();
    HALO_TRY(halo_beat_run(job->beat, next - now));
    job->run_seconds += halo_seconds() - begun;
    return judge(job);
}

static bool is_due(run_job *job, run_event event)
{
    int64_t now = run_job_beats(job);
    bool ends = job->ending != RUN_ENDING_NOT_YET;
    if (job->visited[event] == now || !schedule_due(&job->events[event], job->begin, now, ends)) {
        return false;
    }
    job->visited[event] = now;
    return true;
}

static halo_status take_frame(run_job *job)
{
    halo_stretch stretch = halo_clock_begin(job->world);
    halo_status status = run_film_frame(&job->film, job->beat);
    halo_clock_end(&job->clock, HALO_PHASE_ENCODE, stretch, job->world);
    return status;
}

static halo_status visit(run_job *job)
{
    if (is_due(job, RUN_FRAME)) {
        HALO_TRY(take_frame(job));
    }
    return is_due(job, RUN_CHECKPOINT)
               ? run_checkpoint_write(job->world, job->arguments->checkpoint, job->kernel,
                                      &job->source.domain, job->source.options, job->beat,
                                      &job->clock)
               : HALO_OK;
}

halo_status run_course_run(run_job *job)
{
    for (int e = 0; e < RUN_EVENTS; e++) {
        job->visited[e] = -1;
    }
    if (job->balance->balancing != NULL) {
        halo_balancing_set_left(job->balance->balancing, job->end - job->begin);
    }
    HALO_TRY(judge(job));
    HALO_TRY(visit(job));
    while (job->ending == RUN_ENDING_NOT_YET) {
        HALO_TRY(advance(job));
        HALO_TRY(visit(job));
    }
    return HALO_OK;
}
