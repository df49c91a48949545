#include "app/values.h"
#include "base/memory.h"
#include "cli/cluster/job.h"
#include "core/world/collect.h"
#include "io/npy/npy.h"
#include "io/table/table.h"
#include "kernels/cluster/lab.h"

#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 3, BYTE_MAX = 255, WORD_MAX = 65535 };

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

/* ---- what pictures and centres share --------------------------------------------------------- */

/* The beats have only greys, or L, a and b: colours are read once more. */
static halo_status find_background(app_run *run)
{
    cluster_job *job = run->job;
    return job->background.view != NULL
               ? HALO_OK
               : app_background_open(&job->background, run, halo_beat_cuts(run->beat),
                                     halo_beat_view(run->beat, 0));
}

static halo_status find_means(app_run *run)
{
    cluster_job *job = run->job;
    const halo_field *colours;
    HALO_TRY(find_background(run));
    if (job->means.sums != NULL) {
        return HALO_OK;
    }
    colours = job->background.colours;
    return halo_cluster_means_create(&job->means, run->world, run->beat,
                                     colours != NULL ? halo_field_view(colours) : NULL,
                                     job->background.maximum);
}

static void finish_picture(app_run *run)
{
    cluster_job *job = run->job;
    halo_cluster_chunk_free(&job->band);
    free(job->palette);
    job->palette = NULL;
}

void cluster_outputs_free(cluster_job *job)
{
    halo_cluster_means_free(&job->means);
    app_background_close(&job->background);
}

/* ---- mosaic ---------------------------------------------------------------------------------- */

static halo_png_kind mosaic_kind(const halo_cluster_means *means)
{
    return means->channels > 1         ? HALO_PNG_RGB8
           : means->maximum > BYTE_MAX ? HALO_PNG_GREY16
                                       : HALO_PNG_GREY8;
}

/* Bytes of a pixel of the mosaic. */
static size_t mosaic_bytes(const halo_cluster_means *means)
{
    return means->channels > 1 ? CHANNELS : mosaic_kind(means) == HALO_PNG_GREY16 ? 2 : 1;
}

static halo_status make_palette(cluster_job *job)
{
    const halo_cluster_means *means = &job->means;
    bool wide = mosaic_kind(means) == HALO_PNG_GREY16;
    int64_t channels = means->channels;
    job->palette = malloc((size_t)means->clusters * mosaic_bytes(means));
    if (job->palette == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: colours of clusters");
    }
    for (int64_t i = 0; i < means->clusters * channels; i++) {
        uint16_t value = (uint16_t)halo_cluster_means_of(means, i / channels, (int)(i % channels),
                                                         wide ? WORD_MAX : BYTE_MAX);
        if (wide) {
            memcpy(job->palette + i * (int64_t)sizeof value, &value, sizeof value);
        } else {
            job->palette[i] = (unsigned char)value;
        }
    }
    return HALO_OK;
}

static halo_status prepare_mosaic(app_run *run)
{
    cluster_job *job = run->job;
    HALO_TRY(find_means(run));
    HALO_TRY(halo_cluster_chunk_create(&job->band, run->world, run->beat, false));
    return halo_agree(run->world, make_palette(job));
}

static void paint_mosaic(const cluster_job *job, const uint16_t *labels, int64_t width,
                         unsigned char *out)
{
    const unsigned char *palette = job->palette;
    size_t bytes = mosaic_bytes(&job->means);
    for (int64_t x = 0; x < width; x++) { /* copies of a known size are quick */
        switch (bytes) {
        case CHANNELS:
            memcpy(out + CHANNELS * x, palette + (size_t)CHANNELS * labels[x], CHANNELS);
            break;
        case 2:
            memcpy(out + 2 * x, palette + (size_t)2 * labels[x], 2);
            break;
        default:
            out[x] = palette[labels[x]];
        }
    }
}

static halo_status fill_mosaic(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    cluster_job *job = run->job;
    for (int64_t i = 0; i < rows; i++) {
        const uint16_t *labels;
        HALO_TRY(halo_cluster_chunk_row(&job->band, local_row(run, first + i), &labels, NULL));
        paint_mosaic(job, labels, run->domain.n[1], (unsigned char *)out + (size_t)i * pitch);
    }
    return HALO_OK;
}

static halo_status write_mosaic(app_run *run, const char *path)
{
    const cluster_job *job = run->job;
    return app_write_png(run, path, mosaic_kind(&job->means), fill_mosaic);
}

/* ---- outline --------------------------------------------------------------------------------- */

static halo_status prepare_outline(app_run *run)
{
    cluster_job *job = run->job;
    HALO_TRY(find_background(run));
    return halo_cluster_chunk_create(&job->band, run->world, run->beat, true);
}

/* A colour that is rare in pictures, and is seen on what is dark as well as on what is light. */
static const unsigned char line_colour[CHANNELS] = {255, 0, 160};

/* Lines are one pixel wide, on the upper or the left of the clusters that meet. */
static void paint_lines(const uint16_t *labels, const uint16_t *below, int64_t width,
                        unsigned char *out)
{
    for (int64_t x = 0; x < width; x++) {
        bool meets_right = x + 1 < width && labels[x] != labels[x + 1];
        bool meets_below = below != NULL && labels[x] != below[x];
        if (meets_right || meets_below) {
            memcpy(out + CHANNELS * x, line_colour, CHANNELS);
        }
    }
}

static halo_status fill_outline(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    cluster_job *job = run->job;
    for (int64_t i = 0; i < rows; i++) {
        const uint16_t *labels, *below;
        const halo_canvas canvas = {.first_row = first + i,
                                    .rows = 1,
                                    .width = run->domain.n[1],
                                    .pixels = (unsigned char *)out + (size_t)i * pitch,
                                    .pitch = pitch};
        HALO_TRY(halo_cluster_chunk_row(&job->band, local_row(run, first + i), &labels, &below));
        app_background_paint(&job->background, &canvas);
        paint_lines(labels, below, canvas.width, canvas.pixels);
    }
    return HALO_OK;
}

/* ---- centres --------------------------------------------------------------------------------- */

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

static halo_status write_centres(app_run *run, const char *path)
{
    const cluster_job *job = run->job;
    centre_table centres = {.records = halo_cluster_records(run->beat),
                            .means = &job->means,
                            .features = job->options.colour ? HALO_CLUSTER_CHANNELS : 1};
    halo_table table = {.rows = halo_world_rank(run->world) == 0 ? job->means.clusters : 0,
                        .row = centre_row,
                        .context = &centres};
    add_columns(&centres);
    table.columns = centres.columns;
    table.column_count = centres.count;
    return halo_table_write(run->world, path, &table);
}

/* ---------------------------------------------------------------------------------------------- */

static const app_writer label_writers[] = {
    {".npy", HALO_NPY_I32, fill_npy}, {".png", HALO_PNG_GREY16, fill_png}, {0}};
static const app_writer outline_writers[] = {{".png", HALO_PNG_RGB8, fill_outline}, {0}};

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
                                       .writers = outline_writers,
                                       .colours = true,
                                       .prepare = prepare_outline,
                                       .finish = finish_picture},
                                      {.option = offsetof(cluster_options, centres),
                                       .phase = "writing centres",
                                       .write = write_centres,
                                       .colours = true,
                                       .prepare = find_means},
                                      {0}};
