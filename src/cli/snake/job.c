#include "cli/snake/job.h"

#include "app/job.h"
#include "base/memory.h"
#include "cli/snake/init.h"
#include "cli/snake/output.h"
#include "cli/snake/overlay.h"
#include "kernels/snake/snake_field.h"

#include <inttypes.h>
#include <string.h>

halo_snake_progress snake_job_progress(const snake_job *job)
{
    halo_snake_progress now = halo_snake_progressed(job->snake);
    if (now.beats == job->course.begin) { /* nothing was left to do */
        now.moved = job->saved.moved;
        now.distance = job->saved.distance;
        now.settled = job->saved.settled;
    }
    return now;
}

const char *snake_job_ending(const snake_job *job)
{
    if (job->course.ending != COURSE_ENDING_STILL) {
        return course_ending_text(job->course.ending);
    }
    halo_snake_progress now = snake_job_progress(job);
    return now.moved == 0 ? "settled, no point moves any more" : "settled, few points still move";
}

/* ---- between beats ------------------------------------------------------------------------------
 */

static halo_status advance(void *context, int64_t beats)
{
    return halo_snake_run(((snake_job *)context)->snake, beats);
}

static int64_t beats_done(const void *context)
{
    return halo_snake_progressed(((const snake_job *)context)->snake).beats;
}

static bool has_settled(const void *context)
{
    return snake_job_progress(context).settled;
}

static bool watch(void *context, const halo_snake *snake)
{
    halo_snake_progress now = halo_snake_progressed(snake);
    return course_watch(context, now.beats, now.moved);
}

static halo_status collect(snake_job *job)
{
    halo_stretch stretch = halo_clock_begin(job->world);
    halo_status status = halo_snake_collect(job->snake, &job->places->y);
    halo_clock_end(&job->clock, HALO_PHASE_MERGE, stretch, job->world);
    return status;
}

static halo_status take_frame(void *context)
{
    snake_job *job = context;
    HALO_TRY(collect(job));
    halo_stretch stretch = halo_clock_begin(job->world);
    halo_status status = snake_film_frame(&job->film, &job->contours, job->places);
    halo_clock_end(&job->clock, HALO_PHASE_ENCODE, stretch, job->world);
    return status;
}

static halo_status save(void *context)
{
    snake_job *job = context;
    halo_snake_progress now = snake_job_progress(job);
    const snake_saved what = {.picture = cli_image_sign(&job->image),
                              .beat = now.beats,
                              .moved = now.moved,
                              .distance = now.distance,
                              .settled = now.settled};
    halo_status status = collect(job);
    if (status == HALO_OK) {
        halo_stretch stretch = halo_clock_begin(job->world);
        status = snake_checkpoint_write(job->world, job->arguments->saving.checkpoint, job->given,
                                        &what, &job->contours, job->places);
        halo_clock_end(&job->clock, HALO_PHASE_ENCODE, stretch, job->world);
    }
    json_decref(what.picture);
    return status;
}

static const course_work work = {
    .advance = advance,
    .beats = beats_done,
    .settled = has_settled,
    .visit = {[COURSE_FRAME] = take_frame, [COURSE_CHECKPOINT] = save}};

static halo_status plan(snake_job *job)
{
    const snake_arguments *arguments = job->arguments;
    int64_t begin = job->saved.beat;
    if (begin > INT64_MAX / 4) {
        return halo_fail(HALO_ARGUMENT, "the checkpoint is at beat %" PRId64 ", too many to count",
                         begin);
    }
    job->course =
        (cli_course){.world = job->world,
                     .progress = &job->progress,
                     .work = &work,
                     .context = job,
                     .begin = begin,
                     .end = begin + arguments->beats,
                     .events = {[COURSE_FRAME] = movie_event(&arguments->movie, arguments->beats),
                                [COURSE_CHECKPOINT] = saving_event(&arguments->saving)}};
    return HALO_OK;
}

/* ---- before the first beat ----------------------------------------------------------------------
 */

static halo_status begin_contours(snake_job *job)
{
    const snake_arguments *arguments = job->arguments;
    if (arguments->saving.restore != NULL) {
        return snake_checkpoint_read(job->world, arguments->saving.restore, job->given, &job->saved,
                                     &job->contours, &job->places);
    }
    HALO_TRY(snake_init_make(job->world, arguments, job->image.domain.n[1], job->image.domain.n[0],
                             &job->contours));
    void *places = NULL;
    size_t bytes = job->contours.points.size;
    HALO_TRY(
        halo_agree(job->world, halo_memory_create(&places, bytes + 1, "the points of contours")));
    job->places = memcpy(places, job->contours.points.data, bytes);
    return HALO_OK;
}

static halo_status read_picture(snake_job *job)
{
    HALO_TRY(halo_agree(job->world, halo_partition_strips(&job->strips, &job->image.domain,
                                                          halo_world_ranks(job->world))));
    halo_box mine = halo_partition_box(&job->strips, halo_world_rank(job->world));
    HALO_TRY(halo_agree(job->world, halo_field_create(&job->picture, &job->image.domain, &mine,
                                                      job->image.cell_bits, 0)));
    HALO_TRY(cli_image_read(&job->image, job->strips.cuts[0], halo_field_view(job->picture),
                            &job->progress, NULL, NULL, &job->clock));
    const char *restored = job->arguments->saving.restore;
    return restored == NULL ? HALO_OK : cli_image_check(&job->image, job->saved.picture, restored);
}

