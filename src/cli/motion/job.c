#include "cli/motion/job.h"

#include "app/job.h"
#include "base/memory.h"
#include "cli/motion/arrows.h"
#include "cli/motion/checkpoint.h"
#include "cli/motion/output.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <stdlib.h>

int64_t cli_motion_pairs(const cli_motion_job *job)
{
    return halo_motion_reported(job->motion)->pairs;
}

/* ---- frames -----------------------------------------------------------------------------------
 */

/* Local, the same on all ranks. */
static halo_status check_size(const cli_motion_job *job, const halo_png_info *before, int bits,
                              const char *name_before)
{
    const halo_png_info *now = &job->image.info;
    if (now->width != before->width || now->height != before->height) {
        return halo_fail(HALO_FORMAT,
                         "\"%.1000s\" has %" PRId64 " x %" PRId64 " pixels and \"%.1000s\" %" PRId64
                         " x %" PRId64 "; frames must have the same size",
                         job->image.path, now->width, now->height, name_before, before->width,
                         before->height);
    }
    return job->image.cell_bits == bits
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "\"%.1000s\" has %d bits a pixel and \"%.1000s\" %d; frames must have "
                           "the same",
                           job->image.path, job->image.cell_bits, name_before, bits);
}

static halo_status open_frame(cli_motion_job *job, int64_t index)
{
    const cli_image_options options = {.digest = job->arguments->saving.checkpoint != NULL ||
                                                 job->arguments->saving.restore != NULL};
    return cli_image_open(&job->image, job->world,
                          motion_frames_name(&job->frames, index, job->name), &options);
}

static halo_status read_frame(cli_motion_job *job)
{
    return cli_image_read(&job->image, halo_motion_cuts(job->motion), halo_motion_view(job->motion),
                          job->sequence ? &job->hidden : &job->progress, NULL, NULL, &job->clock);
}

/* Of a frame in the view. */
static halo_status compare(cli_motion_job *job)
{
    double begun = halo_seconds();
    progress_phase(job->sequence ? &job->hidden : &job->progress, "matching");
    halo_status status = halo_motion_next(job->motion);
    job->pair_seconds += halo_seconds() - begun;
    return status;
}

static halo_status keep_earlier(cli_motion_job *job)
{
    return job->arguments->files[MOTION_ARROWS].text == NULL
               ? HALO_OK
               : halo_agree(job->world, motion_arrows_keep(job));
}

/* Frame `index + 1`, and what it is compared with. */
static halo_status read_next(cli_motion_job *job, int64_t index)
{
    char before[NUMBERED_SIZE];
    halo_png_info info = job->image.info;
    int bits = job->image.cell_bits;
    HALO_TRY(open_frame(job, index + 1));
    HALO_TRY(check_size(job, &info, bits, motion_frames_name(&job->frames, index, before)));
    return read_frame(job);
}

/* ---- pairs ------------------------------------------------------------------------------------
 */

static halo_status take_figures(cli_motion_job *job, int64_t index)
{
    const halo_motion_report *report = halo_motion_reported(job->motion);
    halo_motion_figures *figures = &job->figures[index - job->course.begin];
    HALO_TRY(halo_motion_figures_of(figures, halo_motion_vectors(job->motion),
                                    halo_motion_clusters(job->motion)));
    figures->beats = report->last_beats;
    for (int64_t b = 0; report->last != NULL && b < report->last_beats; b++) {
        figures->seconds += report->last[b].seconds;
        figures->predicted_seconds += report->last[b].predicted_seconds;
        figures->imbalance += report->last[b].imbalance / (double)report->last_beats;
    }
    return HALO_OK;
}

/* One pair a call, so that a signal need not wait for more. */
static halo_status advance(void *context, int64_t beats)
{
    (void)beats;
    cli_motion_job *job = context;
    int64_t index = cli_motion_pairs(job);
    HALO_TRY(read_next(job, index));
    HALO_TRY(compare(job));
    HALO_TRY(halo_agree(job->world, take_figures(job, index)));
    halo_stretch stretch = halo_clock_begin(job->world);
    halo_status status = motion_output_write(job, index);
    halo_clock_end(&job->clock, HALO_PHASE_ENCODE, stretch, job->world);
    HALO_TRY(status);
    if (job->sequence) {
        course_watch(&job->course, index + 1, 0);
    }
    return keep_earlier(job);
}

