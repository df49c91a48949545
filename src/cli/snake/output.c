#define _GNU_SOURCE /* realpath */
#include "cli/snake/output.h"

#include "app/paths.h"
#include "cli/snake/overlay.h"
#include "cli/snake/text.h"
#include "core/file/file.h"
#include "core/world/collect.h"
#include "io/png/png_parallel.h"
#include "io/table/table.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUTS = 6, INPUTS = SNAKE_INITS + 3 };

halo_status snake_output_check(snake_job *job)
{
    const snake_arguments *arguments = job->arguments;
    /* The checkpoint, the last of them, may go where the last one came from. */
    const char *const outputs[OUTPUTS] = {arguments->output,      arguments->overlay,
                                          arguments->gradient,    arguments->movie,
                                          arguments->common.json, arguments->saving.checkpoint};
    const char *inputs[INPUTS] = {arguments->image, arguments->common.balance.trace};
    int count = 2;
    for (int i = 0; i < arguments->init_count; i++) {
        if (arguments->inits[i].kind == SNAKE_INIT_POLYGON) {
            inputs[count++] = arguments->inits[i].path;
        }
    }
    HALO_TRY(paths_check(job->world, outputs, OUTPUTS, inputs, count));
    HALO_TRY(paths_check_distinct(job->world, outputs, OUTPUTS - 1, &arguments->saving.restore, 1));
    inputs[count++] = arguments->saving.restore;
    HALO_TRY(cli_balance_check_log(job->balance, outputs, OUTPUTS));
    return cli_balance_check_log(job->balance, inputs, count);
}

/* ---- the gradient -------------------------------------------------------------------------------
 */

typedef struct {
    snake_job *job;
    const halo_view *gradient;
    int64_t largest;
} slopes;

static int64_t largest_of(const halo_view *gradient)
{
    int64_t largest = 1;
    for (int64_t i = 0; i < gradient->owned.n[0]; i++) {
        const uint16_t *row = halo_row(gradient, i);
        for (int64_t x = 0; x < gradient->owned.n[1]; x++) {
            largest = row[x] > largest ? row[x] : largest;
        }
    }
    return largest;
}

static halo_status fill_slopes(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    enum { WHITE = 255 };
    const slopes *s = context;
    for (int64_t i = 0; i < rows; i++) {
        const uint16_t *row = halo_row(s->gradient, first + i - s->gradient->owned.lo[0]);
        unsigned char *greys = (unsigned char *)out + (size_t)i * pitch;
        for (int64_t x = 0; x < s->gradient->owned.n[1]; x++) {
            greys[x] = (unsigned char)(row[x] * WHITE / s->largest);
        }
    }
    return HALO_OK;
}

static void show_slopes(void *context, int64_t done, int64_t total)
{
    progress_update(&((slopes *)context)->job->progress, done, total);
}

halo_status snake_output_gradient(snake_job *job, const halo_view *gradient)
{
    if (job->arguments->gradient == NULL) {
        return HALO_OK;
    }
    slopes s = {.job = job, .gradient = gradient, .largest = largest_of(gradient)};
    const halo_png_header header = {
        .width = job->image.domain.n[1], .height = job->image.domain.n[0], .kind = HALO_PNG_GREY8};
    const halo_rows rows = {.fill = fill_slopes, .progress = show_slopes, .context = &s};
    progress_phase(&job->progress, "writing edges");
    HALO_TRY(halo_max(job->world, &s.largest, 1));
    halo_stretch stretch = halo_clock_begin(job->world);
    halo_status status =
        halo_png_write(job->world, job->arguments->gradient, &header, job->strips.cuts[0], &rows);
    halo_clock_end(&job->clock, HALO_PHASE_ENCODE, stretch, job->world);
    return status;
}

/* ---- the contours -------------------------------------------------------------------------------
 */

static const halo_table_column columns[] = {{"contour", HALO_TABLE_INTEGER},
                                            {"point", HALO_TABLE_INTEGER},
                                            {"x", HALO_TABLE_INTEGER},
                                            {"y", HALO_TABLE_INTEGER}};

/* The contour of a row: of the last one that was asked for, or near it. */
typedef struct {
    const snake_job *job;
    int64_t *contour;
} point_table;

