#include "base/memory.h"
#include "kernels/walk/walk_internal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- beyond the edges ------------------------------------------------------------------------ */

/* A medium that is narrower than walkers go before they are put back is repeated. */
int32_t walk_period_of(const halo_walk_options *options, int axis, int margin)
{
    int64_t n = options->n[axis];
    switch (options->edges[axis]) {
    case HALO_WALK_REFLECTING:
        return (int32_t)n;
    case HALO_WALK_MIRRORED:
        n *= 2;
        break;
    default:
        break;
    }
    return (int32_t)(n * ((margin + n - 1) / n));
}

/* The cell of the medium that is at place i of the period's axis; -1 for a wall. */
int64_t walk_cell_at(const halo_walk_options *options, int axis, int64_t i)
{
    int64_t n = options->n[axis], twice = 2 * n;
    switch (options->edges[axis]) {
    case HALO_WALK_REFLECTING:
        return i >= 0 && i < n ? i : -1;
    case HALO_WALK_MIRRORED:
        i = (i % twice + twice) % twice;
        return i < n ? i : twice - 1 - i;
    default:
        return (i % n + n) % n;
    }
}

static void fill_row(const walk_padded *padded, const uint64_t *bits, const int64_t *columns,
                     unsigned char *row)
{
    enum { WORD_BITS = 64 };
    for (int64_t x = 0; x < padded->n[0]; x++) {
        int64_t c = columns[x];
        row[x] = WALK_WALL;
        if (c >= 0) {
            bool fluid = (bits[c / WORD_BITS] >> (c % WORD_BITS) & 1) != 0;
            row[x] = fluid ? WALK_FLUID : WALK_SOLID;
        }
    }
}

static void fill(const walk_padded *padded, const halo_walk_options *options,
                 const int64_t *columns)
{
    const int64_t words = (options->n[0] + 63) / 64;
    for (int64_t z = 0; z < padded->n[2]; z++) {
        for (int64_t y = 0; y < padded->n[1]; y++) {
            int64_t from_y = walk_cell_at(options, 1, y - padded->margin[1]);
            int64_t from_z =
                options->axes == 3 ? walk_cell_at(options, 2, z - padded->margin[2]) : 0;
            unsigned char *row = padded->cells + z * padded->stride[2] + y * padded->stride[1];
            if (from_y >= 0 && from_z >= 0) {
                const uint64_t *bits = options->fluid + (from_z * options->n[1] + from_y) * words;
                fill_row(padded, bits, columns, row);
            } else {
                memset(row, WALK_WALL, (size_t)padded->n[0]);
            }
        }
    }
}

halo_status walk_padded_create(walk_padded *padded, const halo_walk_options *options, int margin,
                               int beyond)
{
    int64_t *columns, cells = 1;
    *padded = (walk_padded){.cells = NULL};
    for (int axis = 0; axis < HALO_WALK_AXES; axis++) {
        bool used = axis < options->axes;
        padded->beyond[axis] = used ? beyond : 0;
        padded->margin[axis] = used ? margin + beyond : 0;
        padded->period[axis] = used ? walk_period_of(options, axis, margin) : 1;
        padded->n[axis] = padded->period[axis] + 2 * padded->margin[axis];
        padded->stride[axis] = cells;
        cells *= padded->n[axis];
    }
    HALO_TRY(HALO_ALLOCATE_LARGE(padded->cells, cells, "cells of a medium"));
    HALO_TRY(HALO_ALLOCATE(columns, padded->n[0], "columns of a medium"));
    for (int64_t x = 0; x < padded->n[0]; x++) {
        columns[x] = walk_cell_at(options, 0, x - padded->margin[0]);
    }
    fill(padded, options, columns);
    free(columns);
    return HALO_OK;
}

void walk_padded_free(walk_padded *padded)
{
    halo_memory_free(padded->cells);
    padded->cells = NULL;
}

int64_t walk_count_places(const walk_table *table, const walk_padded *padded)
{
    int64_t places = table->stride[1];
    for (int axis = 1; axis < HALO_WALK_AXES; axis++) {
        places *= padded->n[axis] - 2 * padded->beyond[axis];
    }
    return places;
}
