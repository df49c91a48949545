#include "kernels/life/life_array.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/memory_ask.h"
#include "kernels/life/grid.h"
#include "kernels/life/life_array_internal.h"
#include "kernels/life/life_part.h"
#include "kernels/life/life_topology.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Grids of Life that are made of arrays. */

#define ROW(option, kind, member) HALO_OPTION_ROW(halo_life_array_options, option, kind, member)
#define PLACE                     1099511627776.0 /* 2^40, as for other grids */

static const halo_option option_rows[] = {
    {ROW("rule", TEXT, rule), .unless = "B3/S23",
     .help = "Births and survivals, as in B3/S23 and 345/2/4, or a name such as highlife"},
    {ROW("topology", TEXT, topology), .unless = "dead",
     .help = "plane, dead, torus, cylinder, or Golly's T100,80 and P100,80"},
    {ROW("generation", INTEGER, generation), .help = "The generation of the array"},
    {ROW("row", INTEGER, row), .min = -PLACE, .max = PLACE,
     .help = "The row of the array's first cell"},
    {ROW("column", INTEGER, column), .min = -PLACE, .max = PLACE,
     .help = "The column of the array's first cell"},
    {ROW("stop-when-still", FLAG, stop_when_still),
     .help = "End a run after a generation that changes nothing"},
    {0}};

const halo_option *const halo_life_array_rows = option_rows;

/* The work of a call, which all its ranks share. */
typedef struct {
    halo_life_array *life;
    const halo_array *array; /* to take cells from, or NULL */
    int64_t place[HALO_LIFE_AXES];
    int64_t generations;
    int64_t *populations; /* or NULL */
    life_kept next;       /* cells after the run */
    bool moves;           /* these are in memory of their own */
} life_job;

/* ---- running --------------------------------------------------------------------------------- */

static bool watch(void *context, int64_t generation)
{
    return array_beats_watch(context, generation, 0);
}

/* Some generations at a time, so that all their changes need no memory. */
static halo_status run_counted(halo_world *world, halo_life *life, const life_job *job)
{
    enum { MOST = 4096 };
    int64_t done = 0, count = 1, population = job->life->census.population;
    int64_t room = halo_min(MOST, job->generations);
    halo_life_change *changes;
    halo_status status = HALO_ALLOCATE(changes, room, "births and deaths");
    status = halo_agree(world, status);
    while (status == HALO_OK && done < job->generations &&
           halo_life_stopped(life) == HALO_LIFE_STOP_DONE) {
        status =
            halo_life_run_counted(life, halo_min(room, job->generations - done), changes, &count);
        for (int64_t i = 0; i < count && halo_world_rank(world) == 0; i++) {
            population += changes[i].births - changes[i].deaths;
            job->populations[done + i] = population;
        }
        done += count;
    }
    for (; done < job->generations && halo_world_rank(world) == 0; done++) {
        job->populations[done] = population;
    }
    free(changes);
    return status;
}

/* ---- keeping --------------------------------------------------------------------------------- */

/* Rank 0: room for the cells after the run. Where copying them can fail, the old ones stay until
 * it has not. */
static halo_status make_room(life_job *job, const halo_life_box *box)
{
    const life_kept *cells = &job->life->cells;
    job->moves = memcmp(box, &cells->box, sizeof *box) != 0 || cells->bits > 1;
    if (job->moves) {
        return life_kept_create(&job->next, box, job->life->rule.states);
    }
    job->next = *cells;
    return HALO_OK;
}

static halo_status copy_cells(halo_life *life, halo_life_part *part, int rank,
                              const life_kept *next)
{
    int64_t first = part->cuts[rank], rows = part->cuts[rank + 1] - first;
    const halo_life_box size = halo_life_size(life);
    bool whole = memcmp(&size, &next->box, sizeof size) == 0;
    char *out = life_kept_row(next, first);
    return whole ? halo_life_get_rows(life, first, rows, out, next->pitch)
                 : halo_life_part_fill(part, first, rows, out, next->pitch);
}

