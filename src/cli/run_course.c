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
    double begun = halo_seconds();
    HALO_TRY(halo_beat_run(job->beat, job->end - run_job_beats(job)));
    job->run_seconds += halo_seconds() - begun;
    return judge(job);
}

halo_status run_course_run(run_job *job)
{
    if (job->balance->balancing != NULL) {
        halo_balancing_set_left(job->balance->balancing, job->end - job->begin);
    }
    HALO_TRY(judge(job));
    while (job->ending == RUN_ENDING_NOT_YET) {
        HALO_TRY(advance(job));
    }
    return HALO_OK;
}
