#include "cli/cluster/job.h"

#include "app/job.h"
#include "cli/cluster/colours.h"
#include "cli/cluster/output.h"
#include "core/world/collect.h"
#include "kernels/cluster/lab.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { BYTE_MAXIMUM = 255, LAB_BITS = 48 };

int64_t cluster_job_beats(const cli_cluster_job *job)
{
    return halo_beat_reported(job->beat).beats;
}

const char *cluster_job_ending(const cli_cluster_job *job)
{
    return job->course.ending == COURSE_ENDING_STILL && job->changed > 0
               ? "few enough pixels changed"
               : course_ending_text(job->course.ending);
}

/* ---- what is to be done ------------------------------------------------------------------------
 */

static halo_status open_image(cli_cluster_job *job)
{
    const cluster_arguments *arguments = job->arguments;
    bool saves = arguments->saving.checkpoint != NULL || arguments->saving.restore != NULL;
    bool means =
        arguments->mosaic != NULL || arguments->outline != NULL || arguments->centres != NULL;
    cli_image_options options = {.colour = arguments->colour, .digest = saves, .again = means};
    return cli_image_open(&job->image, job->world, arguments->image, &options);
}

/* Of a step of the cells' values: for users greys go from 0 to 255, and L from 0 to 100. */
static double cell_weight(const cli_cluster_job *job)
{
    double weight = job->arguments->weight;
    return job->options.colour ? weight / HALO_LAB_STEPS
                               : weight * BYTE_MAXIMUM / (double)job->image.maximum;
}

static halo_status plan(cli_cluster_job *job)
{
    const cluster_arguments *arguments = job->arguments;
    const cluster_checkpoint *saved = &job->saved;
    int64_t pixels = job->image.domain.n[0] * job->image.domain.n[1];
    int64_t clusters = arguments->clusters;
    if (clusters > pixels) {
        return halo_fail(HALO_ARGUMENT,
                         "%" PRId64 " clusters: %s has only %" PRId64
                         " pixels; use at most as many",
                         clusters, job->image.path, pixels);
    }
    job->few = (int64_t)(arguments->until.share * (double)pixels);
    job->options = (halo_cluster_options){.clusters = (int)clusters,
                                          .engine = arguments->engine,
                                          .instructions = arguments->common.instructions,
                                          .colour = arguments->colour,
                                          .beats = arguments->beats,
                                          .place_only = arguments->weight <= 0};
    job->changed = saved->changed;
    job->options.weight = cell_weight(job);
    job->course.begin = saved->beat;
    job->course.end = saved->beat + arguments->beats;
    job->course.events[COURSE_CHECKPOINT] = saving_event(&arguments->saving);
    return HALO_OK;
}

/* ---- beats -------------------------------------------------------------------------------------
 */

static bool watch(void *context, int64_t beats, int64_t changed)
{
    cli_cluster_job *job = context;
    job->changed = changed;
    return course_watch(&job->course, beats, changed);
}

static halo_status create_beat(cli_cluster_job *job)
{
    int cell_bits = job->options.colour ? LAB_BITS : job->image.cell_bits;
    halo_partition strips = {0};
    halo_beat_options options = {.vote = job->arguments->common.vote,
                                 .kernel_options = &job->options,
                                 .change_threshold = job->few,
                                 .first_beat = job->course.begin,
                                 .balancing = job->balance->balancing,
                                 .watch = watch,
                                 .context = job};
    HALO_TRY(halo_agree(job->world, halo_cluster_kernel(&job->kernel, &job->options, cell_bits)));
    halo_status status =
        halo_agree(job->world, halo_partition_strips(&strips, &job->image.domain,
                                                     halo_world_ranks(job->world)));
    if (status == HALO_OK) {
        status = halo_beat_create(&job->beat, job->world, &job->image.domain, &strips, &job->kernel,
                                  &options);
    }
    halo_partition_free(&strips);
    return status;
}

