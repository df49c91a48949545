#include "app/batch/batch.h"
#include "app/beats.h"
#include "app/image/image.h"
#include "app/options/kept.h"
#include "app/services/checkpoint.h"
#include "app/services/memory.h"
#include "app/services/tasks.h"
#include "base/memory.h"
#include "cli/cluster/job.h"
#include "cli/commands.h"
#include "io/array/picture.h"
#include "io/png/png_write.h"
#include "kernels/cluster/lab.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* ---- options --------------------------------------------------------------------------------- */

#define ROW(option, kind, member) HALO_OPTION_ROW(cluster_options, option, kind, member)
#define ENGINE_ENTRY(name, help)  "|" #name

static const halo_option what_rows[] = {
    APP_IMAGE_OPTION,
    {.type = HALO_OPTION_SECTION, .help = "What is computed:"},
    {ROW("clusters", INTEGER, kernel.clusters), .letter = 'k', .min = 1, .max = HALO_CLUSTER_MAX,
     .unit = "clusters", .value = "K", .flags = APP_SAVED,
     .required = "how many clusters? Give -k K, such as -k 64", .instead = "restore",
     .help = "Number of clusters, at most the number of pixels"},
    {ROW("weight", REAL, weight), .max = 1000, .value = "W", .standard = "1", .flags = APP_SAVED,
     .help = "Weight of grey (0 is black, 255 white) against position in pixels: clusters are "
             "compact with a small weight, and follow greys with a large one; 0: position only"},
    {ROW("colour", FLAG, kernel.colour), .flags = APP_SAVED,
     .help = "Colours instead of greys: W times L, a and b of CIELAB, L from 0 (black) to 100 "
             "(white)"},
    APP_RANGE_ROW,
    {ROW("compactness", REAL, compactness), .min = 1e-6, .max = 1e6, .value = "M",
     .excludes = "weight|restore", .why = "it sets the weight, which a checkpoint has already",
     .unless = "none: the weight decides",
     .help = "Instead of a weight, place against colour as in SLIC: M steps of L, a and b, or M "
             "times the greys from black (0) to white (1), count as much as the width of a "
             "cluster, which is the square root of the pixels by K; SLIC's users take 10 for "
             "colours and .1 for greys. Larger ones make compact clusters"},
    {ROW("connected", FLAG, connected),
     .help = "Make every cluster one connected piece: small pieces join the neighbour with the "
             "longest common border, others become clusters of their own"},
    {ROW("min-size", SHARE, min_size), .max = 1, .needs = "connected", .standard = "50%",
     .help = "Pieces of less than this share of the pixels by K are too small"},
    {.type = HALO_OPTION_SECTION, .help = "How far:"},
    {APP_FRAME_ROW("beats", INTEGER, beats), .letter = 'n', .min = 1, .unit = "beats",
     .standard = "300", .help = "Beats at most, in addition to those before a checkpoint"},
    {APP_FRAME_ROW("until", CUSTOM, until), .parse = app_parse_steady_or_change,
     .takes = "steady, or change:SHARE with a share of the pixels from 0 to less than 1, such as "
              "change:0.1%",
     .value = "steady|change:SHARE", .standard = "steady",
     .help = "steady: end when no pixel changes its cluster any more. change: when at most this "
             "share of pixels does in a beat, such as change:0.1%"},
    {.type = HALO_OPTION_SECTION, .help = "Results:"},
    {ROW("output", OUTPUT, output), .letter = 'o', .value = "FILE",
     .choices = HALO_GREY_ENDINGS HALO_ARRAY_NUMBERS_ENDINGS, .flags = APP_LABELS,
     .help = "The number of every pixel's cluster, from 0: greys of 16 bits (.png, .pgm, .pnm, "
             ".tif), or int32 in an array" HALO_ARRAY_NUMBERS_HELP},
    {ROW("mosaic", OUTPUT, mosaic), .choices = HALO_PICTURE_ENDINGS,
     .help = "The image with each pixel in the mean grey or colour of its cluster"},
    {ROW("outline", OUTPUT, outline), .choices = HALO_COLOUR_ENDINGS,
     .help = "The image with the clusters' borders drawn on it"},
    {ROW("centres", OUTPUT, centres), .choices = ".csv|.json",
     .help =
         "A table with one line a cluster: number of pixels, mean position, mean grey or colour"},
    {.type = HALO_OPTION_END}};

