#include "app/stencil/loop.h"

static halo_status advance(void *context, int64_t beats)
{
    return halo_beat_run(((run_job *)context)->beat, beats);
}

static int64_t beats_done(const void *context)
{
    return run_job_beats(context);
}

static bool settled(const void *context)
{
    return halo_beat_reported(((const run_job *)context)->beat).converged;
}

static halo_status take_frame(void *context)
{
    run_job *job = context;
    halo_stretch stretch = halo_clock_begin(job->world);
    halo_status status = run_film_frame(&job->film, job->beat);
    halo_clock_end(&job->clock, HALO_PHASE_ENCODE, stretch, job->world);
    return status;
}

static halo_status save(void *context)
{
    run_job *job = context;
    return run_checkpoint_write(job->world, job->arguments->saving.checkpoint, job->kernel,
                                &job->source.domain, job->source.options, job->beat, &job->clock);
}

cli_course run_course_of(run_job *job)
{
    static const course_work work = {
        .advance = advance, .beats = beats_done, .settled = settled, .visit = {take_frame, save}};
    return (cli_course){
        .world = job->world, .progress = &job->progress, .work = &work, .context = job};
}
