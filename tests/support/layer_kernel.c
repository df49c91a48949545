#include "support/layer_kernel.h"

#include "partition/cuts.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t next_cell(const rule *r, const uint64_t *const *layers, int64_t x, int64_t width)
{
    const uint64_t *here = layers[r->reach];
    uint64_t left = x > 0 || r->wraps ? here[(x + width - 1) % width] : 0;
    uint64_t right = x + 1 < width || r->wraps ? here[(x + 1) % width] : 0;
    uint64_t mixed = 5 * here[x] + 11 * left + 13 * right + 1, max = here[x];
    max = left > max ? left : max;
    max = right > max ? right : max;
    for (int k = 0; k < 2 * r->reach + 1; k++) {
        mixed = mixed * 31 + layers[k][x];
        max = layers[k][x] > max ? layers[k][x] : max;
    }
    return r->rises ? (here[x] != 0 ? max : 0) : mixed;
}

/* Returns how many cells change. */
static int64_t next_layer(const rule *r, const uint64_t *const *layers, uint64_t *next,
                          int64_t width)
{
    int64_t changed = 0;
    for (int64_t x = 0; x < width; x++) {
        next[x] = next_cell(r, layers, x, width);
        changed += next[x] != layers[r->reach][x];
    }
    return changed;
}

static halo_status order_create(void **state, const halo_domain *domain, const void *options)
{
    (void)domain;
    *state = *(order *const *)options;
    return HALO_OK;
}

static halo_status order_step(halo_step *s)
{
    const order *o = s->state;
    const uint64_t *layers[2 * MAX_REACH + 1];
    for (int64_t y = s->todo.lo[0]; y < s->todo.lo[0] + s->todo.n[0]; y++) {
        for (int k = 0; k < 2 * o->rule.reach + 1; k++) {
            layers[k] = halo_row(s->in, y + k - o->rule.reach);
        }
        s->changed += next_layer(&o->rule, layers, halo_row(s->out, y), s->todo.n[1]);
    }
    return HALO_OK;
}

/* ---- its advance, which keeps every beat's cells and checks the calls ------------------------ */

static void expect_call(const halo_advance *a, int64_t lo, int64_t hi, halo_end low, halo_end high)
{
    expect(a->lo == lo && a->hi == hi,
           "layers %" PRId64 " to %" PRId64 ", not %" PRId64 " to "
           "%" PRId64,
           a->lo, a->hi, lo, hi);
    expect(a->ends[LOW] == low && a->ends[HIGH] == high, "ends %d, %d, not %d, %d",
           (int)a->ends[LOW], (int)a->ends[HIGH], (int)low, (int)high);
}

/* Layers of an end: the halo's that are sent, and what else the middle's first beat may not write.
 */
static int64_t end_layers(const order *o, int beats)
{
    return (int64_t)(o->depth + beats - 1) * o->rule.reach;
}

/* The first call of a superstep. */
static void check_first(order *o, const halo_advance *a)
{
    int64_t n = a->fields->owned.n[0];
    int beats = o->remaining >= 0 && o->remaining < o->depth ? (int)o->remaining : o->depth;
    int64_t reach = end_layers(o, beats);
    bool parts = (o->others[LOW] || o->others[HIGH]) && n > 2 * reach;
    for (int side = LOW; side < ENDS; side++) {
        o->follows[side] = parts && o->others[side];
        expect(a->parts_follow[side] == o->follows[side], "parts_follow[%d]", side);
    }
    expect(a->beats == beats && a->beat == o->beats,
           "%d beats from %" PRId64 " on, not %d from %" PRId64, a->beats, a->beat, beats,
           o->beats);
    expect_call(a, o->follows[LOW] ? reach : 0, o->follows[HIGH] ? n - reach : n, o->ends[LOW],
                o->ends[HIGH]);
    o->first = *a;
    o->beats += beats;
    o->remaining -= beats;
    o->supersteps++;
}

static void check_later(order *o, const halo_advance *a)
{
    int64_t n = a->fields->owned.n[0], reach = end_layers(o, a->beats);
    int side = o->follows[LOW] ? LOW : HIGH;
    expect(a->beats == o->first.beats && a->beat == o->first.beat, "another superstep's end");
    expect(!a->parts_follow[LOW] && !a->parts_follow[HIGH], "parts of an end");
    if (side == LOW) {
        expect_call(a, 0, reach, HALO_END_WIDENS, HALO_END_JOINS);
    } else {
        expect_call(a, n - reach, n, HALO_END_JOINS, HALO_END_WIDENS);
    }
    o->follows[side] = false;
}

static uint64_t *kept(const order *o, const halo_view *cells, int beat, int64_t layer)
{
    return o->history + ((beat * o->layers + layer + o->low) * cells->owned.n[1]);
}