/* What the kernel is told by a user; the rest is its own default. */
static halo_snake_options snake_options(const snake_job *job)
{
    const snake_parameters *parameters = &job->arguments->parameters;
    halo_snake_options options = halo_snake_defaults();
    options.alpha = parameters->alpha;
    options.beta = parameters->beta;
    options.gamma = parameters->gamma;
    options.floor = parameters->floor;
    options.settled_moved = parameters->stop_moved;
    options.settled_distance = parameters->stop_distance;
    options.window = (int)parameters->window;
    options.order = parameters->order;
    options.instructions = job->arguments->common.instructions;
    options.vote = job->arguments->common.vote;
    options.balancing = job->balance->balancing;
    options.first_beat = job->course.begin;
    return options;
}

static halo_status create_snake(snake_job *job, halo_field **gradient)
{
    const int64_t *firsts = NULL;
    halo_snake_options options = snake_options(job);
    options.watch = watch;
    options.context = &job->course;
    HALO_TRY(halo_agree(job->world, halo_contours_firsts(&job->contours, &firsts)));
    const halo_snake_contours contours = {.contours = halo_contours_count(&job->contours),
                                          .first = firsts,
                                          .points = &job->places->y};
    return halo_snake_create(&job->snake, job->world, gradient, job->strips.cuts[0], &contours,
                             &options);
}

static halo_status draw_field(snake_job *job)
{
    const halo_snake_field_options options = {.sigma = job->arguments->parameters.sigma,
                                              .instructions = job->arguments->common.instructions};
    halo_field *gradient = NULL;
    double begun = halo_seconds();
    progress_phase(&job->progress, "finding edges");
    halo_status status = halo_snake_field_create(&gradient, job->world, job->picture,
                                                 job->strips.cuts[0], &options, &job->clock);
    job->field_seconds = halo_seconds() - begun;
    if (status == HALO_OK) {
        status = snake_output_gradient(job, halo_field_view(gradient));
    }
    if (status == HALO_OK) {
        status = create_snake(job, &gradient);
    }
    halo_field_destroy(&gradient);
    return status;
}

/* ---- all of it ----------------------------------------------------------------------------------
 */

static snake_film_options film_options(const snake_job *job)
{
    return (snake_film_options){.path = job->arguments->movie.path,
                                .frames_per_second = (int)job->arguments->movie.frames_per_second};
}

static halo_status compute(snake_job *job)
{
    halo_status status = HALO_OK;
    if (job->arguments->movie.path != NULL) {
        const snake_film_options options = film_options(job);
        status = snake_film_begin(&job->film, &job->image, halo_field_view(job->picture), &options);
    }
    if (job->arguments->overlay == NULL || job->image.colourful) {
        halo_field_destroy(&job->picture);
    }
    if (status == HALO_OK) {
        if (job->balance->balancing != NULL) {
            halo_balancing_set_left(job->balance->balancing, job->course.end - job->course.begin);
        }
        progress_phase(&job->progress, "moving contours");
        status = course_run(&job->course);
    }
    return snake_film_end(&job->film, status);
}

static halo_status run_steps(void *context)
{
    snake_job *job = context;
    const snake_film_options movie = film_options(job);
    const cli_image_options image = {.digest = job->arguments->saving.checkpoint != NULL ||
                                               job->arguments->saving.restore != NULL,
                                     .again = job->arguments->overlay != NULL};
    HALO_TRY(snake_output_check(job));
    HALO_TRY(cli_image_open(&job->image, job->world, job->arguments->image, &image));
    HALO_TRY(begin_contours(job));
    HALO_TRY(plan(job));
    HALO_TRY(snake_film_check(job->world, &movie));
    HALO_TRY(cli_balance_open_log(job->balance));
    HALO_TRY(read_picture(job));
    HALO_TRY(draw_field(job));
    HALO_TRY(compute(job));
    HALO_TRY(collect(job));
    return snake_output_write(job);
}

halo_status snake_job_run(snake_job *job, halo_world *world, cli_balance *balance,
                          app_options *given, const snake_arguments *arguments)
{
    *job = (snake_job){.world = world,
                       .balance = balance,
                       .given = given,
                       .arguments = arguments,
                       .progress =
                           progress_create(arguments->common.progress, halo_world_rank(world))};
    return work_run_until_signal(world, run_steps, job, &job->progress, &job->seconds);
}

void snake_job_free(snake_job *job)
{
    halo_snake_destroy(&job->snake);
    halo_field_destroy(&job->picture);
    halo_partition_free(&job->strips);
    cli_image_close(&job->image);
    halo_contours_free(&job->contours);
    snake_saved_free(&job->saved);
    halo_memory_free(job->places);
    job->places = NULL;
}