static halo_status advance(void *context, int64_t beats)
{
    return halo_beat_run(((cli_cluster_job *)context)->beat, beats);
}

static int64_t count_beats(const void *context)
{
    return cluster_job_beats(context);
}

/* Or had before it was saved: then no beat is to be added. */
static bool has_settled(const void *context)
{
    const cli_cluster_job *job = context;
    return job->changed >= 0 && job->changed <= job->few;
}

static halo_status save(void *context)
{
    cli_cluster_job *job = context;
    cluster_checkpoint what = {.clusters = job->options.clusters,
                               .beat = cluster_job_beats(job),
                               .changed = job->changed,
                               .image = cli_image_sign(&job->image)};
    halo_status status = cluster_checkpoint_write(
        &what, job->world, job->given, job->arguments->saving.checkpoint, job->beat, &job->clock);
    cluster_checkpoint_close(&what);
    return status;
}

static halo_status compute(cli_cluster_job *job)
{
    static const course_work work = {.advance = advance,
                                     .beats = count_beats,
                                     .settled = has_settled,
                                     .visit = {[COURSE_CHECKPOINT] = save}};
    job->course.world = job->world;
    job->course.progress = &job->progress;
    job->course.work = &work;
    job->course.context = job;
    progress_phase(&job->progress, "clustering");
    if (job->balance->balancing != NULL) {
        halo_balancing_set_left(job->balance->balancing, job->course.end - job->course.begin);
    }
    return course_run(&job->course);
}

/* ------------------------------------------------------------------------------------------------
 */

static halo_status read_image(cli_cluster_job *job)
{
    const halo_view *view = halo_beat_view(job->beat, 0);
    const int64_t *cuts = halo_beat_cuts(job->beat);
    HALO_TRY(job->options.colour ? cluster_colours_read_lab(job, cuts, view)
                                 : cli_image_read(&job->image, cuts, view, &job->progress, NULL,
                                                  NULL, &job->clock));
    return job->saved.reader != NULL
               ? cli_image_check(&job->image, job->saved.image, job->arguments->saving.restore)
               : HALO_OK;
}

/* Centres to begin with. */
static halo_status begin(cli_cluster_job *job)
{
    if (job->saved.beat > 0) {
        return cluster_checkpoint_restore(&job->saved, job->world, job->beat, &job->clock);
    }
    halo_stretch stretch = halo_clock_begin(job->world);
    halo_status status = halo_cluster_begin(job->beat, job->world);
    halo_clock_end(&job->clock, HALO_PHASE_MERGE, stretch, job->world);
    return status;
}

static halo_status run_steps(void *context)
{
    cli_cluster_job *job = context;
    HALO_TRY(cluster_output_check(job));
    HALO_TRY(cluster_checkpoint_open(&job->saved, job->world, job->given, job->arguments));
    HALO_TRY(open_image(job));
    HALO_TRY(plan(job));
    HALO_TRY(create_beat(job));
    HALO_TRY(cli_balance_open_log(job->balance));
    HALO_TRY(read_image(job));
    HALO_TRY(begin(job));
    HALO_TRY(compute(job));
    HALO_TRY(halo_cluster_inertia(job->beat, job->world, &job->inertia));
    return cluster_output_write(job);
}

halo_status cluster_job_run(cli_cluster_job *job, halo_world *world, cli_balance *balance,
                            app_options *given, const cluster_arguments *arguments)
{
    *job = (cli_cluster_job){
        .world = world,
        .balance = balance,
        .given = given,
        .arguments = arguments,
        .changed = -1,
        .progress = progress_create(arguments->common.progress, halo_world_rank(world))};
    return work_run_until_signal(world, run_steps, job, &job->progress, &job->seconds);
}

void cluster_job_free(cli_cluster_job *job)
{
    halo_beat_destroy(&job->beat);
    cluster_checkpoint_close(&job->saved);
    cli_image_close(&job->image);
}
