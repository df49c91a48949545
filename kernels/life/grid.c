#include "kernels/life/grid.h"

#include "core/collect.h"
#include "core/depth.h"
#include "core/memory.h"
#include "core/numbers.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    USUAL_LEVELS = 16, /* enough that main memory is not what a sweep waits for */
    MOST_LEVELS = 64,
    ROOM_TO_SHRINK = 4 /* a strip that moves may become this many times lower */
};

/* A guess is enough: the depth changes no result, and speed only near the ends. */
static const double SECONDS_PER_COLUMN = 2e-9;

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
        life->wishes_stop = true;
    }
    return life->wishes_stop;
}

static int64_t least_strip(const halo_world *world, const halo_partition *strips)
{
    int64_t least = INT64_MAX;
    for (int rank = 0; rank < halo_world_ranks(world); rank++) {
        int64_t rows = strips->cuts[0][rank + 1] - strips->cuts[0][rank];
        least = rows > 0 && rows < least ? rows : least;
    }
    return least;
}

/* Generations in a sweep: as many as the user says, or few enough for every strip, and where strips
 * move for one that has become much lower. */
static halo_status choose_depth(const halo_life *life, const life_grid *grid,
                                const halo_partition *strips, int *depth)
{
    int64_t rows = grid->box.n[HALO_LIFE_ROWS], most = least_strip(life->world, strips);
    bool shared = most < rows;
    if (life->options.balancing != NULL && shared && most > 1) {
        most = halo_larger(1, most / ROOM_TO_SHRINK);
    }
    most = most < MOST_LEVELS && shared ? most : MOST_LEVELS;
    if (life->options.halo_depth > 0) {
        /* A grid that grows may be too low for it at first. */
        bool grows = life->options.edges[HALO_LIFE_ROWS] == HALO_LIFE_GROW;
        int asked = life->options.halo_depth;
        *depth = grows && shared && asked > most ? (int)most : asked;
        return HALO_OK;
    }
    life_lanes lanes = life_lanes_make(grid->box.n[HALO_LIFE_COLUMNS], grid->states);
    halo_depth_costs costs = {
        .layer_seconds = (double)(lanes.columns * lanes.planes) * SECONDS_PER_COLUMN,
        .least = most < USUAL_LEVELS ? (int)most : USUAL_LEVELS,
        .most = (int)most,
    };
    return halo_depth_choose(life->world, &costs, depth);
}

/* What all ranks on this machine hold for a grid. */
static double grid_bytes(const halo_life *life, const halo_life_box *box, int depth)
{
    life_lanes lanes = life_lanes_make(box->n[HALO_LIFE_COLUMNS], life->options.rule.states);
    double rows = (double)box->n[HALO_LIFE_ROWS] / halo_world_ranks(life->world) + 1 + 2.0 * depth;
    double rank = rows * (double)lanes.row_bytes + (double)life_engine_bytes(&lanes, depth);
    return rank * halo_world_node_ranks(life->world);
}

/* Linux gives memory away that it does not have: ask before it is too late. A grid that grows is
 * there until its cells have moved. */
static halo_status check_memory(const halo_life *life, const life_grid *grid, int depth)
{
    int64_t limit;
    HALO_TRY(halo_memory_limit(&limit));
    const life_grid *old = life->grid;
    double held = old != NULL ? grid_bytes(life, &old->box, old->engine->levels) : 0;
    double wanted = grid_bytes(life, &grid->box, depth);
    double allowed = (double)limit - held, there = (double)halo_memory_available();
    there = there < allowed ? there : allowed;
    if (wanted > there) {
        return halo_fail(HALO_MEMORY,
                         "out of memory: a grid of %" PRId64 " x %" PRId64 " cells needs %.1f MiB "
                         "on this machine, which has %.1f MiB to give; use a smaller grid, fewer "
                         "generations, or more machines",
                         grid->box.n[HALO_LIFE_COLUMNS], grid->box.n[HALO_LIFE_ROWS],
                         wanted / 0x1p20, there > 0 ? there / 0x1p20 : 0);
    }
    return HALO_OK;
}

/* A row is a cell to the runtime, which counts its bits in an int. */
static halo_status check_width(const halo_life *life, const halo_life_box *box)
{
    life_lanes lanes = life_lanes_make(box->n[HALO_LIFE_COLUMNS], life->options.rule.states);
    if (lanes.row_bytes > INT32_MAX / 8) {
        return halo_fail(life->grid != NULL ? HALO_MEMORY : HALO_ARGUMENT,
                         "a row of %" PRId64 " cells is too long: with this rule it may have "
                         "%" PRId64 "; turn the grid, if it has fewer rows",
                         box->n[HALO_LIFE_COLUMNS],
                         (INT32_MAX / 8 / LIFE_COLUMN_BYTES / lanes.planes - 2) *
                             (int64_t)LIFE_LANES);
    }
    return HALO_OK;
}

static halo_status create_run(halo_life *life, life_grid *grid, const halo_partition *strips,
                              int depth)
{
    const halo_life_options *options = &life->options;
    bool wraps = options->edges[HALO_LIFE_COLUMNS] == HALO_LIFE_WRAP;
    life_engine_options engine = {.rule = options->rule,
                                  .wrap = wraps,
                                  .infinite = life_grows(options),
                                  .levels = depth,
                                  .width = grid->box.n[HALO_LIFE_COLUMNS]};
    HALO_TRY(halo_agree(life->world, life_engine_create(&grid->engine, life->path, &engine)));
    grid->engine->generation = life->generation;
    grid->engine->counting = options->stop_when_still;
    grid->kernel = life_engine_kernel(grid->engine, options->stop_when_still);
    halo_domain domain = {.axes = 1,
                          .n = {grid->box.n[HALO_LIFE_ROWS], 1, 1},
                          .periodic = {options->edges[HALO_LIFE_ROWS] == HALO_LIFE_WRAP}};
    halo_beat_options run = {.vote = options->vote,
                             .exchange = options->exchange,
                             .kernel_options = &grid->engine,
                             .depth = depth,
                             .balancing = options->balancing,
                             .watch = watch,
                             .context = life};
    return halo_beat_create(&grid->beat, life->world, &domain, strips, &grid->kernel, &run);
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
    HALO_TRY(halo_partition_strips(strips, &rows, ranks));
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
static halo_status create_run_with_strips(halo_life *life, life_grid *grid,
                                          const halo_partition *strips)
{
    int depth = 0;
    HALO_TRY(choose_depth(life, grid, strips, &depth));
    HALO_TRY(halo_agree(life->world, check_memory(life, grid, depth)));
    return create_run(life, grid, strips, depth);
}

halo_status life_grid_create(life_grid **out, halo_life *life, const halo_life_box *box)
{
    *out = NULL;
    halo_partition strips = {0};
    life_grid *grid = calloc(1, sizeof *grid);
    halo_status status =
        grid != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: a grid of cells");
    if (grid != NULL) {
        grid->box = *box;
        grid->states = life->options.rule.states;
        status = check_width(life, box);
    }
    if (grid != NULL && status == HALO_OK) {
        status = cut(life, grid, &strips);
    }
    status = halo_agree(life->world, status);
    if (status == HALO_OK) {
        status = create_run_with_strips(life, grid, &strips);
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
        free(*grid);
        *grid = NULL;
    }
}

int64_t life_grid_rows(const life_grid *grid)
{
    return halo_beat_view(grid->beat, 0)->owned.n[0];
}
