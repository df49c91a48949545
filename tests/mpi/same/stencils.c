/* Stencils beside the plainest loop over whole grids: a cell is 64 bits, whatever it means, and
 * what lies around it is looked up one by one. */

#include "same.h"

#include "kernels/heat/heat.h"
#include "support/images.h"
#include "support/layer_kernel.h"
#include "support/mixer.h"
#include "support/mpi_check.h"
#include "support/stencils.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 2 };

typedef struct stencil stencil;

/* A function that returns a cell's next value; `at` is its place. */
typedef uint64_t next_cell(const stencil *s, int field, const int64_t at[HALO_AXES]);

struct stencil {
    beat_case *c;
    next_cell *next;
    int fields;
    uint64_t *now[FIELDS], *later[FIELDS]; /* [all cells] */
    double source;                         /* of heat */
    bool held;                             /* its edges */
    order order, *told;                    /* of layers, and what their kernel is told */
    halo_heat_options heat;
};

static int64_t index_of(const halo_domain *d, const int64_t at[HALO_AXES])
{
    return (at[0] * d->n[1] + at[1]) * d->n[2] + at[2];
}

static int64_t cells_of(const halo_domain *d)
{
    return d->n[0] * d->n[1] * d->n[2];
}

static void place_of(const halo_domain *d, int64_t index, int64_t at[HALO_AXES])
{
    at[0] = index / d->n[2] / d->n[1];
    at[1] = index / d->n[2] % d->n[1];
    at[2] = index % d->n[2];
}

/* The cell at this distance along each axis; 0 beyond an edge. */
static uint64_t near(const stencil *s, int field, const int64_t at[HALO_AXES], int64_t d0,
                     int64_t d1, int64_t d2)
{
    const halo_domain *d = &s->c->domain;
    int64_t there[HALO_AXES] = {at[0] + d0, at[1] + d1, at[2] + d2};
    for (int axis = 0; axis < HALO_AXES; axis++) {
        int64_t n = d->n[axis];
        if (d->periodic[axis]) {
            there[axis] = (there[axis] % n + n) % n;
        } else if (there[axis] < 0 || there[axis] >= n) {
            return 0;
        }
    }
    return s->now[field][index_of(d, there)];
}

/* ---- what they compute ----------------------------------------------------------------------- */

static double as_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t as_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The sum of the two neighbours along an axis. */
static double two(const stencil *s, const int64_t at[HALO_AXES], int axis)
{
    int64_t d[HALO_AXES] = {axis == 0, axis == 1, axis == 2};
    return as_double(near(s, 0, at, -d[0], -d[1], -d[2])) +
           as_double(near(s, 0, at, d[0], d[1], d[2]));
}

static uint64_t next_heat(const stencil *s, int field, const int64_t at[HALO_AXES])
{
    const halo_domain *d = &s->c->domain;
    double here = as_double(near(s, field, at, 0, 0, 0));
    for (int axis = 0; s->held && axis < d->axes; axis++) {
        if ((at[axis] == 0 || at[axis] == d->n[axis] - 1) && !d->periodic[axis]) {
            return as_bits(here + s->source);
        }
    }
    double rest = two(s, at, d->axes - 2) + two(s, at, d->axes - 1);
    if (d->axes == 2) {
        return as_bits(0.25 * rest + s->source);
    }
    rest += two(s, at, 0);
    double own = 0.25 * here, others = 0.125 * rest;
    return as_bits(own + others + s->source);
}

static uint64_t next_pair(const stencil *s, int field, const int64_t at[HALO_AXES])
{
    if (field == 0) {
        return (uint8_t)(3 * near(s, 0, at, -2, 0, -1) + near(s, 0, at, 2, 0, 2) +
                         near(s, 1, at, 1, 1, 0));
    }
    return near(s, 1, at, 0, -2, -2) ^ (near(s, 1, at, 1, 1, 1) + near(s, 0, at, -2, 0, 0));
}

