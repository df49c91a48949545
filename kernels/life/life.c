#include "kernels/life/life.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/option.h"
#include "kernels/life/grid.h"
#include "kernels/life/isotropic.h"
#include "kernels/life/soup.h"

#include <inttypes.h>
#include <stdlib.h>

static const int64_t MAX_PLACE = INT64_C(1) << 40;

static halo_status check_rule(const halo_life_options *options)
{
    const halo_life_edge *edges = options->edges;
    bool bounded =
        edges[HALO_LIFE_ROWS] == HALO_LIFE_DEAD || edges[HALO_LIFE_COLUMNS] == HALO_LIFE_DEAD;
    if ((options->rule.born & 1) == 0 || !life_grows(options)) {
        return HALO_OK;
    }
    if (options->rule.states > 2 || bounded) {
        return halo_fail(HALO_ARGUMENT,
                         "a rule with B0 brings infinite empty space to life, which is understood "
                         "only with two states and without dead edges; use a torus or a grid with "
                         "dead edges all around");
    }
    return HALO_OK;
}

static halo_status check_options(const halo_life_options *options)
{
    const halo_life_rule *rule = &options->rule;
    if (!life_rule_is_valid(rule)) {
        return halo_fail(HALO_ARGUMENT,
                         "a rule has 2 to 256 states and counts up to 4, 6 or 8 neighbours, as its "
                         "neighbourhood has; not %d states, born by %x, surviving by %x (bits)",
                         rule->states, rule->born, rule->survive);
    }
    for (int axis = 0; axis < HALO_LIFE_AXES; axis++) {
        int64_t lo = options->box.lo[axis], n = options->box.n[axis];
        if (n < 1 || n > MAX_PLACE || lo < -MAX_PLACE || lo > MAX_PLACE) {
            return halo_fail(HALO_ARGUMENT,
                             "a grid has 1 to 2^40 rows and columns from at most 2^40 on, not "
                             "%" PRId64 " from %" PRId64,
                             n, lo);
        }
    }
    if (options->beats_per_exchange < 0) {
        return halo_fail(HALO_ARGUMENT, "a halo depth of %d is less than 1; 0 chooses one",
                         options->beats_per_exchange);
    }
    return check_rule(options);
}

static halo_status create_local(halo_life **out, halo_world *world,
                                const halo_life_options *options)
{
    HALO_TRY(check_options(options));
    const halo_isa_variant *variant;
    HALO_TRY(halo_isa_pick(&variant, life_row_variants, options->instructions));
    HALO_TRY(life_blocks_check(options, halo_world_ranks(world)));
    halo_life *life;
    HALO_TRY(HALO_ALLOCATE(life, 1, "a grid of cells"));
    life->world = world;
    life->options = *options;
    life->variant = variant;
    *out = life;
    return HALO_OK;
}

int64_t halo_life_later(const halo_life *life)
{
    return life_grid_later(life);
}

/* A grid that grows sideways begins with room for all columns of blocks: it would soon have it. */
static halo_life_box first_box(const halo_life_options *options)
{
    halo_life_box box = options->box;
    int columns = options->parts[HALO_LIFE_COLUMNS];
    if (columns > 1 && options->edges[HALO_LIFE_COLUMNS] == HALO_LIFE_GROW) {
        int64_t *n = &box.n[HALO_LIFE_COLUMNS];
        *n = halo_max(*n, (int64_t)columns * LIFE_GHOSTS);
    }
    return box;
}

halo_status halo_life_create_sized(halo_life **out, halo_world *world,
                                   const halo_life_options *given, size_t given_bytes)
{
    halo_life_options options;
    *out = NULL;
    halo_status status =
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_life_options");
    HALO_IF_OK(status, create_local(out, world, &options));
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        halo_life_box box = first_box(&options);
        status = life_grid_create(&(*out)->grid, *out, &box);
    }
    if (status != HALO_OK) {
        halo_life_destroy(out);
    }
    return status;
}

void halo_life_destroy(halo_life **life)
{
    if (*life != NULL) {
        life_grid_destroy(&(*life)->grid);
        free(*life);
        *life = NULL;
    }
}

halo_life_box halo_life_size(const halo_life *life)
{
    return life->grid->box;
}

const int64_t *halo_life_cuts(const halo_life *life)
{
    return life_grid_cuts(life->grid);
}

halo_status halo_life_move(halo_life *life, const int64_t *cuts)
{
    if (life->grid->blocks != NULL) {
        return halo_fail(HALO_ARGUMENT, "blocks of Life do not move; use strips");
    }
    return halo_beat_move(life->grid->beat, cuts);
}

int halo_life_cell_bits(const halo_life *life)
{
    return life_grid_cell_bits(life->grid);
}

size_t halo_life_row_bytes(const halo_life *life)
{
    return life_grid_row_bytes(life->grid);
}

int64_t halo_life_generation(const halo_life *life)
{
    return life->generation;
}

/* The engine counts from the beats of its run. */
static void set_engine_generation(halo_life *life)
{
    life->grid->engine->generation =
        life->generation - halo_beat_get_report(life->grid->beat).beats;
}

void halo_life_set_generation(halo_life *life, int64_t generation)
{
    life->generation = generation;
    set_engine_generation(life);
}

