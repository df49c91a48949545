#include "core/field/periodic.h"

#include <string.h>

/* The cell that halo cell `i` of an axis of `n` cells is a copy of. A halo may be deeper than the
 * axis is long: it then goes round more than once. */
static int64_t wrapped(int64_t i, int64_t n)
{
    return (i % n + n) % n;
}

static void copy_bit(char *row, int64_t to, int64_t from)
{
    /* An arithmetic shift rounds down, as halo words before the first one need. */
    uint64_t *words = (uint64_t *)(void *)row;
    uint64_t bit = words[from >> 6] >> (from & 63) & 1;
    uint64_t mask = (uint64_t)1 << (to & 63);
    words[to >> 6] = bit ? words[to >> 6] | mask : words[to >> 6] & ~mask;
}

static void copy_cell(const halo_view *view, char *row, int64_t to, int64_t from)
{
    if (view->cell_bits == HALO_BIT) {
        copy_bit(row, to, from);
    } else {
        ptrdiff_t cell = view->cell_bits / 8;
        memcpy(row + to * cell, row + from * cell, (size_t)cell);
    }
}

static void fill_row(const halo_view *view, char *row, int depth)
{
    int64_t n = view->owned.n[view->axes - 1];
    for (int64_t i = 1; i <= depth; i++) {
        copy_cell(view, row, -i, wrapped(-i, n));
        copy_cell(view, row, n - 1 + i, wrapped(i - 1, n));
    }
}

/* Rows of one plane as halo rows on its other side. */
static void fill_plane(const halo_field *field, int64_t z, int depth)
{
    const halo_view *view = halo_field_view(field);
    int64_t n = view->owned.n[1];
    size_t before;
    size_t span = halo_field_row_span(field, &before);
    for (int64_t i = 1; i <= depth; i++) {
        char *low = (char *)halo_row_of_plane(view, z, -i) - before;
        char *high = (char *)halo_row_of_plane(view, z, n - 1 + i) - before;
        memcpy(low, (char *)halo_row_of_plane(view, z, wrapped(-i, n)) - before, span);
        memcpy(high, (char *)halo_row_of_plane(view, z, wrapped(i - 1, n)) - before, span);
    }
}

void halo_periodic_fill_box(const halo_field *field, const bool fills[HALO_AXES],
                            const halo_box *written, int depth)
{
    const halo_view *view = halo_field_view(field);
    bool planes = view->axes == 3;
    int64_t first_row = planes ? written->lo[1] : 0, rows = planes ? written->n[1] : 1;
    for (int64_t z = written->lo[0]; view->axes > 1 && z < written->lo[0] + written->n[0]; z++) {
        for (int64_t y = first_row; fills[view->axes - 1] && y < first_row + rows; y++) {
            fill_row(view, halo_row_of_plane(view, z, y), depth);
        }
        if (planes && fills[1]) {
            fill_plane(field, z, depth);
        }
    }
}

char *halo_layer_span(const halo_field *field, int64_t first, int64_t layers, size_t *bytes)
{
    const halo_view *view = halo_field_view(field);
    char *start = halo_row(view, first);
    *bytes = (size_t)((layers - 1) * view->stride[0]);
    if (view->axes == 1) {
        *bytes += (size_t)view->stride[0];
        return start;
    }
    size_t before;
    *bytes += halo_field_row_span(field, &before);
    if (view->axes == 3) {
        *bytes += (size_t)((view->owned.n[1] + 2 * view->side_depth - 1) * view->stride[1]);
        start -= view->side_depth * view->stride[1];
    }
    return start - before;
}

void halo_periodic_fill_outer(const halo_field *field)
{
    const halo_view *view = halo_field_view(field);
    int64_t n = view->owned.n[0];
    for (int64_t i = 1; i <= view->depth; i++) {
        size_t bytes;
        char *low = halo_layer_span(field, -i, 1, &bytes);
        memcpy(low, halo_layer_span(field, wrapped(-i, n), 1, &bytes), bytes);
        char *high = halo_layer_span(field, n - 1 + i, 1, &bytes);
        memcpy(high, halo_layer_span(field, wrapped(i - 1, n), 1, &bytes), bytes);
    }
}
