#include "app/report/report.h"
#include "app/batch/batch_internal.h"
#include "app/frame_internal.h"
#include "app/page/page.h"
#include "app/report/facts.h"
#include "app/report/json_text.h"
#include "app/report/lines.h"
#include "app/services/tasks.h"
#include "base/printable.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SHOWN = 40, COLUMNS = 24, CELL = 512 };

/* Columns that the table has of each image before and behind those of the command. */
static const app_column first_columns[] = {{"image", "{image.file}", -12},
                                           {"width", "{image.width_pixels}", 8},
                                           {"height", "{image.height_pixels}", 8},
                                           {0}};
/* Microseconds: a small image takes less than a tenth of a millisecond. */
static const app_column last_columns[] = {{"seconds", "{seconds%.6f}", 9}, {0}};
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
    count = add_columns(app_service_with(run->command, &app_batch_service), out, count);
    count = add_columns(last_columns, out, count);
    if (errors) {
        out[count++] = error_column;
    }
    out[count] = (app_column){0};
}

static bool prints_images(const app_batch *batch)
{
    return batch->run->arguments->common.verbose || batch->count <= MAX_SHOWN;
}

bool batch_reports_images(const app_batch *batch)
{
    const common_arguments *common = &batch->run->arguments->common;
    return batch->watched || (!common->quiet && prints_images(batch)) || common->json != NULL ||
           common->report != NULL || app_batch_arguments(batch->run)->table != NULL ||
           app_tasks_arguments(batch->run)->journal != NULL || batch_count_tables(batch->run) > 0;
}

/* ---- one after the other ----------------------------------------------------------------------
 */

/* An image that failed, or that a signal has left out, has only its name and why. */
static json_t *object_of(const app_batch *batch, int64_t i)
{
    const batch_result *result = &batch->results[i];
    return result->facts != NULL
               ? json_loads(result->facts, 0, NULL)
               : json_pack("{s:{s:o}, s:o}", "image", "file", app_fact_text(batch->image[i]),
                           "error",
                           app_fact_text(result->error != NULL ? result->error : "not computed"));
}

/* Appends what is to be said of an image; NULL: what stands before, or, behind the last, after. */
typedef halo_status appender(halo_buffer *out, const app_column *columns, const json_t *image,
                             bool first);

static halo_status append_all(const app_batch *batch, appender *append, halo_buffer *out)
{
    app_column columns[COLUMNS];
    find_columns(batch->run, true, columns);
    HALO_TRY(append(out, columns, NULL, true));
    for (int64_t i = 0; i < batch->count; i++) {
        json_t *image = object_of(batch, i);
        halo_status status = image != NULL
                                 ? append(out, columns, image, i == 0)
                                 : halo_fail(HALO_MEMORY, "out of memory: what is reported");
        json_decref(image);
        HALO_TRY(status);
    }
    return append(out, columns, NULL, false);
}

static halo_status write_all(const app_batch *batch, const char *path, appender *append)
{
    halo_world *world = batch->run->world;
    halo_buffer text = {0};
    if (path == NULL) {
        return HALO_OK;
    }
    halo_status made = halo_world_rank(world) == 0 ? append_all(batch, append, &text) : HALO_OK;
    halo_status status = report_save_text(world, path, made, &text);
    halo_buffer_free(&text);
    return status;
}

