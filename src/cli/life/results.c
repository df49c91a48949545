#include "app/beats.h"
#include "app/outputs.h"
#include "app/report/report.h"
#include "app/services/dots.h"
#include "base/memory.h"
#include "cli/life/job.h"
#include "io/array/picture.h"
#include "io/cells/cells_write.h"
#include "io/png/png_write.h"
#include "kernels/life/life_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Outputs: the live cells as a pattern with its place, rule and generation; or, as a picture or an
 * array, all of a bounded axis and the live part of one that grows. */

enum { RULE_TEXT = HALO_LIFE_RULE_TEXT + HALO_LIFE_TOPOLOGY_TEXT };

halo_status life_output_check(const app_run *run)
{
    const life_source *source = &((const life_job *)run->job)->source;
    const char *path = life_options_of(run)->output;
    if (path == NULL) {
        return HALO_OK;
    }
    halo_cells_format format = halo_cells_format_of(path);
    if (format == HALO_CELLS_CELLS && source->rule.states > 2) {
        char rule[HALO_LIFE_RULE_TEXT];
        halo_life_rule_print(&source->rule, rule);
        return halo_fail(HALO_ARGUMENT,
                         "a .cells file has dead and live cells only, and the rule %s has %d "
                         "states; use -o FILE.rle",
                         rule, source->rule.states);
    }
    char grid[HALO_LIFE_TOPOLOGY_TEXT];
    return format == HALO_CELLS_RLE ? halo_life_topology_print(source->edges, &source->box, grid)
                                    : HALO_OK;
}

/* ---- pictures and arrays --------------------------------------------------------------------- */

/* States as brightness: live cells white, dying ones darker than half, so that who reads the
 * picture as a pattern finds the live ones. */
static void brighten(unsigned char *cells, int64_t count, int states)
{
    for (int64_t i = 0; i < count; i++) {
        int state = cells[i];
        cells[i] =
            (unsigned char)(state <= 1 ? 255 * state : 127 * (states - state) / (states - 1));
    }
}

static halo_status fill_pixels(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    life_job *job = ((app_run *)context)->job;
    HALO_TRY(halo_life_part_fill(&job->part, first, rows, out, pitch));
    for (int64_t i = 0; i < rows && job->part.bits > 1; i++) {
        brighten((unsigned char *)out + (size_t)i * pitch, job->part.box.n[HALO_LIFE_COLUMNS],
                 job->source.rule.states);
    }
    return HALO_OK;
}

/* A byte a cell. */
static halo_status fill_samples(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    halo_life_part *part = &((life_job *)((app_run *)context)->job)->part;
    if (part->bits > 1) {
        return halo_life_part_fill(part, first, rows, out, pitch);
    }
    void *row;
    HALO_TRY(halo_memory_create(&row, part->row_bytes, "a row of cells"));
    halo_status status = HALO_OK;
    for (int64_t i = 0; i < rows && status == HALO_OK; i++) {
        status = halo_life_part_fill(part, first + i, 1, row, part->row_bytes);
        if (status == HALO_OK) {
            halo_life_row_place(row, 1, part->box.n[HALO_LIFE_COLUMNS],
                                (char *)out + (size_t)i * pitch, 8, 0);
        }
    }
    halo_memory_free(row);
    return status;
}

/* ---- pictures at another scale --------------------------------------------------------------- */

/* A row of cells as brightness, a byte each. */
static halo_status fill_brightness(app_run *run, int64_t row, void *bits, unsigned char *out)
{
    life_job *job = run->job;
    halo_life_part *part = &job->part;
    int64_t width = part->box.n[HALO_LIFE_COLUMNS];
    HALO_TRY(halo_life_part_fill(part, row, 1, bits, part->row_bytes));
    halo_life_row_place(bits, part->bits == 1 ? 1 : 8, width, out, 8, 0);
    brighten(out, width, job->source.rule.states);
    return HALO_OK;
}