static const halo_option how_rows[] = {
    APP_HOW_SECTION,
    {ROW("engine", CHOICE, kernel.engine), .choices = "auto" HALO_CLUSTER_ENGINE_LIST(ENGINE_ENTRY),
     .standard = "auto", .unless = "auto, tiles or leaves",
     .help = "tiles: look only at clusters that can be the nearest of a tile of the image. leaves: "
             "the same for 64 pixels of similar grey at a time, which are sorted first. brute: "
             "look at all clusters"},
    {.type = HALO_OPTION_END}};

static const halo_option *const tables[] = {what_rows,         app_choice_rows, app_raw_rows,
                                            app_place_of_runs, how_rows,        APP_SHARED_TABLES};

static const app_state state;

static const app_service_use services[] = {
    APP_SHARED_SERVICES,
    {.service = &app_batch_service, .with = cluster_batch_columns},
    {.service = &app_tasks_service, .rows = app_image_tasks_rows},
    {.service = &app_checkpoint_service, .with = &state},
    {0}};

static const app_syntax cluster_syntax = {
    .name = "cluster",
    .summary = "find clusters of pixels that are near and alike: k-means",
    .beat = "a new centre for each cluster, and the nearest centre for each pixel",
    .about =
        "Find clusters of pixels that are near each other and alike: k-means.\n\n"
        "The image is cut into K rectangles to begin with. Then each cluster's centre is put at "
        "the mean place and grey of its pixels, each pixel goes to the cluster whose centre is "
        "nearest in (x, y, W * grey), and so on until nothing changes. Pixels are where looking at "
        "all clusters would put them, to the last one, on any number of ranks.",
    .notes = "Examples:\n"
             "  halobeat cluster photo.png -k 64 --mosaic mosaic.png\n"
             "  halobeat cluster photo.png -k 500 --colour --outline outline.png\n"
             "  halobeat cluster photo.png -k 200 --colour --compactness 10 --connected -o "
             "superpixels.png\n"
             "  halobeat cluster cells.png -k 256 --weight 4 --centres centres.csv\n"
             "  halobeat cluster huge.png -k 4096 -o clusters.npy\n"
             "  halobeat cluster huge.png -k 4096 --checkpoint c.halo\n"
             "  halobeat cluster huge.png --restore c.halo -o clusters.npy\n\n" APP_EXIT_STATUS,
    .tables = tables,
    .services = services,
    .bytes = sizeof(cluster_options),
    .describe = balance_describe,
};

/* ---- the image ------------------------------------------------------------------------------- */

static void use_image(const app_run *run, app_image_options *use)
{
    const cluster_options *options = run->options;
    use->want = options->kernel.colour ? HALO_IMAGE_COLOURS : HALO_IMAGE_GREYS;
}

/* Rows on their way to be L, a and b. */
typedef struct {
    const halo_view *from, *into;
    halo_lab *lab;
} conversion;

static void convert(void *context, int64_t first, int64_t rows)
{
    const conversion *c = context;
    for (int64_t y = first; y < first + rows; y++) {
        halo_lab_row(c->lab, halo_row(c->from, y), c->into->owned.n[1], halo_row(c->into, y));
    }
}

static halo_status read_lab(app_run *run, const int64_t *cuts, const halo_view *into)
{
    halo_field *colours = NULL;
    conversion c = {.into = into};
    halo_status status = app_image_create_field(run->image, cuts, &colours);
    if (status == HALO_OK) {
        c.from = halo_field_view(colours);
        status = halo_lab_create(&c.lab, run->image->cell_bits / HALO_CLUSTER_CHANNELS);
    }
    HALO_TRY_OR(done, halo_agree(run->world, status));
    status = app_read_image(run, cuts, c.from, convert, &c);
done:
    halo_lab_destroy(&c.lab);
    halo_field_destroy(&colours);
    return status;
}