static int64_t pairs_done(const void *context)
{
    return cli_motion_pairs(context);
}

static bool settled(const void *context)
{
    (void)context;
    return false;
}

static halo_status save(void *context)
{
    cli_motion_job *job = context;
    halo_stretch stretch = halo_clock_begin(job->world);
    halo_status status = motion_checkpoint_write(job);
    halo_clock_end(&job->clock, HALO_PHASE_ENCODE, stretch, job->world);
    return status;
}

static halo_status run_pairs(cli_motion_job *job, int64_t begin)
{
    static const course_work work = {
        .advance = advance, .beats = pairs_done, .settled = settled, .visit = {NULL, save}};
    job->course = (cli_course){.world = job->world,
                               .progress = &job->progress,
                               .work = &work,
                               .context = job,
                               .begin = begin,
                               .end = job->frames.count - 1};
    job->course.events[COURSE_CHECKPOINT] = saving_event(&job->arguments->saving);
    job->figures = calloc((size_t)(job->course.end - begin), sizeof *job->figures);
    HALO_TRY(halo_agree(job->world, job->figures != NULL
                                        ? HALO_OK
                                        : halo_fail(HALO_MEMORY, "out of memory: the summary")));
    if (job->sequence) {
        progress_phase(&job->progress, "pairs of frames");
    }
    return course_run(&job->course);
}

/* ---- from beginning to end --------------------------------------------------------------------
 */

/* What options say about the frame. */
static halo_status check_options(const cli_motion_job *job)
{
    const halo_png_info *frame = &job->image.info;
    const halo_motion_options *options = &job->options;
    int64_t longest = frame->width > frame->height ? frame->width : frame->height;
    int64_t pixels = frame->width * frame->height; /* both below 2^31 */
    if (options->clusters > pixels) {
        return halo_fail(HALO_ARGUMENT,
                         "%d clusters are more than \"%.1000s\" has pixels; use -k %" PRId64
                         " or fewer",
                         options->clusters, job->image.path, pixels);
    }
    if (app_given(job->given, &job->arguments->radius) && options->radius >= longest &&
        !options->still) {
        return halo_fail(HALO_ARGUMENT,
                         "--radius %d leads out of \"%.1000s\", which has %" PRId64 " x %" PRId64
                         " pixels; use %" PRId64 " or less",
                         options->radius, job->image.path, frame->width, frame->height,
                         longest - 1);
    }
    return HALO_OK;
}

static halo_status create(cli_motion_job *job)
{
    HALO_TRY(check_options(job));
    HALO_TRY(motion_output_fits(job));
    HALO_TRY(halo_motion_create(&job->motion, job->world, &job->image.domain, job->image.cell_bits,
                                &job->options));
    job->options.clusters = halo_motion_clusters(job->motion);
    return HALO_OK;
}

static halo_status run_steps(void *context)
{
    cli_motion_job *job = context;
    int64_t begin, first;
    HALO_TRY(motion_checkpoint_open(job, &begin, &first));
    HALO_TRY(motion_frames_find(&job->frames, job->world, job->arguments, begin, first));
    job->sequence = job->frames.count > begin + 2;
    HALO_TRY(motion_output_check(job, begin));
    HALO_TRY(open_frame(job, begin));
    HALO_TRY(create(job));
    HALO_TRY(motion_checkpoint_restore(job));
    HALO_TRY(read_frame(job));
    HALO_TRY(motion_checkpoint_check_frame(job));
    HALO_TRY(keep_earlier(job));
    HALO_TRY(compare(job));
    return run_pairs(job, begin);
}

halo_status cli_motion_run(cli_motion_job *job, halo_world *world, cli_balance *balance,
                           const app_options *given, const motion_arguments *arguments)
{
    *job = (cli_motion_job){
        .world = world,
        .balance = balance,
        .given = given,
        .arguments = arguments,
        .options = arguments->motion,
        .progress = progress_create(arguments->common.progress, halo_world_rank(world))};
    return work_run_until_signal(world, run_steps, job, &job->progress, &job->seconds);
}

void cli_motion_free(cli_motion_job *job)
{
    halo_checkpoint_close(&job->reader);
    json_decref(job->saved);
    free(job->centres);
    free(job->figures);
    halo_memory_free(job->earlier);
    cli_image_close(&job->image);
    halo_motion_destroy(&job->motion);
}
