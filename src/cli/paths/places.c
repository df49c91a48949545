#include "app/image/image.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/scan.h"
#include "base/standard.h"
#include "base/text.h"
#include "cli/paths/job.h"
#include "core/world/collect.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists ----------------------------------------------------------------------------------- */

/* "x,y", or a vertex, and the end of the line. */
static bool scan_line(const char *line, bool vertices, halo_paths_place *place)
{
    bool good = halo_scan_integer(&line, 0, INT32_MAX, &place->column);
    place->row = 0;
    if (!vertices) {
        good = good && *line++ == ',' && halo_scan_integer(&line, 0, INT32_MAX, &place->row);
    }
    return good && *line == '\0';
}

static halo_status read_lines(FILE *file, const char *path, bool vertices, halo_buffer *places)
{
    halo_text_lines lines = {.file = file, .name = path};
    bool more = true;
    halo_status status;
    while ((status = halo_text_next_line(&lines, &more)) == HALO_OK && more) {
        halo_paths_place place;
        bool head = lines.number == 1 && isalpha((unsigned char)lines.line[0]);
        if (head || lines.line[strspn(lines.line, " \t")] == '\0') {
            continue;
        }
        status = scan_line(lines.line, vertices, &place)
                     ? halo_buffer_append(places, &place, sizeof place)
                     : halo_fail(HALO_FORMAT,
                                 "\"%.300s\", line %" PRId64 ": this is no place; each line has %s",
                                 path, lines.number,
                                 vertices ? "a vertex, a number from 1 on"
                                          : "a column and a row from 0 on, such as 10,20");
        if (status != HALO_OK) {
            break;
        }
    }
    halo_text_free(&lines);
    return status;
}

static halo_status read_file(const char *path, bool vertices, halo_buffer *places)
{
    FILE *file = fopen(halo_is_standard(path) ? halo_standard_input() : path, "r");
    if (file == NULL) {
        return halo_fail(HALO_FILE, "\"%.300s\" cannot be read: %s", path, strerror(errno));
    }
    halo_status status = read_lines(file, path, vertices, places);
    fclose(file);
    if (status == HALO_OK && places->size == 0) {
        status = halo_fail(HALO_FORMAT, "\"%.300s\" has no place; put %s on each line", path,
                           vertices ? "a vertex" : "x,y");
    }
    return status;
}

/* Collective. Rank 0's list becomes that of all ranks. */
static halo_status share(app_run *run, halo_buffer *read, halo_paths_place **out, int64_t *count)
{
    int64_t bytes = (int64_t)read->size;
    HALO_TRY(halo_bcast(run->world, &bytes, sizeof bytes, 0));
    *count = bytes / (int64_t)sizeof **out;
    HALO_TRY(halo_agree(run->world, HALO_ALLOCATE(*out, *count + 1, "places")));
    if (read->size > 0) {
        memcpy(*out, read->data, read->size);
    }
    return halo_bcast(run->world, *out, (size_t)bytes, 0);
}

halo_status paths_open_list(app_run *run, const paths_places *asked, bool vertices,
                            halo_paths_place **out, int64_t *count)
{
    halo_buffer read = {0};
    halo_status status = HALO_OK;
    bool first = halo_world_rank(run->world) == 0;
    if (first && asked->path != NULL) {
        status = read_file(asked->path, vertices, &read);
    }
    int64_t numbers = vertices ? 1 : 2; /* of a place */
    for (int64_t i = 0; first && status == HALO_OK && i < asked->number_count; i += numbers) {
        const halo_paths_place place = {.column = asked->numbers[i],
                                        .row = vertices ? 0 : asked->numbers[i + 1]};
        status = halo_buffer_append(&read, &place, sizeof place);
    }
    status = halo_agree(run->world, status);
    if (status == HALO_OK) {
        status = share(run, &read, out, count);
    }
    halo_buffer_free(&read);
    return status;
}

static halo_status check_list(const app_run *run, const char *what, const halo_paths_place *places,
                              int64_t count)
{
    const int64_t *n = run->domain.n;
    for (int64_t i = 0; i < count; i++) {
        if (places[i].row >= n[0] || places[i].column >= n[1]) {
            return halo_fail(HALO_ARGUMENT,
                             "the %s %" PRId64 ",%" PRId64 " lies outside: columns are 0 to "
                             "%" PRId64 " and rows 0 to %" PRId64,
                             what, places[i].column, places[i].row, n[1] - 1, n[0] - 1);
        }
    }
    return HALO_OK;
}

