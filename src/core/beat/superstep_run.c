#include "core/beat/superstep.h"

/* A superstep as it runs: several beats at once where the kernel itself advances, in place. */

void halo_superstep_exchange(halo_superstep *superstep,
                             halo_status (*phase)(halo_exchange *exchange))
{
    halo_stretch stretch = halo_clock_begin(superstep->world);
    halo_superstep_note(superstep, phase(superstep->exchanges[superstep->now]));
    halo_row_cost_add_exchange(
        superstep->row_cost,
        halo_clock_end(&superstep->report->clock, HALO_PHASE_EXCHANGE, stretch, superstep->world));
}

static void advance_layers(halo_superstep *superstep, halo_advance advance)
{
    if (superstep->failure != HALO_OK) {
        return;
    }
    advance.fields = superstep->views[0];
    advance.state = superstep->state;
    advance.row_cost = superstep->row_cost;
    advance.changed = superstep->changed;
    halo_stretch stretch = halo_clock_begin(superstep->world);
    halo_row_cost_begin(superstep->row_cost, advance.lo, advance.hi, advance.beat, advance.beats);
    halo_world_begin_update(superstep->world, advance.beat);
    halo_superstep_note(superstep, superstep->kernel->advance(&advance));
    halo_world_end_update(superstep->world);
    halo_row_cost_end(superstep->row_cost);
    halo_clock_end(&superstep->report->clock, HALO_PHASE_COMPUTE, stretch, superstep->world);
}

/* Layers at each end that the middle leaves alone: while messages are under way it may not write
 * what is being sent, and its first beat covers most. */
static int64_t end_layers(const halo_superstep *superstep, int beats)
{
    return (int64_t)(superstep->beats_per_exchange + beats - 1) * superstep->kernel->depth;
}

/* Cells that no halo reaches in the first beat. */
static bool has_interior(const halo_superstep *superstep)
{
    bool has = !superstep->kernel->whole;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        int ends = superstep->waits[axis][HALO_LOW] + superstep->waits[axis][HALO_HIGH];
        has = has && superstep->owned.n[axis] > (int64_t)ends * superstep->kernel->depth;
    }
    return has;
}

/* Sides that come with messages are needed by all rows. */
static bool has_sides(const halo_superstep *superstep)
{
    return superstep->others[1][HALO_LOW] || superstep->others[1][HALO_HIGH];
}

bool halo_superstep_overlaps(const halo_superstep *superstep, int beats)
{
    return superstep->kernel->advance != NULL
               ? !has_sides(superstep) && superstep->owned.n[0] > 2 * end_layers(superstep, beats)
               : has_interior(superstep);
}

static halo_end end_of(const halo_superstep *superstep, int side)
{
    return superstep->widens[0][side] ? HALO_END_WIDENS : HALO_END_EDGE;
}

static void advance_end(halo_superstep *superstep, int64_t done, int beats, int side)
{
    int64_t n = superstep->owned.n[0], reach = end_layers(superstep, beats);
    halo_advance end = {.lo = side == HALO_LOW ? 0 : n - reach,
                        .hi = side == HALO_LOW ? reach : n,
                        .beats = beats,
                        .beat = done};
    end.ends[side] = HALO_END_WIDENS;
    end.ends[1 - side] = HALO_END_JOINS;
    advance_layers(superstep, end);
}

/* The middle of the strip is advanced while other ranks' cells are on their way. */
static void advance_beats(halo_superstep *superstep, int64_t done, int beats)
{
    const bool *others = superstep->others[0];
    int64_t n = superstep->owned.n[0], reach = end_layers(superstep, beats);
    bool parts = (others[HALO_LOW] || others[HALO_HIGH]) && !has_sides(superstep) && n > 2 * reach;
    halo_advance bulk = {.lo = parts && others[HALO_LOW] ? reach : 0,
                         .hi = parts && others[HALO_HIGH] ? n - reach : n,
                         .ends = {end_of(superstep, HALO_LOW), end_of(superstep, HALO_HIGH)},
                         .parts_follow = {parts && others[HALO_LOW], parts && others[HALO_HIGH]},
                         .beats = beats,
                         .beat = done};
    halo_superstep_exchange(superstep, halo_exchange_begin);
    if (parts) {
        advance_layers(superstep, bulk);
    }
    halo_superstep_exchange(superstep, halo_exchange_end);
    if (!parts && halo_box_cells(&superstep->owned) > 0) {
        advance_layers(superstep, bulk);
    }
    double before = superstep->report->clock.seconds[HALO_PHASE_COMPUTE];
    for (int side = HALO_LOW; parts && side < HALO_ENDS; side++) {
        if (others[side]) {
            advance_end(superstep, done, beats, side);
        }
    }
    superstep->report->edge_seconds +=
        superstep->report->clock.seconds[HALO_PHASE_COMPUTE] - before;
}

/* Halo layers that are computed as well, in all beats together: at each end where cells go on, the
 * last beat none, and each one before it one halo of the kernel more. */
static int64_t extra_layers(const halo_superstep *superstep, int beats)
{
    int ends = superstep->widens[0][HALO_LOW] + superstep->widens[0][HALO_HIGH];
    return (int64_t)ends * superstep->kernel->depth * beats * (beats - 1) / 2;
}

void halo_superstep_run(halo_superstep *superstep, int64_t done, int beats, int64_t *changed)
{
    const halo_box *owned = &superstep->owned;
    double extra = 0;
    superstep->changed = changed;
    halo_row_cost_begin_superstep(superstep->row_cost, beats);
    if (superstep->async != NULL) {
        halo_superstep_run_async(superstep, done);
    } else if (superstep->kernel->advance != NULL) {
        advance_beats(superstep, done, beats);
        extra = (double)extra_layers(superstep, beats);
    } else {
        halo_superstep_step(superstep, done, beats);
        extra = halo_superstep_extra_rows(superstep, beats);
    }
    halo_row_cost_end_superstep(superstep->row_cost, extra);
    superstep->cells +=
        beats * (double)halo_box_cells(owned) + extra * (double)owned->n[1] * (double)owned->n[2];
}