static halo_status read_image(app_run *run)
{
    const cluster_options *options = run->options;
    const int64_t *cuts = halo_beat_cuts(run->beat);
    const halo_view *cells = halo_beat_view(run->beat, 0);
    return options->kernel.colour ? read_lab(run, cuts, cells)
                                  : app_read_image(run, cuts, cells, NULL, NULL);
}

/* ---- beats ----------------------------------------------------------------------------------- */

enum { LAB_BITS = 48 };

/* Checkpoints keep the weight. */
static halo_status use_compactness(const app_run *run, cluster_options *options)
{
    const double max = 1000; /* of --weight */
    options->weight = halo_cluster_weight(options->compactness, &run->domain,
                                          options->kernel.clusters, options->kernel.colour);
    return HALO_REQUIRE(
        options->weight <= max, HALO_ARGUMENT,
        "--compactness %g stands for a weight of %g; they go up to %g: use %.3g or more",
        options->compactness, options->weight, max, options->weight * options->compactness / max);
}

static halo_status create(app_run *run)
{
    cluster_options *options = run->options;
    cluster_job *job = run->job;
    if (options->compactness > 0) {
        HALO_TRY(use_compactness(run, options));
    }
    double pixels = (double)(run->domain.n[0] * run->domain.n[1]);
    job->change_threshold = (int64_t)(options->all.until.share * pixels);
    options->kernel.instructions = options->all.common.instructions;
    options->kernel.beats = options->all.beats;
    options->kernel.place_only = options->weight <= 0;
    options->kernel.weight =
        halo_cluster_cell_weight(options->weight, options->kernel.colour, run->image->maximum);
    HALO_TRY(
        halo_agree(run->world,
                   halo_cluster_kernel(&job->kernel, &options->kernel,
                                       options->kernel.colour ? LAB_BITS : run->image->cell_bits)));
    return app_create_strips(run, &job->kernel,
                             &(halo_beat_options){.kernel_options = &options->kernel,
                                                  .change_threshold = job->change_threshold});
}

static halo_status fill(app_run *run)
{
    halo_stretch stretch = halo_clock_begin(run->world);
    halo_status status = halo_cluster_begin(run->beat, run->world);
    halo_clock_end(&run->clock, HALO_PHASE_MERGE, stretch, run->world);
    return status;
}

/* Colours are read beside their L, a and b. */
static void find_needs(const app_run *run, app_needs *needs)
{
    const cluster_options *options = run->options;
    const halo_box *mine = &halo_beat_view(run->beat, 0)->owned;
    int64_t labels =
        halo_cluster_bytes(&options->kernel, mine, halo_beat_view(run->beat, 0)->cell_bits);
    int64_t pixels = halo_box_cells(mine);
    needs->reading += options->kernel.colour ? pixels * run->image->cell_bits / CHAR_BIT : 0;
    int64_t connecting = options->connected ? halo_cluster_connect_bytes(mine) : 0;
    int64_t connected = options->connected ? halo_cluster_connected_bytes(mine) : 0;
    needs->computing = labels + connecting;
    needs->writing +=
        labels + connected + (options->mosaic != NULL ? app_png_later(run, HALO_PNG_GREY16) : 0);
}

/* Or had before it was saved: then no beat is to be added. */
static bool has_settled(const app_run *run)
{
    const cluster_job *job = run->job;
    return run->loop->changed >= 0 && run->loop->changed <= job->change_threshold;
}

static const char *ending(const app_run *run)
{
    return run->loop->changed > 0 ? "few enough pixels changed" : NULL;
}

static const app_beats beats = {.phase = "clustering",
                                .counted = "at beat",
                                .update = "pixel",
                                .shares = APP_VOTING,
                                .settled = has_settled,
                                .ending = ending};