/* An array with a line for each image. */
static halo_status append_json(halo_buffer *out, const app_column *columns, const json_t *image,
                               bool first)
{
    (void)columns;
    if (image == NULL) {
        return first ? halo_buffer_append(out, "[", 1) : halo_buffer_append(out, "\n]\n", 3);
    }
    char *text = app_json_text(image, 0);
    HALO_FAIL_IF(text == NULL, HALO_MEMORY, "out of memory: the JSON summary");
    halo_status status = halo_buffer_append(out, first ? "\n" : ",\n", first ? 1 : 2);
    status = halo_status_first(status, halo_buffer_append(out, text, strlen(text)));
    free(text);
    return status;
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

static halo_status append_row(halo_buffer *out, const app_column *columns, const json_t *image,
                              bool first)
{
    for (int c = 0; columns[c].title != NULL && (image != NULL || first); c++) {
        char text[CELL] = "";
        const app_line cell = {.text = columns[c].text};
        if (c > 0) {
            HALO_TRY(halo_buffer_append(out, ",", 1));
        }
        if (image == NULL) {
            HALO_TRY(append_title(out, columns[c].title));
        } else if (app_line_text(&cell, image, NULL, text, sizeof text)) {
            HALO_TRY(batch_append_quoted(out, text));
        }
    }
    return image != NULL || first ? halo_buffer_append(out, "\n", 1) : HALO_OK;
}

/* ---- for people ------------------------------------------------------------------------------ */

static void print_counts(const app_batch *batch, const json_t *tasks)
{
    double seconds = batch->run->seconds;
    int64_t good = app_tasks_of(batch->run)->ended - batch->failed;
    lines_printf("images", "%" PRId64 " of %" PRId64 " in %.3f s, %.4g images a second%s", good,
                 batch->count, seconds, seconds > 0 ? (double)good / seconds : 0,
                 batch->failed > 0 ? "; those that failed are named above" : "");
    const app_line line = {
        .name = "schedule",
        .verbose = true,
        .text = "{schedule}: {chunks} chunks on {workers} rank{s:workers}[, {again>0} images "
                "computed twice]; load imbalance (IDC) {100*imbalance%.1f} %"};
    const app_line list[] = {line, {0}};
    app_lines_print(list, tasks, NULL, batch->run->arguments->common.verbose);
}

/* Prints a row for each image. Very many images have rows only with --verbose. */
static void print_images(const app_batch *batch, bool verbose)
{
    app_column columns[COLUMNS];
    json_t *images = json_array(), *facts = json_pack("{s:o}", "images", images);
    find_columns(batch->run, false, columns); /* errors have been said */
    for (int64_t i = 0; i < batch->count; i++) {
        json_array_append_new(images, object_of(batch, i));
    }
    const app_listing list[] = {{.rows = "images", .columns = columns}, {0}};
    app_listings_print(list, facts, NULL, verbose);
    json_decref(facts);
}

static void print(const app_batch *batch, json_t *tasks)
{
    const app_run *run = batch->run;
    bool verbose = run->arguments->common.verbose;
    print_counts(batch, tasks);
    app_files_print(run);
    if (prints_images(batch)) {
        print_images(batch, verbose);
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
        halo_print_message(batch->run->program,
                           "stopped by a signal after %" PRId64 " of %" PRId64 " images",
                           app_tasks_of(batch->run)->ended, batch->count);
    }
}

/* Images that failed and have no row on the page; as many again as have one. */
static json_t *failed_of(const app_batch *batch)
{
    json_t *failed = json_array();
    for (int64_t i = PAGE_IMAGES; i < batch->count && json_array_size(failed) < PAGE_IMAGES; i++) {
        if (batch->results[i].error != NULL) {
            json_array_append_new(failed,
                                  json_pack("{s:o, s:o}", "file", app_fact_text(batch->image[i]),
                                            "error", app_fact_text(batch->results[i].error)));
        }
    }
    return failed;
}

/* Facts for the page's lines, besides those of tasks. */
static json_t *others_of(const app_batch *batch, json_t *tasks)
{
    double seconds = batch->run->seconds;
    int64_t good = app_tasks_of(batch->run)->ended - batch->failed;
    return json_pack("{s:O*, s:I, s:I, s:f, s:f, s:o}", "tasks", tasks, "good", (json_int_t)good,
                     "count", (json_int_t)batch->count, "seconds", seconds, "rate",
                     seconds > 0 ? (double)good / seconds : 0, "failed_images", failed_of(batch));
}

static halo_status write_page(const app_batch *batch, json_t *tasks, bool stopped)
{
    static const app_line batch_lines[] = {
        {"images", "{good} of {count} in {seconds%.3f} s, {rate%.4g} images a second", false},
        {"schedule",
         "{tasks.schedule}: {tasks.chunks} chunks on {tasks.workers} rank{s:tasks.workers}; load "
         "imbalance (IDC) {100*tasks.imbalance%.1f} %",
         false},
        {0}};
    const app_line *const lines[] = {batch_lines, NULL};
    app_column columns[COLUMNS];
    bool requested = batch->run->arguments->common.report != NULL && tasks != NULL;
    json_t *images = json_array(), *others = requested ? others_of(batch, tasks) : NULL;
    find_columns(batch->run, batch->failed > 0 || stopped, columns);
    for (int64_t i = 0; requested && i < batch->count && i < PAGE_IMAGES; i++) {
        json_array_append_new(images, object_of(batch, i));
    }
    int64_t numbers[PAGE_IMAGES];
    for (int64_t i = 0; requested && i < batch->count && i < PAGE_IMAGES; i++) {
        numbers[i] = batch->watched ? batch->results[i].number : i;
    }
    const app_page page = {.facts = images,
                           .others = others,
                           .lines = lines,
                           .images = columns,
                           .names = batch->image,
                           .numbers = numbers,
                           .count = batch->count,
                           .failed = batch->failed,
                           .stopped = stopped};
    halo_status status = app_services_report(batch->run, &page);
    json_decref(images);
    json_decref(others);
    return status;
}

static halo_status report_all(app_batch *batch, json_t *tasks, bool stopped)
{
    app_run *run = batch->run;
    const common_arguments *common = &run->arguments->common;
    bool speaks = app_is_root(run);
    HALO_TRY(halo_agree(run->world, HALO_REQUIRE(!speaks || tasks != NULL, HALO_MEMORY,
                                                 "out of memory: the summary")));
    HALO_TRY(write_all(batch, app_batch_arguments(run)->table, append_row));
    HALO_TRY(write_all(batch, common->json, append_json));
    if (app_tasks_arguments(run)->timeline != NULL) {
        HALO_TRY(app_timeline_write(run, app_tasks_arguments(run)->timeline));
    }
    HALO_TRY(write_page(batch, tasks, stopped)); /* it shows the other files */
    if (speaks && !common->quiet) {
        print(batch, tasks);
    }
    return report_flush(run->world);
}

halo_status batch_report(app_batch *batch)
{
    app_run *run = batch->run;
    /* A signal is the end of a folder that is watched. */
    int64_t stopped = atomic_load(&batch->stopped) && !batch->watched;
    HALO_TRY(halo_allreduce_max(run->world, &stopped, 1));
    json_t *tasks = !app_is_root(run) ? NULL
                    : batch->watched  ? json_object() /* each round had its own */
                                      : app_tasks_facts(run);
    halo_status status = report_all(batch, tasks, stopped != 0);
    json_decref(tasks);
    HALO_TRY(status);
    int64_t failed = batch->failed;
    HALO_TRY(halo_bcast(run->world, &failed, sizeof failed, 0));
    run->writing->lost = run->writing->lost || failed > 0 || stopped != 0;
    if (stopped != 0) {
        print_stop(batch);
    }
    return HALO_OK;
}
