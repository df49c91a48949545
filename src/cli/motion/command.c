#include "app/beats.h"
#include "app/image/image.h"
#include "app/options/kept.h"
#include "app/report/report.h"
#include "app/services/checkpoint.h"
#include "app/services/memory.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "cli/commands.h"
#include "cli/motion/job.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- checkpoints: the clusters' centres in the last frame, which is read again --------------- */

static const app_kept kept[] = {{.row = {.name = "first_frame", .type = APP_INTEGER}}, {.max = 0}};

static bool check_saved(app_run *run, const halo_checkpoint *info, const json_t *saved)
{
    (void)run;
    return json_integer_value(json_object_get(saved, "clusters")) == info->rows && info->beat > 0;
}

static bool keep(app_run *run, json_t *saved)
{
    const motion_job *job = run->job;
    return json_object_set_new(saved, "first_frame", json_integer(job->frames.first)) == 0;
}

/* The kernel's options, once a checkpoint has restored what it keeps: of a radius and a weight, 0
 * means the default there. */
static halo_motion_options complete_options(const motion_options *asked)
{
    halo_motion_options options = asked->motion;
    options.clusters = (int)asked->clusters;
    options.radius = (int)asked->radius.value;
    options.still = asked->radius.given && asked->radius.value == 0;
    options.weight = asked->weight;
    options.place_only = asked->weight <= 0;
    return options;
}

/* None before the first frame is clustered. */
static int64_t count_centres(const app_run *run)
{
    const motion_job *job = run->job;
    return halo_motion_centres(job->motion) != NULL ? job->options.clusters : 0;
}

static halo_status store(app_run *run, void *records)
{
    const motion_job *job = run->job;
    const halo_motion_centre *centres = halo_motion_centres(job->motion);
    memcpy(records, centres, (size_t)count_centres(run) * sizeof *centres);
    return HALO_OK;
}

static halo_status recall(app_run *run, const void *records, int64_t count)
{
    (void)count;
    return halo_motion_restore(((motion_job *)run->job)->motion, records, run->first_beat);
}

static const app_state state = {.image = "frame",
                                .kept = kept,
                                .check = check_saved,
                                .keep = keep,
                                .record_bytes = sizeof(halo_motion_centre),
                                .count = count_centres,
                                .store = store,
                                .recall = recall};

/* ---- frames ---------------------------------------------------------------------------------- */

static halo_status open_frame(app_run *run, int64_t index)
{
    motion_job *job = run->job;
    const checkpoint_arguments *checkpoint = &run->arguments->state;
    const app_image_options use = {.frames = true,
                                   .range = run->arguments->range,
                                   .raw = run->arguments->raw,
                                   .as_stored = run->arguments->as_stored,
                                   .follow_links = run->arguments->follow_links,
                                   .nodata = run->arguments->nodata,
                                   .choices = run->arguments->choices,
                                   .digest = checkpoint->checkpoint != NULL ||
                                             checkpoint->restore != NULL};
    return app_image_open(run->image, run, motion_frame_name(&job->frames, index, job->name), &use);
}

/* Local, the same on all ranks: of a frame that is open, and the one before. */
static halo_status check_size(const app_run *run, int bits, int64_t before)
{
    const motion_job *job = run->job;
    const int64_t *now = run->image->domain.n, *then = run->domain.n;
    char out[FILENAME_SIZE];
    const char *name = motion_frame_name(&job->frames, before, out);
    if (now[0] != then[0] || now[1] != then[1]) {
        return halo_fail(HALO_FORMAT,
                         "\"%.1000s\" has %" PRId64 " x %" PRId64 " pixels and \"%.1000s\" %" PRId64
                         " x %" PRId64 "; frames must have the same size",
                         run->image->path, now[1], now[0], name, then[1], then[0]);
    }
    return run->image->cell_bits == bits
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "\"%.1000s\" has %d bits a pixel and \"%.1000s\" %d; frames must have "
                           "the same",
                           run->image->path, run->image->cell_bits, name, bits);
}

/* A radius that was given; the default leads out of small frames. */
static halo_status check_radius(const app_run *run)
{
    const app_optional_integer *radius = &((const motion_options *)run->options)->radius;
    const int64_t *n = run->domain.n;
    int64_t longest = halo_max(n[0], n[1]);
    return !radius->given || radius->value == 0 || radius->value < longest
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "--radius %" PRId64 " leads out of \"%.1000s\", which has %" PRId64
                           " x %" PRId64 " pixels; use %" PRId64 " or less",
                           radius->value, run->image->path, n[1], n[0], longest - 1);
}

static halo_status find_files(app_run *run, app_files *files)
{
    motion_job *job = run->job;
    job->options = complete_options(run->options);
    HALO_TRY(motion_find_frames(run));
    run->last_beat = job->frames.count - 1;
    job->sequence = run->last_beat > run->first_beat + 1;
    bool looks = app_resumes(run) && halo_world_rank(run->world) == 0;
    HALO_TRY(halo_agree(run->world, looks ? motion_check_earlier(run) : HALO_OK));
    return halo_agree(run->world, motion_add_files(run, files));
}

