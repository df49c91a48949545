#include "kernels/life/grid.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/beat/beats_per_exchange.h"
#include "core/world/clock.h"
#include "core/world/memory_ask.h"
#include "core/world/simulated_compute.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    DEFAULT_LEVELS = 16, /* enough that main memory is not what a superstep waits for */
    MAX_LEVELS = 512,    /* more need no fewer messages that would matter, and larger caches */
    ROOM_TO_SHRINK = 4   /* a strip that moves may become this many times lower */
};

/* A guess is enough: what is chosen from it changes with its square root. */
static const double SECONDS_PER_COLUMN = 2e-9;

/* Return the seconds for a column of 64 bytes, 512 cells; simulated machines are measured. */
static double column_seconds(const life_lanes *lanes)
{
    double begun = halo_seconds();
    halo_simulated_compute(life_engine_column_flops(lanes));
    return HALO_SIMULATED ? halo_seconds() - begun : lanes->planes * SECONDS_PER_COLUMN;
}

/* Cells in the longest row that a rank computes. */
static int64_t max_width(const life_grid *grid)
{
    return grid->blocks != NULL ? life_blocks_max_width(grid->blocks)
                                : grid->box.n[HALO_LIFE_COLUMNS];
}

/* Rows of columns, as the model sees them. */
static halo_status choose_within(const halo_life *life, const life_grid *grid, int min, int max,
                                 int *beats_per_exchange)
{
    life_lanes lanes = life_lanes_make(max_width(grid), grid->states);
    int ranks = halo_world_ranks(life->world), rows = life->options.parts[HALO_LIFE_ROWS];
    int parts[HALO_AXES] = {rows > 0 ? rows : ranks, 1, 1};
    halo_workload workload = {
        .domain = {.axes = 2, .n = {grid->box.n[HALO_LIFE_ROWS], lanes.columns, 1}},
        .cell_bytes = LIFE_COLUMN_BYTES * lanes.planes,
        .depth = 1,
        .corners = true};
    halo_machine machine = {.cell_seconds = column_seconds(&lanes)};
    const halo_kernel kernel = {.converges = life->options.stop_when_still, .sums_can_wait = true};
    const halo_beat_options run = {.vote = life->options.vote};
    HALO_TRY(halo_beats_per_exchange_measure(life->world, &workload, parts, min, max, &machine));
    if (halo_beat_votes_late(life->world, &kernel, &run)) {
        machine.vote_seconds = 0; /* nobody waits */
    }
    *beats_per_exchange = halo_model_best_beats(&machine, &workload, parts, min, max);
    return HALO_OK;
}

static bool watch(void *context, int64_t beats, int64_t changed)
{
    (void)changed;
    halo_life *life = context;
    const life_engine *engine = life->grid->engine;
    for (int64_t beat = life->beats_seen; beat < beats; beat++) {
        if (life->change_count < life->changes_room) {
            const int64_t *agreed = engine->agreed + 2 * (beat - life->beats_seen);
            life->changes[life->change_count++] = (halo_life_change){
                .generation = engine->generation + beat + 1,
                .births = agreed[0],
                .deaths = agreed[1],
            };
        }
    }
    life->beats_seen = beats;
    if (life->options.watch != NULL &&
        life->options.watch(life->options.context, engine->generation + beats)) {
        life->stop_requested = true;
    }
    return life->stop_requested;
}

/* Return the height of the lowest strip or block that has rows. */
static int64_t min_rows(const halo_partition *partition)
{
    int64_t min = INT64_MAX;
    for (int part = 0; part < partition->parts[0]; part++) {
        int64_t rows = partition->cuts[0][part + 1] - partition->cuts[0][part];
        min = rows > 0 && rows < min ? rows : min;
    }
    return min;
}

/* Generations in a superstep: as many as the user says, or few enough for every strip, and where
 * strips move for one that has become much lower; and no more than there will be. */
static halo_status choose_beats_per_exchange(const halo_life *life, const life_grid *grid,
                                             const halo_partition *partition,
                                             int *beats_per_exchange)
{
    int64_t rows = grid->box.n[HALO_LIFE_ROWS], max = min_rows(partition);
    bool shared = max < rows;
    if (life->options.balancing != NULL && shared && max > 1) {
        max = halo_max(1, max / ROOM_TO_SHRINK);
    }
    int64_t most = life->options.parts[HALO_LIFE_COLUMNS] > 1 ? LIFE_GHOSTS : MAX_LEVELS;
    max = max < most && shared ? max : most;
    if (life->options.beats_per_exchange > 0) {
        /* A grid that grows may be too low for it at first. */
        bool grows = life->options.edges[HALO_LIFE_ROWS] == HALO_LIFE_GROW;
        int requested = life->options.beats_per_exchange;
        *beats_per_exchange = grows && shared && requested > max ? (int)max : requested;
        return HALO_OK;
    }
    if (life->options.generations > 0) {
        max = halo_min(max, life->options.generations);
    }
    int min = max < DEFAULT_LEVELS ? (int)max : DEFAULT_LEVELS;
    return choose_within(life, grid, min, (int)max, beats_per_exchange);
}

