#include "app/image/image.h"
#include "base/scan.h"
#include "base/standard.h"
#include "base/text.h"
#include "cli/paths/job.h"
#include "core/beat/beat.h"
#include "core/move/redistribute.h"
#include "core/world/collect.h"
#include "kernels/paths/paths_costs.h"

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

static halo_status list_places(const paths_places *asked, bool vertices, halo_buffer *places)
{
    int64_t numbers = vertices ? 1 : 2; /* of a place */
    if (asked->path != NULL) {
        return read_file(asked->path, vertices, places);
    }
    for (int64_t i = 0; i < asked->number_count; i += numbers) {
        const halo_paths_place place = {.column = asked->numbers[i],
                                        .row = vertices ? 0 : asked->numbers[i + 1]};
        HALO_TRY(halo_buffer_append(places, &place, sizeof place));
    }
    return HALO_OK;
}

halo_status paths_open_list(app_run *run, const paths_places *asked, bool vertices,
                            halo_paths_place **out, int64_t *count)
{
    halo_buffer places = {0};
    bool first = halo_world_rank(run->world) == 0;
    halo_status status = halo_bcast_buffer(
        run->world, first ? list_places(asked, vertices, &places) : HALO_OK, &places);
    *out = (void *)places.data;
    *count = (int64_t)(places.size / sizeof **out);
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
    mask_visit visit = {asked->from.path, run->domain.n[1], take, context};
    return paths_is_mask(&asked->from)
               ? app_image_read_beside(run, &(app_image_beside){.path = asked->from.path,
                                                                .option = "from",
                                                                .of = "costs",
                                                                .cuts = run->cuts,
                                                                .take = take_mask,
                                                                .context = &visit})
               : HALO_OK;
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

/* ---- costs ----------------------------------------------------------------------------------- */

enum { BYTE = 8, SHORT = 16 }; /* bits */

/* A copy of the samples for a picture, of the size they have, before they become cells. */
static void keep_samples(const app_run *run)
{
    const halo_view *picture = halo_field_view(run->samples);
    size_t bytes = (size_t)(run->domain.n[1] * picture->cell_bits / BYTE);
    for (int64_t y = 0; y < picture->owned.n[0]; y++) {
        memcpy(halo_row(picture, y), paths_row(run, picture->owned.lo[0] + y), bytes);
    }
}

/* Costs of an array become greys: the smallest is black, as barriers are. */
static void draw_costs(const app_run *run)
{
    enum { WHITE = 255 };
    const paths_job *job = run->job;
    const halo_view *picture = halo_field_view(run->samples);
    double min = job->range.min, range = job->range.max - min;
    for (int64_t y = 0; y < picture->owned.n[0]; y++) {
        uint8_t *greys = halo_row(picture, y);
        const halo_paths_cell *cells = paths_row(run, picture->owned.lo[0] + y);
        for (int64_t x = 0; x < run->domain.n[1]; x++) {
            double cost = isinf(cells[x].cost) ? min : cells[x].cost;
            greys[x] = (uint8_t)(range > 0 ? (cost - min) / range * WHITE : WHITE);
        }
    }
}

/* The grey of cells that are missing; NaN where they are NaN, or where none can be missing. */
static double missing_grey(const app_run *run)
{
    const halo_image_nodata *nodata = &run->image->info.nodata;
    return nodata->missing == HALO_MISSING_CELL ? (double)nodata->cell : NAN;
}

/* Samples lie where the row's cells will be. */
static halo_status take_row(app_run *run, int64_t row)
{
    paths_job *job = run->job;
    const paths_barriers *asked = &((const paths_options *)run->options)->barriers;
    const halo_paths_barriers barriers = {.negative = asked->negative,
                                          .missing = missing_grey(run),
                                          .values = asked->values,
                                          .count = asked->count};
    double sample = 0;
    int64_t column =
        halo_paths_take_costs(paths_row(run, row), run->domain.n[1], run->image->cell_bits,
                              &job->options, &barriers, &job->range, &sample);
    return column < 0 ? HALO_OK
                      : halo_fail(HALO_FORMAT,
                                  "%s: the cost in row %" PRId64 ", column %" PRId64
                                  " (from 0) is %g; costs are numbers from 0 on: with --barrier "
                                  "negative such cells are barriers",
                                  run->image->path, row, column, sample);
}

static halo_status take_costs(app_run *run)
{
    const int64_t *mine = run->cuts + halo_world_rank(run->world);
    paths_job *job = run->job;
    bool is_array = run->image->cell_bits > SHORT;
    halo_status status = HALO_OK;
    job->range = HALO_PATHS_NO_COSTS;
    if (run->samples != NULL && !is_array) {
        keep_samples(run);
    }
    for (int64_t row = mine[0]; status == HALO_OK && row < mine[1]; row++) {
        status = take_row(run, row);
    }
    HALO_TRY(halo_agree(run->world, status));
    HALO_TRY(halo_paths_share_range(run->world, &job->range));
    if (run->samples != NULL && is_array) {
        draw_costs(run);
    }
    return HALO_OK;
}

halo_status paths_read_costs(app_run *run)
{
    const paths_job *job = run->job;
    halo_view samples =
        *(job->cells != NULL ? halo_field_view(job->cells) : halo_beat_view(run->beat, 0));
    samples.cell_bits = run->image->cell_bits;
    HALO_TRY(app_read_image(run, run->cuts, &samples, NULL, NULL));
    halo_stretch stretch = halo_clock_begin(run->world);
    halo_status status = take_costs(run);
    halo_clock_end(&run->clock, HALO_PHASE_COMPUTE, stretch, run->world);
    return status;
}

/* ---- cells, in the strips of files and where they are computed on ---------------------------- */

static bool is_direct(const app_run *run)
{
    const paths_job *job = run->job;
    return halo_partition_equal(halo_beat_partition(run->beat), &job->strips);
}

halo_paths_cell *paths_row(const app_run *run, int64_t row)
{
    const paths_job *job = run->job;
    const halo_view *view =
        job->cells != NULL ? halo_field_view(job->cells) : halo_beat_view(run->beat, 0);
    return halo_row(view, row - view->owned.lo[0]);
}

static halo_status create_cells(app_run *run)
{
    paths_job *job = run->job;
    halo_box mine = halo_partition_box(&job->strips, halo_world_rank(run->world));
    return halo_agree(run->world, halo_field_create(&job->cells, &run->domain, &mine,
                                                    job->kernel.cell_bits[0], 0));
}

/* For a picture of the paths; one in colours is read again. */
static halo_status create_picture(app_run *run)
{
    bool drawn = ((const paths_options *)run->options)->overlay != NULL;
    halo_box mine =
        halo_partition_box(&((paths_job *)run->job)->strips, halo_world_rank(run->world));
    int bits = run->image->cell_bits > SHORT ? BYTE : run->image->cell_bits;
    return drawn && !run->image->info.colourful
               ? halo_field_create(&run->samples, &run->domain, &mine, bits, 0)
               : HALO_OK;
}

halo_status paths_create_cells(app_run *run)
{
    HALO_TRY(halo_agree(run->world, create_picture(run)));
    return is_direct(run) ? HALO_OK : create_cells(run);
}

halo_status paths_spread(app_run *run)
{
    paths_job *job = run->job;
    halo_status status = HALO_OK;
    if (job->cells != NULL) {
        status = halo_redistribute(run->world, halo_field_view(job->cells), &job->strips,
                                   halo_beat_view(run->beat, 0), halo_beat_partition(run->beat),
                                   &run->clock);
    }
    paths_release(run);
    return status;
}

halo_status paths_collect(app_run *run)
{
    paths_job *job = run->job;
    if (is_direct(run)) {
        return HALO_OK;
    }
    HALO_TRY(create_cells(run));
    return halo_redistribute(run->world, halo_beat_view(run->beat, 0),
                             halo_beat_partition(run->beat), halo_field_view(job->cells),
                             &job->strips, &run->clock);
}

void paths_release(app_run *run)
{
    halo_field_destroy(&((paths_job *)run->job)->cells);
}
