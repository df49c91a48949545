#include "app/beats.h"
#include "app/outputs.h"
#include "app/report/facts.h"
#include "base/memory.h"
#include "cli/cluster/job.h"
#include "io/canvas/canvas.h"
#include "io/npy/npy.h"
#include "io/png/png_write.h"
#include "io/table/table.h"
#include "kernels/cluster/lab.h"

/* This rank's number of a row of the whole image. */
static int64_t local_row(const app_run *run, int64_t row)
{
    return row - halo_beat_view(run->beat, 0)->owned.lo[0];
}

/* ---- labels ---------------------------------------------------------------------------------- */

static halo_status fill_png(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    return halo_cluster_labels(run->beat, local_row(run, first), rows, out,
                               pitch / sizeof(uint16_t));
}

/* Labels take half the bytes of the array's samples. */
static halo_status fill_npy(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    int64_t width = run->domain.n[1];
    uint16_t *labels;
    HALO_TRY(HALO_ALLOCATE_LARGE(labels, rows * width, "rows of labels"));
    halo_status status = fill_png(context, first, rows, labels, (size_t)width * sizeof *labels);
    for (int64_t i = 0; i < rows && status == HALO_OK; i++) {
        int32_t *row = (int32_t *)(void *)((unsigned char *)out + (size_t)i * pitch);
        for (int64_t x = 0; x < width; x++) {
            row[x] = labels[i * width + x];
        }
    }
    halo_memory_free(labels);
    return status;
}

/* ---- what pictures and centres share: the beats have only greys, or L, a and b --------------- */

static halo_status find_means(app_run *run)
{
    cluster_job *job = run->job;
    const halo_field *colours = run->writing->background.colours;
    return job->means.sums != NULL
               ? HALO_OK
               : halo_cluster_means_create(&job->means, run->world, run->beat,
                                           colours != NULL ? halo_field_view(colours) : NULL,
                                           run->writing->background.maximum);
}

static void finish_picture(app_run *run)
{
    cluster_job *job = run->job;
    halo_cluster_chunk_free(&job->chunk);
    halo_cluster_palette_free(&job->palette);
}

/* ---- mosaic ---------------------------------------------------------------------------------- */

static halo_status prepare_mosaic(app_run *run)
{
    cluster_job *job = run->job;
    HALO_TRY(find_means(run));
    HALO_TRY(halo_cluster_chunk_create(&job->chunk, run->world, run->beat, false));
    return halo_agree(run->world, halo_cluster_palette_create(&job->palette, &job->means));
}

static halo_status fill_mosaic(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    cluster_job *job = run->job;
    for (int64_t i = 0; i < rows; i++) {
        const uint16_t *labels;
        HALO_TRY(halo_cluster_chunk_row(&job->chunk, local_row(run, first + i), &labels, NULL));
        halo_cluster_paint_means(&job->palette, labels, run->domain.n[1],
                                 (unsigned char *)out + (size_t)i * pitch);
    }
    return HALO_OK;
}

static halo_status write_mosaic(app_run *run, const char *path)
{
    static const halo_png_kind kinds[] = {
        [1] = HALO_PNG_GREY8, [2] = HALO_PNG_GREY16, [3] = HALO_PNG_RGB8};
    const cluster_job *job = run->job;
    return app_write_png(run, path, kinds[job->palette.pixel_bytes], fill_mosaic);
}

/* ---- outline --------------------------------------------------------------------------------- */

static halo_status prepare_outline(app_run *run)
{
    cluster_job *job = run->job;
    return halo_cluster_chunk_create(&job->chunk, run->world, run->beat, true);
}

static halo_status paint_outline(app_run *run, const halo_canvas *canvas)
{
    /* Rare in pictures, and seen on what is dark as well as on what is bright. */
    static const unsigned char line_colour[] = {255, 0, 160};
    cluster_job *job = run->job;
    int64_t first = local_row(run, canvas->first_row);
    for (int64_t i = 0; i < canvas->rows; i++) {
        const uint16_t *labels, *below;
        HALO_TRY(halo_cluster_chunk_row(&job->chunk, first + i, &labels, &below));
        halo_cluster_paint_borders(labels, below, canvas->width, line_colour,
                                   canvas->pixels + (size_t)i * canvas->pitch);
    }
    return HALO_OK;
}