static halo_status end(app_run *run)
{
    const cluster_options *options = run->options;
    cluster_job *job = run->job;
    HALO_TRY(halo_cluster_inertia(run->beat, run->world, &job->inertia));
    if (!options->connected) {
        return HALO_OK;
    }
    double begun = halo_seconds();
    halo_stretch stretch = halo_clock_begin(run->world);
    progress_phase(&run->progress, "connecting");
    halo_status status = halo_cluster_connect(run->beat, run->world, options->min_size,
                                              options->all.common.instructions, &job->connection);
    halo_clock_end(&run->clock, HALO_PHASE_MERGE, stretch, run->world);
    job->connecting_seconds = halo_seconds() - begun;
    return status;
}

static void destroy(app_run *run)
{
    halo_cluster_means_free(&((cluster_job *)run->job)->means);
}

/* ---- checkpoints: a row for each cluster ----------------------------------------------------- */

typedef struct {
    halo_cluster_record now, before; /* the labels are those of the centres before */
} saved_row;

/* -1: there was no beat */
static const app_kept kept[] = {
    {.row = {.name = "changed", .type = HALO_OPTION_INTEGER, .min = -1, .max = APP_KEPT_CELLS}},
    {.max = 0}};

static bool take_changed(app_run *run, const halo_checkpoint *info, const json_t *saved)
{
    (void)info;
    run->loop->changed = json_integer_value(json_object_get(saved, "changed"));
    return true;
}

static bool keep(app_run *run, json_t *saved)
{
    return json_object_set_new(saved, "changed", json_integer(run->loop->changed)) == 0;
}

static int64_t count_clusters(const app_run *run)
{
    return ((const cluster_options *)run->options)->kernel.clusters;
}

static halo_status store(app_run *run, void *records)
{
    saved_row *rows = records;
    const halo_cluster_record *now = halo_cluster_records(run->beat);
    const halo_cluster_record *before = halo_cluster_records_before(run->beat);
    for (int64_t k = 0; k < count_clusters(run); k++) {
        rows[k].now = now[k];
        rows[k].before = before != NULL ? before[k] : (halo_cluster_record){0};
    }
    return HALO_OK;
}

static halo_status put_records(const saved_row *rows, int64_t clusters, halo_beat *beat)
{
    halo_cluster_record *now;
    HALO_TRY(HALO_ALLOCATE(now, 2 * clusters, "records of clusters"));
    halo_cluster_record *before = now + clusters;
    for (int64_t k = 0; k < clusters; k++) {
        now[k] = rows[k].now;
        before[k] = rows[k].before;
    }
    halo_status status = halo_cluster_restore(beat, before, now);
    free(now);
    return status;
}

/* Before the first beat, there are no records of a beat before. */
static halo_status recall(app_run *run, const void *records, int64_t count)
{
    return run->first_beat > 0 ? halo_agree(run->world, put_records(records, count, run->beat))
                               : fill(run);
}

static const app_state state = {.image = "image",
                                .kept = kept,
                                .rows = "clusters",
                                .check = take_changed,
                                .keep = keep,
                                .record_bytes = sizeof(saved_row),
                                .count = count_clusters,
                                .store = store,
                                .recall = recall};

/* ---------------------------------------------------------------------------------------------- */

static const app_phase phases[] = {{"read", HALO_PHASE_DECODE},
                                   {"distribute", HALO_PHASE_DISTRIBUTE},
                                   {"cluster", HALO_PHASE_COMPUTE},
                                   {"vote", HALO_PHASE_VOTE},
                                   {"begin", HALO_PHASE_MERGE},
                                   {"write", HALO_PHASE_ENCODE},
                                   {0}};

static const char speed[] = "[{nanoseconds%.4g>0} ns a pixel and beat, {mega%.4g} M pixels/s]";

const app_command cluster_command = {.syntax = &cluster_syntax,
                                     .job_bytes = sizeof(cluster_job),
                                     .image = true,
                                     .image_use = use_image,
                                     .read = read_image,
                                     .create = create,
                                     .needs = find_needs,
                                     .fill = fill,
                                     .beats = &beats,
                                     .end = end,
                                     .outputs = cluster_outputs,
                                     .lines = cluster_lines,
                                     .speed = speed,
                                     .phases = phases,
                                     .facts = cluster_facts,
                                     .destroy = destroy};