int64_t life_grid_later(const halo_life *life)
{
    const life_grid *grid = life->grid;
    int64_t rows = grid->box.n[HALO_LIFE_ROWS] / halo_world_ranks(life->world) + 1;
    return grid->blocks != NULL ? rows * (int64_t)life_grid_row_bytes(grid) : 0;
}

/* Return the bytes that this rank needs for a grid; with blocks its plain rows are included. */
static double grid_bytes(const halo_life *life, const life_grid *grid, int beats_per_exchange)
{
    life_lanes lanes = life_lanes_make(max_width(grid), grid->states);
    int ranks = halo_world_ranks(life->world);
    double rows = (double)grid->box.n[HALO_LIFE_ROWS];
    double parts = grid->blocks != NULL ? grid->blocks->cells.parts[HALO_LIFE_ROWS] : ranks;
    double rank = (rows / parts + 1 + 2.0 * beats_per_exchange) * (double)lanes.row_bytes +
                  (double)life_engine_bytes(&lanes, beats_per_exchange, &life->options.rule);
    if (grid->blocks != NULL) {
        rank += (rows / ranks + 1) * (double)life_grid_row_bytes(grid);
    }
    return rank;
}

/* Linux gives memory away that it does not have: ask before it is too late. A grid that grows is
 * there until its cells have moved. */
static halo_status check_memory(const halo_life *life, const life_grid *grid,
                                int beats_per_exchange)
{
    char what[120];
    double max = 0x1p62 / halo_world_ranks(life->world), old = 0;
    double wanted = grid_bytes(life, grid, beats_per_exchange);
    if (life->grid != NULL) {
        old = grid_bytes(life, life->grid, life->grid->engine->levels);
    }
    snprintf(what, sizeof what, "a grid of %" PRId64 " x %" PRId64 " cells",
             grid->box.n[HALO_LIFE_COLUMNS], grid->box.n[HALO_LIFE_ROWS]);
    const halo_memory_demand demand = {.more = (int64_t)(wanted < max ? wanted : max),
                                       .held = (int64_t)old,
                                       .what = what,
                                       .remedy = "a smaller grid, fewer generations"};
    return halo_memory_ask(life->world, &demand);
}

/* A row is a cell to the runtime, which counts its bits in an int. */
static halo_status check_width(const halo_life *life, const life_grid *grid)
{
    life_lanes lanes = life_lanes_make(max_width(grid), grid->states);
    if (lanes.row_bytes > INT32_MAX / 8) {
        return halo_fail(life->grid != NULL ? HALO_MEMORY : HALO_ARGUMENT,
                         "a row of %" PRId64 " cells is too long: with this rule it may have "
                         "%" PRId64 "; turn the grid, if it has fewer rows",
                         max_width(grid),
                         (INT32_MAX / 8 / LIFE_COLUMN_BYTES / lanes.planes - 2) *
                             (int64_t)LIFE_LANES);
    }
    return HALO_OK;
}

static life_engine_options choose_engine(const halo_life *life, const life_grid *grid,
                                         int beats_per_exchange)
{
    const halo_life_options *options = &life->options;
    int64_t width = grid->box.n[HALO_LIFE_COLUMNS];
    bool blocks = grid->blocks != NULL;
    return (life_engine_options){
        .rule = options->rule,
        .periodic = options->edges[HALO_LIFE_COLUMNS] == HALO_LIFE_WRAP && !blocks,
        .infinite = life_grows(options),
        .levels = beats_per_exchange,
        .blocks = blocks,
        .span = blocks ? life_blocks_span(grid->blocks, grid->rank)
                       : (life_engine_span){.width = width, .owned = width}};
}

static halo_status create_run(halo_life *life, life_grid *grid, const halo_partition *partition,
                              int beats_per_exchange)
{
    const halo_life_options *options = &life->options;
    life_engine_options engine = choose_engine(life, grid, beats_per_exchange);
    HALO_TRY(
        halo_agree(life->world, life_engine_create(&grid->engine, life->variant->ops, &engine)));
    grid->engine->generation = life->generation;
    grid->engine->counting = options->stop_when_still;
    grid->kernel = life_engine_kernel(grid->engine, options->stop_when_still);
    bool blocks = grid->blocks != NULL;
    halo_domain domain = {.axes = blocks ? 2 : 1,
                          .n = {grid->box.n[HALO_LIFE_ROWS], partition->parts[1], 1},
                          .periodic = {options->edges[HALO_LIFE_ROWS] == HALO_LIFE_WRAP,
                                       blocks && grid->blocks->periodic}};
    halo_beat_options run = {.vote = options->vote,
                             .exchange = options->exchange,
                             .kernel_options = &grid->engine,
                             .beats_per_exchange = beats_per_exchange,
                             .balancing = options->balancing,
                             .watch = watch,
                             .context = life};
    return halo_beat_create(&grid->beat, life->world, &domain, partition, &grid->kernel, &run);
}