static void keep(const order *o, const halo_view *cells, int64_t from, int64_t to)
{
    for (int64_t y = from; y < to; y++) {
        memcpy(kept(o, cells, 0, y), halo_row(cells, y),
               (size_t)cells->owned.n[1] * sizeof(uint64_t));
    }
}

/* Nobody may count on what is in the halo after a superstep, nor on what earlier beats of the
 * middle have written beyond its last. */
static void spoil(const halo_view *cells, int64_t from, int64_t to)
{
    for (int64_t y = from; y < to; y++) {
        memset(halo_row(cells, y), 0xA5, (size_t)cells->owned.n[1] * sizeof(uint64_t));
    }
}

static halo_status begin_history(order *o, const halo_advance *a)
{
    const halo_view *cells = a->fields;
    int64_t n = cells->owned.n[0];
    o->low = cells->depth;
    o->layers = n + 2 * o->low;
    free(o->history);
    o->history = calloc((size_t)((a->beats + 1) * o->layers * cells->owned.n[1]), sizeof(uint64_t));
    if (o->history == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a test's history");
    }
    bool parts = a->parts_follow[LOW] || a->parts_follow[HIGH];
    keep(o, cells, parts ? 0 : -o->low, parts ? n : n + o->low);
    return HALO_OK;
}

/* How much further than at the last beat beat `beat` goes at an end. */
static int64_t wider(const order *o, const halo_advance *a, int end, int beat)
{
    int64_t max = (int64_t)o->rule.reach * (a->beats - beat);
    return a->ends[end] == HALO_END_EDGE ? 0 : (a->ends[end] == HALO_END_WIDENS ? max : -max);
}

static void compute(const order *o, const halo_advance *a)
{
    const halo_view *cells = a->fields;
    const uint64_t *layers[2 * MAX_REACH + 1];
    for (int beat = 1; beat <= a->beats; beat++) {
        int64_t to = a->hi + wider(o, a, HIGH, beat);
        for (int64_t y = a->lo - wider(o, a, LOW, beat); y < to; y++) {
            for (int k = 0; k < 2 * o->rule.reach + 1; k++) {
                layers[k] = kept(o, cells, beat - 1, y + k - o->rule.reach);
            }
            int64_t changed =
                next_layer(&o->rule, layers, kept(o, cells, beat, y), cells->owned.n[1]);
            a->changed[beat - 1] += y >= 0 && y < cells->owned.n[0] ? changed : 0;
        }
    }
    for (int64_t y = a->lo; y < a->hi; y++) {
        memcpy(halo_row(cells, y), kept(o, cells, a->beats, y),
               (size_t)cells->owned.n[1] * sizeof(uint64_t));
    }
}

static halo_status order_advance(halo_advance *a)
{
    order *o = a->state;
    const halo_view *cells = a->fields;
    int64_t n = cells->owned.n[0];
    expect(n > 0, "a call for a strip without cells");
    bool first = !o->follows[LOW] && !o->follows[HIGH];
    if (first) {
        check_first(o, a);
        HALO_TRY(begin_history(o, a));
    } else {
        check_later(o, a);
        keep(o, cells, a->lo == 0 ? -o->low : n, a->lo == 0 ? 0 : n + o->low);
    }
    if (o->calls++ == o->fail_call) {
        return halo_fail(HALO_FORMAT, "call %d is too much", o->fail_call);
    }
    compute(o, a);
    if (a->ends[LOW] == HALO_END_WIDENS) {
        int64_t from = a->lo - wider(o, a, LOW, 1);
        spoil(cells, a->parts_follow[LOW] ? from : -o->low, a->lo);
    }
    if (a->ends[HIGH] == HALO_END_WIDENS) {
        int64_t end = a->hi + wider(o, a, HIGH, 1);
        spoil(cells, a->hi, a->parts_follow[HIGH] ? end : n + o->low);
    }
    return HALO_OK;
}

halo_kernel layer_kernel(const rule *r, bool advances)
{
    return (halo_kernel){.name = "order",
                         .help = "does what a test says",
                         .cell_bits = {64},
                         .depth = r->reach,
                         .in_place = advances,
                         .converges = r->rises,
                         .step = advances ? NULL : order_step,
                         .create = order_create,
                         .advance = advances ? order_advance : NULL};
}

void layer_kernel_look(order *o, const halo_domain *domain, const halo_world *world,
                       const int64_t *cuts)
{
    int rank = halo_world_rank(world);
    for (int side = LOW; side < ENDS; side++) {
        int other = halo_cuts_neighbour(cuts, halo_world_ranks(world), rank, side == LOW ? -1 : 1,
                                        domain->periodic[0]);
        o->others[side] = other >= 0 && other != rank;
        o->ends[side] = other >= 0 ? HALO_END_WIDENS : HALO_END_EDGE;
    }
}

void layer_kernel_forget(order *o)
{
    free(o->history);
    o->history = NULL;
}
