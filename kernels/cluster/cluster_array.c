#include "kernels/cluster/cluster_array.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "kernels/array/array_table_internal.h"
#include "kernels/cluster/cluster_array_internal.h"
#include "kernels/cluster/cluster_connect.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Clusters of an array in memory. */

#define ROW(option, kind, member) HALO_OPTION_ROW(halo_cluster_array_options, option, kind, member)

#define BEATS    300
#define MIN_SIZE .5

static const halo_option option_rows[] = {
    {ROW("clusters", INTEGER, clusters), .min = 1, .max = HALO_CLUSTER_MAX, .unit = "clusters",
     .unless = "must be given", .help = "Number of clusters, at most the number of pixels"},
    {ROW("colour", FLAG, colour),
     .help = "The last of 3 axes has red, green and blue; they are clustered as L, a and b of "
             "CIELAB"},
    {ROW("weight", REAL, weight), .max = 1000, .flags = HALO_OPTION_OPTIONAL, .unless = "1",
     .help = "Weight of grey (0 is black, 255 white), or of L, a and b (L from 0 to 100), against "
             "position in pixels: clusters are compact with a small weight, and follow greys with "
             "a large one; 0: position only"},
    {ROW("compactness", REAL, compactness), .max = 1e6, .excludes = "weight",
     .unless = "0: the weight decides",
     .help = "In place of a weight, place against colour as in SLIC: M steps of L, a and b, or M "
             "times the greys from black (0) to white (1), count as much as the width of a "
             "cluster, which is the square root of the pixels by clusters"},
    {ROW("beats", INTEGER, beats), .standard = HALO_TEXT_OF(BEATS), .unit = "beats",
     .help = "Beats at most"},
    {ROW("change", SHARE, change), .max = 1, .unless = "0: none",
     .help = "End when at most this share of the pixels changes its cluster in a beat"},
    {ROW("connected", FLAG, connected),
     .help = "Make every label one connected piece: small pieces join the neighbour with the "
             "longest common border, others get labels of their own"},
    {ROW("min-size", SHARE, min_size), .max = 1, .needs = "connected",
     .flags = HALO_OPTION_OPTIONAL, .unless = "50%",
     .help = "Pieces of less than this share of the pixels by clusters are too small"},
    {ROW("range", CUSTOM, range), .parse = halo_sample_range_parse, .value = "LOW..HIGH|auto",
     .unless = "auto", .takes = "auto, or two numbers, the lower one first, such as -1000..400",
     .help = "Elements that become black and white; those between become greys of 16 bits. "
             "auto: uint8, uint16 and other whole numbers from 0 to 65535 are greys as they "
             "are, others range from the smallest to the largest; reals of colours from 0 to 1"},
    {ROW("engine", TEXT, engine), .value = "auto|tiles|leaves|brute", .standard = "auto",
     .help = "How the nearest clusters are found; labels are the same"},
    {0}};

const halo_option *const halo_cluster_array_rows = option_rows;

typedef struct {
    cluster_image image; /* without a range that must be measured */
    halo_array labels;   /* of 2 axes; no data: not asked for */
    halo_cluster_array_options options;
    halo_cluster_options kernel;
    double weight, min_size;
    halo_domain domain;
    halo_cluster_array_report report;
    halo_array_table *table; /* or NULL: not asked for */
} cluster_array_job;

/* A rank computes with this. */
typedef struct {
    array_call *call;
    halo_world *world;
    cluster_array_job *job;
    cluster_image image;
    halo_beat *beat;
    halo_cluster_connection connection;
} clustering;

/* ---- results --------------------------------------------------------------------------------- */

static halo_status fill_labels(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const halo_beat *beat = context;
    int64_t lo = halo_beat_view(beat, 0)->owned.lo[0];
    return halo_cluster_labels(beat, first - lo, rows, out, pitch / sizeof(uint16_t));
}