/* Collective. */
static halo_status keep_plain(halo_world *world, halo_life *life, life_job *job,
                              const halo_life_census *census)
{
    int rank = halo_world_rank(world);
    halo_life_part part = {0};
    const halo_life_box size = halo_life_size(life);
    const halo_life_box box = halo_life_part_box(&size, job->life->edges, &census->live, 1);
    halo_status status = halo_life_part_begin(&part, world, life, &box, 0);
    HALO_IF_OK(status, halo_agree(world, rank == 0 ? make_room(job, &box) : HALO_OK));
    HALO_IF_OK(status, halo_agree(world, copy_cells(life, &part, rank, &job->next)));
    halo_life_part_end(&part);
    if (status == HALO_OK && rank == 0) {
        if (job->moves) {
            halo_memory_free(job->life->cells.rows);
        }
        job->life->cells = job->next;
        job->moves = false;
    }
    return status;
}

/* Collective. Keeps the cells, generation and census of a run. */
static halo_status keep(halo_world *world, halo_life *life, life_job *job)
{
    halo_life_array *kept = job->life;
    bool lanes = life_array_keeps_lanes(kept), taken = job->array != NULL;
    halo_life_census census;
    halo_status status = HALO_OK;
    HALO_TRY(life_count_live(life, &census));
    if (lanes) {
        HALO_TRY(
            halo_agree(world, halo_world_rank(world) == 0 ? life_array_make_lanes(kept) : HALO_OK));
        life_array_get_lanes(kept, life);
        HALO_TRY(halo_agree(world, HALO_OK));
    } else if (!taken) {
        status = keep_plain(world, life, job, &census);
    }
    if (status == HALO_OK && halo_world_rank(world) == 0) {
        kept->has_computed = lanes;
        kept->has_cells = taken || !lanes;
        kept->generation = halo_life_generation(life);
        kept->still = halo_life_stopped(life) == HALO_LIFE_STOP_STILL;
        kept->census = census;
    }
    return status;
}

/* Collective. A grid that has outgrown the memory is kept as it is. */
static halo_status run(halo_world *world, halo_life *life, life_job *job)
{
    const halo_life_array *kept = job->life;
    const int64_t *cuts = halo_life_cuts(life) + halo_world_rank(world);
    halo_life_set_generation(life, kept->generation);
    if (kept->has_computed) {
        life_array_put_lanes(kept, life);
    } else {
        HALO_TRY(halo_agree(world, halo_life_put_rows(life, cuts[0], cuts[1] - cuts[0],
                                                      life_kept_row(&kept->cells, cuts[0]),
                                                      kept->cells.pitch)));
    }
    halo_status status = job->populations != NULL ? run_counted(world, life, job)
                                                  : halo_life_run(life, job->generations);
    if (status == HALO_OK || status == HALO_MEMORY) {
        halo_status keeps = keep(world, life, job);
        status = status == HALO_OK ? keeps : status;
    }
    return status;
}

/* Collective, before the kept cells are touched: these, and a bit at least for each cell of the
 * grid that is computed on, must fit into memory. */
static halo_status ask_for_cells(halo_world *world, const life_kept *cells)
{
    const double large = 1 << 24, bits = 8;
    double most = 0x1p62 / halo_world_ranks(world);
    double rows = (double)cells->box.n[HALO_LIFE_ROWS],
           columns = (double)cells->box.n[HALO_LIFE_COLUMNS];
    if (rows * columns <= large) {
        return HALO_OK;
    }
    char what[120];
    double bytes = rows * ((double)cells->pitch + columns / bits) / halo_world_ranks(world);
    snprintf(what, sizeof what, "a grid of %" PRId64 " x %" PRId64 " cells",
             cells->box.n[HALO_LIFE_COLUMNS], cells->box.n[HALO_LIFE_ROWS]);
    const halo_memory_demand demand = {
        .more = (int64_t)fmin(bytes, most), .what = what, .remedy = "a smaller grid"};
    return halo_memory_ask(world, &demand);
}

