#include "cli/chan_vese/job.h"

#include "app/job.h"
#include "base/minmax.h"
#include "cli/chan_vese/init.h"
#include "cli/chan_vese/output.h"
#include "core/world/collect.h"

#include <stdlib.h>

/* Nobody knows how many beats it takes. */
static bool is_endless(const chan_vese_job *job)
{
    const chan_vese_arguments *arguments = job->arguments;
    return arguments->until.steady && !app_given(job->given, &arguments->beats);
}

int64_t chan_vese_job_beats(const chan_vese_job *job)
{
    return halo_beat_reported(job->beat).beats;
}

static bool ends_in_a_swing(const chan_vese_job *job)
{
    return job->arguments->until.steady && halo_chan_vese_reported(job->beat).swings;
}

const char *chan_vese_job_ending(const chan_vese_job *job)
{
    return job->course.ending == COURSE_ENDING_STILL && ends_in_a_swing(job)
               ? "only pixels that swing to and fro change any more"
               : course_ending_text(job->course.ending);
}

/* ---- what is to be done ------------------------------------------------------------------------
 */

static halo_status open_image(chan_vese_job *job)
{
    const chan_vese_arguments *arguments = job->arguments;
    cli_image_options options = {.digest = arguments->saving.checkpoint != NULL ||
                                           arguments->saving.restore != NULL,
                                 .again = arguments->overlay != NULL};
    return cli_image_open(&job->image, job->world, arguments->image, &options);
}

static void plan(chan_vese_job *job)
{
    const chan_vese_arguments *arguments = job->arguments;
    int64_t beats = is_endless(job) ? INT64_MAX / 2 : arguments->beats;
    job->options = (halo_chan_vese_options){.grey_bits = job->image.cell_bits,
                                            .smoothing = (int)arguments->smoothing,
                                            .lambda1 = arguments->lambda1,
                                            .lambda2 = arguments->lambda2,
                                            .instructions = arguments->common.instructions};
    job->kernel = halo_chan_vese_kernel(&job->options);
    job->course.begin = job->saved.beat;
    job->course.end = job->saved.beat + beats;
    job->course.events[COURSE_CHECKPOINT] = saving_event(&arguments->saving);
    job->course.events[COURSE_FRAME] = movie_event(&arguments->movie, beats);
}

/* As even as strips can be that are at least as high as halos are deep: of a low picture some ranks
 * own nothing. */
static halo_status make_strips(const chan_vese_job *job, halo_partition *strips)
{
    int ranks = halo_world_ranks(job->world);
    int64_t rows = job->image.domain.n[0];
    int64_t owners = halo_max(1, halo_min(ranks, rows / job->kernel.depth));
    int64_t *cuts = malloc(((size_t)ranks + 1) * sizeof *cuts);
    if (cuts == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: strips of %d ranks", ranks);
    }
    halo_cuts_even(rows, (int)owners, cuts);
    for (int64_t r = owners; r <= ranks; r++) {
        cuts[r] = rows;
    }
    halo_status status = halo_partition_with_cuts(strips, &job->image.domain, ranks, cuts);
    free(cuts);
    return status;
}

/* ---- beats -------------------------------------------------------------------------------------
 */

static bool watch(void *context, int64_t beats, int64_t changed)
{
    chan_vese_job *job = context;
    job->changed = changed;
    bool stop = course_watch(&job->course, beats, changed);
    return ends_in_a_swing(job) || stop;
}

static halo_status create_beat(chan_vese_job *job)
{
    halo_partition strips = {0};
    halo_beat_options options = {.vote = job->arguments->common.vote,
                                 .kernel_options = &job->options,
                                 .first_beat = job->course.begin,
                                 .balancing = job->balance->balancing,
                                 .watch = watch,
                                 .context = job};
    halo_status status = halo_agree(job->world, make_strips(job, &strips));
    if (status == HALO_OK) {
        status = halo_beat_create(&job->beat, job->world, &job->image.domain, &strips, &job->kernel,
                                  &options);
    }
    halo_partition_free(&strips);
    return status;
}

static halo_status advance(void *context, int64_t beats)
{
    return halo_beat_run(((chan_vese_job *)context)->beat, beats);
}

static int64_t count_beats(const void *context)
{
    return chan_vese_job_beats(context);
}

static bool has_settled(const void *context)
{
    const chan_vese_job *job = context;
    return halo_chan_vese_reported(job->beat).settled || ends_in_a_swing(job);
}