static halo_status add_cells(void *context, const app_dots *dots, int64_t first, int64_t *sums)
{
    app_run *run = context;
    const halo_life_part *part = &((life_job *)run->job)->part;
    const int64_t *own = part->cuts + halo_world_rank(run->world);
    int64_t width = part->box.n[HALO_LIFE_COLUMNS];
    void *room;
    HALO_TRY(halo_memory_create(&room, part->row_bytes + (size_t)width, "a row of cells"));
    unsigned char *bright = (unsigned char *)room + part->row_bytes;
    halo_status status = HALO_OK;
    for (int64_t y = own[0]; y < own[1] && status == HALO_OK; y++) {
        int64_t *into = sums + (y / dots->reduce - first) * dots->columns;
        memset(bright, 0, (size_t)width);
        status = fill_brightness(run, y, room, bright);
        for (int64_t x = 0; x < width && status == HALO_OK; x++) {
            into[x / dots->reduce] += bright[x];
        }
    }
    halo_memory_free(room);
    return status;
}

static halo_status write_drawn(app_run *run, const char *path, const app_dots *dots)
{
    const int64_t *own = dots->pixel_cuts + halo_world_rank(run->world);
    int64_t width = app_dots_width(dots), rows = own[1] - own[0];
    unsigned char *pixels = NULL;
    halo_status status =
        halo_agree(run->world, rows == 0 ? HALO_OK
                                         : HALO_ALLOCATE_LARGE(pixels, width * rows,
                                                               "a picture (--scale 1/N makes it "
                                                               "smaller)"));
    if (status == HALO_OK) {
        if (rows > 0) {
            app_dots_paint(dots, 255, pixels);
        }
        app_dots_drawn drawn = {dots, pixels};
        const halo_png_header header = {
            .width = width, .height = dots->rows * dots->enlarge, .kind = HALO_PNG_GREY8};
        const halo_rows fill = {.fill = app_dots_fill, .context = &drawn};
        status = halo_picture_write(run->world, path, &header, NULL, dots->pixel_cuts, &fill);
    }
    halo_memory_free(pixels);
    return status;
}

/* A square of pixels for each cell, or a pixel for a square of cells: the mean of their brightness.
 */
static halo_status write_scaled(app_run *run, const char *path)
{
    const halo_life_part *part = &((const life_job *)run->job)->part;
    const int64_t *own = part->cuts + halo_world_rank(run->world);
    app_dots dots = {0};
    halo_status status =
        app_dots_create(&dots, run->world, part->box.n[HALO_LIFE_ROWS],
                        part->box.n[HALO_LIFE_COLUMNS], life_options_of(run)->scale, true);
    if (status == HALO_OK) {
        status = app_dots_collect(&dots, own[0], own[1] - own[0], add_cells, run);
    }
    if (status == HALO_OK) {
        status = write_drawn(run, path, &dots);
    }
    app_dots_destroy(&dots);
    return status;
}

/* ---- patterns -------------------------------------------------------------------------------- */

static halo_status fill_cells(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    return halo_life_part_fill(&((life_job *)((app_run *)context)->job)->part, first, rows, out,
                               pitch);
}

static halo_status write_pattern(app_run *run, const char *path)
{
    const life_job *job = run->job;
    const halo_life_box *box = &job->part.box;
    char name[HALO_LIFE_RULE_TEXT], grid[HALO_LIFE_TOPOLOGY_TEXT] = "", rule[RULE_TEXT];
    halo_cells_format format = halo_cells_format_of(path);
    halo_life_rule_print(&job->source.rule, name);
    if (format == HALO_CELLS_RLE) {
        HALO_TRY(halo_life_topology_print(job->source.edges, &job->part.grid, grid));
    }
    snprintf(rule, sizeof rule, "%s%s", name, grid);
    const halo_cells_header header = {.width = box->n[HALO_LIFE_COLUMNS],
                                      .height = box->n[HALO_LIFE_ROWS],
                                      .rule = rule,
                                      .placed = true,
                                      .x = box->lo[HALO_LIFE_COLUMNS],
                                      .y = box->lo[HALO_LIFE_ROWS],
                                      .generation = app_beats_done(run),
                                      .earlier = job->source.earlier,
                                      .states = job->source.rule.states};
    const halo_rows rows = {.fill = fill_cells, .progress = app_show_rows, .context = run};
    return halo_cells_write(run->world, path, format, &header, job->part.cuts, &rows);
}

