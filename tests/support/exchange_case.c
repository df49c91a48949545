#include "support/exchange_case.h"

#include "support/blocks.h"
#include "support/images.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <string.h>

/* A hash of its global place and of the beat, so that a cell that is stale, displaced or from the
 * other field is wrong. */
uint64_t exchange_cell_value(const int64_t at[HALO_AXES], int field, int64_t beat)
{
    uint64_t state = (uint64_t)(((at[0] * 8191 + at[1]) * 8191 + at[2]) * 4 + field);
    return random_next(&state) + (uint64_t)beat;
}

uint64_t exchange_cell_mask(int bits)
{
    return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

/* The address of a cell's row, and its index there. */
static char *row_of(const halo_view *view, const int64_t at[HALO_AXES], int64_t *x)
{
    *x = at[view->axes - 1];
    return view->axes == 1   ? view->origin
           : view->axes == 2 ? (char *)halo_row(view, at[0])
                             : (char *)halo_row_of_plane(view, at[0], at[1]);
}

static size_t bytes_of(const halo_view *view)
{
    return view->cell_bits >= 64 ? 8 : (size_t)view->cell_bits / 8;
}

uint64_t exchange_cell_get(const halo_view *view, const int64_t at[HALO_AXES])
{
    int64_t x;
    const char *row = row_of(view, at, &x);
    uint64_t value = 0;
    if (view->cell_bits == HALO_BIT) {
        return ((const uint64_t *)(const void *)row)[x >> 6] >> (x & 63) & 1;
    }
    memcpy(&value, row + x * (view->cell_bits / 8), bytes_of(view));
    return value;
}

void exchange_cell_set(const halo_view *view, const int64_t at[HALO_AXES], uint64_t value)
{
    int64_t x;
    char *row = row_of(view, at, &x);
    if (view->cell_bits == HALO_BIT) {
        uint64_t *word = &((uint64_t *)(void *)row)[x >> 6];
        uint64_t mask = (uint64_t)1 << (x & 63);
        *word = value & 1 ? *word | mask : *word & ~mask;
        return;
    }
    memcpy(row + x * (view->cell_bits / 8), &value, bytes_of(view));
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void random_partition(uint64_t *random, exchange_case *c, const int parts[HALO_AXES],
                             int64_t min)
{
    for (int axis = 0; axis < c->domain.axes; axis++) {
        c->domain.periodic[axis] = random_below(random, 2);
        int64_t thick = random_below(random, 3) == 0 ? min : min + random_below(random, 4);
        c->domain.n[axis] = parts[axis] * (thick > 0 ? thick : 1) + random_below(random, 3);
    }
    c->partition = even_blocks(&c->domain, parts);
    for (int axis = 0; axis < c->domain.axes; axis++) {
        if (random_below(random, 2) == 0) {
            random_cuts(random, c->domain.n[axis], parts[axis], min, c->partition.cuts[axis]);
        }
    }
}

exchange_case exchange_case_random(uint64_t *random, int axes, const int parts[HALO_AXES])
{
    static const int bits[] = {8, 24, 64, 32, 192, 16, HALO_BIT};
    static const int64_t widths[] = {1, 2, 3, 7, 62, 63, 64, 65, 66, 127, 128, 129};
    exchange_case c = {.domain = {.axes = axes, .n = {1, 1, 1}}};
    bool whole = parts[axes - 1] == 1 && axes > 1;
    for (int i = 0; i < EXCHANGE_FIELDS; i++) {
        c.cell_bits[i] = bits[random_below(random, whole ? 7 : 6)];
        c.depth[i] = (int)random_below(random, 5);
    }
    random_partition(random, &c, parts, c.depth[0] > c.depth[1] ? c.depth[0] : c.depth[1]);
    if (whole && random_below(random, 2) == 0) {
        c.domain.n[axes - 1] = widths[random_below(random, 12)];
        c.partition.cuts[axes - 1][1] = c.domain.n[axes - 1];
    }
    c.options.corners = random_below(random, 3) > 0;
    return c;
}

/* ---- cells ----------------------------------------------------------------------------------- */

typedef void (*cell_action)(const exchange_case *c, const halo_view *view, int field,
                            const int64_t at[HALO_AXES], int64_t beat);

/* Owned cells and those up to `depth` beyond, on every axis that is used. */
static void each_cell(const exchange_case *c, const halo_view *view, int field, int depth,
                      int64_t beat, cell_action action)
{
    if (halo_box_cells(&view->owned) == 0) {
        return;
    }
    halo_box box = view->owned;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        box.lo[axis] = axis < view->axes ? -depth : 0;
        box.n[axis] += axis < view->axes ? 2 * depth : 0;
    }
    for (int64_t cell = 0; cell < halo_box_cells(&box); cell++) {
        int64_t at[HALO_AXES] = {box.lo[0] + cell / (box.n[1] * box.n[2]),
                                 box.lo[1] + cell / box.n[2] % box.n[1],
                                 box.lo[2] + cell % box.n[2]};
        action(c, view, field, at, beat);
    }
}

static void fill_cell(const exchange_case *c, const halo_view *view, int field,
                      const int64_t at[HALO_AXES], int64_t beat)
{
    (void)c;
    int64_t global[HALO_AXES];
    for (int axis = 0; axis < HALO_AXES; axis++) {
        global[axis] = at[axis] + view->owned.lo[axis];
    }
    exchange_cell_set(view, at, exchange_cell_value(global, field, beat));
}

/* Beyond two cut axes at once lie cells that nobody has asked for. */
static bool is_unrequested(const exchange_case *c, const halo_view *view,
                           const int64_t at[HALO_AXES])
{
    int beyond = 0;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        beyond += c->partition.parts[axis] > 1 && (at[axis] < 0 || at[axis] >= view->owned.n[axis]);
    }
    return !c->options.corners && beyond > 1;
}