bool paths_is_mask(const paths_places *places)
{
    return places->path != NULL && !halo_is_standard(places->path) &&
           !halo_name_ends(places->path, ".csv");
}

halo_status paths_open_places(app_run *run)
{
    const paths_options *asked = run->options;
    paths_job *job = run->job;
    if (!paths_is_mask(&asked->from)) {
        HALO_TRY(paths_open_list(run, &asked->from, false, &job->sources, &job->source_count));
        HALO_TRY(check_list(run, "source", job->sources, job->source_count));
    }
    HALO_TRY(paths_open_list(run, &asked->to, false, &job->targets, &job->target_count));
    return check_list(run, "target", job->targets, job->target_count);
}

/* ---- a picture of sources -------------------------------------------------------------------- */

typedef struct {
    const char *path;
    int64_t width;
    paths_source_take *take;
    void *context;
} mask_visit;

/* NaN stands for samples that are missing. */
static halo_status take_mask(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    const mask_visit *visit = context;
    int64_t width = visit->width;
    for (int64_t y = 0; y < rows; y++) {
        const double *samples = (const void *)((const char *)data + (size_t)y * pitch);
        for (int64_t x = 0; x < width; x++) {
            if (samples[x] > INT32_MAX) {
                return halo_fail(HALO_FORMAT,
                                 "--from %s: the number of a source is %.17g, in row %" PRId64
                                 ", column %" PRId64 " (from 0); the largest one is %d",
                                 visit->path, samples[x], first + y, x, INT32_MAX);
            }
            if (samples[x] > 0) {
                visit->take(visit->context, first + y, x, (int64_t)ceil(samples[x]));
            }
        }
    }
    return HALO_OK;
}

static halo_status visit_mask(app_run *run, app_image *mask, paths_source_take *take, void *context)
{
    mask_visit visit = {mask->path, mask->info.width, take, context};
    HALO_TRY(app_image_check_size(mask, "from", &run->domain, "costs"));
    return app_image_stream(mask, run->cuts, &run->progress, take_mask, &visit, &run->clock);
}

halo_status paths_visit_sources(app_run *run, paths_source_take *take, void *context)
{
    const paths_options *asked = run->options;
    const paths_job *job = run->job;
    const int64_t *mine = run->cuts + halo_world_rank(run->world);
    for (int64_t i = 0; i < job->source_count; i++) {
        const halo_paths_place *place = &job->sources[i];
        if (place->row >= mine[0] && place->row < mine[1]) {
            take(context, place->row, place->column, i + 1);
        }
    }
    if (!paths_is_mask(&asked->from)) {
        return HALO_OK;
    }
    const app_image_options options = {.want = HALO_IMAGE_REALS,
                                       .as_stored = run->arguments->as_stored,
                                       .follow_links = run->arguments->follow_links,
                                       .nodata = run->arguments->nodata};
    app_image mask;
    halo_status status = app_image_open(&mask, run, asked->from.path, &options);
    if (status == HALO_OK) {
        status = visit_mask(run, &mask, take, context);
    }
    app_image_close(&mask);
    return status;
}

/* ---- the first distances --------------------------------------------------------------------- */

typedef struct {
    const app_run *run;
    int64_t count, blocked; /* on barriers */
    halo_paths_place first; /* of those */
} starting;

static void start_at(void *context, int64_t row, int64_t column, int64_t number)
{
    starting *s = context;
    halo_paths_cell *cell = paths_row(s->run, row) + column;
    (void)number;
    if (isinf(cell->cost)) {
        if (s->blocked++ == 0) {
            s->first = (halo_paths_place){.row = row, .column = column};
        }
        return;
    }
    s->count += !signbit(cell->distance);
    cell->distance = -0.0;
}

/* Pixels of a picture may lie on barriers, if there are others. */
halo_status paths_fill_sources(app_run *run)
{
    paths_job *job = run->job;
    starting s = {.run = run};
    HALO_TRY(paths_visit_sources(run, start_at, &s));
    bool wrong = s.blocked > 0 && !paths_is_mask(&((const paths_options *)run->options)->from);
    HALO_TRY(halo_agree(run->world, !wrong ? HALO_OK
                                           : halo_fail(HALO_ARGUMENT,
                                                       "the source %" PRId64 ",%" PRId64
                                                       " is on a barrier; use one beside it",
                                                       s.first.column, s.first.row)));
    job->sources_found = s.count;
    HALO_TRY(halo_allreduce_sum(run->world, &job->sources_found, 1));
    return job->sources_found > 0
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT, "there is no source: no pixel of the picture of sources "
                                          "is more than 0 and on no barrier");
}