static halo_status open_inputs(app_run *run)
{
    HALO_TRY(open_frame(run, run->first_beat));
    run->domain = run->image->domain;
    HALO_TRY(check_radius(run));
    return halo_agree(run->world, motion_check_flow(run));
}

static halo_status create(app_run *run)
{
    motion_job *job = run->job;
    HALO_TRY(halo_motion_create(&job->motion, run->world, &run->domain, run->image->cell_bits,
                                &job->options));
    job->options.clusters = halo_motion_options_of(job->motion)->clusters;
    run->cuts = halo_motion_cuts(job->motion);
    return halo_agree(run->world,
                      HALO_ALLOCATE(job->figures, run->last_beat - run->first_beat, "the summary"));
}

static void find_needs(const app_run *run, app_needs *needs)
{
    const motion_job *job = run->job;
    needs->reading = app_image_later(run->image);
    needs->computing = halo_motion_later(job->motion, run->last_beat - run->first_beat);
    needs->writing += needs->computing;
    needs->remedy = "smaller frames";
}

/* ---- beats: pairs of frames ------------------------------------------------------------------ */

static int64_t pairs_done(const app_run *run)
{
    return halo_motion_get_report(((const motion_job *)run->job)->motion)->pairs;
}

/* Compares the frame in the view with the one before; the first one is only clustered. */
static halo_status compare(app_run *run)
{
    motion_job *job = run->job;
    double begun = halo_seconds();
    progress_phase(&run->progress, "matching");
    halo_status status = halo_motion_next(job->motion);
    job->pair_seconds += halo_seconds() - begun;
    return status;
}

static halo_status begin(app_run *run)
{
    const motion_job *job = run->job;
    HALO_TRY(app_read_image(run, run->cuts, halo_motion_view(job->motion), NULL, NULL));
    HALO_TRY(halo_agree(run->world, motion_keep_earlier(run)));
    return compare(run);
}

static halo_status take_figures(app_run *run, int64_t index)
{
    const motion_job *job = run->job;
    return halo_motion_figures_of(&job->figures[index - run->first_beat],
                                  halo_motion_vectors(job->motion), job->options.clusters,
                                  halo_motion_get_report(job->motion));
}

static halo_status do_pair(app_run *run, int64_t index)
{
    const motion_job *job = run->job;
    int bits = run->image->cell_bits;
    HALO_TRY(open_frame(run, index + 1));
    HALO_TRY(check_size(run, bits, index));
    HALO_TRY(app_image_read(run->image, run->cuts, halo_motion_view(job->motion), &run->progress,
                            NULL, NULL, &run->clock));
    HALO_TRY(compare(run));
    HALO_TRY(halo_agree(run->world, take_figures(run, index)));
    HALO_TRY(motion_write_files(run, index));
    return halo_agree(run->world, motion_keep_earlier(run));
}

/* One pair a call, so that a signal need not wait for more. Of a sequence, it is pairs that the
 * progress line counts, and not what happens in one of them. */
static halo_status advance(app_run *run, int64_t beats)
{
    const motion_job *job = run->job;
    int64_t index = pairs_done(run);
    progress shown = run->progress;
    (void)beats;
    if (!job->sequence) {
        return do_pair(run, index);
    }
    run->progress = (progress){0};
    halo_status status = do_pair(run, index);
    run->progress = shown;
    app_watch(run, index + 1, -1);
    return status;
}

/* It ends with the frames. */
static bool has_settled(const app_run *run)
{
    (void)run;
    return false;
}

static const app_beats beats = {.phase = "pairs of frames",
                                .counted = "after pair",
                                .advance = advance,
                                .count = pairs_done,
                                .settled = has_settled};

/* ---------------------------------------------------------------------------------------------- */

static report_line own_line(const app_run *run)
{
    const motion_job *job = run->job;
    const halo_motion_report *motion = halo_motion_get_report(job->motion);
    const halo_beat_report all = {.beats = motion->beats,
                                  .messages = motion->messages,
                                  .bytes = motion->bytes,
                                  .clock = motion->clock};
    return report_line_of(&all, &run->clock, run->domain.axes,
                          halo_motion_view(job->motion)->owned.n, NULL);
}

static void destroy(app_run *run)
{
    motion_job *job = run->job;
    free(job->figures);
    halo_motion_destroy(&job->motion);
}

static const char speed[] = "{nanoseconds} ns a pixel and pair";

static const app_service_use services[] = {{&app_checkpoint_service, &state}, {0}};

const app_command motion_command = {.syntax = &motion_syntax,
                                    .job_bytes = sizeof(motion_job),
                                    .services = services,
                                    .files = find_files,
                                    .open = open_inputs,
                                    .create = create,
                                    .needs = find_needs,
                                    .begin = begin,
                                    .beats = &beats,
                                    .outputs = motion_outputs,
                                    .lines = motion_lines,
                                    .speed = speed,
                                    .listings = motion_listings,
                                    .own = own_line,
                                    .facts = motion_facts,
                                    .destroy = destroy};
