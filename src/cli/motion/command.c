#include "app/beat_files.h"
#include "app/beats.h"
#include "app/image/image.h"
#include "app/report/report.h"
#include "app/services/balance.h"
#include "app/services/checkpoint.h"
#include "app/services/memory.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/names.h"
#include "cli/commands.h"
#include "cli/motion/job.h"
#include "io/array/picture.h"
#include "partition/balance/share_planner.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- options --------------------------------------------------------------------------------- */

#define ROW(option, kind, member)        HALO_OPTION_ROW(motion_options, option, kind, member)
#define NAME_ENTRY(name, help)           "|" #name
#define BALANCER_ENTRY(code, name, help) "|" #name
#define BALANCER_NAME(code, name, help)  #name,
#define BALANCER_HELP(code, name, help)  " " #name " (" help "),"

static const halo_option what_rows[] = {
    {APP_FRAME_ROW("FRAME.png", CUSTOM, image), .parse = app_parse_input,
     .takes = "the name of a file", .flags = APP_ARGUMENT | APP_REPEATS,
     .required = "which frames? Give the names of two images, or of a sequence such as "
                 "frame-%04d.png, or the planes of a volume, volume.npy:z=%d"},
    {.type = HALO_OPTION_SECTION, .help = "What is computed:"},
    {ROW("clusters", INTEGER, motion.clusters), .letter = 'k', .min = 1, .max = HALO_CLUSTER_MAX,
     .unit = "clusters", .value = "K", .standard = "64", .flags = APP_SAVED,
     .help = "Clusters of the earlier frame, each with a vector"},
    {ROW("radius", INTEGER, radius), .max = 1024, .unit = "pixels", .value = "PIXELS",
     .unless = "64", .flags = APP_SAVED | HALO_OPTION_OPTIONAL,
     .help = "Largest motion of a cluster along each axis; 0: less than a pixel"},
    {ROW("weight", REAL, weight), .max = 1e6, .value = "W", .standard = "1", .flags = APP_SAVED,
     .help = "Weight of grey against position when pixels are clustered: one grey level counts as "
             "W pixels; 0: position only"},
    APP_RANGE_ROW,
    {ROW("beats", INTEGER, motion.cluster_beats), .letter = 'n', .min = 1, .max = INT32_MAX,
     .unit = "beats", .unless = "20", .help = "Beats at most for clustering the first frame"},
    {ROW("flow", CHOICE, motion.flow), .choices = HALO_MOTION_FLOW_LIST(NAME_ENTRY),
     .standard = "fine", .flags = APP_SAVED,
     .help = "Flow of a pixel. fine: measured for small pieces of its cluster. cluster: its "
             "cluster's vector"},
    {.type = HALO_OPTION_SECTION, .help = "A sequence of frames:"},
    {ROW("first", INTEGER, first), .unit = "frames", .takes = "a frame's number from 0 on",
     .unless = "0, or 1 where there is no frame 0", .help = "Number of the first frame"},
    {ROW("frames", INTEGER, count), .min = 2, .unit = "frames", .unless = "as many as there are",
     .help = "Frames in all"},
    {.type = HALO_OPTION_SECTION,
     .help = "Results; of a sequence, names need a number, such as %04d:"},
    {ROW("output", OUTPUT, output), .letter = 'o', .parse = app_parse_pattern, .flags = APP_CHECKED,
     .value = "FILE", .choices = ".flo" HALO_ARRAY_NUMBERS_ENDINGS "|" HALO_COLOUR_ENDINGS,
     .help = "Flow of every pixel of the earlier frame, to the right and down in pixels: "
             "Middlebury's format (.flo), two float32 a pixel in an array" HALO_ARRAY_NUMBERS_HELP
             ", or a picture (.png, .ppm, .pnm, .tif) in the colours of Middlebury's wheel"},
    {ROW("vectors", OUTPUT, vectors), .parse = app_parse_pattern, .flags = APP_CHECKED,
     .choices = ".csv|.json",
     .help = "A table with one line a cluster: pixels, centroid, vector, mean grey difference"},
    {ROW("arrows", OUTPUT, arrows), .parse = app_parse_pattern, .flags = APP_CHECKED,
     .choices = HALO_COLOUR_ENDINGS, .help = "The vectors as arrows on the earlier frame"},
    {ROW("arrow-scale", REAL, arrow_scale), .min = 1e-4, .max = 1e4, .value = "S",
     .needs = "arrows", .standard = "1", .help = "Draw arrows S times as long as the vectors"},
    {.type = HALO_OPTION_END}};

