#include "base/memory.h"
#include "kernels/walk/walk_internal.h"

#include <stdbool.h>
#include <stdlib.h>

/* A large medium as bits in tiles, so that what a walker sees in thousands of steps is in few lines
 * of a cache. */

enum { WORD = 32, TILE_ROWS = 1 << WALK_TILE_Y, TILE_BYTES = 64 };

static int tile_bits(int64_t columns)
{
    int bits = 0;
    while (((int64_t)WORD << bits) < columns) {
        bits++;
    }
    return bits;
}

int64_t walk_tile_bytes(const halo_walk_options *options, int margin)
{
    int64_t columns = (int64_t)walk_period_of(options, 0, margin) + 2 * margin;
    int64_t rows = (int64_t)walk_period_of(options, 1, margin) + 2 * margin;
    int64_t tile_rows = (rows + TILE_ROWS - 1) / TILE_ROWS;
    return (TILE_BYTES * tile_rows) << tile_bits(columns);
}

static void fill_row(const halo_walk *walk, const uint64_t *bits, const int64_t *columns, int64_t n,
                     uint32_t y)
{
    enum { SOURCE_WORD = 64 };
    for (int64_t x = 0; x < n; x++) {
        int64_t c = columns[x];
        if (c >= 0 && (bits[c / SOURCE_WORD] >> (c % SOURCE_WORD) & 1) != 0) {
            uint32_t place = walk_tile_place(&walk->table, (uint32_t)x, y);
            walk->tiles[place / WORD] |= UINT32_C(1) << ((place + WORD - 1) % WORD);
        }
    }
}

/* Steps up an axis fill the bits of the others with ones, for carries to pass over; steps down
 * borrow, which passes over zeroes. */
static void set_sides(walk_table *table)
{
    uint32_t along_x = (WORD - 1) | ((UINT32_C(1) << table->tile_bits) - 1)
                                        << (WALK_TILE_X + WALK_TILE_Y);
    for (int i = 0; i < WALK_LOOK_UP; i++) {
        bool is_x = i % 4 < 2;
        uint32_t mask = is_x ? along_x : ~along_x, one = is_x ? 1 : WORD;
        table->side_mask[i] = mask;
        table->side_add[i] = i % 2 == 0 ? ~mask + one : 0U - one;
    }
}

halo_status walk_make_tiles(halo_walk *walk, const halo_walk_options *options)
{
    walk_table *table = &walk->table;
    const int margin = table->margin;
    int64_t n[2], *columns, words = (options->n[0] + 63) / 64;
    for (int axis = 0; axis < 2; axis++) {
        table->n[axis] = walk_period_of(options, axis, margin);
        n[axis] = table->n[axis] + 2 * margin;
    }
    table->tile_bits = tile_bits(n[0]);
    walk->facts.table_bytes = walk_tile_bytes(options, margin);
    HALO_TRY(HALO_ALLOCATE_LARGE(
        walk->tiles, walk->facts.table_bytes / (int64_t)sizeof *walk->tiles, "a medium's tiles"));
    HALO_TRY(HALO_ALLOCATE(columns, n[0], "columns of a medium"));
    for (int64_t x = 0; x < n[0]; x++) {
        columns[x] = walk_cell_at(options, 0, x - margin);
    }
    for (int64_t y = 0; y < n[1]; y++) {
        int64_t from = walk_cell_at(options, 1, y - margin);
        if (from >= 0) {
            fill_row(walk, options->fluid + from * words, columns, n[0], (uint32_t)y);
        }
    }
    free(columns);
    table->tiles = walk->tiles;
    set_sides(table);
    return HALO_OK;
}
