#include "cli/cluster/output.h"

#include "app/paths.h"
#include "app/values.h"
#include "base/memory.h"
#include "cli/cluster/colours.h"
#include "cli/cluster/pictures.h"
#include "io/npy/npy.h"
#include "io/png/png_parallel.h"
#include "io/table/table.h"
#include "kernels/cluster/lab.h"

#include <stdlib.h>

halo_status cluster_output_check(const cli_cluster_job *job)
{
    enum { OUTPUTS = 6, INPUTS = 3 };
    const cluster_arguments *arguments = job->arguments;
    const char *const outputs[OUTPUTS] = {arguments->output,      arguments->mosaic,
                                          arguments->outline,     arguments->centres,
                                          arguments->common.json, arguments->saving.checkpoint};
    const char *const inputs[INPUTS] = {arguments->image, arguments->common.balance.trace,
                                        arguments->saving.restore};
    HALO_TRY(paths_check(job->world, outputs, OUTPUTS, inputs, INPUTS - 1));
    /* A checkpoint may go where the last one came from. */
    HALO_TRY(paths_check_distinct(job->world, outputs, OUTPUTS - 1, inputs + INPUTS - 1, 1));
    HALO_TRY(cli_balance_check_log(job->balance, outputs, OUTPUTS));
    return cli_balance_check_log(job->balance, inputs, INPUTS);
}

/* ---- labels ------------------------------------------------------------------------------------
 */

static void show_rows(void *context, int64_t done, int64_t total)
{
    progress_update(&((cli_cluster_job *)context)->progress, done, total);
}

static halo_status fill_png(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const cli_cluster_job *job = context;
    int64_t lo = halo_beat_view(job->beat, 0)->owned.lo[0];
    return halo_cluster_labels(job->beat, first - lo, rows, out, pitch / sizeof(uint16_t));
}

/* Labels take half the bytes of the array's samples. */
static halo_status fill_npy(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const cli_cluster_job *job = context;
    int64_t width = job->image.domain.n[1];
    void *room;
    HALO_TRY(
        halo_memory_create(&room, (size_t)(rows * width) * sizeof(uint16_t), "rows of labels"));
    halo_status status = fill_png(context, first, rows, room, (size_t)width * sizeof(uint16_t));
    const uint16_t *labels = room;
    for (int64_t i = 0; i < rows && status == HALO_OK; i++, labels += width) {
        int32_t *row = (int32_t *)(void *)((unsigned char *)out + (size_t)i * pitch);
        for (int64_t x = 0; x < width; x++) {
            row[x] = labels[x];
        }
    }
    halo_memory_free(room);
    return status;
}

static halo_status write_labels(cli_cluster_job *job, const char *path)
{
    int64_t height = job->image.domain.n[0], width = job->image.domain.n[1];
    const int64_t *cuts = halo_beat_cuts(job->beat);
    progress_phase(&job->progress, "writing clusters");
    if (app_ends_with(path, ".npy")) {
        halo_npy_header header = {.width = width, .height = height, .type = HALO_NPY_I32};
        halo_rows rows = {.fill = fill_npy, .progress = show_rows, .context = job};
        return halo_npy_write(job->world, path, &header, cuts, &rows);
    }
    halo_png_header header = {.width = width, .height = height, .kind = HALO_PNG_GREY16};
    halo_rows rows = {.fill = fill_png, .progress = show_rows, .context = job};
    return halo_png_write(job->world, path, &header, cuts, &rows);
}

/* ---- centres -----------------------------------------------------------------------------------
 */

enum { COLUMNS = 10 };

/* All centres are known to all ranks; rank 0 writes them. */
typedef struct {
    const halo_cluster_record *records;
    const halo_cluster_means *means;
    halo_table_column columns[COLUMNS];
    int count;
    int features; /* values in which the clusters were found */
} centre_table;

static void add_column(centre_table *table, const char *name, halo_table_kind kind)
{
    table->columns[table->count++] = (halo_table_column){name, kind};
}