static const halo_option how_rows[] = {
    APP_HOW_SECTION,
    {ROW("engine", CHOICE, motion.engine), .choices = "auto" HALO_CLUSTER_ENGINE_LIST(NAME_ENTRY),
     .standard = "auto", .help = "How the nearest centre of a pixel is found"},
    {.type = HALO_OPTION_END}};

static const halo_option *const tables[] = {what_rows,         app_choice_rows, app_raw_rows,
                                            app_place_of_runs, how_rows,        APP_SHARED_TABLES};

/* ---- together -------------------------------------------------------------------------------- */

/* Clusters are shared out anew in every beat, and no boundary moves. */
static halo_status check_balance(const balance_arguments *balance)
{
    static const char choices[] = HALO_SHARE_METHOD_LIST(BALANCER_ENTRY);
    static const char *const names[] = {HALO_SHARE_METHOD_LIST(BALANCER_NAME)};
    char these[80];
    if (balance->balancer == NULL) {
        return HALO_OK;
    }
    if (!halo_list_has(choices, balance->balancer, strlen(balance->balancer))) {
        halo_names_list(names, HALO_NAMES_COUNT(names), these, sizeof these);
        return halo_fail(HALO_ARGUMENT,
                         "--balance %s moves boundaries between rows, and motion hands clusters to "
                         "workers; use %s, without options",
                         balance->balancer, these);
    }
    const char *other = balance->every > 0         ? "balance-every"
                        : balance->migrate != NULL ? "migrate"
                        : balance->log != NULL     ? "balance-log"
                                                   : NULL;
    return HALO_REQUIRE(other == NULL, HALO_ARGUMENT,
                        "--%s is about boundaries that move, and motion hands out its clusters "
                        "anew in every beat; leave it out",
                        other);
}

static halo_status check_sequence(motion_options *into)
{
    filename_pattern *pattern = &into->pattern;
    if (into->all.image.count == 1) {
        HALO_TRY(halo_filename_parse(pattern, into->all.image.first));
        return HALO_REQUIRE(pattern->numbered, HALO_ARGUMENT,
                            "\"%s\" is one frame; motion is from one to the next: give another, or "
                            "a sequence such as frame-%%04d.png, or volume.npy:z=%%d",
                            pattern->text);
    }
    return HALO_REQUIRE(into->first < 0 && into->count == 0, HALO_ARGUMENT,
                        "--first and --frames are about one name with a place for a number, such "
                        "as frame-%%04d.png; leave them out");
}

static const app_syntax motion_syntax;

static halo_status check(const app_options *given, void *context)
{
    motion_options *into = context;
    halo_motion_options *motion = &into->motion;
    if (!app_given(given, &into->first)) {
        into->first = -1;
    }
    motion->instructions = into->all.common.instructions;
    HALO_TRY(check_sequence(into));
    balance_arguments *balance =
        app_options_of_service(&motion_syntax, context, &app_balance_service);
    HALO_TRY(check_balance(balance));
    motion->balancer = balance->balancer;
    balance->balancer = NULL;
    return HALO_OK;
}

static const app_state state;

static const app_service_use services[] = {
    APP_SHARED_SERVICES, {.service = &app_checkpoint_service, .with = &state}, {0}};

static const app_syntax motion_syntax = {
    .name = "motion",
    .summary = "find how the parts of a picture move from frame to frame",
    .beat = "what master and workers do together: each is handed its share of the clusters, and "
            "hands its results back. The balancers of `halobeat motion` "
            "are" HALO_SHARE_METHOD_LIST(BALANCER_HELP) " and no others",
    .about =
        "Find how the parts of a picture move from one frame to the next.\n\n"
        "The pixels of a frame are clustered by place and grey; each cluster is found again in the "
        "next frame where the greys of its pixels differ least. More than two frames, or a name "
        "with a place for a number (frames-%04d.png), are a sequence, which keeps its clusters "
        "from frame to frame; volume.npy:z=%d are the planes of a volume. All frames have the "
        "same black and white (--range), so that brightness is compared as it is.",
    .notes = "Examples:\n"
             "  halobeat motion a.png b.png -k 64 -o flow.flo --arrows arrows.png\n"
             "  halobeat motion a.png b.png -k 256 --radius 20 -o flow.png\n"
             "  halobeat motion 'frame-%04d.png' --frames 100 --balance lb2 "
             "-o 'flow-%04d.flo' --checkpoint motion.halo\n\n" APP_EXIT_STATUS,
    .tables = tables,
    .services = services,
    .bytes = sizeof(motion_options),
    .describe = balance_describe,
    .check = check,
};