static uint64_t mixed(const stencil *s, int field, const int64_t at[HALO_AXES])
{
    return 3 * near(s, field, at, 0, 0, 0) + 5 * near(s, field, at, -1, 0, 0) +
           7 * near(s, field, at, 1, 0, 0) + near(s, field, at, 0, -1, 0) +
           11 * near(s, field, at, 0, 1, 0);
}

static uint64_t next_mixer(const stencil *s, int field, const int64_t at[HALO_AXES])
{
    return field == 0 ? mixed(s, 0, at) + mixed(s, 1, at) / 2 + (uint64_t)s->c->done
                      : mixed(s, 1, at) ^ s->later[0][index_of(&s->c->domain, at)];
}

static uint64_t next_spread(const stencil *s, int field, const int64_t at[HALO_AXES])
{
    return near(s, field, at, -1, 0, 0) | near(s, field, at, 0, 0, 0) | near(s, field, at, 1, 0, 0);
}

static uint64_t next_layer(const stencil *s, int field, const int64_t at[HALO_AXES])
{
    const rule *r = &s->order.rule;
    uint64_t here = near(s, field, at, 0, 0, 0), left = near(s, field, at, 0, -1, 0);
    uint64_t right = near(s, field, at, 0, 1, 0), max = left > here ? left : here;
    uint64_t sum = 5 * here + 11 * left + 13 * right + 1;
    max = right > max ? right : max;
    for (int k = -r->reach; k <= r->reach; k++) {
        uint64_t layer = near(s, field, at, k, 0, 0);
        sum = sum * 31 + layer;
        max = layer > max ? layer : max;
    }
    return r->rises ? (here != 0 ? max : 0) : sum;
}

/* ---- grids ----------------------------------------------------------------------------------- */

static uint64_t first_cell(const stencil *s, int field, int64_t index)
{
    uint64_t random = (uint64_t)index * 7 + (uint64_t)field, value = random_next(&random);
    int bits = s->c->kernel.cell_bits[field];
    if (s->next == next_heat) {
        return as_bits((double)(value >> 11) * 0x1p-53 - 0.5);
    }
    if (s->order.rule.rises && value % 8 < 2) {
        return 0;
    }
    return bits == HALO_BIT ? value % 16 == 0 : bits == 8 ? (uint8_t)value : value;
}

/* Small ones, and such as have room for a halo in every part; the last axis may have bits. */
static void any_domain(beat_case *c, uint64_t *random, int axes)
{
    static const int64_t max[][HALO_AXES] = {{40, 1, 1}, {40, 70, 1}, {24, 24, 24}};
    int ranks = all_ranks();
    int beats = c->way.beats_per_exchange > 0 ? c->way.beats_per_exchange : 1;
    c->domain = (halo_domain){.axes = axes, .n = {1, 1, 1}};
    for (int axis = 0; axis < axes; axis++) {
        c->domain.n[axis] =
            1 + random_below(random, c->way.number % 7 == 0 ? 4 : max[axes - 1][axis]);
        c->domain.periodic[axis] = random_below(random, 2) == 1;
    }
    if (c->way.number % 7 > 0 && random_below(random, 4) > 0) {
        c->domain.n[0] = ranks * c->kernel.depth * beats + random_below(random, 12);
    }
}

static void make(beat_case *c, uint64_t *random, const halo_kernel *kernel, int axes,
                 next_cell *next)
{
    stencil *s = need_zeroed(1, sizeof *s);
    s->c = c;
    s->next = next;
    c->reference = s;
    c->kernel = *kernel;
    c->strips = c->strips || kernel->cell_bits[0] == HALO_BIT;
    c->beats = kernel->converges ? 0 : 4 + random_below(random, 2 * c->way.beats_per_exchange + 8);
    any_domain(c, random, axes);
}