/* ---- centres --------------------------------------------------------------------------------- */

/* Which columns there are depends on what was clustered, and whether the image has colours. */
enum { ALWAYS = 1, OF_GREYS = 2, OF_LAB = 4, OF_COLOURS = 8 };

static const struct {
    halo_table_column column;
    unsigned where;
} centre_columns[] = {
    {{"cluster", HALO_TABLE_INTEGER}, ALWAYS}, {{"pixels", HALO_TABLE_INTEGER}, ALWAYS},
    {{"x", HALO_TABLE_RATIO}, ALWAYS},         {{"y", HALO_TABLE_RATIO}, ALWAYS},
    {{"grey", HALO_TABLE_RATIO}, OF_GREYS},    {{"L", HALO_TABLE_RATIO}, OF_LAB},
    {{"a", HALO_TABLE_RATIO}, OF_LAB},         {{"b", HALO_TABLE_RATIO}, OF_LAB},
    {{"red", HALO_TABLE_RATIO}, OF_COLOURS},   {{"green", HALO_TABLE_RATIO}, OF_COLOURS},
    {{"blue", HALO_TABLE_RATIO}, OF_COLOURS},
};

enum { COLUMNS = sizeof centre_columns / sizeof centre_columns[0] };

/* All centres are known to all ranks; rank 0 writes them. */
typedef struct {
    const halo_cluster_record *records;
    const halo_cluster_means *means;
    int features; /* values in which the clusters were found */
} centre_table;

static int choose_columns(const centre_table *table, halo_table_column columns[COLUMNS])
{
    unsigned here = ALWAYS | (table->features > 1 ? OF_LAB : OF_GREYS) |
                    (table->means->channels > 1 ? OF_COLOURS : 0);
    int count = 0;
    for (int i = 0; i < COLUMNS; i++) {
        if ((centre_columns[i].where & here) != 0) {
            columns[count++] = centre_columns[i].column;
        }
    }
    return count;
}

/* A cluster without pixels has the place and the values of the last ones it had. */
static void centre_row(const void *context, int64_t row, halo_table_value *values)
{
    const centre_table *table = context;
    const halo_cluster_means *means = table->means;
    const halo_cluster_record *record = &table->records[row];
    int64_t unit = table->features > 1 ? HALO_LAB_STEPS : 1;
    *values++ = (halo_table_value){row, 1};
    *values++ = (halo_table_value){record->pixels, 1};
    *values++ = (halo_table_value){record->x, record->of};
    *values++ = (halo_table_value){record->y, record->of};
    for (int i = 0; i < table->features; i++) {
        *values++ = (halo_table_value){record->value[i], record->of * unit};
    }
    for (int i = 0; i < means->channels && means->channels > 1; i++) {
        *values++ = (halo_table_value){means->sums[row * means->channels + i],
                                       record->pixels > 0 ? record->pixels : 1};
    }
}

static halo_status write_centres(app_run *run, const char *path)
{
    const cluster_job *job = run->job;
    const halo_cluster_record *records;
    halo_cluster_shown(run->beat, &records);
    centre_table centres = {.records = records,
                            .means = &job->means,
                            .features = ((const cluster_options *)run->options)->kernel.colour
                                            ? HALO_CLUSTER_CHANNELS
                                            : 1};
    halo_table_column columns[COLUMNS];
    const halo_table table = {.columns = columns,
                              .column_count = choose_columns(&centres, columns),
                              .rows = app_is_root(run) ? job->means.clusters : 0,
                              .row = centre_row,
                              .context = &centres};
    return app_write_table(run, path, &table);
}

/* ---- the table ------------------------------------------------------------------------------- */

static const app_writer label_writers[] = {{APP_ARRAYS, HALO_SAMPLE_I32, .fill = fill_npy},
                                           {APP_PICTURES, HALO_PNG_GREY16, .fill = fill_png},
                                           {0}};