/* ---- checkpoints: the clusters' centres in the last frame, which is read again --------------- */

#define KEPT(key, kind, member) APP_KEPT_ROW(motion_job, key, kind, frames.member)
static const app_kept kept[] = {{KEPT("first_frame", INTEGER, first)},
                                {KEPT("finite_samples", INTEGER, samples.finite)},
                                {KEPT("least_sample", HASH, samples.min)},
                                {KEPT("greatest_sample", HASH, samples.max)},
                                {.max = 0}};
#undef KEPT

static bool has_a_pair(app_run *run, const halo_checkpoint *info, const json_t *saved)
{
    (void)run;
    (void)saved;
    return info->beat > 0;
}

/* The kernel's options, once a checkpoint has restored what it keeps: of a radius and a weight, 0
 * means the default there. */
static halo_motion_options complete_options(const motion_options *chosen)
{
    halo_motion_options options = chosen->motion;
    options.radius = (int)chosen->radius.value;
    options.zero_radius = chosen->radius.given && chosen->radius.value == 0;
    options.weight = chosen->weight;
    options.place_only = chosen->weight <= 0;
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
                                .rows = "clusters",
                                .check = has_a_pair,
                                .record_bytes = sizeof(halo_motion_centre),
                                .count = count_centres,
                                .store = store,
                                .recall = recall};

/* ---- frames ---------------------------------------------------------------------------------- */

/* A radius that was given; the default leads out of small frames. */
static halo_status check_radius(const app_run *run)
{
    const halo_optional_integer *radius = &((const motion_options *)run->options)->radius;
    const int64_t *n = run->domain.n;
    int64_t longest = halo_max(n[0], n[1]);
    return HALO_REQUIRE(!radius->given || radius->value == 0 || radius->value < longest,
                        HALO_ARGUMENT,
                        "--radius %" PRId64 " leads out of \"%.1000s\", which has %" PRId64
                        " x %" PRId64 " pixels; use %" PRId64 " or less",
                        radius->value, run->image->path, n[1], n[0], longest - 1);
}

static app_beat_files files_of_pairs(const app_run *run)
{
    const app_frames *frames = &((const motion_job *)run->job)->frames;
    return (app_beat_files){.first = frames->first,
                            .inputs = frames->count,
                            .name = "frames",
                            .beat = "pair of frames"};
}

static halo_status add_files(const app_run *run, app_files *files)
{
    const app_beat_files pairs = files_of_pairs(run);
    HALO_TRY(app_beat_files_add(run, &pairs, files));
    return app_frames_add(&((const motion_job *)run->job)->frames, files);
}

static halo_status find_files(app_run *run, app_files *files)
{
    const motion_options *options = run->options;
    motion_job *job = run->job;
    job->options = complete_options(options);
    HALO_TRY(app_frames_find(run, &job->frames, &options->pattern, options->first, options->count));
    const app_beat_files pairs = files_of_pairs(run);
    run->last_beat = job->frames.count - 1;
    job->sequence = run->last_beat > run->first_beat + 1;
    bool looks = app_resumes(run) && app_is_root(run);
    HALO_TRY(halo_agree(run->world, looks ? app_checkpoint_check_files(run, &pairs) : HALO_OK));
    return halo_agree(run->world, add_files(run, files));
}

static halo_status open_inputs(app_run *run)
{
    HALO_TRY(app_frames_open(run, &((motion_job *)run->job)->frames, run->first_beat));
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

static halo_status do_pair(app_run *run, int64_t index)
{
    motion_job *job = run->job;
    const app_beat_files pairs = files_of_pairs(run);
    int bits = run->image->cell_bits;
    HALO_TRY(app_frames_open(run, &job->frames, index + 1));
    HALO_TRY(app_frames_check(run, &job->frames, index + 1, bits));
    HALO_TRY(app_image_read(run->image, run->cuts, halo_motion_view(job->motion), &run->progress,
                            NULL, NULL, &run->clock));
    HALO_TRY(compare(run));
    halo_status status = halo_motion_figures_of(
        &job->figures[index - run->first_beat], halo_motion_vectors(job->motion),
        job->options.clusters, halo_motion_get_report(job->motion));
    HALO_TRY(halo_agree(run->world, status));
    HALO_TRY(app_beat_files_write(run, &pairs, index));
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

/* They end with the frames. */
static const app_beats beats = {
    .phase = "pairs of frames", .counted = "after pair", .advance = advance, .count = pairs_done};

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

const app_command motion_command = {.syntax = &motion_syntax,
                                    .job_bytes = sizeof(motion_job),
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
