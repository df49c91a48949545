#include "core/beat/superstep.h"

#include "base/minmax.h"
#include "core/field/periodic.h"
#include "partition/peel.h"
#include "partition/tiles.h"

#include <string.h>
#include <unistd.h>

/* A superstep of a kernel that is stepped, from one copy of the cells to the other.
 *
 * Cells in the halo are computed as their owners do, each beat those that the beats to come still
 * read: the last beat none, the one before it one halo of the kernel, and so on. These are the
 * outer boxes. The middle ones are what can be computed while messages are on their way, in tiles
 * that stay in the cache: each beat at least one halo of the kernel less than the one before, and
 * none of those cells that are being sent, which the second beat would overwrite. The rim around
 * them follows, beat by beat: what the middle has written two beats ahead is never what the rim
 * still reads. */

/* Bytes of cache for tiles, where the system does not tell. */
static const size_t DEFAULT_CACHE = (size_t)1 << 20;

typedef struct {
    halo_superstep *superstep;
    int64_t done;
    int beats;
    int64_t first, end;    /* rows of the stretch at hand */
    bool fills[HALO_AXES]; /* axes whose halos are copied after each beat */
} stepping;

/* ---- which cells ----------------------------------------------------------------------------- */

static halo_box outer_box(const halo_superstep *superstep, int64_t layers)
{
    halo_box box = superstep->owned;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        int64_t low = superstep->widens[axis][HALO_LOW] ? layers : 0;
        int64_t high = superstep->widens[axis][HALO_HIGH] ? layers : 0;
        box.lo[axis] -= low;
        box.n[axis] += low + high;
    }
    return box;
}

/* Layers that a beat leaves alone where it has to wait. */
static int64_t rim_layers(const halo_superstep *superstep, int beat)
{
    int64_t depth = superstep->kernel->depth, sent = depth * superstep->beats_per_exchange;
    return beat == 0 ? depth : sent + (beat - 1) * depth;
}

/* Nothing where a kernel wants all of its cells after the exchange. */
static halo_box middle_box(const halo_superstep *superstep, const halo_box *outer, int64_t layers)
{
    halo_box box = *outer;
    bool empty = superstep->kernel->whole;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        int64_t end = box.lo[axis] + box.n[axis];
        if (superstep->waits[axis][HALO_LOW]) {
            box.lo[axis] = layers;
        }
        if (superstep->waits[axis][HALO_HIGH]) {
            end = superstep->owned.n[axis] - layers;
        }
        box.n[axis] = end - box.lo[axis];
        empty = empty || box.n[axis] <= 0;
    }
    return empty ? (halo_box){.lo = {0}} : box;
}

static void lay_boxes(halo_superstep *superstep, int beats)
{
    bool empty = halo_box_cells(&superstep->owned) == 0;
    for (int i = 0; i < beats; i++) {
        int64_t depth = superstep->kernel->depth;
        superstep->outer[i] =
            empty ? superstep->owned : outer_box(superstep, (beats - 1 - i) * depth);
        superstep->middle[i] =
            middle_box(superstep, &superstep->outer[i], rim_layers(superstep, i));
    }
}

double halo_superstep_extra_rows(const halo_superstep *superstep, int beats)
{
    double row = (double)superstep->owned.n[1] * (double)superstep->owned.n[2], extra = 0;
    for (int i = 0; i < beats && row > 0; i++) {
        int64_t cells = halo_box_cells(&superstep->outer[i]) - halo_box_cells(&superstep->owned);
        extra += (double)cells / row;
    }
    return extra;
}

/* ---- a box at a beat ------------------------------------------------------------------------- */

/* Pieces are for kernels that go from one copy to the other: what is in place may have an order of
 * its own. */
static bool takes_pieces(const stepping *at)
{
    return at->beats == 1 && !at->superstep->kernel->whole && !at->superstep->kernel->in_place;
}