const app_output cluster_outputs[] = {{.option = offsetof(cluster_options, output),
                                       .phase = "writing clusters",
                                       .writers = label_writers},
                                      {.option = offsetof(cluster_options, mosaic),
                                       .phase = "writing mosaic",
                                       .write = write_mosaic,
                                       .colours = true,
                                       .prepare = prepare_mosaic,
                                       .finish = finish_picture},
                                      {.option = offsetof(cluster_options, outline),
                                       .phase = "writing outline",
                                       .paint = paint_outline,
                                       .colours = true,
                                       .prepare = prepare_outline,
                                       .finish = finish_picture},
                                      {.option = offsetof(cluster_options, centres),
                                       .phase = "writing centres",
                                       .write = write_centres,
                                       .joins = true,
                                       .colours = true,
                                       .prepare = find_means},
                                      {0}};

/* ---- reports --------------------------------------------------------------------------------- */

static int64_t count_empty(const app_run *run)
{
    const halo_cluster_record *records = halo_cluster_records(run->beat);
    int64_t empty = 0;
    for (int k = 0; k < ((const cluster_options *)run->options)->kernel.clusters; k++) {
        empty += records[k].pixels == 0;
    }
    return empty;
}

json_t *cluster_facts(app_run *run, json_t *texts)
{
    const cluster_options *options = run->options;
    const cluster_job *job = run->job;
    const halo_cluster_connection *connection = &job->connection;
    bool is = options->connected;
    double pixels = (double)(run->domain.n[0] * run->domain.n[1]);
    json_object_set_new(texts, "values", json_string(options->kernel.colour ? "L, a, b" : "grey"));
    json_object_set_new(texts, "pixels", json_integer((json_int_t)pixels));
    json_object_set_new(texts, "inertia_a_pixel", json_real(job->inertia / pixels));
    json_object_set_new(texts, "connecting_nanoseconds",
                        app_fact_real(1e9 * job->connecting_seconds / pixels, is));
    return json_pack("{s:I, s:I, s:f, s:b, s:s, s:s, s:f, s:o, s:f, s:o, s:b, s:o, s:o, s:o, s:o}",
                     "clusters", (json_int_t)options->kernel.clusters, "empty_clusters",
                     (json_int_t)count_empty(run), "weight", options->weight, "colour",
                     (int)options->kernel.colour, "engine", halo_cluster_engine_name(run->beat),
                     "instructions", halo_cluster_instructions(run->beat), "stop_changed_share",
                     options->all.until.share, "changed_pixels", app_fact_count(run->loop->changed),
                     "inertia", job->inertia, "compactness",
                     app_fact_real(options->compactness, options->compactness > 0), "connected",
                     (int)is, "superpixels", app_fact_count(is ? connection->after : -1), "pieces",
                     app_fact_count(is ? connection->pieces : -1), "min_pixels",
                     app_fact_count(is ? connection->min_pixels : -1), "connecting_seconds",
                     app_fact_real(job->connecting_seconds, is));
}

const app_line cluster_lines[] = {
    {.name = "clusters",
     .text = "{clusters} in (x, y, {values}), weight {weight}[, compactness {compactness}]"
             "[; {empty_clusters>0} have lost all their pixels]"},
    {.name = "beats",
     .text = "{beat}: {ended}[; the last moved {changed_pixels>0} of {pixels} pixels]"},
    {.name = "connected",
     .text = "{superpixels} superpixels in one piece each; before that, clusters lay in {pieces} "
             "pieces[, of "
             "which those of less than {min_pixels>0} pixels joined a neighbour]"},
    {.name = "inertia",
     .text = "{inertia%.10g}, the squares of distances to the mean of the own cluster: "
             "{inertia_a_pixel%.6g} a pixel"},
    {.name = "engine", .text = "{engine}, {instructions}", .verbose = true},
    {0}};

const app_column cluster_batch_columns[] = {{"clusters", "{clusters}", 9},
                                            {"empty", "{empty_clusters}", 6},
                                            {"beats", "{beat}", 6},
                                            {"changed", "{changed_pixels}", 8},
                                            {"inertia", "{inertia%.10g}", 12},
                                            {"superpixels", "[{superpixels}]", 11},
                                            {0}};
