#include "app/report.h"
#include "app/batch/batch_internal.h"
#include "app/lines.h"
#include "app/signals.h"
#include "app/tasks.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SHOWN = 40, COLUMNS = 24, CELL = 512, SHOWN_NAME = 48 };

/* What the table has of each image before and behind what the command says. */
static const app_column first_columns[] = {{"image", "{image.file}", -12},
                                           {"width", "{image.width_pixels}", 8},
                                           {"height", "{image.height_pixels}", 8},
                                           {0}};
static const app_column last_columns[] = {{"seconds", "{seconds%.4f}", 9}, {0}};
static const app_column error_column = {"error", "[{error}]", -5};

static int add_columns(const app_column *columns, app_column *out, int count)
{
    for (; columns != NULL && columns->title != NULL && count < COLUMNS - 1; columns++) {
        out[count++] = *columns;
    }
    return count;
}

static void find_columns(const app_run *run, bool errors, app_column out[COLUMNS])
{
    int count = add_columns(first_columns, out, 0);
    count = add_columns(run->command->batch, out, count);
    count = add_columns(last_columns, out, count);
    if (errors) {
        out[count++] = error_column;
    }
    out[count] = (app_column){0};
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* An image that failed, or that a signal has left out, has only its name and why. */
static json_t *json_of_image(const app_batch *batch, int64_t i)
{
    const batch_result *result = &batch->results[i];
    return result->facts != NULL
               ? json_incref(result->facts)
               : json_pack("{s:{s:o}, s:s}", "image", "file", app_fact_text(batch->image[i]),
                           "error", result->error != NULL ? result->error : "not computed");
}

static json_t *json_of_images(const app_batch *batch)
{
    json_t *array = json_array();
    for (int64_t i = 0; array != NULL && i < batch->count; i++) {
        if (json_array_append_new(array, json_of_image(batch, i)) != 0) {
            json_decref(array);
            array = NULL;
        }
    }
    return array;
}

/* ---- the table ------------------------------------------------------------------------------- */

static halo_status append_title(halo_buffer *out, const char *title)
{
    char text[CELL];
    snprintf(text, sizeof text, "%s", title);
    for (char *at = text; *at != '\0'; at++) {
        *at = *at == ' ' ? '_' : *at;
    }
    return batch_append_quoted(out, text);
}

static halo_status append_row(halo_buffer *out, const app_column *columns, const json_t *row)
{
    for (int c = 0; columns[c].title != NULL; c++) {
        char text[CELL] = "";
        const app_line cell = {.text = columns[c].text};
        if (c > 0) {
            HALO_TRY(halo_buffer_append(out, ",", 1));
        }
        if (row == NULL) {
            HALO_TRY(append_title(out, columns[c].title));
        } else if (app_line_text(&cell, row, NULL, text, sizeof text)) {
            HALO_TRY(batch_append_quoted(out, text));
        }
    }
    return halo_buffer_append(out, "\n", 1);
}

static halo_status make_table(const app_batch *batch, const json_t *images, halo_buffer *out)
{
    app_column columns[COLUMNS];
    size_t i;
    json_t *row;
    find_columns(batch->run, true, columns);
    HALO_TRY(append_row(out, columns, NULL));
    json_array_foreach(images, i, row)
    {
        HALO_TRY(append_row(out, columns, row));
    }
    return HALO_OK;
}

static halo_status write_table(const app_batch *batch, const json_t *images)
{
    halo_world *world = batch->run->world;
    const char *path = batch->run->arguments->batch.table;
    halo_buffer text = {0};
    if (path == NULL) {
        return HALO_OK;
    }
    halo_status made = halo_world_rank(world) == 0 ? make_table(batch, images, &text) : HALO_OK;
    halo_status status = batch_write_text(world, path, made, &text);
    halo_buffer_free(&text);
    return status;
}

/* ---- for people ------------------------------------------------------------------------------ */

static void print_counts(const app_batch *batch, const json_t *tasks)
{
    double seconds = batch->run->seconds;
    int64_t good = batch->done - batch->failed;
    lines_printf("images", "%" PRId64 " of %" PRId64 " in %.3f s, %.4g images a second%s", good,
                 batch->count, seconds, seconds > 0 ? (double)good / seconds : 0,
                 batch->failed > 0 ? "; those that failed are named above" : "");
    const app_line line = {
        .name = "schedule",
        .text = "{schedule}: {chunks} chunks on {workers} rank{s:workers}[, {again>0} images "
                "computed twice]; load imbalance (IDC) {100*imbalance%.1f} %"};
    const app_line list[] = {line, {0}};
    app_lines_print(list, tasks, NULL, false);
}

static void print(const app_batch *batch, json_t *images, json_t *tasks)
{
    const app_run *run = batch->run;
    bool verbose = run->arguments->common.verbose;
    app_column columns[COLUMNS];
    print_counts(batch, tasks);
    app_files_print(run);
    find_columns(run, batch->failed > 0, columns);
    if (verbose || batch->count <= MAX_SHOWN) {
        json_t *facts = json_pack("{s:O}", "images", images);
        const app_listing list[] = {{.rows = "images", .columns = columns}, {0}};
        app_listings_print(list, facts, NULL, verbose);
        json_decref(facts);
    } else {
        lines_printf("each", "--table FILE.csv and --json FILE have a line of each image, and "
                             "--verbose shows them here");
    }
    if (verbose) {
        json_t *facts = json_pack("{s:O}", "tasks", tasks);
        app_listings_print(app_tasks_listings, facts, NULL, true);
        json_decref(facts);
    }
}

static void print_stop(const app_batch *batch)
{
    if (halo_world_rank(batch->run->world) == 0) {
        fprintf(stderr, "%s: stopped by a signal after %" PRId64 " of %" PRId64 " images\n",
                batch->run->program, batch->done, batch->count);
    }
}

static halo_status report_all(app_batch *batch, json_t *images, json_t *tasks)
{
    app_run *run = batch->run;
    const common_arguments *common = &run->arguments->common;
    bool speaks = halo_world_rank(run->world) == 0;
    HALO_TRY(halo_agree(run->world, !speaks || (images != NULL && tasks != NULL)
                                        ? HALO_OK
                                        : halo_fail(HALO_MEMORY, "out of memory: the summary")));
    HALO_TRY(write_table(batch, images));
    if (common->json != NULL) {
        HALO_TRY(report_save_json(run->world, common->json, json_incref(images)));
    }
    if (run->arguments->tasks.timeline != NULL) {
        HALO_TRY(app_timeline_write(run, run->arguments->tasks.timeline));
    }
    if (speaks && !common->quiet) {
        print(batch, images, tasks);
    }
    return report_flush(run->world);
}

halo_status batch_report(app_batch *batch)
{
    app_run *run = batch->run;
    bool speaks = halo_world_rank(run->world) == 0;
    int64_t stopped = atomic_load(&batch->stopped);
    json_t *images = speaks ? json_of_images(batch) : NULL;
    json_t *tasks = speaks ? app_tasks_facts(run) : NULL;
    halo_status status = report_all(batch, images, tasks);
    json_decref(images);
    json_decref(tasks);
    HALO_TRY(status);
    HALO_TRY(halo_allreduce_max(run->world, &stopped, 1));
    int64_t failed = batch->failed;
    HALO_TRY(halo_bcast(run->world, &failed, sizeof failed, 0));
    run->lost = run->lost || failed > 0 || stopped != 0;
    if (stopped != 0) {
        print_stop(batch);
    }
    return HALO_OK;
}
