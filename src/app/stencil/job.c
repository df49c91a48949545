#include "app/stencil/job.h"

#include "app/job.h"
#include "app/paths.h"
#include "app/stencil/loop.h"
#include "app/stencil/output.h"
#include "base/minmax.h"
#include "core/beat/beats_per_exchange.h"
#include "partition/decomposition.h"

#include <inttypes.h>

int64_t run_job_beats(const run_job *job)
{
    return halo_beat_reported(job->beat).beats;
}

/* Nobody knows how many beats it takes. */
static bool is_endless(const run_job *job)
{
    const run_arguments *arguments = job->arguments;
    return arguments->until.steady && !app_given(job->given, &arguments->beats);
}

static halo_status check_paths(const run_job *job)
{
    const run_arguments *arguments = job->arguments;
    const char *const outputs[] = {arguments->output, arguments->movie.path, arguments->common.json,
                                   arguments->saving.checkpoint};
    const char *const inputs[] = {arguments->input, arguments->common.balance.trace,
                                  arguments->saving.restore};
    HALO_TRY(paths_check(job->world, outputs, 4, inputs, 2));
    /* A checkpoint may go where the last one came from. */
    HALO_TRY(paths_check_distinct(job->world, outputs, 3, inputs + 2, 1));
    HALO_TRY(cli_balance_check_log(job->balance, outputs, 4));
    return cli_balance_check_log(job->balance, inputs, 3);
}

/* Rows of bits are never cut. */
static void find_axes_to_cut(const run_job *job, bool cut[HALO_AXES])
{
    int axes = job->source.domain.axes;
    for (int a = 0; a < HALO_AXES; a++) {
        cut[a] = a < axes;
    }
    for (int f = 0; f < HALO_KERNEL_FIELDS; f++) {
        cut[axes - 1] = cut[axes - 1] && job->kernel->cell_bits[f] != HALO_BIT;
    }
}

static halo_status create_beat(run_job *job)
{
    const run_arguments *arguments = job->arguments;
    const halo_domain *domain = &job->source.domain;
    const cutting_arguments *cutting = &arguments->cutting;
    int64_t asked = cutting->beats_per_exchange;
    int parts[HALO_AXES];
    bool cut[HALO_AXES];
    halo_partition partition = {0};
    halo_beat_options options = {.vote = arguments->common.vote,
                                 .exchange = cutting->exchange,
                                 .corner_way = cutting->corners,
                                 .packing = cutting->packing,
                                 .kernel_options = job->source.options,
                                 .first_beat = job->source.beat,
                                 .balancing = job->balance->balancing,
                                 .watch = course_watch,
                                 .context = &job->course};
    find_axes_to_cut(job, cut);
    int64_t layers = halo_min(halo_max(asked, 1) * job->kernel->depth, INT32_MAX);
    HALO_TRY(halo_decomposition_parse(cutting->decomposition, domain, cut,
                                      halo_world_ranks(job->world), (int)layers, parts));
    halo_status status = halo_agree(job->world, halo_partition_blocks(&partition, domain, parts));
    if (status == HALO_OK) {
        job->beats_per_exchange =
            asked > 0 ? (int)asked
                      : halo_beats_per_exchange_default(job->kernel, domain, &partition,
                                                        options.balancing != NULL);
        options.beats_per_exchange = job->beats_per_exchange;
        status =
            halo_beat_create(&job->beat, job->world, domain, &partition, job->kernel, &options);
    }
    halo_partition_free(&partition);
    return status;
}

static halo_status plan(run_job *job)
{
    const run_arguments *arguments = job->arguments;
    int64_t beats = is_endless(job) ? INT64_MAX / 2 : arguments->beats;
    int64_t begin = job->source.beat;
    if (begin > INT64_MAX / 4) {
        return halo_fail(HALO_ARGUMENT, "the checkpoint is at beat %" PRId64 ", too many to count",
                         begin);
    }
    job->course = run_course_of(job);
    job->course.begin = begin;
    job->course.end = begin + beats;
    schedule_event *events = job->course.events;
    events[COURSE_FRAME] = movie_event(&arguments->movie, beats);
    events[COURSE_CHECKPOINT] = saving_event(&arguments->saving);
    return HALO_OK;
}

/* Local, the same on all ranks. Can the cells be shown as it was asked for? */
static halo_status plan_pictures(run_job *job)
{
    const run_arguments *arguments = job->arguments;
    bool pictures = arguments->movie.path != NULL || run_output_is_picture(arguments);
    return pictures
               ? run_picture_create(&job->picture, job->world, job->kernel, &job->source.domain,
                                    (int)arguments->field, arguments->plane)
               : HALO_OK;
}

static halo_status compute(run_job *job)
{
    halo_status status = HALO_OK;
    if (job->arguments->movie.path != NULL) {
        status = run_film_begin(&job->film, &job->picture, &job->arguments->movie);
    }
    if (status == HALO_OK && job->balance->balancing != NULL) {
        halo_balancing_set_left(job->balance->balancing, job->course.end - job->course.begin);
    }
    if (status == HALO_OK) {
        progress_phase(&job->progress, is_endless(job) ? "until steady" : "computing");
        status = course_run(&job->course);
    }
    return run_film_end(&job->film, status);
}

static halo_status run_steps(void *context)
{
    run_job *job = context;
    HALO_TRY(check_paths(job));
    HALO_TRY(run_source_open(&job->source, job->world, job->arguments, job->kernel));
    HALO_TRY(plan(job));
    HALO_TRY(plan_pictures(job));
    HALO_TRY(create_beat(job));
    HALO_TRY(run_film_check(job->world, &job->arguments->movie));
    HALO_TRY(cli_balance_open_log(job->balance));
    HALO_TRY(run_source_fill(&job->source, job->beat, &job->clock));
    HALO_TRY(compute(job));
    return run_output_write(job);
}

halo_status run_job_run(run_job *job, halo_world *world, cli_balance *balance,
                        const app_options *given, const run_arguments *arguments,
                        const halo_kernel *kernel)
{
    *job =
        (run_job){.world = world,
                  .balance = balance,
                  .given = given,
                  .arguments = arguments,
                  .kernel = kernel,
                  .progress = progress_create(arguments->common.progress, halo_world_rank(world))};
    return work_run_until_signal(world, run_steps, job, &job->progress, &job->seconds);
}

void run_job_free(run_job *job)
{
    halo_beat_destroy(&job->beat); /* whose kernel may hold the source's options */
    run_source_close(&job->source);
}
