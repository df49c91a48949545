#include "core/field/field.h"

#include "base/memory.h"
#include "base/option.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Smaller fields are shared as a whole: what is not would not gain by huge pages. */
static const size_t SHARED_WHOLE = (size_t)4 << 20;

enum { ALIGNMENT = 64, WORD_BITS = 64, WORD_BYTES = 8 };

struct halo_field {
    halo_domain domain;
    halo_view view;
    void *memory;
    size_t row_before; /* bytes of halo before cell 0 of a row */
    size_t row_span;   /* bytes of a row and its halo */
    bool movable;      /* the memory has a place for every layer of the domain */
    bool shared;       /* others can read it, or its ends */
};

/* Sizes stick at SIZE_MAX where they cannot be represented: one check at the end is enough. */
static size_t add(size_t a, size_t b)
{
    size_t sum;
    return __builtin_add_overflow(a, b, &sum) ? SIZE_MAX : sum;
}

static size_t multiply(size_t a, size_t b)
{
    size_t product;
    return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

static size_t round_up(size_t bytes, size_t unit)
{
    size_t raised = add(bytes, unit - 1);
    return raised == SIZE_MAX ? SIZE_MAX : raised / unit * unit;
}

static halo_status check_arguments(const halo_domain *domain, const halo_box *owned, int cell_bits,
                                   int depth)
{
    if (domain->axes < 1 || domain->axes > HALO_AXES) {
        return halo_fail(HALO_ARGUMENT, "a domain has 1 to %d axes, not %d", HALO_AXES,
                         domain->axes);
    }
    for (int axis = 0; axis < HALO_AXES; axis++) {
        int64_t n = domain->n[axis];
        if (n < 1 || (axis >= domain->axes && n != 1) || owned->lo[axis] < 0 ||
            owned->n[axis] < 0 || owned->lo[axis] > n - owned->n[axis]) {
            return halo_fail(HALO_ARGUMENT,
                             "%" PRId64 " cells from cell %" PRId64 " of axis %d on do not lie in"
                             " a domain of %d axes with %" PRId64 " cells there",
                             owned->n[axis], owned->lo[axis], axis, domain->axes, n);
        }
    }
    if (cell_bits != HALO_BIT && (cell_bits < 8 || cell_bits % 8 != 0)) {
        return halo_fail(HALO_ARGUMENT, "a cell has 1 bit or a multiple of 8 bits, not %d",
                         cell_bits);
    }
    if (cell_bits == HALO_BIT && domain->axes == 1) {
        return halo_fail(HALO_ARGUMENT, "bit-packed cells need a domain of 2 or 3 axes: a single "
                                        "row is not cut between ranks; use cells of 8 bits");
    }
    if (depth < 0) {
        return halo_fail(HALO_ARGUMENT, "a halo is 0 or more cells deep, not %d", depth);
    }
    return HALO_OK;
}

/* Fill in the bytes of halo before a row and of the row with both its halos. */
static void measure_row(halo_field *field)
{
    const halo_view *view = &field->view;
    size_t depth = (size_t)(view->axes == 1 ? view->depth : view->side_depth);
    size_t cells = (size_t)view->owned.n[view->axes - 1];
    if (view->cell_bits == HALO_BIT) {
        /* A word on each side even without a halo, so that kernels need no special ends. */
        size_t before = depth == 0 ? 1 : (depth + WORD_BITS - 1) / WORD_BITS;
        size_t words = (cells + WORD_BITS - 1) / WORD_BITS + before;
        field->row_before = before * WORD_BYTES;
        field->row_span = multiply(words + before, WORD_BYTES);
    } else {
        size_t cell = (size_t)view->cell_bits / 8;
        field->row_before = multiply(depth, cell);
        field->row_span = multiply(cells + 2 * depth, cell);
    }
}

/* Rows shorter than a cache line lie one after another: padded, tall images would take many times
 * their size. Of bits those are narrow that are one word between its two neighbours: others take no
 * more padded than the pixels that they go with. */
static bool is_narrow(const halo_field *field)
{
    const halo_view *view = &field->view;
    bool bits = view->cell_bits == HALO_BIT;
    bool fits = bits ? view->owned.n[view->axes - 1] <= WORD_BITS : true;
    return view->axes > 1 && fits && field->row_span < ALIGNMENT;
}

/* Set the strides; return the bytes to allocate (SIZE_MAX if there are too many) and where cell
 * (0, 0, 0) lies in them. */
static size_t lay_out(halo_field *field, size_t *origin)
{
    halo_view *view = &field->view;
    measure_row(field);
    if (field->row_span == SIZE_MAX) {
        return SIZE_MAX;
    }
    size_t unit = is_narrow(field) ? 1 : ALIGNMENT;
    size_t before = round_up(field->row_before, unit);
    size_t after = field->row_span - field->row_before; /* cells and the halo behind them */
    size_t bytes = round_up(before + after, unit);
    *origin = before;
    view->stride[view->axes - 1] = view->cell_bits / 8;
    for (int axis = view->axes - 2; axis >= 0; axis--) {
        view->stride[axis] = (ptrdiff_t)bytes;
        size_t depth = (size_t)(axis == 0 ? view->depth : view->side_depth);
        *origin = add(*origin, multiply(depth, bytes));
        bytes = multiply(bytes, (size_t)view->owned.n[axis] + 2 * depth);
    }
    return bytes < PTRDIFF_MAX ? bytes : SIZE_MAX;
}

/* Bytes from the first cell or halo cell of a layer to its cell 0. */
static size_t ahead_of_layer(const halo_field *field)
{
    const halo_view *view = &field->view;
    size_t ahead = view->axes == 1 ? 0 : field->row_before;
    return ahead + (view->axes == 3 ? (size_t)view->side_depth * (size_t)view->stride[1] : 0);
}

/* Share the memory of a field. Other ranks need only `depth` layers at either end of a strip that
 * does not move; the rest keeps its huge pages. Columns of a block pass through all of its pages.
 */
static halo_status share(halo_field *field, size_t bytes)
{
    const halo_view *view = &field->view;
    const halo_box *owned = &view->owned;
    bool strip = owned->n[1] == field->domain.n[1] && owned->n[2] == field->domain.n[2];
    if (field->movable || !strip || bytes < SHARED_WHOLE ||
        owned->n[0] <= 2 * (int64_t)view->depth) {
        return halo_memory_share(field->memory, 0, bytes);
    }
    size_t layer = (size_t)view->stride[0], depth = (size_t)view->depth;
    size_t first = (size_t)((char *)view->origin - (char *)field->memory) - ahead_of_layer(field);
    size_t end = first + (size_t)owned->n[0] * layer;
    HALO_TRY(halo_memory_share(field->memory, first, first + depth * layer));
    return halo_memory_share(field->memory, end - depth * layer, end);
}

static halo_status make_memory(halo_field *field)
{
    const int64_t *n = field->view.owned.n;
    size_t origin = 0;
    size_t bytes = lay_out(field, &origin);
    if (bytes == 0 || (!field->movable && (n[0] == 0 || n[1] == 0 || n[2] == 0))) {
        bytes = ALIGNMENT; /* nobody reads it, but the origin is an address */
        origin = 0;
    }
    const char *what = "a field with its halo";
    HALO_TRY(field->shared    ? halo_memory_create_shared(&field->memory, bytes, what)
             : field->movable ? halo_memory_reserve(&field->memory, bytes, what)
                              : halo_memory_create(&field->memory, bytes, what));
    field->view.origin = (char *)field->memory + origin;
    return field->shared ? share(field, bytes) : HALO_OK;
}

static halo_status create(halo_field **out, const halo_domain *domain, const halo_box *owned,
                          int cell_bits, int depth, const halo_field_options *options)
{
    halo_field *field;
    *out = NULL;
    HALO_TRY(check_arguments(domain, owned, cell_bits, depth));
    HALO_TRY(HALO_ALLOCATE(field, 1, "a field"));
    field->domain = *domain;
    field->movable = options->movable;
    field->shared = options->shared;
    field->view = (halo_view){.owned = *owned,
                              .axes = domain->axes,
                              .depth = depth,
                              .side_depth = options->no_side_halo ? 0 : depth,
                              .cell_bits = cell_bits};
    if (field->movable) { /* it has a place for every layer, and then moves to its strip */
        field->view.owned.lo[0] = 0;
        field->view.owned.n[0] = domain->n[0];
    }
    halo_status status = make_memory(field);
    if (status != HALO_OK) {
        halo_field_destroy(&field);
        return status;
    }
    if (field->movable) {
        halo_field_set_owned(field, owned);
    }
    *out = field;
    return HALO_OK;
}

halo_status halo_field_create(halo_field **out, const halo_domain *domain, const halo_box *owned,
                              int cell_bits, int depth)
{
    return create(out, domain, owned, cell_bits, depth, &(halo_field_options){0});
}

halo_status halo_field_create_movable(halo_field **out, const halo_domain *domain,
                                      const halo_box *owned, int cell_bits, int depth)
{
    return create(out, domain, owned, cell_bits, depth, &(halo_field_options){.movable = true});
}

halo_status halo_field_create_with_sized(halo_field **out, const halo_domain *domain,
                                         const halo_box *owned, int cell_bits, int depth,
                                         const halo_field_options *given, size_t given_bytes)
{
    halo_field_options options;
    *out = NULL;
    HALO_TRY(halo_options_take(&options, sizeof options, given, given_bytes, "halo_field_options"));
    if (options.movable && create(out, domain, owned, cell_bits, depth, &options) == HALO_OK) {
        return HALO_OK;
    }
    options.movable = false;
    return create(out, domain, owned, cell_bits, depth, &options);
}

/* ---- memory of the caller -------------------------------------------------------------------- */

/* HALO_ARGUMENT unless rows, and planes, have room for themselves and their halo. */
static halo_status check_strides(const halo_field *field)
{
    const halo_view *view = &field->view;
    ptrdiff_t cell = view->cell_bits / 8, room = (ptrdiff_t)field->row_span;
    ptrdiff_t unit = cell % WORD_BYTES == 0 ? WORD_BYTES : cell & -cell;
    bool fits = view->stride[view->axes - 1] == cell && (intptr_t)view->origin % unit == 0;
    for (int axis = view->axes - 2; axis >= 0 && fits; axis--) {
        int64_t layers = view->owned.n[axis] + 2 * (axis == 0 ? view->depth : view->side_depth);
        if (layers > 1) { /* the stride of a single layer leads nowhere */
            fits = view->stride[axis] >= room && view->stride[axis] % unit == 0;
            room = layers * view->stride[axis];
        }
    }
    return HALO_REQUIRE(fits, HALO_ARGUMENT,
                        "memory of the caller for cells of %td bytes and a halo of %d: cells of a "
                        "row must be next to each other, at multiples of their size, and rows and "
                        "planes as far apart as they are long with their halos",
                        cell, view->depth);
}

static void clear_halo_of_row(const halo_field *field, char *row, bool whole)
{
    size_t cells = field->row_span - 2 * field->row_before;
    if (whole) {
        memset(row - field->row_before, 0, field->row_span);
    } else {
        memset(row - field->row_before, 0, field->row_before);
        memset(row + cells, 0, field->row_before);
    }
}

static void clear_halo(const halo_field *field)
{
    const halo_view *view = &field->view;
    int64_t n[] = {1, 1}, d[] = {0, 0}; /* planes and rows */
    ptrdiff_t stride[] = {0, 0};
    for (int axis = 0; axis < view->axes - 1; axis++) {
        int to = axis + HALO_AXES - view->axes;
        n[to] = view->owned.n[axis];
        d[to] = axis == 0 ? view->depth : view->side_depth;
        stride[to] = view->stride[axis];
    }
    for (int64_t z = -d[0]; z < n[0] + d[0]; z++) {
        for (int64_t y = -d[1]; y < n[1] + d[1]; y++) {
            bool beyond = z < 0 || z >= n[0] || y < 0 || y >= n[1];
            clear_halo_of_row(field, (char *)view->origin + z * stride[0] + y * stride[1], beyond);
        }
    }
}

halo_status halo_field_adopt(halo_field **out, const halo_domain *domain, const halo_view *view)
{
    halo_field *field;
    *out = NULL;
    HALO_TRY(check_arguments(domain, &view->owned, view->cell_bits, view->depth));
    HALO_FAIL_IF(view->cell_bits == HALO_BIT, HALO_ARGUMENT,
                 "cells of 1 bit cannot lie in memory of the caller; create a field for them");
    HALO_FAIL_IF(view->side_depth != view->depth && view->side_depth != 0, HALO_ARGUMENT,
                 "a halo of %d cells beside rows, where it is %d along axis 0; use as many, or 0",
                 view->side_depth, view->depth);
    HALO_TRY(HALO_ALLOCATE(field, 1, "a field"));
    field->domain = *domain;
    field->view = *view;
    field->view.axes = domain->axes;
    measure_row(field);
    halo_status status = check_strides(field);
    if (status != HALO_OK) {
        halo_field_destroy(&field);
        return status;
    }
    if (halo_box_cells(&view->owned) > 0) {
        clear_halo(field);
    }
    *out = field;
    return HALO_OK;
}

/* ---- layers ---------------------------------------------------------------------------------- */

int halo_field_file(const halo_field *field, const void *address, size_t *place)
{
    *place = (size_t)((const char *)address - (const char *)field->memory);
    return field->shared ? halo_memory_file(field->memory) : -1;
}

bool halo_field_is_movable(const halo_field *field)
{
    return field->movable;
}

void *halo_field_layer(const halo_field *field, int64_t layer)
{
    return halo_row(&field->view, layer - field->view.owned.lo[0]);
}

/* Bytes of the strip and its halo, counted from the memory's first one. */
static void measure_strip(const halo_field *field, size_t *lo, size_t *hi)
{
    const halo_view *view = &field->view;
    size_t layer = (size_t)view->stride[0], depth = (size_t)view->depth;
    size_t first = (size_t)((char *)view->origin - (char *)field->memory) - depth * layer;
    *lo = first - ahead_of_layer(field);
    *hi = *lo + ((size_t)view->owned.n[0] + 2 * depth) * layer;
}

void halo_field_set_owned(halo_field *field, const halo_box *owned)
{
    halo_view *view = &field->view;
    view->origin = halo_field_layer(field, owned->lo[0]);
    view->owned.lo[0] = owned->lo[0];
    view->owned.n[0] = owned->n[0];
    measure_row(field); /* the only axis may be the row */
    size_t lo = 0, hi = 0;
    if (owned->n[0] > 0) {
        measure_strip(field, &lo, &hi);
    }
    halo_memory_keep(field->memory, lo, hi);
}

void halo_field_destroy(halo_field **field)
{
    if (*field != NULL) {
        halo_memory_free((*field)->memory);
        free(*field);
        *field = NULL;
    }
}

const halo_view *halo_field_view(const halo_field *field)
{
    return &field->view;
}

const halo_domain *halo_field_domain(const halo_field *field)
{
    return &field->domain;
}

size_t halo_field_row_span(const halo_field *field, size_t *before)
{
    *before = field->row_before;
    return field->row_span;
}

int64_t halo_view_rows(const halo_view *view)
{
    const int64_t *n = view->owned.n;
    bool none = halo_box_cells(&view->owned) == 0;
    return none ? 0 : view->axes == 1 ? 1 : view->axes == 2 ? n[0] : n[0] * n[1];
}

void halo_view_copy(const halo_view *to, const halo_view *from)
{
    enum { BITS_A_BYTE = 8 };
    size_t bits = (size_t)from->owned.n[from->axes - 1] * (size_t)from->cell_bits;
    for (int64_t i = 0; i < halo_view_rows(from); i++) {
        memcpy(halo_view_row(to, i), halo_view_row(from, i),
               (bits + BITS_A_BYTE - 1) / BITS_A_BYTE);
    }
}
