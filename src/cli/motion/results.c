#include "app/beats.h"
#include "app/image/image.h"
#include "app/outputs.h"
#include "app/report/facts.h"
#include "app/report/report.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/names.h"
#include "cli/motion/job.h"
#include "core/world/collect.h"
#include "io/array/array_write.h"
#include "io/canvas/canvas.h"
#include "io/flow/flo.h"
#include "io/flow/flow_arrows.h"
#include "io/flow/flow_colours.h"
#include "io/png/png_write.h"
#include "io/table/table.h"
#include "kernels/motion/motion_predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Number of a row within this rank's strip. */
static int64_t local_row(const app_run *run, int64_t row)
{
    return row - run->cuts[halo_world_rank(run->world)];
}

/* ---- flow ------------------------------------------------------------------------------------ */

static halo_status fill_flow(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    const motion_job *job = run->job;
    halo_motion_flow(job->motion, local_row(run, first), rows, out, pitch);
    return HALO_OK;
}

static halo_status fill_colours(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    const motion_job *job = run->job;
    for (int64_t i = 0; i < rows; i++) {
        halo_motion_flow(job->motion, local_row(run, first) + i, 1, job->row, 0);
        halo_flow_colours(job->row, run->domain.n[1], job->max_square,
                          (unsigned char *)out + (size_t)i * pitch);
    }
    return HALO_OK;
}

/* The longest vector of all ranks. */
static halo_status find_max(app_run *run)
{
    motion_job *job = run->job;
    job->max_square = 0;
    for (int64_t i = 0; i < halo_motion_view(job->motion)->owned.n[0]; i++) {
        halo_motion_flow(job->motion, i, 1, job->row, 0);
        job->max_square =
            halo_max(job->max_square, halo_flow_max_square(job->row, run->domain.n[1]));
    }
    return halo_allreduce_max(run->world, &job->max_square, 1);
}

static halo_status write_colours(app_run *run, const char *path)
{
    motion_job *job = run->job;
    halo_status status = HALO_ALLOCATE(job->row, 2 * run->domain.n[1], "a row of flow");
    HALO_TRY_OR(done, halo_agree(run->world, status));
    HALO_TRY_OR(done, find_max(run));
    status = app_write_png(run, path, HALO_PNG_RGB8, fill_colours);
done:
    free(job->row);
    job->row = NULL;
    return status;
}

static halo_status write_flo(app_run *run, const char *path)
{
    const halo_rows rows = {.fill = fill_flow, .progress = app_show_rows, .context = run};
    return halo_flo_write(run->world, path, run->domain.n[1], run->domain.n[0], run->cuts, &rows);
}

/* Arrays of flow lie where the frames do. */
static halo_status describe_flow(app_run *run)
{
    const motion_options *options = run->options;
    if (halo_array_is_one(options->output.text)) {
        run->writing->about =
            (halo_array_about){.name = "flow", .geometry = run->image->info.geometry};
    }
    return HALO_OK;
}

/* Pictures that are written next do not. */
static void forget_flow(app_run *run)
{
    run->writing->about = (halo_array_about){.name = NULL};
}

static const app_writer flow_writers[] = {
    {APP_OWN_FORMAT, .ending = ".flo", .write = write_flo},
    {APP_ARRAYS, HALO_SAMPLE_F32, .pixel = 2, .fill = fill_flow},
    {APP_PICTURES, .write = write_colours},
    {0}};

/* ---- vectors --------------------------------------------------------------------------------- */

static const halo_table_column columns[] = {
    {"cluster", HALO_TABLE_INTEGER},  {"pixels", HALO_TABLE_INTEGER},  {"x", HALO_TABLE_RATIO},
    {"y", HALO_TABLE_RATIO},          {"u", HALO_TABLE_RATIO},         {"v", HALO_TABLE_RATIO},
    {"difference", HALO_TABLE_RATIO}, {"compared", HALO_TABLE_INTEGER}};

static void vector_row(const void *context, int64_t row, halo_table_value *values)
{
    const halo_motion_vector *vector = (const halo_motion_vector *)context + row;
    const halo_table_value line[] = {{row, 1},
                                     {vector->pixels, 1},
                                     {vector->x, HALO_MOTION_ONE},
                                     {vector->y, HALO_MOTION_ONE},
                                     {vector->u, HALO_MOTION_ONE},
                                     {vector->v, HALO_MOTION_ONE},
                                     {vector->cost, halo_max(vector->compared, 1)},
                                     {vector->compared, 1}};
    memcpy(values, line, sizeof line);
}