static halo_status run_rank(halo_world *world, array_call *call, void *context)
{
    life_job *job = context;
    halo_life_array *kept = job->life;
    if (job->array != NULL) {
        HALO_TRY(ask_for_cells(world, &kept->cells));
        HALO_TRY(halo_agree(world, life_kept_take(&kept->cells, call, world, job->array,
                                                  kept->rule.states, job->place)));
    }
    if (job->generations > 0) {
        array_call_count(call, world, job->generations);
        array_call_phase(call, world, 1);
    }
    array_beats w = {call, world, kept->generation, job->generations};
    halo_life_options options = {.rule = kept->rule,
                                 .box = kept->cells.box,
                                 .edges = {kept->edges[0], kept->edges[1]},
                                 .generations = job->generations,
                                 .stop_when_still = kept->stop_when_still,
                                 .instructions = call->instructions,
                                 .watch = watch,
                                 .context = &w};
    halo_life *life;
    halo_status status = halo_life_create(&life, world, &options);
    HALO_IF_OK(status, run(world, life, job));
    halo_life_destroy(&life);
    return status;
}

/* Seconds of a core for a cell, to take it, and for a generation of it, at least. */
static halo_status run_job(halo_context *context, life_job *job)
{
    const double taking = .2e-9, computing = 8e-12;
    const halo_life_array *life = job->life;
    const int64_t *n = life->cells.box.n;
    double cells = (double)n[0] * (double)n[1];
    bool grows = life_grows(&(halo_life_options){.edges = {life->edges[0], life->edges[1]}});
    double seconds = cells * (computing * (double)job->generations + (job->array ? taking : 0));
    halo_status status =
        array_call_run(context, seconds, grows ? INT_MAX : n[HALO_LIFE_ROWS], run_rank, job);
    if (job->moves) {
        halo_memory_free(job->next.rows);
    }
    return status;
}

halo_status halo_life_array_run(halo_life_array *life, halo_context *context, int64_t generations,
                                int64_t *populations)
{
    HALO_FAIL_IF(generations < 0, HALO_ARGUMENT,
                 "%" PRId64 " generations cannot be computed; give 0 or more", generations);
    HALO_FAIL_IF(generations > INT64_MAX / 2 - life->generation, HALO_ARGUMENT,
                 "generation %" PRId64 " and %" PRId64 " more are more than can be counted",
                 life->generation, generations);
    life_job job = {.life = life, .generations = generations, .populations = populations};
    return generations > 0 ? run_job(context, &job) : HALO_OK;
}

/* ---- creating -------------------------------------------------------------------------------- */

/* The grid of the options, and the array's place in it. */
static halo_status choose_grid(const halo_life_array_options *options, const halo_array *array,
                               halo_life_array *life, halo_life_box *box)
{
    static const int64_t as_it_is[HALO_LIFE_AXES] = {0};
    const halo_life_placing placing = {.n = {array->n[0], array->n[1]}};
    const char *grid = NULL, *rule = options->rule != NULL ? options->rule : "B3/S23";
    halo_life_topology topology;
    int64_t lo[HALO_LIFE_AXES], first[HALO_LIFE_AXES] = {options->row, options->column};
    HALO_TRY(halo_life_rule_parse(rule, &life->rule, &grid));
    const char *text = options->topology != NULL         ? options->topology
                       : grid != NULL && grid[0] != '\0' ? grid
                                                         : "dead";
    HALO_TRY(halo_life_topology_parse(text, &topology));
    HALO_TRY(halo_life_place(&topology, as_it_is, &placing, box, lo));
    for (int axis = 0; axis < HALO_LIFE_AXES; axis++) {
        box->lo[axis] += first[axis] - lo[axis];
        life->edges[axis] = topology.edges[axis];
    }
    life->stop_when_still = options->stop_when_still;
    life->generation = options->generation;
    return HALO_OK;
}

static halo_status check_array(const halo_array *array)
{
    HALO_TRY(array_check(array, "the grid", HALO_LIFE_AXES, HALO_LIFE_AXES));
    return HALO_REQUIRE(array_cells(array) > 0, HALO_ARGUMENT,
                        "the grid has no cells; it must have at least 1 row and column");
}