static void fill(beat_case *c)
{
    stencil *s = c->reference;
    size_t cells = (size_t)cells_of(&c->domain);
    for (; s->fields < FIELDS && c->kernel.cell_bits[s->fields] != 0; s->fields++) {
        s->now[s->fields] = need_zeroed(cells, sizeof(uint64_t));
        s->later[s->fields] = need_zeroed(cells, sizeof(uint64_t));
        for (size_t i = 0; i < cells; i++) {
            s->now[s->fields][i] = first_cell(s, s->fields, (int64_t)i);
        }
    }
}

static void end(beat_case *c)
{
    stencil *s = c->reference;
    for (int field = 0; field < FIELDS; field++) {
        free(s->now[field]);
        free(s->later[field]);
    }
    layer_kernel_forget(&s->order);
    free(s);
}

static void step(beat_case *c)
{
    stencil *s = c->reference;
    int64_t at[HALO_AXES];
    c->changed = 0;
    for (int field = 0; field < s->fields; field++) {
        for (int64_t i = 0; i < cells_of(&c->domain); i++) {
            place_of(&c->domain, i, at);
            s->later[field][i] = s->next(s, field, at);
            c->changed += s->later[field][i] != s->now[field][i];
        }
    }
    for (int field = 0; field < s->fields; field++) {
        uint64_t *now = s->now[field];
        s->now[field] = s->later[field];
        s->later[field] = now;
    }
}

/* Find owned cell `i` of a view: return its row; *x is its place there, and *index its number
 * among all cells. */
static char *find(const beat_case *c, const halo_view *view, int64_t i, int64_t *x, int64_t *index)
{
    int64_t local[HALO_AXES], at[HALO_AXES];
    const halo_domain own = {.n = {view->owned.n[0], view->owned.n[1], view->owned.n[2]}};
    place_of(&own, i, local);
    for (int axis = 0; axis < HALO_AXES; axis++) {
        at[axis] = view->owned.lo[axis] + local[axis];
    }
    *x = local[view->axes == 3 ? 2 : 1];
    *index = index_of(&c->domain, at);
    return view->axes == 3 ? halo_row_of_plane(view, local[0], local[1]) : halo_row(view, local[0]);
}

static void begin(beat_case *c, halo_beat *beat, const halo_beat *before)
{
    const stencil *s = c->reference;
    (void)before;
    for (int field = 0; field < s->fields; field++) {
        const halo_view *view = halo_beat_view(beat, field);
        for (int64_t i = 0; i < halo_box_cells(&view->owned); i++) {
            int64_t x, index;
            char *row = find(c, view, i, &x, &index);
            uint64_t value = s->now[field][index];
            size_t bytes = (size_t)view->cell_bits / 8;
            if (view->cell_bits == HALO_BIT) {
                ((uint64_t *)(void *)row)[x >> 6] |= value << (x & 63);
            } else {
                memcpy(row + (size_t)x * bytes, &value, bytes); /* low bytes come first */
            }
        }
    }
}

static void check(beat_case *c, const halo_beat *beat)
{
    const stencil *s = c->reference;
    int64_t wrong = 0;
    for (int field = 0; field < s->fields; field++) {
        const halo_view *view = halo_beat_view(beat, field);
        for (int64_t i = 0; i < halo_box_cells(&view->owned); i++) {
            int64_t x, index;
            const char *row = find(c, view, i, &x, &index);
            uint64_t value = 0;
            size_t bytes = (size_t)view->cell_bits / 8;
            if (view->cell_bits == HALO_BIT) {
                value = ((const uint64_t *)(const void *)row)[x >> 6] >> (x & 63) & 1;
            } else {
                memcpy(&value, row + (size_t)x * bytes, bytes);
            }
            wrong += value != s->now[field][index];
        }
    }
    expect(wrong == 0, "%s: %" PRId64 " cells differ after beat %" PRId64, c->text, wrong, c->done);
}

#define RUNS(name, before_run, after_run)                                        \
    void same_##name(const way *w, uint64_t *random, way_tally *all)             \
    {                                                                            \
        static const beat_kernel how = {make_##name, end,        begin,    step, \
                                        check,       before_run, after_run};     \
        same_beats(&how, w, random, all);                                        \
    }