static halo_status write_vectors(app_run *run, const char *path)
{
    const motion_job *job = run->job;
    const halo_table table = {.columns = columns,
                              .column_count = sizeof columns / sizeof columns[0],
                              .rows = app_is_root(run) ? job->options.clusters : 0,
                              .row = vector_row,
                              .context = halo_motion_vectors(job->motion)};
    return halo_table_write(run->world, path, &table);
}

/* ---- arrows ---------------------------------------------------------------------------------- */

halo_status motion_keep_earlier(app_run *run)
{
    const motion_job *job = run->job;
    if (((const motion_options *)run->options)->arrows.text == NULL) {
        return HALO_OK;
    }
    if (run->samples == NULL) {
        HALO_TRY(app_image_create_field(run->image, run->cuts, &run->samples));
    }
    const halo_view *from = halo_motion_view(job->motion), *to = halo_field_view(run->samples);
    size_t bytes = (size_t)from->owned.n[1] * (size_t)from->cell_bits / 8;
    for (int64_t y = 0; y < from->owned.n[0]; y++) {
        memcpy(halo_row(to, y), halo_row(from, y), bytes);
    }
    return HALO_OK;
}

static halo_status paint_arrows(app_run *run, const halo_canvas *canvas)
{
    static const unsigned char white[3] = {255, 255, 255};
    enum { SHARE_OF_WHITE = 70 /* of 256: the frame becomes paler, so that arrows stand out */ };
    const motion_job *job = run->job;
    const halo_motion_vector *vectors = halo_motion_vectors(job->motion);
    double scale = ((const motion_options *)run->options)->arrow_scale;
    double pixels = (double)run->domain.n[0] * (double)run->domain.n[1];
    int64_t width = halo_flow_arrow_width(pixels, job->options.clusters);
    halo_canvas_mix(canvas, white, SHARE_OF_WHITE);
    for (int i = 0; i < job->options.clusters; i++) {
        if (vectors[i].pixels > 0) {
            const halo_flow_arrow arrow = {vectors[i].x, vectors[i].y, vectors[i].u, vectors[i].v};
            halo_flow_arrow_draw(canvas, &arrow, scale, width);
        }
    }
    return HALO_OK;
}

halo_status motion_check_flow(const app_run *run)
{
    const char *flow = ((const motion_options *)run->options)->output.text;
    if (flow == NULL || !halo_name_ends(flow, ".flo")) {
        return HALO_OK;
    }
    halo_buffer head = {0};
    halo_status status = halo_flo_begin(&head, run->domain.n[1], run->domain.n[0]);
    halo_buffer_free(&head);
    return status;
}

/* ---- the table ------------------------------------------------------------------------------- */

const app_output motion_outputs[] = {{.option = offsetof(motion_options, output),
                                      .phase = "writing flow",
                                      .when = APP_EACH_BEAT,
                                      .prepare = describe_flow,
                                      .finish = forget_flow,
                                      .writers = flow_writers},
                                     {.option = offsetof(motion_options, vectors),
                                      .phase = "writing vectors",
                                      .when = APP_EACH_BEAT,
                                      .write = write_vectors},
                                     {.option = offsetof(motion_options, arrows),
                                      .phase = "writing arrows",
                                      .when = APP_EACH_BEAT,
                                      .paint = paint_arrows},
                                     {0}};

/* ---- reports: pairs -------------------------------------------------------------------------- */

static json_t *of_figures(const halo_motion_figures *figures)
{
    return json_pack(
        "{s:f, s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:f, s:f, s:f}", "mean_length_pixels",
        figures->mean, "median_length_pixels", figures->median, "largest_length_pixels",
        figures->max, "mean_right_pixels", figures->right, "mean_down_pixels", figures->down,
        "mean_difference", figures->difference, "empty_clusters", (json_int_t)figures->empty,
        "beats", (json_int_t)figures->beats, "beats_seconds", figures->seconds, "predicted_seconds",
        figures->predicted_seconds, "imbalance", figures->imbalance);
}

static json_t *frame_name(const app_run *run, int64_t index)
{
    char name[FILENAME_SIZE];
    const motion_job *job = run->job;
    return app_fact_text(app_frames_name(&job->frames, index, name));
}

static json_t *of_pairs(const app_run *run, int64_t pairs)
{
    const motion_job *job = run->job;
    json_t *array = json_array();
    for (int64_t i = 0; i < pairs; i++) {
        int64_t index = run->first_beat + i;
        json_t *pair = of_figures(&job->figures[i]);
        json_object_set_new(pair, "earlier", frame_name(run, index));
        json_object_set_new(pair, "later", frame_name(run, index + 1));
        json_object_set_new(pair, "number", json_integer(job->frames.first + index));
        json_array_append_new(array, pair);
    }
    return array;
}

/* ---- how clusters were shared out ------------------------------------------------------------ */