static halo_status create(halo_context *context, const halo_array *array,
                          const halo_life_array_options *options, halo_life_array *life)
{
    halo_life_box box;
    HALO_FAIL_IF(options->generation < 0 || options->generation > INT64_MAX / 4, HALO_ARGUMENT,
                 "generation %" PRId64 " is not possible; give one from 0 on", options->generation);
    HALO_TRY(choose_grid(options, array, life, &box));
    HALO_TRY(life_kept_create(&life->cells, &box, life->rule.states));
    life_job job = {.life = life, .array = array, .place = {options->row, options->column}};
    return run_job(context, &job);
}

halo_status halo_life_array_create_sized(halo_life_array **out, halo_context *context,
                                         const halo_array *cells,
                                         const halo_life_array_options *given, size_t given_bytes)
{
    halo_life_array_options options;
    *out = NULL;
    HALO_TRY(
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_life_array_options"));
    HALO_TRY(check_array(cells));
    halo_status status = HALO_ALLOCATE(*out, 1, "a grid of cells");
    HALO_IF_OK(status, create(context, cells, &options, *out));
    if (status != HALO_OK) {
        halo_life_array_destroy(out);
    }
    return status;
}

void halo_life_array_destroy(halo_life_array **life)
{
    if (*life != NULL) {
        halo_memory_free((*life)->cells.rows);
        halo_memory_free((*life)->computed);
        free(*life);
        *life = NULL;
    }
}

/* ---- results --------------------------------------------------------------------------------- */

void halo_life_array_get_report_sized(const halo_life_array *life, halo_life_array_report *report,
                                      size_t report_bytes)
{
    const halo_life_box *box = &life->cells.box, *live = &life->census.live;
    const halo_life_options grid = {.edges = {life->edges[0], life->edges[1]}};
    halo_life_array_report own = {.generation = life->generation,
                                  .population = life->census.population,
                                  .live = *live,
                                  .box = halo_life_part_box(box, life->edges, live, 0),
                                  .states = life->rule.states,
                                  .background = life_grows(&grid) &&
                                                halo_life_background(&life->rule, life->generation),
                                  .still = life->still,
                                  .topology = halo_life_topology_words(life->edges)};
    halo_life_rule_print(&life->rule, own.rule);
    halo_report_give(report, report_bytes, &own, sizeof own);
}

typedef struct {
    halo_life_array *life;
    const halo_array *array;
    int64_t place[HALO_LIFE_AXES];
} give_job;

static halo_status give_rank(halo_world *world, array_call *call, void *context)
{
    const give_job *job = context;
    if (!job->life->has_cells) {
        HALO_TRY(halo_agree(world, life_array_make_plain(job->life, call, world)));
    }
    return halo_agree(world,
                      life_kept_give(&job->life->cells, call, world, job->array, job->place));
}

halo_status halo_life_array_get_cells(halo_life_array *life, halo_context *context, int64_t row,
                                      int64_t column, const halo_array *cells)
{
    const double cost = .1e-9;
    give_job job = {life, cells, {row, column}};
    const int64_t most = INT64_C(1) << 62;
    HALO_TRY(array_check_bits_out(cells, "the array for cells", HALO_LIFE_AXES, HALO_LIFE_AXES));
    HALO_FAIL_IF(life->rule.states > 2 && cells->type == HALO_SAMPLE_BIT, HALO_ARGUMENT,
                 "the array for cells is of bool, and the rule has %d states; use uint8",
                 life->rule.states);
    HALO_FAIL_IF(row < -most || row > most || column < -most || column > most, HALO_ARGUMENT,
                 "cells from row %" PRId64 " and column %" PRId64 " on are beyond any grid", row,
                 column);
    int64_t count = array_cells(cells);
    halo_status status = HALO_OK;
    if (count > 0) {
        status = array_call_run(context, cost * (double)count, cells->n[0], give_rank, &job);
        life->has_cells = life->has_cells || status == HALO_OK;
    }
    return status;
}