static void add_ratios(centre_table *table, const char *const names[HALO_CLUSTER_CHANNELS])
{
    for (int i = 0; i < HALO_CLUSTER_CHANNELS; i++) {
        add_column(table, names[i], HALO_TABLE_RATIO);
    }
}

static void add_columns(centre_table *table)
{
    add_column(table, "cluster", HALO_TABLE_INTEGER);
    add_column(table, "pixels", HALO_TABLE_INTEGER);
    add_column(table, "x", HALO_TABLE_RATIO);
    add_column(table, "y", HALO_TABLE_RATIO);
    if (table->features == 1) {
        add_column(table, "grey", HALO_TABLE_RATIO);
    } else {
        add_ratios(table, (const char *const[]){"L", "a", "b"});
    }
    if (table->means->channels > 1) {
        add_ratios(table, (const char *const[]){"red", "green", "blue"});
    }
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

static halo_status write_centres(cli_cluster_job *job, const halo_cluster_means *means,
                                 const char *path)
{
    centre_table centres = {.records = halo_cluster_records(job->beat),
                            .means = means,
                            .features = job->options.colour ? HALO_CLUSTER_CHANNELS : 1};
    halo_table table = {.rows = halo_world_rank(job->world) == 0 ? means->clusters : 0,
                        .row = centre_row,
                        .context = &centres};
    add_columns(&centres);
    table.columns = centres.columns;
    table.column_count = centres.count;
    progress_phase(&job->progress, "writing centres");
    return halo_table_write(job->world, path, &table);
}

/* ------------------------------------------------------------------------------------------------
 */

static halo_status write_means(cli_cluster_job *job, const halo_cluster_means *means,
                               const halo_field *colours)
{
    const cluster_arguments *arguments = job->arguments;
    if (arguments->mosaic != NULL) {
        progress_phase(&job->progress, "writing mosaic");
        HALO_TRY(cluster_pictures_mosaic(job, means, arguments->mosaic));
    }
    if (arguments->outline != NULL) {
        progress_phase(&job->progress, "writing outline");
        HALO_TRY(cluster_pictures_outline(job, colours, means->maximum, arguments->outline));
    }
    return arguments->centres != NULL ? write_centres(job, means, arguments->centres) : HALO_OK;
}

/* The beats have only greys, or L, a and b: colours are read once more. */
static halo_status write_with_means(cli_cluster_job *job)
{
    halo_cluster_means means = {0};
    halo_field *colours = NULL;
    int64_t maximum = job->image.maximum;
    halo_status status = HALO_OK;
    if (cluster_colours_has(job)) {
        HALO_TRY_OR(done, cli_image_read_colours(&job->image, halo_beat_cuts(job->beat), &colours,
                                                 &maximum, &job->progress, &job->clock));
    }
    HALO_TRY_OR(done, halo_cluster_means_create(&means, job->world, job->beat,
                                                colours != NULL ? halo_field_view(colours) : NULL,
                                                maximum));
    halo_stretch stretch = halo_clock_begin(job->world);
    status = write_means(job, &means, colours);
    halo_clock_end(&job->clock, HALO_PHASE_ENCODE, stretch, job->world);
done:
    halo_cluster_means_free(&means);
    halo_field_destroy(&colours);
    return status;
}

halo_status cluster_output_write(cli_cluster_job *job)
{
    const cluster_arguments *arguments = job->arguments;
    halo_status status = HALO_OK;
    if (arguments->output != NULL) {
        halo_stretch stretch = halo_clock_begin(job->world);
        status = write_labels(job, arguments->output);
        halo_clock_end(&job->clock, HALO_PHASE_ENCODE, stretch, job->world);
    }
    bool means =
        arguments->mosaic != NULL || arguments->outline != NULL || arguments->centres != NULL;
    return status == HALO_OK && means ? write_with_means(job) : status;
}