static int64_t local_row(const halo_life *life, int64_t first)
{
    return first - halo_life_cuts(life)[halo_world_rank(life->world)];
}

halo_status halo_life_put_rows(halo_life *life, int64_t first, int64_t rows, const void *data,
                               size_t pitch)
{
    life->touched = true;
    return life_grid_put_rows(life->grid, local_row(life, first), rows, data, pitch);
}

halo_status halo_life_stage(halo_life *life)
{
    return life_staging_bring(life, life->grid);
}

halo_status halo_life_get_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const halo_life *life = context;
    return life_grid_get_rows(life->grid, local_row(life, first), rows, out, pitch);
}

static void widen(const uint64_t *bits, int64_t width, uint8_t *states)
{
    for (int64_t x = 0; x < width; x++) {
        states[x] = (uint8_t)(bits[x / 64] >> (x % 64) & 1);
    }
}

static halo_status fill_with_soup(halo_life *life, uint64_t chance, uint64_t seed)
{
    size_t bytes = halo_life_row_bytes(life);
    const int64_t *cuts = halo_life_cuts(life) + halo_world_rank(life->world);
    int64_t width = life->grid->box.n[HALO_LIFE_COLUMNS], first = cuts[0], rows = cuts[1] - first;
    bool widens = halo_life_cell_bits(life) == 8;
    uint64_t *bits;
    uint8_t *states = NULL;
    halo_status status = HALO_ALLOCATE(bits, bytes / sizeof *bits + 1, "a row of cells");
    if (status == HALO_OK) {
        status = HALO_ALLOCATE(states, bytes, "a row of cells");
    }
    for (int64_t y = 0; y < rows && status == HALO_OK; y++) {
        life_soup_row(NULL, seed, chance, first + y, width, bits);
        if (widens) {
            widen(bits, width, states);
        }
        status =
            life_grid_put_rows(life->grid, y, 1, widens ? (void *)states : (void *)bits, bytes);
    }
    free(bits);
    free(states);
    return status;
}

halo_status halo_life_soup(halo_life *life, double density, uint64_t seed)
{
    halo_status status = HALO_OK;
    if (!(density >= 0 && density <= 1)) {
        status = halo_fail(HALO_ARGUMENT, "a density of %g is not between 0 and 1", density);
    } else {
        status = fill_with_soup(life, halo_random_chance(density), seed);
    }
    life->touched = true;
    return halo_agree(life->world, status);
}

/* One run of the heartbeat; *done is how many generations it did. */
static halo_status run_grid(halo_life *life, int64_t generations, int64_t *done)
{
    halo_beat *beat = life->grid->beat;
    int64_t before = halo_beat_get_report(beat).beats;
    life->beats_seen = before;
    halo_status status = halo_beat_run(beat, generations);
    *done = halo_beat_get_report(beat).beats - before;
    life->generation += *done;
    life->margin -= *done;
    return status;
}

halo_status halo_life_run(halo_life *life, int64_t generations)
{
    if (generations < 0) {
        return halo_fail(HALO_ARGUMENT, "%" PRId64 " generations cannot be computed", generations);
    }
    life->stopped = HALO_LIFE_STOP_DONE;
    HALO_TRY(life_staging_end(life, life->grid));
    HALO_TRY(life_check_margin(life));
    while (generations > 0 && life->stopped == HALO_LIFE_STOP_DONE) {
        int64_t room = generations, done;
        HALO_TRY(life_make_room(life, &room));
        HALO_TRY(run_grid(life, room, &done));
        generations -= done;
        halo_beat_report report = halo_beat_get_report(life->grid->beat);
        if (report.converged) {
            life->stopped = HALO_LIFE_STOP_STILL;
        } else if (report.stopped) {
            life->stopped = HALO_LIFE_STOP_WATCHER;
            life->stop_requested = false;
        }
    }
    return HALO_OK;
}

halo_life_stop halo_life_stopped(const halo_life *life)
{
    return life->stopped;
}

halo_status halo_life_run_counted(halo_life *life, int64_t generations, halo_life_change *changes,
                                  int64_t *count)
{
    life->changes = changes;
    life->changes_room = generations;
    life->change_count = 0;
    life->grid->engine->counting = true;
    halo_status status = halo_life_run(life, generations);
    life->grid->engine->counting = life->options.stop_when_still;
    life->changes_room = 0;
    *count = life->change_count;
    return status;
}

void halo_life_get_report_sized(const halo_life *life, halo_life_report *report,
                                size_t report_bytes)
{
    halo_life_report own = {.enlargements = life->enlargements};
    life_grid_place(life->grid, halo_world_ranks(life->world), &own);
    own.beats_per_exchange = life->grid->engine->levels;
    own.instructions = halo_isa_name(life->variant->isa);
    own.engine = life->grid->engine->code->name;
    halo_report_give(report, report_bytes, &own, sizeof own);
}

void halo_life_get_beat_report_sized(const halo_life *life, halo_beat_report *report,
                                     size_t report_bytes)
{
    halo_beat_report own = life->past_beats;
    life_add_beats(&own, life->grid);
    halo_report_give(report, report_bytes, &own, sizeof own);
}
