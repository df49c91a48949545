#include "core/sweep.h"

#include "core/wrap.h"

#include <string.h>

/* A sweep as it runs: beat by beat, or several beats at once. */

enum { LOW, HIGH, ENDS };

static halo_box owned_box(const halo_sweep *sweep)
{
    halo_box all = sweep->views[0][0].owned;
    memset(all.lo, 0, sizeof all.lo);
    return all;
}

static void exchange_phase(halo_sweep *sweep, halo_status (*phase)(halo_exchange *exchange))
{
    halo_stretch stretch = halo_clock_begin(sweep->world);
    halo_sweep_note(sweep, phase(sweep->exchanges[sweep->now]));
    halo_meter_add_exchange(
        sweep->meter, halo_clock_end(&sweep->clock, HALO_PHASE_EXCHANGE, stretch, sweep->world));
}

static double computed(const halo_sweep *sweep)
{
    return sweep->clock.seconds[HALO_PHASE_COMPUTE];
}

/* ---- beat by beat, from one copy to the other -------------------------------------------------
 *
 * Cells in the halo are computed as their owners do, each beat those that the beats to come still
 * read: the last beat none, the one before it one halo of the kernel, and so on. */

/* One box, in pieces where the meter looks at blocks of rows. Pieces are for kernels that go from
 * one copy to the other: what is in place may have an order of its own. */
static void step_pieces(halo_sweep *sweep, const halo_box *todo, halo_step *step)
{
    bool whole = sweep->kernel->whole || sweep->kernel->in_place;
    int64_t end = todo->lo[0] + todo->n[0];
    for (int64_t lo = todo->lo[0], hi; lo < end && sweep->failure == HALO_OK; lo = hi) {
        hi = whole ? end : halo_meter_piece_end(sweep->meter, lo, end);
        step->todo = *todo;
        step->todo.lo[0] = lo;
        step->todo.n[0] = hi - lo;
        halo_sweep_note(sweep, sweep->kernel->step(step));
        if (hi < end) {
            halo_meter_mark(sweep->meter, lo, hi);
        }
    }
}

static void step_box(halo_sweep *sweep, int64_t beat, const halo_box *todo, int64_t *changed)
{
    if (halo_box_cells(todo) == 0 || sweep->failure != HALO_OK) {
        return;
    }
    halo_step step = {
        .in = sweep->views[sweep->now],
        .out = sweep->views[sweep->copies - 1 - sweep->now],
        .beat = beat,
        .state = sweep->state,
        .meter = sweep->meter,
    };
    halo_stretch stretch = halo_clock_begin(sweep->world);
    halo_meter_begin(sweep->meter, todo->lo[0], todo->lo[0] + todo->n[0], beat, 1);
    step_pieces(sweep, todo, &step);
    halo_meter_end(sweep->meter);
    halo_clock_end(&sweep->clock, HALO_PHASE_COMPUTE, stretch, sweep->world);
    *changed += step.changed;
}

/* Step `layers` halo layers beyond each end that has cells there. They count for their owners. */
static void step_halo(halo_sweep *sweep, int64_t beat, int64_t layers)
{
    int64_t uncounted = 0;
    for (int side = LOW; side < ENDS; side++) {
        halo_box beyond = owned_box(sweep);
        beyond.lo[0] = side == LOW ? -layers : beyond.n[0];
        beyond.n[0] = halo_box_cells(&beyond) > 0 ? layers : 0;
        if (sweep->end[side] != HALO_END_EDGE) {
            step_box(sweep, beat, &beyond, &uncounted);
        }
    }
}

/* On the other axes the halo of the cells just written is copied, as it is at an exchange. */
static void wrap_written(halo_sweep *sweep, int64_t layers)
{
    halo_stretch stretch = halo_clock_begin(sweep->world);
    int64_t low = sweep->end[LOW] != HALO_END_EDGE ? layers : 0;
    int64_t high = sweep->end[HIGH] != HALO_END_EDGE ? layers : 0;
    for (int i = 0; i < sweep->field_count; i++) {
        const halo_field *field = sweep->fields[sweep->copies - 1 - sweep->now][i];
        halo_wrap_inner(field, -low, low + halo_field_view(field)->owned.n[0] + high,
                        sweep->kernel->depth);
    }
    halo_meter_add_exchange(
        sweep->meter, halo_clock_end(&sweep->clock, HALO_PHASE_EXCHANGE, stretch, sweep->world));
}

/* The first beat, with the exchange. */
static void step_first(halo_sweep *sweep, int64_t done)
{
    exchange_phase(sweep, halo_exchange_begin);
    if (!sweep->kernel->whole) {
        step_box(sweep, done, &sweep->interior, &sweep->changed[0]);
    }
    exchange_phase(sweep, halo_exchange_end);
    if (sweep->kernel->whole) {
        halo_box all = owned_box(sweep);
        step_box(sweep, done, &all, &sweep->changed[0]);
        return;
    }
    double before = computed(sweep);
    for (int i = 0; i < sweep->edge_count; i++) {
        step_box(sweep, done, &sweep->edges[i], &sweep->changed[0]);
    }
    sweep->edge_seconds += computed(sweep) - before;
}

