#include "core/beat/superstep.h"

#include <string.h>

/* A sweep as it runs: several beats at once where the kernel itself advances, in place. */

void halo_sweep_exchange(halo_sweep *sweep, halo_status (*phase)(halo_exchange *exchange))
{
    halo_stretch stretch = halo_clock_begin(sweep->world);
    halo_sweep_note(sweep, phase(sweep->exchanges[sweep->now]));
    halo_row_cost_add_exchange(
        sweep->row_cost, halo_clock_end(&sweep->clock, HALO_PHASE_EXCHANGE, stretch, sweep->world));
}

static void advance_layers(halo_sweep *sweep, halo_advance advance)
{
    if (sweep->failure != HALO_OK) {
        return;
    }
    advance.fields = sweep->views[0];
    advance.state = sweep->state;
    advance.row_cost = sweep->row_cost;
    advance.changed = sweep->changed;
    halo_stretch stretch = halo_clock_begin(sweep->world);
    halo_row_cost_begin(sweep->row_cost, advance.lo, advance.hi, advance.beat, advance.beats);
    halo_sweep_note(sweep, sweep->kernel->advance(&advance));
    halo_row_cost_end(sweep->row_cost);
    halo_clock_end(&sweep->clock, HALO_PHASE_COMPUTE, stretch, sweep->world);
}

/* Layers at each end that the middle leaves alone: while messages are under way it may not write
 * what is being sent, and its first beat covers most. */
static int64_t end_layers(const halo_sweep *sweep, int beats)
{
    return (int64_t)(sweep->most_beats + beats - 1) * sweep->kernel->depth;
}

/* Cells that no halo reaches in the first beat. */
static bool has_interior(const halo_sweep *sweep)
{
    bool has = !sweep->kernel->whole;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        int ends = sweep->waits[axis][HALO_LOW] + sweep->waits[axis][HALO_HIGH];
        has = has && sweep->owned.n[axis] > (int64_t)ends * sweep->kernel->depth;
    }
    return has;
}

/* Sides that come with messages are needed by all rows. */
static bool has_sides(const halo_sweep *sweep)
{
    return sweep->others[1][HALO_LOW] || sweep->others[1][HALO_HIGH];
}

bool halo_sweep_overlaps(const halo_sweep *sweep, int beats)
{
    return sweep->kernel->advance != NULL
               ? !has_sides(sweep) && sweep->owned.n[0] > 2 * end_layers(sweep, beats)
               : has_interior(sweep);
}

static halo_end end_of(const halo_sweep *sweep, int side)
{
    return sweep->widens[0][side] ? HALO_END_WIDENS : HALO_END_EDGE;
}

static void advance_end(halo_sweep *sweep, int64_t done, int beats, int side)
{
    int64_t n = sweep->owned.n[0], reach = end_layers(sweep, beats);
    halo_advance end = {.lo = side == HALO_LOW ? 0 : n - reach,
                        .hi = side == HALO_LOW ? reach : n,
                        .beats = beats,
                        .beat = done};
    end.ends[side] = HALO_END_WIDENS;
    end.ends[1 - side] = HALO_END_JOINS;
    advance_layers(sweep, end);
}

/* The middle of the strip is advanced while other ranks' cells are on their way. */
static void advance_beats(halo_sweep *sweep, int64_t done, int beats)
{
    const bool *others = sweep->others[0];
    int64_t n = sweep->owned.n[0], reach = end_layers(sweep, beats);
    bool parts = (others[HALO_LOW] || others[HALO_HIGH]) && !has_sides(sweep) && n > 2 * reach;
    halo_advance most = {.lo = parts && others[HALO_LOW] ? reach : 0,
                         .hi = parts && others[HALO_HIGH] ? n - reach : n,
                         .ends = {end_of(sweep, HALO_LOW), end_of(sweep, HALO_HIGH)},
                         .parts_follow = {parts && others[HALO_LOW], parts && others[HALO_HIGH]},
                         .beats = beats,
                         .beat = done};
    halo_sweep_exchange(sweep, halo_exchange_begin);
    if (parts) {
        advance_layers(sweep, most);
    }
    halo_sweep_exchange(sweep, halo_exchange_end);
    if (!parts && halo_box_cells(&sweep->owned) > 0) {
        advance_layers(sweep, most);
    }
    double before = sweep->clock.seconds[HALO_PHASE_COMPUTE];
    for (int side = HALO_LOW; parts && side < HALO_ENDS; side++) {
        if (others[side]) {
            advance_end(sweep, done, beats, side);
        }
    }
    sweep->edge_seconds += sweep->clock.seconds[HALO_PHASE_COMPUTE] - before;
}

/* Halo layers that are computed as well, in all beats together: at each end where cells go on, the
 * last beat none, and each one before it one halo of the kernel more. */
static int64_t extra_layers(const halo_sweep *sweep, int beats)
{
    int ends = sweep->widens[0][HALO_LOW] + sweep->widens[0][HALO_HIGH];
    return (int64_t)ends * sweep->kernel->depth * beats * (beats - 1) / 2;
}

void halo_sweep_run(halo_sweep *sweep, int64_t done, int beats)
{
    memset(sweep->changed, 0, (size_t)sweep->most_beats * sizeof *sweep->changed);
    halo_row_cost_begin_sweep(sweep->row_cost, beats);
    if (sweep->kernel->advance != NULL) {
        advance_beats(sweep, done, beats);
        halo_row_cost_end_sweep(sweep->row_cost, (double)extra_layers(sweep, beats));
    } else {
        halo_sweep_step(sweep, done, beats);
        halo_row_cost_end_sweep(sweep->row_cost, halo_sweep_extra_rows(sweep, beats));
    }
    halo_world_count_beats(sweep->world, beats);
}