/* In pieces where rows are measured by blocks. */
static void step_pieces(const stepping *at, halo_step *step, const halo_box *todo)
{
    halo_superstep *superstep = at->superstep;
    int64_t end = todo->lo[0] + todo->n[0];
    for (int64_t lo = todo->lo[0], hi; lo < end && superstep->failure == HALO_OK; lo = hi) {
        hi = takes_pieces(at) ? halo_row_cost_piece_end(superstep->row_cost, lo, end) : end;
        step->todo = *todo;
        step->todo.lo[0] = lo;
        step->todo.n[0] = hi - lo;
        halo_world_begin_update(superstep->world, step->beat);
        halo_superstep_note(superstep, superstep->kernel->step(step));
        halo_world_end_update(superstep->world);
        if (hi < end) {
            halo_row_cost_mark(superstep->row_cost, lo, hi);
        }
    }
}

static void step_cells(const stepping *at, int beat, const halo_box *todo, int64_t *changed)
{
    halo_superstep *superstep = at->superstep;
    if (halo_box_cells(todo) > 0 && superstep->failure == HALO_OK) {
        halo_step step = {.in = superstep->views[(superstep->now + beat) % superstep->copies],
                          .out = superstep->views[(superstep->now + beat + 1) % superstep->copies],
                          .beat = at->done + beat,
                          .state = superstep->state,
                          .row_cost = superstep->row_cost};
        step_pieces(at, &step, todo);
        *changed += step.changed;
    }
}

/* On axes that are not cut the halo of the cells just written is copied, as it is at an exchange.
 */
static void fill_cells(const stepping *at, int beat, const halo_box *written)
{
    halo_superstep *superstep = at->superstep;
    int copy = (superstep->now + beat + 1) % superstep->copies;
    for (int i = 0; (at->fills[1] || at->fills[2]) && i < superstep->field_count; i++) {
        halo_periodic_fill_box(superstep->fields[copy][i], at->fills, written,
                               superstep->kernel->depth);
    }
}

/* Cells of the halo count for their owners. */
static void step_box(void *context, int beat, const halo_box *todo)
{
    const stepping *at = context;
    halo_superstep *superstep = at->superstep;
    int before[HALO_AXES], after[HALO_AXES];
    int64_t beyond = 0, uncounted = 0;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        int64_t over = todo->lo[axis] + todo->n[axis] - superstep->owned.n[axis];
        before[axis] = (int)halo_max(0, -todo->lo[axis]);
        after[axis] = (int)halo_max(0, over);
        beyond += before[axis] + after[axis];
    }
    if (beyond == 0) {
        step_cells(at, beat, todo, &superstep->changed[beat]);
    } else {
        halo_box inside, outside[HALO_EDGES];
        int count = halo_box_peel(todo, before, after, &inside, outside);
        step_cells(at, beat, &inside, &superstep->changed[beat]);
        for (int i = 0; i < count; i++) {
            step_cells(at, beat, &outside[i], &uncounted);
        }
    }
    if (beat + 1 < at->beats) {
        fill_cells(at, beat, todo);
    }
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void begin_stretch(stepping *at, halo_stretch *stretch, const halo_box *box, int beat,
                          int beats, double cells)
{
    halo_superstep *superstep = at->superstep;
    double row = (double)superstep->owned.n[1] * (double)superstep->owned.n[2];
    at->first = box->lo[0];
    at->end = box->lo[0] + box->n[0];
    superstep->row_share = cells / ((double)box->n[0] * beats * row);
    *stretch = halo_clock_begin(superstep->world);
    halo_row_cost_begin(superstep->row_cost, at->first, at->end, at->done + beat, beats);
}

/* Simulated machines: kernels that only look at what may change compute what has changed. */
static void charge_changes(const stepping *at, int64_t changed)
{
    if (at->superstep->kernel->monotone_bytes > 0) {
        at->superstep->row_share =
            (double)changed / (double)halo_max(halo_box_cells(&at->superstep->owned), 1);
    }
}

static void end_stretch(stepping *at, halo_stretch stretch)
{
    halo_row_cost_end(at->superstep->row_cost);
    halo_clock_end(&at->superstep->report->clock, HALO_PHASE_COMPUTE, stretch,
                   at->superstep->world);
}