static void step_beats(halo_sweep *sweep, int64_t done, int beats)
{
    const halo_box all = owned_box(sweep);
    for (int i = 0; i < beats; i++) {
        int64_t layers = (int64_t)(beats - 1 - i) * sweep->kernel->depth;
        if (i == 0) {
            step_first(sweep, done);
        } else {
            step_box(sweep, done + i, &all, &sweep->changed[i]);
        }
        if (i + 1 < beats) {
            step_halo(sweep, done + i, layers);
            wrap_written(sweep, layers);
        }
        sweep->now = sweep->copies - 1 - sweep->now;
    }
}

/* ---- several beats at once, in place --------------------------------------------------------- */

static void advance_layers(halo_sweep *sweep, halo_advance advance)
{
    if (sweep->failure != HALO_OK) {
        return;
    }
    advance.fields = sweep->views[0];
    advance.state = sweep->state;
    advance.meter = sweep->meter;
    advance.changed = sweep->changed;
    halo_stretch stretch = halo_clock_begin(sweep->world);
    halo_meter_begin(sweep->meter, advance.lo, advance.hi, advance.beat, advance.beats);
    halo_sweep_note(sweep, sweep->kernel->advance(&advance));
    halo_meter_end(sweep->meter);
    halo_clock_end(&sweep->clock, HALO_PHASE_COMPUTE, stretch, sweep->world);
}

/* Layers at each end that the middle leaves alone: while messages are under way it may not write
 * what is being sent, and its first beat covers most. */
static int64_t end_layers(const halo_sweep *sweep, int beats)
{
    return (int64_t)(sweep->most_beats + beats - 1) * sweep->kernel->depth;
}

bool halo_sweep_overlaps(const halo_sweep *sweep, int beats)
{
    int64_t n = owned_box(sweep).n[0];
    return sweep->kernel->advance != NULL ? n > 2 * end_layers(sweep, beats)
                                          : !sweep->kernel->whole && sweep->interior.n[0] > 0;
}

static void advance_end(halo_sweep *sweep, int64_t done, int beats, int side)
{
    int64_t n = owned_box(sweep).n[0], reach = end_layers(sweep, beats);
    halo_advance end = {.lo = side == LOW ? 0 : n - reach,
                        .hi = side == LOW ? reach : n,
                        .beats = beats,
                        .beat = done};
    end.ends[side] = HALO_END_WIDENS;
    end.ends[1 - side] = HALO_END_JOINS;
    advance_layers(sweep, end);
}

/* The middle of the strip is advanced while other ranks' cells are on their way. */
static void advance_beats(halo_sweep *sweep, int64_t done, int beats)
{
    halo_box all = owned_box(sweep);
    int64_t n = all.n[0], reach = end_layers(sweep, beats);
    bool parts = (sweep->others[LOW] || sweep->others[HIGH]) && n > 2 * reach;
    halo_advance most = {
        .lo = parts && sweep->others[LOW] ? reach : 0,
        .hi = parts && sweep->others[HIGH] ? n - reach : n,
        .ends = {sweep->end[LOW], sweep->end[HIGH]},
        .parts_follow = {parts && sweep->others[LOW], parts && sweep->others[HIGH]},
        .beats = beats,
        .beat = done};
    exchange_phase(sweep, halo_exchange_begin);
    if (parts) {
        advance_layers(sweep, most);
    }
    exchange_phase(sweep, halo_exchange_end);
    if (!parts && halo_box_cells(&all) > 0) {
        advance_layers(sweep, most);
    }
    double before = computed(sweep);
    for (int side = LOW; parts && side < ENDS; side++) {
        if (sweep->others[side]) {
            advance_end(sweep, done, beats, side);
        }
    }
    sweep->edge_seconds += computed(sweep) - before;
}

/* Halo layers that are computed as well, in all beats together: at each end where cells go on, the
 * last beat none, and each one before it one halo of the kernel more. */
static int64_t extra_layers(const halo_sweep *sweep, int beats)
{
    int ends = (sweep->end[LOW] == HALO_END_WIDENS) + (sweep->end[HIGH] == HALO_END_WIDENS);
    return (int64_t)ends * sweep->kernel->depth * beats * (beats - 1) / 2;
}

void halo_sweep_run(halo_sweep *sweep, int64_t done, int beats)
{
    memset(sweep->changed, 0, (size_t)sweep->most_beats * sizeof *sweep->changed);
    halo_meter_begin_sweep(sweep->meter, beats);
    if (sweep->kernel->advance != NULL) {
        advance_beats(sweep, done, beats);
    } else {
        step_beats(sweep, done, beats);
    }
    halo_meter_end_sweep(sweep->meter, extra_layers(sweep, beats));
    halo_world_count_beats(sweep->world, beats);
}