static json_t *of_loads(const halo_motion_load *loads, int ranks)
{
    json_t *array = json_array();
    for (int r = 0; r < ranks; r++) {
        const halo_motion_load *load = &loads[r];
        json_array_append_new(
            array,
            json_pack("{s:i, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f}", "rank", r, "clusters",
                      (json_int_t)load->clusters, "pixels", (json_int_t)load->pixels, "pieces",
                      (json_int_t)load->pieces, "planned_pieces", load->share, "compute_seconds",
                      load->compute_seconds, "transfer_seconds", load->transfer_seconds,
                      "predicted_seconds", load->predicted_seconds, "fixed_seconds", load->fixed,
                      "seconds_per_piece", load->per_piece));
    }
    return array;
}

/* The last pair's beats, as their balancer saw them and as others would have. */
static json_t *of_sharing(const app_run *run)
{
    const motion_job *job = run->job;
    const halo_motion_report *motion = halo_motion_get_report(job->motion);
    int ranks = run->report->ranks;
    double seconds[HALO_SHARE_METHODS] = {0};
    json_t *beats = json_array(), *predicted = json_object();
    bool good = true;
    for (int64_t b = 0; motion->last != NULL && b < motion->last_beats; b++) {
        const halo_motion_beat *beat = &motion->last[b];
        json_array_append_new(
            beats, json_pack("{s:s, s:f, s:f, s:f, s:o}", "name", beat->name, "seconds",
                             beat->seconds, "predicted_seconds", beat->predicted_seconds,
                             "imbalance", beat->imbalance, "ranks", of_loads(beat->loads, ranks)));
        good = good && halo_motion_predict(beat->loads, ranks, seconds) == HALO_OK;
    }
    for (halo_share_method i = 0; i < HALO_SHARE_METHODS; i++) {
        json_object_set_new(predicted, halo_share_method_name(i), json_real(seconds[i]));
    }
    if (!good) {
        json_decref(beats);
        json_decref(predicted);
        return NULL;
    }
    return json_pack("{s:s, s:f, s:o, s:o}", "name", halo_motion_options_of(job->motion)->balancer,
                     "imbalance", motion->imbalance, "last_pair_would_take_seconds", predicted,
                     "last_pair_beats", beats);
}