static halo_status write_labels(const clustering *c)
{
    const cluster_array_job *job = c->job;
    const halo_cluster_record *records;
    const halo_box *mine = &halo_beat_view(c->beat, 0)->owned;
    int64_t count = halo_cluster_shown(c->beat, &records);
    if (job->labels.data == NULL) {
        return HALO_OK;
    }
    HALO_FAIL_IF(count - 1 > array_largest(job->labels.type), HALO_ARGUMENT,
                 "%" PRId64 " clusters are more than labels of %s can be; use labels of int32",
                 count, halo_sample_types[job->labels.type].name);
    /* Labels are found for squares of 128 rows at a time, whichever of them are asked for. */
    const array_source source = {HALO_SAMPLE_U16, fill_labels, c->beat, 128};
    return halo_agree(c->world, array_write_box(c->call, c->world, &job->labels, mine, &source));
}

static void fill_greys(const clustering *c, const halo_cluster_record *record, double *const to[])
{
    double of = record->of > 0 ? (double)record->of : 1;
    *to[0] = array_greys_value(&c->image.greys, (double)record->value[0] / of);
}

static void fill_colours(const clustering *c, const halo_cluster_record *record,
                         const int64_t sums[HALO_CLUSTER_CHANNELS], double *const to[])
{
    double of = record->of > 0 ? (double)record->of : 1, pixels = (double)record->pixels;
    for (int i = 0; i < HALO_CLUSTER_CHANNELS; i++) {
        *to[i] = (double)record->value[i] / (of * HALO_LAB_STEPS);
        *to[HALO_CLUSTER_CHANNELS + i] =
            pixels > 0 ? array_greys_value(&c->image.greys, (double)sums[i] / pixels) : NAN;
    }
}

/* The columns are those of the command's table of centres. */
static halo_status fill_table(const clustering *c, int64_t (*sums)[HALO_CLUSTER_CHANNELS],
                              halo_array_table *table)
{
    enum { COLOURS = 6, GREYS = 1, PLACE = 2 };
    static const char *const colours[COLOURS] = {"L", "a", "b", "red", "green", "blue"};
    static const char *const greys[GREYS] = {"grey"};
    const halo_cluster_record *records;
    int64_t rows = halo_cluster_shown(c->beat, &records);
    int values = c->image.colour ? COLOURS : GREYS;
    HALO_TRY(array_table_add(table, "pixels", HALO_SAMPLE_I64));
    HALO_TRY(array_table_add(table, "x", HALO_SAMPLE_F64));
    HALO_TRY(array_table_add(table, "y", HALO_SAMPLE_F64));
    for (int i = 0; i < values; i++) {
        HALO_TRY(array_table_add(table, c->image.colour ? colours[i] : greys[i], HALO_SAMPLE_F64));
    }
    HALO_TRY(array_table_allocate(table, rows));
    for (int64_t k = 0; k < rows; k++) {
        double *to[PLACE + COLOURS], of = records[k].of > 0 ? (double)records[k].of : 1;
        for (int i = 0; i < PLACE + values; i++) {
            to[i] = (double *)array_table_values(table, 1 + i) + k;
        }
        ((int64_t *)array_table_values(table, 0))[k] = records[k].pixels;
        *to[0] = (double)records[k].x / of;
        *to[1] = (double)records[k].y / of;
        if (c->image.colour) {
            fill_colours(c, &records[k], sums[k], to + PLACE);
        } else {
            fill_greys(c, &records[k], to + PLACE);
        }
    }
    return HALO_OK;
}

static halo_status tabulate(const clustering *c)
{
    int64_t(*sums)[HALO_CLUSTER_CHANNELS];
    const halo_cluster_record *records;
    int64_t count = halo_cluster_shown(c->beat, &records);
    halo_status status = halo_agree(c->world, HALO_ALLOCATE(sums, count, "sums of colours"));
    if (status == HALO_OK && c->image.colour) {
        status =
            halo_agree(c->world, cluster_image_sum(&c->image, c->call, c->world, c->beat, sums));
        HALO_IF_OK(status,
                   halo_allreduce_sum(c->world, sums[0], (int)(count * HALO_CLUSTER_CHANNELS)));
    }
    HALO_IF_OK(status, halo_agree(c->world, halo_world_rank(c->world) == 0
                                                ? fill_table(c, sums, c->job->table)
                                                : HALO_OK));
    free(sums);
    return status;
}