static void check_cell(const exchange_case *c, const halo_view *view, int field,
                       const int64_t at[HALO_AXES], int64_t beat)
{
    bool exists = true;
    int64_t global[HALO_AXES];
    for (int axis = 0; axis < HALO_AXES; axis++) {
        int64_t n = c->domain.n[axis], place = at[axis] + view->owned.lo[axis];
        exists = exists && (c->domain.periodic[axis] || (place >= 0 && place < n));
        global[axis] = (place % n + n) % n;
    }
    if (exists && is_unrequested(c, view, at)) {
        return;
    }
    uint64_t mask = exchange_cell_mask(view->cell_bits);
    uint64_t wanted = exists ? exchange_cell_value(global, field, beat) & mask : 0;
    uint64_t found = exchange_cell_get(view, at);
    const int64_t *n = c->domain.n;
    const int *parts = c->partition.parts;
    const char *mode = c->options.mode != NULL ? c->options.mode : "", *way = c->options.corner_way;
    expect(found == wanted,
           "%s, %s, field %d of %d bits, depth %d, domain %" PRId64 " x %" PRId64 " x %" PRId64
           " in %d x %d x %d parts, beat %" PRId64 ": cell (%" PRId64 ", %" PRId64 ", %" PRId64
           ") is %" PRIx64 ", not %" PRIx64,
           mode, way != NULL ? way : "", field, view->cell_bits, view->depth, n[0], n[1], n[2],
           parts[0], parts[1], parts[2], beat, at[0], at[1], at[2], found, wanted);
}

static void check_halo_cell(const exchange_case *c, const halo_view *view, int field,
                            const int64_t at[HALO_AXES], int64_t beat)
{
    bool owned = true;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        owned = owned && at[axis] >= 0 && at[axis] < view->owned.n[axis];
    }
    if (!owned) {
        check_cell(c, view, field, at, beat);
    }
}

void exchange_fill(halo_field *const *fields, int64_t beat)
{
    for (int i = 0; i < EXCHANGE_FIELDS; i++) {
        each_cell(NULL, halo_field_view(fields[i]), i, 0, beat, fill_cell);
    }
}

void exchange_check(const exchange_case *c, halo_field *const *fields, int64_t beat, bool owned)
{
    for (int i = 0; i < EXCHANGE_FIELDS; i++) {
        const halo_view *view = halo_field_view(fields[i]);
        each_cell(c, view, i, view->depth, beat, owned ? check_cell : check_halo_cell);
    }
}

/* ---- exchanges ------------------------------------------------------------------------------- */

void exchange_fields_create(const exchange_case *c, halo_field **fields)
{
    halo_box owned = halo_partition_box(&c->partition, my_rank());
    halo_field_options options = {
        .shared = halo_exchange_shares_fields(mpi_check_world(), c->options.mode)};
    for (int i = 0; i < EXCHANGE_FIELDS; i++) {
        expect_ok(halo_field_create_with(&fields[i], &c->domain, &owned, c->cell_bits[i],
                                         c->depth[i], &options));
    }
}

void exchange_fields_destroy(halo_field **fields)
{
    for (int i = 0; i < EXCHANGE_FIELDS; i++) {
        halo_field_destroy(&fields[i]);
    }
}

halo_status exchange_connect(halo_exchange **out, const exchange_case *c, halo_field **fields)
{
    halo_status status = halo_exchange_create(out, mpi_check_world(), &c->partition, fields,
                                              EXCHANGE_FIELDS, &c->options);
    expect_ok(status);
    return status;
}

void exchange_case_run(const exchange_case *c, halo_exchange_counts *counts)
{
    halo_field *fields[EXCHANGE_FIELDS] = {NULL};
    halo_exchange *exchange;
    *counts = (halo_exchange_counts){0};
    exchange_fields_create(c, fields);
    if (exchange_connect(&exchange, c, fields) == HALO_OK) {
        for (int64_t beat = 1; beat <= EXCHANGE_BEATS; beat++) {
            exchange_fill(fields, beat);
            expect_ok(halo_exchange_begin(exchange));
            expect_ok(halo_exchange_end(exchange));
            exchange_check(c, fields, beat, true);
        }
        *counts = halo_exchange_count(exchange);
    }
    halo_exchange_destroy(&exchange);
    exchange_fields_destroy(fields);
}