static halo_status take_frame(void *context)
{
    chan_vese_job *job = context;
    halo_stretch stretch = halo_clock_begin(job->world);
    halo_status status = run_film_frame(&job->film, job->beat);
    halo_clock_end(&job->clock, HALO_PHASE_ENCODE, stretch, job->world);
    return status;
}

static halo_status save(void *context)
{
    chan_vese_job *job = context;
    halo_chan_vese_report report = halo_chan_vese_reported(job->beat);
    chan_vese_checkpoint what = {.beat = chan_vese_job_beats(job),
                                 .still = report.still,
                                 .trace = report.trace,
                                 .image = cli_image_sign(&job->image)};
    halo_status status = chan_vese_checkpoint_write(
        &what, job->world, job->given, job->arguments->saving.checkpoint, job->beat, &job->clock);
    chan_vese_checkpoint_close(&what);
    return status;
}

static halo_status follow(chan_vese_job *job)
{
    static const course_work work = {.advance = advance,
                                     .beats = count_beats,
                                     .settled = has_settled,
                                     .visit = {take_frame, save}};
    job->course.world = job->world;
    job->course.progress = &job->progress;
    job->course.work = &work;
    job->course.context = job;
    progress_phase(&job->progress, is_endless(job) ? "until steady" : "computing");
    if (job->balance->balancing != NULL) {
        halo_balancing_set_left(job->balance->balancing, job->course.end - job->course.begin);
    }
    return course_run(&job->course);
}

static halo_status compute(chan_vese_job *job)
{
    halo_status status = HALO_OK;
    if (job->arguments->movie.path != NULL) {
        status =
            run_picture_create(&job->picture, job->world, &job->kernel, &job->image.domain, 0, -1);
        if (status == HALO_OK) {
            status = run_film_begin(&job->film, &job->picture, &job->arguments->movie);
        }
    }
    if (status == HALO_OK) {
        status = follow(job);
    }
    return run_film_end(&job->film, status);
}

/* ------------------------------------------------------------------------------------------------
 */

static halo_status read_image(chan_vese_job *job)
{
    HALO_TRY(cli_image_read(&job->image, halo_beat_cuts(job->beat), halo_beat_view(job->beat, 1),
                            &job->progress, NULL, NULL, &job->clock));
    return job->saved.reader != NULL
               ? cli_image_check(&job->image, job->saved.image, job->arguments->saving.restore)
               : HALO_OK;
}

/* The level set to begin with, and what it adds up to. */
static halo_status begin(chan_vese_job *job)
{
    HALO_TRY(job->saved.reader != NULL
                 ? chan_vese_checkpoint_restore(&job->saved, job->world, job->beat, &job->clock)
                 : chan_vese_init_fill(job));
    halo_stretch stretch = halo_clock_begin(job->world);
    halo_status status = halo_chan_vese_begin(job->beat, job->world);
    halo_clock_end(&job->clock, HALO_PHASE_DISTRIBUTE, stretch, job->world);
    if (status == HALO_OK && job->saved.reader != NULL) {
        halo_chan_vese_recall(job->beat, job->saved.still, job->saved.trace);
    }
    return status;
}

static halo_status run_steps(void *context)
{
    chan_vese_job *job = context;
    HALO_TRY(chan_vese_output_check(job));
    HALO_TRY(chan_vese_checkpoint_open(&job->saved, job->world, job->given,
                                       job->arguments->saving.restore));
    HALO_TRY(open_image(job));
    plan(job);
    HALO_TRY(create_beat(job));
    HALO_TRY(run_film_check(job->world, &job->arguments->movie));
    HALO_TRY(cli_balance_open_log(job->balance));
    HALO_TRY(read_image(job));
    HALO_TRY(begin(job));
    HALO_TRY(compute(job));
    return chan_vese_output_write(job);
}

halo_status chan_vese_job_run(chan_vese_job *job, halo_world *world, cli_balance *balance,
                              app_options *given, const chan_vese_arguments *arguments)
{
    *job = (chan_vese_job){.world = world,
                           .balance = balance,
                           .given = given,
                           .arguments = arguments,
                           .changed = -1,
                           .progress =
                               progress_create(arguments->common.progress, halo_world_rank(world))};
    return work_run_until_signal(world, run_steps, job, &job->progress, &job->seconds);
}

void chan_vese_job_free(chan_vese_job *job)
{
    halo_beat_destroy(&job->beat);
    chan_vese_checkpoint_close(&job->saved);
    cli_image_close(&job->image);
}