static void note_report(const clustering *c, double inertia)
{
    const cluster_array_job *job = c->job;
    const halo_cluster_record *records = halo_cluster_records(c->beat), *shown;
    const halo_beat_report beats = halo_beat_get_report(c->beat);
    halo_cluster_array_report *report = &c->job->report;
    *report = (halo_cluster_array_report){
        .labels = halo_cluster_shown(c->beat, &shown),
        .beats = beats.beats,
        .converged = beats.converged,
        .inertia = inertia,
        .weight = job->weight,
        .pieces = c->connection.pieces,
        .black = array_greys_value(&c->image.greys, 0),
        .white = array_greys_value(&c->image.greys, (double)c->image.maximum)};
    for (int k = 0; k < job->kernel.clusters; k++) {
        report->empty += records[k].pixels == 0;
    }
}

/* ---- ranks ----------------------------------------------------------------------------------- */

static halo_status compute(clustering *c, bool in_place)
{
    const halo_cluster_array_options *options = &c->job->options;
    double inertia;
    const double reading = .1, computing = options->connected ? .7 : .9, connecting = .95;
    array_call_phase(c->call, c->world, reading);
    if (!in_place) {
        HALO_TRY(halo_agree(c->world, cluster_image_fill(&c->image, c->call, c->world,
                                                         halo_beat_view(c->beat, 0))));
    }
    HALO_TRY(halo_cluster_begin(c->beat, c->world));
    array_call_phase(c->call, c->world, computing);
    HALO_TRY(halo_beat_run(c->beat, options->beats));
    if (halo_beat_get_report(c->beat).stopped) {
        return array_call_stop();
    }
    HALO_TRY(halo_cluster_inertia(c->beat, c->world, &inertia));
    if (options->connected) {
        array_call_phase(c->call, c->world, connecting);
        HALO_TRY(halo_cluster_connect(c->beat, c->world, c->job->min_size,
                                      c->job->kernel.instructions, &c->connection));
    }
    if (halo_world_rank(c->world) == 0) {
        note_report(c, inertia);
    }
    array_call_phase(c->call, c->world, 1);
    HALO_TRY(write_labels(c));
    return c->job->table != NULL ? tabulate(c) : HALO_OK;
}

static halo_status create_and_compute(clustering *c, const halo_partition *strips)
{
    cluster_array_job *job = c->job;
    const halo_box mine = halo_partition_box(strips, halo_world_rank(c->world));
    halo_cluster_options kernel_options = job->kernel;
    halo_view memory;
    halo_kernel kernel;
    const double measuring = .05;
    array_call_phase(c->call, c->world, measuring);
    HALO_TRY(cluster_image_measure(&c->image, c->call, c->world, &mine));
    kernel_options.weight =
        halo_cluster_cell_weight(job->weight, c->image.colour, c->image.maximum);
    HALO_TRY(halo_cluster_kernel(&kernel, &kernel_options, cluster_image_bits(&c->image)));
    bool in_place = cluster_image_is_in_place(&c->image, &mine, &memory);
    double pixels = (double)(job->domain.n[0] * job->domain.n[1]);
    array_beats watched = {c->call, c->world, 0, job->options.beats};
    const halo_beat_options options = {.kernel_options = &kernel_options,
                                       .change_threshold = (int64_t)(job->options.change * pixels),
                                       .watch = array_beats_watch,
                                       .context = &watched,
                                       .memory = in_place ? &memory : NULL};
    HALO_TRY(halo_beat_create(&c->beat, c->world, &job->domain, strips, &kernel, &options));
    halo_status status = compute(c, in_place);
    halo_beat_destroy(&c->beat);
    return status;
}

static halo_status cluster_rank(halo_world *world, array_call *call, void *context)
{
    clustering c = {.call = call, .world = world, .job = context};
    halo_partition strips = {0};
    c.image = c.job->image;
    halo_status status =
        halo_agree(world, halo_partition_strips(&strips, &c.job->domain, halo_world_ranks(world)));
    HALO_IF_OK(status, create_and_compute(&c, &strips));
    halo_partition_free(&strips);
    return status;
}

/* ---- the call -------------------------------------------------------------------------------- */

static halo_status take_labels(const halo_array *labels, cluster_array_job *job)
{
    halo_array image = job->image.array;
    image.axes = 2;
    HALO_TRY(array_check_out(labels, "the array for labels", 2, 2));
    HALO_FAIL_IF(halo_sample_types[labels->type].real || labels->type == HALO_SAMPLE_BIT,
                 HALO_ARGUMENT, "labels cannot be of %s; use int32",
                 halo_sample_types[labels->type].name);
    HALO_TRY(array_check_same(&image, "the image", labels, "the array for labels"));
    job->labels = *labels;
    return HALO_OK;
}