#define STENCIL(name, kernel, axes, next)                   \
    static void make_##name(beat_case *c, uint64_t *random) \
    {                                                       \
        make(c, random, kernel, axes, next);                \
        fill(c);                                            \
    }                                                       \
    RUNS(name, NULL, NULL)

STENCIL(plate, &stencil_heat, 2, next_heat)
STENCIL(plate_whole, &stencil_heat_whole, 2, next_heat)
STENCIL(pair, &stencil_pair, 3, next_pair)
STENCIL(mixer, &mixer, 2, next_mixer)
STENCIL(bits, &stencil_spread, 2, next_spread)

/* ---- heat ------------------------------------------------------------------------------------ */

static void make_any_heat(beat_case *c, uint64_t *random, const halo_kernel *kernel, int axes)
{
    make(c, random, kernel, axes, next_heat);
    stencil *s = c->reference;
    const char *set = c->way.of[WAY_instructions];
    s->held = random_below(random, 2) == 1;
    s->source = random_below(random, 2) == 1 ? 0.3 : 0;
    s->heat = (halo_heat_options){
        .source = s->source, .edge = s->held ? "held" : NULL, .instructions = set};
    c->options = &s->heat;
    fill(c);
}

static void make_heat(beat_case *c, uint64_t *random)
{
    make_any_heat(c, random, &halo_heat_kernel, 2);
}
RUNS(heat, NULL, NULL)

static void make_heat3d(beat_case *c, uint64_t *random)
{
    make_any_heat(c, random, &halo_heat3d_kernel, 3);
}
RUNS(heat3d, NULL, NULL)

/* ---- layers, stepped or advanced several beats at once --------------------------------------- */

static void make_any_layers(beat_case *c, uint64_t *random, bool advances)
{
    int axes = 1 + (int)random_below(random, 2);
    rule r = {.reach = 1 + (int)random_below(random, MAX_REACH),
              .rises = random_below(random, 2) == 1};
    halo_kernel kernel = layer_kernel(&r, advances);
    c->strips = true;
    c->stays = advances; /* its kernel is told beforehand who is beside whom */
    make(c, random, &kernel, axes, next_layer);
    stencil *s = c->reference;
    c->domain.n[1] = axes == 2 ? 1 + c->domain.n[1] % 9 : 1;
    r.wraps = c->domain.periodic[1];
    s->order = (order){.rule = r, .fail_call = -1};
    s->told = &s->order;
    c->options = &s->told;
    fill(c);
}

static void make_layers(beat_case *c, uint64_t *random)
{
    make_any_layers(c, random, false);
}
RUNS(layers, NULL, NULL)

static void make_advance(beat_case *c, uint64_t *random)
{
    make_any_layers(c, random, true);
}

static void before_advance(beat_case *c, const halo_beat *beat, int64_t beats)
{
    stencil *s = c->reference;
    order *o = &s->order;
    halo_world *world = mpi_check_world();
    o->depth = c->way.beats_per_exchange > 0 ? c->way.beats_per_exchange : 1;
    o->remaining = beats > 0 ? beats : -1;
    o->beats = c->done;
    o->supersteps = 0;
    layer_kernel_look(o, &c->domain, world, halo_beat_cuts(beat));
}

static void after_advance(beat_case *c, const halo_beat *beat, int64_t supersteps)
{
    const stencil *s = c->reference;
    int64_t wanted = halo_box_cells(&halo_beat_view(beat, 0)->owned) > 0 ? supersteps : 0;
    expect(!s->order.follows[LOW] && !s->order.follows[HIGH], "%s: an end was not advanced",
           c->text);
    expect(s->order.supersteps == wanted, "%s: %d supersteps of %" PRId64, c->text,
           s->order.supersteps, wanted);
}
RUNS(advance, before_advance, after_advance)