/* The whole part of a * n / m, for a of at most m; exact for m below 3e9 rows, so that no strip is
 * lower than it was before its grid grew: its halo would be too deep for it. */
static int64_t scaled(int64_t a, int64_t n, int64_t m)
{
    return a * (n / m) + a * (n % m) / m;
}

/* The first grid is cut evenly, and so are others unless boundaries move: then what has been learnt
 * of the ranks' speeds is kept. */
static halo_status cut(const halo_life *life, const life_grid *grid, halo_partition *strips)
{
    int ranks = halo_world_ranks(life->world);
    int64_t n = grid->box.n[HALO_LIFE_ROWS];
    halo_domain rows = {.axes = 1, .n = {n, 1, 1}};
    HALO_TRY(halo_partition_thick_strips(
        strips, &rows, ranks, life->options.thick_strips ? life->options.beats_per_exchange : 1));
    if (life->options.balancing == NULL || life->grid == NULL) {
        return HALO_OK;
    }
    const int64_t *old = halo_beat_cuts(life->grid->beat);
    for (int rank = 1; rank < ranks; rank++) {
        strips->cuts[0][rank] = scaled(old[rank], n, old[ranks]);
    }
    return HALO_OK;
}

/* With a box and nothing else yet. */
static halo_status create_run_with(halo_life *life, life_grid *grid,
                                   const halo_partition *partition)
{
    int beats_per_exchange = 0;
    HALO_TRY(choose_beats_per_exchange(life, grid, partition, &beats_per_exchange));
    halo_status fits = check_memory(life, grid, beats_per_exchange);
    if (fits == HALO_MEMORY && life->options.beats_per_exchange == 0 &&
        beats_per_exchange > DEFAULT_LEVELS) {
        beats_per_exchange = DEFAULT_LEVELS; /* a deep halo is worth nothing without a grid */
        fits = check_memory(life, grid, beats_per_exchange);
    }
    HALO_TRY(fits);
    return create_run(life, grid, partition, beats_per_exchange);
}

/* Prepare what needs no other rank and no run. */
static halo_status begin(halo_life *life, life_grid *grid, const halo_life_box *box,
                         halo_partition *strips)
{
    const halo_life_options *options = &life->options;
    grid->box = *box;
    grid->states = options->rule.states;
    grid->rank = halo_world_rank(life->world);
    grid->staging.current = true;
    if (options->parts[HALO_LIFE_COLUMNS] > 1) {
        bool periodic = options->edges[HALO_LIFE_COLUMNS] == HALO_LIFE_WRAP;
        HALO_TRY(life_blocks_create(&grid->blocks, options->parts, box->n, periodic));
    }
    HALO_TRY(check_width(life, grid));
    return grid->blocks == NULL ? cut(life, grid, strips) : HALO_OK;
}

halo_status life_grid_create(life_grid **out, halo_life *life, const halo_life_box *box)
{
    *out = NULL;
    halo_partition strips = {0};
    life_grid *grid;
    halo_status status = HALO_ALLOCATE(grid, 1, "a grid of cells");
    status = halo_agree(life->world, status == HALO_OK ? begin(life, grid, box, &strips) : status);
    if (status == HALO_OK) {
        status = create_run_with(life, grid, grid->blocks != NULL ? &grid->blocks->run : &strips);
    }
    if (status != HALO_OK) {
        life_grid_destroy(&grid);
    }
    halo_partition_free(&strips);
    *out = grid;
    return status;
}

void life_grid_destroy(life_grid **grid)
{
    if (*grid != NULL) {
        halo_beat_destroy(&(*grid)->beat);
        life_engine_destroy(&(*grid)->engine);
        life_staging_free(*grid);
        life_blocks_destroy(&(*grid)->blocks);
        free(*grid);
        *grid = NULL;
    }
}

int64_t life_grid_rows(const life_grid *grid)
{
    return halo_beat_view(grid->beat, 0)->owned.n[0];
}

int64_t life_grid_first_row(const life_grid *grid)
{
    return halo_beat_view(grid->beat, 0)->owned.lo[0];
}

const int64_t *life_grid_cuts(const life_grid *grid)
{
    return grid->blocks != NULL ? grid->blocks->strips : halo_beat_cuts(grid->beat);
}

void life_grid_place(const life_grid *grid, int ranks, halo_life_report *report)
{
    report->parts[HALO_LIFE_ROWS] = ranks;
    report->parts[HALO_LIFE_COLUMNS] = 1;
    report->own = (halo_life_box){.lo = {life_grid_first_row(grid), 0},
                                  .n = {life_grid_rows(grid), grid->box.n[HALO_LIFE_COLUMNS]}};
    if (grid->blocks != NULL) {
        halo_box box = halo_partition_box(&grid->blocks->cells, grid->rank);
        for (int axis = 0; axis < HALO_LIFE_AXES; axis++) {
            report->parts[axis] = grid->blocks->cells.parts[axis];
            report->own.lo[axis] = box.lo[axis];
            report->own.n[axis] = box.n[axis];
        }
    }
}