static halo_status check_share(double share, const char *name)
{
    return HALO_REQUIRE(share >= 0 && share <= 1, HALO_ARGUMENT,
                        "%s is %g; use a share from 0 to 1", name, share);
}

static halo_status take_weight(cluster_array_job *job)
{
    const double max = 1000;
    const halo_cluster_array_options *options = &job->options;
    job->weight = options->weight.given ? options->weight.value : 1;
    HALO_FAIL_IF(!(options->compactness >= 0) || !(job->weight >= 0), HALO_ARGUMENT,
                 "a weight of %g, a compactness of %g; use numbers from 0 on", job->weight,
                 options->compactness);
    HALO_FAIL_IF(options->compactness > 0 && options->weight.given, HALO_ARGUMENT,
                 "a compactness of %g sets the weight, which is %g already; leave one of them out",
                 options->compactness, job->weight);
    HALO_FAIL_IF(options->clusters < 1, HALO_ARGUMENT, "%d clusters; use 1 to %d",
                 options->clusters, HALO_CLUSTER_MAX);
    if (options->compactness > 0) {
        job->weight = halo_cluster_weight(options->compactness, &job->domain, options->clusters,
                                          options->colour);
    }
    return HALO_REQUIRE(
        job->weight <= max, HALO_ARGUMENT,
        "the weight is %g; they go up to %g: use a smaller one, or a larger compactness",
        job->weight, max);
}

static halo_status take_options(cluster_array_job *job, const halo_context *context)
{
    halo_cluster_array_options *options = &job->options;
    job->min_size = options->min_size.given ? options->min_size.value : MIN_SIZE;
    HALO_TRY(check_share(options->change, "change"));
    HALO_TRY(check_share(job->min_size, "min_size"));
    HALO_FAIL_IF(options->beats < 0, HALO_ARGUMENT, "%" PRId64 " beats; use 1 or more",
                 options->beats);
    options->beats = options->beats > 0 ? options->beats : BEATS;
    HALO_TRY(take_weight(job));
    job->kernel = (halo_cluster_options){.clusters = options->clusters,
                                         .place_only = job->weight <= 0,
                                         .colour = options->colour,
                                         .engine = options->engine,
                                         .instructions = array_instructions(context),
                                         .beats = options->beats};
    return HALO_OK;
}

static halo_status run(halo_context *context, const halo_array *image, const halo_array *labels,
                       cluster_array_job *job)
{
    /* Seconds of a core for a pixel and a beat, at least, and the beats that usually are enough. */
    const double cost = 3e-9, usual = 20;
    HALO_TRY(cluster_image_take(&job->image, image, job->options.colour, &job->options.range));
    job->domain = (halo_domain){.axes = 2, .n = {image->n[0], image->n[1], 1}};
    HALO_TRY(labels != NULL ? take_labels(labels, job) : HALO_OK);
    HALO_TRY(take_options(job, context));
    double work =
        cost * (double)(image->n[0] * image->n[1]) * fmin((double)job->options.beats, usual);
    return array_call_run(context, work, image->n[0], cluster_rank, job);
}

halo_status halo_cluster_array_sized(halo_context *context, const halo_array *image,
                                     const halo_array *labels,
                                     const halo_cluster_array_options *given,
                                     halo_array_table **table, halo_cluster_array_report *report,
                                     size_t given_bytes, size_t report_bytes)
{
    cluster_array_job job = {0};
    halo_status status = halo_options_take(&job.options, sizeof job.options, given, given_bytes,
                                           "halo_cluster_array_options");
    HALO_IF_OK(status, table != NULL ? array_table_create(&job.table) : HALO_OK);
    HALO_IF_OK(status, run(context, image, labels, &job));
    cluster_image_free(&job.image);
    if (status != HALO_OK) {
        halo_array_table_destroy(&job.table);
    }
    if (table != NULL) {
        *table = job.table;
    }
    halo_report_give(report, report_bytes, status == HALO_OK ? &job.report : NULL,
                     sizeof job.report);
    return status;
}