static halo_status write_table(app_run *run, const char *path)
{
    return app_beat_table_write(run, &((life_job *)run->job)->table, path);
}

/* ---- the grid -------------------------------------------------------------------------------- */

/* A pattern is its live cells; a picture has at least one pixel. */
static halo_status prepare(app_run *run)
{
    static const halo_life_edge growing[] = {HALO_LIFE_GROW, HALO_LIFE_GROW};
    life_job *job = run->job;
    const char *path = life_options_of(run)->output;
    const halo_life_box grid = halo_life_size(job->life);
    bool pattern = halo_cells_format_of(path) != HALO_CELLS_FORMATS;
    const halo_life_box box = halo_life_part_box(&grid, pattern ? growing : job->source.edges,
                                                 &job->census.live, halo_picture_is_one(path));
    HALO_TRY(halo_life_stage(job->life));
    HALO_TRY(halo_life_part_begin(&job->part, run->world, job->life, &box, 0));
    run->domain = (halo_domain){.axes = HALO_LIFE_AXES, .n = {box.n[0], box.n[1], 1}};
    run->cuts = job->part.cuts;
    return HALO_OK;
}

static halo_status write_picture(app_run *run, const char *path)
{
    const life_job *job = run->job;
    return life_options_of(run)->scale != 0
               ? write_scaled(run, path)
               : app_write_png(run, path, job->part.bits == 1 ? HALO_PNG_BITS : HALO_PNG_GREY8,
                               fill_pixels);
}

static const app_writer grid_writers[] = {
    {APP_OWN_FORMAT, .ending = ".rle", .write = write_pattern},
    {APP_OWN_FORMAT, .ending = ".cells", .write = write_pattern},
    {APP_ARRAYS, HALO_SAMPLE_U8, .fill = fill_samples},
    {APP_PICTURES, .write = write_picture},
    {0}};

static void finish(app_run *run)
{
    halo_life_part_end(&((life_job *)run->job)->part);
    run->cuts = NULL;
}

const app_output life_outputs[] = {
    {.option = offsetof(life_options, output),
     .phase = "writing",
     .writers = grid_writers,
     .prepare = prepare,
     .finish = finish},
    {.option = offsetof(life_options, population), .phase = "writing", .write = write_table},
    {0}};

/* ---- reports --------------------------------------------------------------------------------- */

report_line life_own(const app_run *run)
{
    const halo_life *life = ((const life_job *)run->job)->life;
    const halo_life_report engine = halo_life_get_report(life);
    const halo_beat_report beats = halo_life_get_beat_report(life);
    return report_line_of(&beats, &run->clock, HALO_LIFE_AXES, engine.own.n, engine.parts);
}

static json_t *json_of_pattern(const app_run *run)
{
    const life_source *source = &((const life_job *)run->job)->source;
    const char *restored = app_checkpoint_arguments(run)->restore;
    const char *text = life_options_of(run)->pattern.text;
    return json_pack("{s:o, s:s, s:I, s:I, s:I, s:s?}", "name",
                     app_fact_text(restored != NULL ? restored : text), "kind", source->kind,
                     "width_cells", (json_int_t)source->pattern.n[HALO_LIFE_COLUMNS],
                     "height_cells", (json_int_t)source->pattern.n[HALO_LIFE_ROWS], "generation",
                     (json_int_t)run->first_beat, "earlier_generations", life_earlier(source));
}

static json_t *json_of_grid(const life_job *job, const halo_life_report *engine)
{
    halo_life_box grid = halo_life_size(job->life);
    return json_pack(
        "{s:s, s:I, s:I, s:I, s:[i, i]}", "topology", halo_life_topology_words(job->source.edges),
        "width_cells", (json_int_t)grid.n[HALO_LIFE_COLUMNS], "height_cells",
        (json_int_t)grid.n[HALO_LIFE_ROWS], "enlargements", (json_int_t)engine->enlargements,
        "parts", engine->parts[HALO_LIFE_ROWS], engine->parts[HALO_LIFE_COLUMNS]);
}