static void mark_rows(void *context, int64_t lo, int64_t hi)
{
    const stepping *at = context;
    halo_row_cost_mark(at->superstep->row_cost, halo_max(lo, at->first), halo_min(hi, at->end));
}

static size_t cell_bytes(const halo_superstep *superstep)
{
    size_t bits = 0;
    for (int i = 0; i < superstep->field_count; i++) {
        bits += (size_t)superstep->kernel->cell_bits[i];
    }
    return (bits * (size_t)superstep->copies + 7) / 8;
}

static size_t cache_bytes(void)
{
    long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return bytes > 0 ? (size_t)bytes / 2 : DEFAULT_CACHE / 2;
}

static void step_middle(stepping *at)
{
    halo_superstep *superstep = at->superstep;
    halo_tiles tiles = {
        .beats = at->beats, .depth = superstep->kernel->depth, .boxes = superstep->middle};
    halo_tile_visitor visitor = {
        .compute = step_box, .pass = at->beats > 1 ? mark_rows : NULL, .context = at};
    double cells = 0;
    /* If the middle keeps away from a halo because cells may be arriving, copies into it must
     * wait, too. */
    for (int axis = 0; axis < HALO_AXES; axis++) {
        at->fills[axis] = superstep->fills[axis] && !superstep->waits[axis][HALO_LOW];
    }
    for (int i = 0; i < at->beats; i++) {
        cells += (double)halo_box_cells(&superstep->middle[i]);
    }
    if (cells > 0) {
        halo_stretch stretch;
        if (at->beats > 1) {
            halo_tiles_choose(&tiles, &superstep->middle[0], superstep->views[0][0].axes,
                              cell_bytes(superstep), cache_bytes(), superstep->fills);
        }
        begin_stretch(at, &stretch, &superstep->middle[0], 0, at->beats, cells);
        halo_tiles_walk(&tiles, &visitor);
        end_stretch(at, stretch);
    }
}

/* Split the cells between the middle and the outer box of a beat into boxes; return their number.
 */
static int rim(const halo_superstep *superstep, int beat, halo_box rest[HALO_EDGES])
{
    const halo_box *outer = &superstep->outer[beat], *middle = &superstep->middle[beat];
    int before[HALO_AXES], after[HALO_AXES];
    if (halo_box_cells(middle) == 0) {
        rest[0] = *outer;
        return halo_box_cells(outer) > 0;
    }
    for (int axis = 0; axis < HALO_AXES; axis++) {
        before[axis] = (int)(middle->lo[axis] - outer->lo[axis]);
        after[axis] = (int)(outer->lo[axis] + outer->n[axis] - middle->lo[axis] - middle->n[axis]);
    }
    halo_box inside;
    return halo_box_peel(outer, before, after, &inside, rest);
}

static void step_rim(stepping *at)
{
    halo_superstep *superstep = at->superstep;
    double before = superstep->report->clock.seconds[HALO_PHASE_COMPUTE];
    memcpy(at->fills, superstep->fills, sizeof at->fills);
    for (int beat = 0; beat < at->beats; beat++) {
        halo_box rest[HALO_EDGES];
        int count = rim(superstep, beat, rest);
        for (int i = 0; i < count; i++) {
            halo_stretch stretch;
            int64_t before_it = superstep->changed[beat];
            begin_stretch(at, &stretch, &rest[i], beat, 1, (double)halo_box_cells(&rest[i]));
            step_box(at, beat, &rest[i]);
            charge_changes(at, superstep->changed[beat] - before_it);
            end_stretch(at, stretch);
        }
    }
    if (!superstep->kernel->whole) {
        superstep->report->edge_seconds +=
            superstep->report->clock.seconds[HALO_PHASE_COMPUTE] - before;
    }
}

void halo_superstep_step(halo_superstep *superstep, int64_t done, int beats)
{
    stepping at = {.superstep = superstep, .done = done, .beats = beats};
    lay_boxes(superstep, beats);
    halo_superstep_exchange(superstep, halo_exchange_begin);
    step_middle(&at);
    halo_superstep_exchange(superstep, halo_exchange_end);
    step_rim(&at);
    superstep->now = (superstep->now + beats) % superstep->copies;
}