static void point_row(const void *context, int64_t row, halo_table_value *values)
{
    const point_table *table = context;
    const snake_contours *contours = &table->job->contours;
    while (row < snake_contours_first(contours, *table->contour)) {
        --*table->contour;
    }
    while (row >= snake_contours_first(contours, *table->contour + 1)) {
        ++*table->contour;
    }
    const snake_place *place = &table->job->places[row];
    values[0] = (halo_table_value){*table->contour, 1};
    values[1] = (halo_table_value){row - snake_contours_first(contours, *table->contour), 1};
    values[2] = (halo_table_value){place->x, 1};
    values[3] = (halo_table_value){place->y, 1};
}

static halo_status write_table(snake_job *job)
{
    int64_t contour = 0;
    const point_table points = {.job = job, .contour = &contour};
    const halo_table table = {
        .columns = columns,
        .column_count = sizeof columns / sizeof columns[0],
        .rows = halo_world_rank(job->world) == 0 ? snake_contours_points(&job->contours) : 0,
        .row = point_row,
        .context = &points};
    return halo_table_write(job->world, job->arguments->output, &table);
}

/* The absolute path of a file's folder, with a slash behind it. */
static bool find_folder(const char *path, char folder[PATH_MAX])
{
    char given[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t length = slash != NULL ? (size_t)(slash + 1 - path) : 0;
    snprintf(given, sizeof given, "%.*s", (int)length, path);
    if (length >= PATH_MAX || realpath(length > 0 ? given : ".", folder) == NULL) {
        return false;
    }
    size_t end = strlen(folder);
    if (end + 2 > PATH_MAX) {
        return false;
    }
    memcpy(folder + end, "/", end > 1 ? 2 : 0); /* but not behind the root's */
    return true;
}

/* What a drawing calls the picture: its way there from the drawing's folder, so that both may move
 * to another place together. Rank 0 only. */
static halo_status find_link(const snake_job *job, halo_buffer *link)
{
    char image[PATH_MAX], folder[PATH_MAX];
    const char *given = job->arguments->image;
    if (realpath(given, image) == NULL || !find_folder(job->arguments->output, folder)) {
        return halo_buffer_append(link, given, strlen(given) + 1);
    }
    size_t common = 0;
    for (size_t i = 0; image[i] != '\0' && image[i] == folder[i]; i++) {
        common = image[i] == '/' ? i + 1 : common;
    }
    for (const char *up = strchr(folder + common, '/'); up != NULL; up = strchr(up + 1, '/')) {
        HALO_TRY(halo_buffer_append(link, "../", 3));
    }
    return halo_buffer_append(link, image + common, strlen(image + common) + 1);
}

static halo_status make_text(const snake_job *job, halo_buffer *text)
{
    halo_buffer link = {0};
    halo_status status = find_link(job, &link);
    const snake_text what = {.contours = &job->contours,
                             .places = job->places,
                             .width = job->image.domain.n[1],
                             .height = job->image.domain.n[0],
                             .link = (const char *)link.data};
    if (status == HALO_OK) {
        status = job->arguments->output_kind == SNAKE_OUTPUT_SVG ? snake_text_svg(text, &what)
                                                                 : snake_text_json(text, &what);
    }
    halo_buffer_free(&link);
    return status;
}

static halo_status write_text(snake_job *job)
{
    halo_file *file;
    halo_buffer text = {0};
    halo_status status = halo_file_create(&file, job->world, job->arguments->output);
    if (status == HALO_OK) {
        if (halo_world_rank(job->world) == 0) {
            status = make_text(job, &text);
        }
        if (status == HALO_OK && text.size > 0) {
            status = halo_file_write(file, 0, text.data, text.size);
        }
        status = halo_file_commit(&file, status);
    }
    halo_buffer_free(&text);
    return status;
}

halo_status snake_output_write(snake_job *job)
{
    halo_status status = HALO_OK;
    if (job->arguments->output != NULL) {
        progress_phase(&job->progress, "writing contours");
        halo_stretch stretch = halo_clock_begin(job->world);
        status =
            job->arguments->output_kind == SNAKE_OUTPUT_CSV ? write_table(job) : write_text(job);
        halo_clock_end(&job->clock, HALO_PHASE_ENCODE, stretch, job->world);
    }
    return status == HALO_OK && job->arguments->overlay != NULL ? snake_overlay_write(job) : status;
}