static json_t *json_of_state(const app_run *run)
{
    const life_job *job = run->job;
    const halo_life_box *live = &job->census.live, grid = halo_life_size(job->life);
    int64_t lo[HALO_LIFE_AXES]; /* as users count */
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, job->census.hash);
    for (int a = 0; a < HALO_LIFE_AXES; a++) {
        lo[a] = live->lo[a] - halo_life_origin(job->source.edges[a], grid.lo[a]);
    }
    json_t *change = job->counted
                         ? json_pack("{s:I, s:I}", "births", (json_int_t)job->change.births,
                                     "deaths", (json_int_t)job->change.deaths)
                         : json_null();
    return json_pack("{s:I, s:s, s:I, s:s, s:{s:I, s:I, s:I, s:I}, s:o}", "generation",
                     (json_int_t)app_beats_done(run), "ended", app_ending_text(run), "population",
                     (json_int_t)job->census.population, "hash", hash, "live", "width_cells",
                     (json_int_t)live->n[HALO_LIFE_COLUMNS], "height_cells",
                     (json_int_t)live->n[HALO_LIFE_ROWS], "x", (json_int_t)lo[HALO_LIFE_COLUMNS],
                     "y", (json_int_t)lo[HALO_LIFE_ROWS], "last_generation", change);
}

double life_count_cells(const life_job *job)
{
    const halo_life_edge *edges = job->source.edges;
    halo_life_box grid = halo_life_size(job->life);
    return edges[0] == HALO_LIFE_GROW || edges[1] == HALO_LIFE_GROW
               ? 0
               : (double)grid.n[0] * (double)grid.n[1];
}

json_t *life_facts(app_run *run, json_t *texts)
{
    const life_job *job = run->job;
    const halo_life_report engine = halo_life_get_report(job->life);
    int64_t done = app_beats_done(run) - run->first_beat;
    double speed = run->loop->seconds > 0 ? (double)done / run->loop->seconds : 0;
    double cells = speed * life_count_cells(job);
    char rule[HALO_LIFE_RULE_TEXT];
    halo_life_rule_print(&job->source.rule, rule);
    json_object_set_new(texts, "blocks",
                        engine.parts[HALO_LIFE_COLUMNS] > 1
                            ? app_fact_parts(HALO_LIFE_AXES, engine.parts)
                            : json_null());
    json_object_set_new(texts, "giga", json_real(cells / 1e9));
    return json_pack("{s:o, s:o, s:s, s:o, s:I, s:f, s:f, s:f, s:s, s:s, s:i, s:I}", "pattern",
                     json_of_pattern(run), "grid", json_of_grid(job, &engine), "rule", rule,
                     "state", json_of_state(run), "generations", (json_int_t)done,
                     "generations_seconds", run->loop->seconds, "generations_per_second", speed,
                     "cells_per_second", cells, "engine", engine.engine, "instructions",
                     engine.instructions, "halo_depth", engine.beats_per_exchange, "frames",
                     (json_int_t)app_movie_of(run)->frames);
}

const app_line life_lines[] = {
    {.name = "pattern",
     .verbose = true,
     .text = "{pattern.name}: {pattern.width_cells} x {pattern.height_cells}, {pattern.kind}"},
    {.name = "grid",
     .verbose = true,
     .text = "{grid.topology}, {grid.width_cells} x {grid.height_cells}[ in the end, after "
             "{grid.enlargements>0} enlargement{s:grid.enlargements}][, in {blocks}]"},
    {.name = "rule", .text = "{rule}"},
    {.name = "generation",
     .text = "{state.generation}[ after {pattern.earlier_generations}]: {state.ended}"},
    {.name = "population",
     .text = "{state.population}[, within {state.live.width_cells>0} x {state.live.height_cells} "
             "cells from x {state.live.x}, y {state.live.y}]"
             "[; {state.last_generation.births} births and {state.last_generation.deaths} deaths "
             "in the last generation]"},
    {.name = "hash", .text = "{state.hash}"},
    {.name = "engine",
     .text = "{engine}, {instructions}, halo depth {halo_depth}",
     .verbose = true},
    {.name = "frames", .text = "{frames>0}"},
    {0}};