/* The rows that each rank was handed in the last pair, all its beats together. */
static json_t *of_shares(const halo_motion_report *motion, int ranks)
{
    json_t *array = json_array();
    for (int r = 0; r < ranks; r++) {
        halo_motion_load sum = halo_motion_load_of(motion, ranks, r);
        json_array_append_new(array,
                              json_pack("{s:i, s:I, s:f, s:f, s:f, s:f, s:f}", "rank", r,
                                        "clusters", (json_int_t)sum.clusters, "share", sum.share,
                                        "compute", sum.compute_seconds, "transfer",
                                        sum.transfer_seconds, "predicted", sum.predicted_seconds,
                                        "measured", sum.compute_seconds + sum.transfer_seconds));
    }
    return array;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* "right 12.00, up 7.00" */
static json_t *of_direction(double right, double down)
{
    return json_sprintf("%s %.2f, %s %.2f", right < 0 ? "left" : "right", fabs(right),
                        down < 0 ? "up" : "down", fabs(down));
}

/* Adds lines about sharing. One rank has nobody to share with, and no such lines. */
static void add_sharing(const app_run *run, json_t *texts, int64_t pairs, json_t *sharing)
{
    const motion_job *job = run->job;
    const halo_motion_report *motion = halo_motion_get_report(job->motion);
    const halo_motion_figures *last = &job->figures[pairs > 0 ? pairs - 1 : 0];
    int ranks = run->report->ranks;
    if (ranks == 1) {
        return;
    }
    json_object_set_new(texts, "took", json_real(last->seconds));
    json_object_set_new(texts, "predicted", json_real(last->predicted_seconds));
    json_object_set_new(texts, "unpredicted",
                        app_fact_text(last->predicted_seconds > 0 ? NULL : "nothing"));
    json_object_set(texts, "would_take", json_object_get(sharing, "last_pair_would_take_seconds"));
    if (motion->last != NULL && run->arguments->common.verbose) {
        json_object_set_new(texts, "shares", of_shares(motion, ranks));
    }
}

json_t *motion_facts(app_run *run, json_t *texts)
{
    const motion_job *job = run->job;
    const halo_motion_report *motion = halo_motion_get_report(job->motion);
    const halo_motion_options *options = halo_motion_options_of(job->motion);
    int64_t pairs = motion->pairs - run->first_beat;
    halo_motion_figures all = halo_motion_figures_join(job->figures, pairs);
    double pixels = (double)run->domain.n[0] * (double)run->domain.n[1];
    double nanoseconds = pairs > 0 ? job->pair_seconds * 1e9 / pixels / (double)pairs : 0;
    json_t *table = of_pairs(run, pairs), *sharing = of_sharing(run);
    json_object_set_new(texts, "first", frame_name(run, run->first_beat));
    json_object_set_new(texts, "last", frame_name(run, run->first_beat + pairs));
    json_object_set_new(
        texts, "stopped",
        app_fact_text(run->loop->ending == APP_SIGNAL ? app_ending_text(run) : NULL));
    json_object_set_new(texts, "direction", of_direction(all.right, all.down));
    json_object_set_new(texts, "nanoseconds",
                        json_sprintf(nanoseconds < 1000 ? "%.4g" : "%.0f", nanoseconds));
    json_object_set(texts, "pair_rows", pairs > 1 ? table : NULL);
    add_sharing(run, texts, pairs, sharing);
    return json_pack(
        "{s:o, s:i, s:f, s:i, s:s, s:I, s:I, s:s, s:I, s:s, s:f, s:f, s:o, s:o, s:o, s:{s:s}}",
        "image", app_image_json(run->image), "clusters", options->clusters, "weight",
        options->weight, "radius_pixels", options->radius, "flow", options->flow, "pairs",
        (json_int_t)pairs, "clustering_beats", (json_int_t)motion->clustering_beats, "instructions",
        motion->instructions, "first_frame_number", (json_int_t)job->frames.first, "ended",
        app_ending_text(run), "pairs_seconds", job->pair_seconds, "nanoseconds_per_pixel_and_pair",
        nanoseconds, "vectors", of_figures(&all), "pair_table", table, "sharing", sharing,
        /* No boundary moves, but clusters are shared out. */
        "balance", "name", options->balancer);
}

#define WOULD_TAKE(code, name, help) ", " #name " {would_take." #name "%.4f} s"

const app_line motion_lines[] = {
    {.name = "frames",
     .text = "{first} to {last}: {image.width_pixels} x {image.height_pixels}, {image.kind}, "
             "{image.bits_per_sample} bit{s:image.bits_per_sample}; {pairs} pair{s:pairs}"
             "[, {stopped}]"},
    {.name = "clusters",
     .verbose = true,
     .text = "{clusters} (weight {weight}) up to {radius_pixels} pixels away, {flow} flow"
             "[; {vectors.empty_clusters>0} without pixels]"},
    {.name = "vectors",
     .text = "{vectors.mean_length_pixels%.2f} pixels long in the mean, "
             "{vectors.median_length_pixels%.2f} in the median, "
             "{vectors.largest_length_pixels%.2f} at most; mean vector {direction}"},
    {.name = "difference",
     .text = "{vectors.mean_difference%.2f} of {image.maximum_grey} greys in the mean, where "
             "clusters were found"},
    {.name = "beats",
     .verbose = true,
     .text = "{clustering_beats} of clustering, {beats} of master and workers"},
    {.name = "balance",
     .verbose = true,
     .text = "{sharing.name}: imbalance (IDC) {100*sharing.imbalance%.1f} %; the last pair's beats "
             "took {took%.4f} s, [predicted {predicted%.4f>0} s]"
             "[not predicted: {unpredicted} was known before]"},
    {.name = "balancers",
     .verbose = true,
     .text = "that pair would take, with its ranks as they "
             "were" HALO_SHARE_METHOD_LIST(WOULD_TAKE)},
    {.name = "instructions", .text = "{instructions}", .verbose = true},
    {0}};

static const app_column pair_columns[] = {{"frame", "{number}", 8},
                                          {"right", "{mean_right_pixels%.3f}", 9},
                                          {"down", "{mean_down_pixels%.3f}", 9},
                                          {"median", "{median_length_pixels%.3f}", 9},
                                          {"largest", "{largest_length_pixels%.3f}", 9},
                                          {"difference", "{mean_difference%.3f}", 9},
                                          {"seconds", "{beats_seconds%.4f} s", 11},
                                          {0}};

static const app_column share_columns[] = {{"rank", "{rank}", 8},
                                           {"clusters", "{clusters}", 8},
                                           {"share", "{100*share%.2f} %", 8},
                                           {"computing", "{compute%.4f} s", 11},
                                           {"transfer", "{transfer%.4f} s", 11},
                                           {"predicted", "{predicted%.4f} s", 11},
                                           {"measured", "{measured%.4f} s", 11},
                                           {0}};

const app_listing motion_listings[] = {
    {.rows = "pair_rows", .columns = pair_columns, .verbose = true},
    {.rows = "shares",
     .verbose = true,
     .columns = share_columns,
     .note = "shares of the last pair, all its beats together"},
    {0}};
