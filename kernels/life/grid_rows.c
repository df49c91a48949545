#include "base/memory.h"
#include "kernels/life/grid.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 64 };

int life_grid_cell_bits(const life_grid *grid)
{
    return grid->states > 2 ? 8 : 1;
}

static int64_t plain_words(const life_grid *grid)
{
    return (grid->box.n[HALO_LIFE_COLUMNS] + WORD - 1) / WORD;
}

size_t life_grid_row_bytes(const life_grid *grid)
{
    size_t cells = (size_t)plain_words(grid) * WORD;
    return cells * (size_t)life_grid_cell_bits(grid) / 8;
}

/* A plane's bit of a cell's state: plane 0 has the live cells, the others the state less 1 of
 * those that are dying. */
static bool in_plane(unsigned state, int plane)
{
    return plane == 0 ? state == 1 : state > 1 && ((state - 1) >> (plane - 1) & 1) != 0;
}

static void bytes_to_plane(const uint8_t *states, int64_t width, int plane, uint64_t *plain)
{
    memset(plain, 0, (size_t)((width + WORD - 1) / WORD) * sizeof *plain);
    for (int64_t x = 0; x < width; x++) {
        plain[x / WORD] |= (uint64_t)in_plane(states[x], plane) << (x % WORD);
    }
}

static void plane_to_bytes(const uint64_t *plain, int64_t width, int plane, uint8_t *states)
{
    for (int64_t x = 0; x < width; x++) {
        unsigned bit = (unsigned)(plain[x / WORD] >> (x % WORD) & 1);
        unsigned add = plane == 0 ? 1 : 1U << (plane - 1);
        unsigned had = states[x];
        if (bit != 0) {
            /* The first bit of a dying state also brings the 1 that was taken off. */
            states[x] = (uint8_t)(had + add + (plane > 0 && had == 0));
        }
    }
}

/* `row` counts from the grid's first. */
static halo_status check_states(const life_grid *grid, int64_t row, const uint8_t *states)
{
    for (int64_t x = 0; x < grid->box.n[HALO_LIFE_COLUMNS]; x++) {
        if (states[x] >= grid->states) {
            return halo_fail(HALO_ARGUMENT,
                             "the cell at column %" PRId64 ", row %" PRId64 " has state %d, but "
                             "the rule's states are 0 to %d; use a rule with more",
                             x, row, states[x], grid->states - 1);
        }
    }
    return HALO_OK;
}

const uint64_t *life_plain_plane(const life_grid *grid, const void *row, int plane, uint64_t *room)
{
    if (life_grid_cell_bits(grid) == 1) {
        return row;
    }
    bytes_to_plane(row, grid->box.n[HALO_LIFE_COLUMNS], plane, room);
    return room;
}

static halo_status make_plain(const life_grid *grid, uint64_t **plain)
{
    return HALO_ALLOCATE(*plain, (grid->engine->lanes.width + WORD - 1) / WORD, "a row of cells");
}

static void put_states(life_grid *grid, int64_t y, const uint8_t *states, uint64_t *plain)
{
    const life_lanes *lanes = &grid->engine->lanes;
    for (int plane = 0; plane < lanes->planes; plane++) {
        bytes_to_plane(states, lanes->width, plane, plain);
        life_lanes_pack(lanes, grid->engine->ops->transpose, plain,
                        life_grid_row(grid, y) + (size_t)plane * lanes->plane_bytes);
    }
}

halo_status life_grid_pack_rows(life_grid *grid, int64_t y, int64_t rows, const void *data,
                                size_t pitch)
{
    const life_engine *engine = grid->engine;
    bool bytes = life_grid_cell_bits(grid) == 8;
    uint64_t *plain = NULL;
    halo_status status = bytes ? make_plain(grid, &plain) : HALO_OK;
    for (int64_t i = 0; i < rows && status == HALO_OK; i++) {
        const char *row = (const char *)data + (size_t)i * pitch;
        if (bytes) {
            put_states(grid, y + i, (const uint8_t *)row, plain);
        } else {
            life_lanes_pack(&engine->lanes, engine->ops->transpose,
                            (const uint64_t *)(const void *)row, life_grid_row(grid, y + i));
        }
    }
    if (rows > 0) {
        engine->ops->ghosts(life_grid_row(grid, y), halo_beat_view(grid->beat, 0)->stride[0], rows,
                            &engine->ends);
    }
    free(plain);
    return status;
}

halo_status life_grid_unpack_rows(const life_grid *grid, int64_t y, int64_t rows, void *out,
                                  size_t pitch)
{
    const life_lanes *lanes = &grid->engine->lanes;
    life_transpose *transpose = grid->engine->ops->transpose;
    if (life_grid_cell_bits(grid) == 1) {
        for (int64_t i = 0; i < rows; i++) {
            char *row = (char *)out + (size_t)i * pitch;
            life_lanes_unpack(lanes, transpose, life_grid_row(grid, y + i),
                              (uint64_t *)(void *)row);
        }
        return HALO_OK;
    }
    uint64_t *plain;
    HALO_TRY(make_plain(grid, &plain));
    for (int64_t i = 0; i < rows; i++) {
        uint8_t *row = (uint8_t *)out + (size_t)i * pitch;
        memset(row, 0, (size_t)((lanes->width + WORD - 1) / WORD) * WORD);
        for (int plane = 0; plane < lanes->planes; plane++) {
            life_lanes_unpack(lanes, transpose,
                              life_grid_row(grid, y + i) + (size_t)plane * lanes->plane_bytes,
                              plain);
            plane_to_bytes(plain, lanes->width, plane, row);
        }
    }
    free(plain);
    return HALO_OK;
}

halo_status life_grid_put_rows(life_grid *grid, int64_t y, int64_t rows, const void *data,
                               size_t pitch)
{
    int64_t first = life_grid_cuts(grid)[grid->rank] + y;
    for (int64_t i = 0; i < rows && life_grid_cell_bits(grid) == 8; i++) {
        HALO_TRY(check_states(grid, first + i, (const uint8_t *)data + (size_t)i * pitch));
    }
    return grid->blocks != NULL ? life_staging_put(grid, y, rows, data, pitch)
                                : life_grid_pack_rows(grid, y, rows, data, pitch);
}

halo_status life_grid_get_rows(const life_grid *grid, int64_t y, int64_t rows, void *out,
                               size_t pitch)
{
    return grid->blocks != NULL ? life_staging_get(grid, y, rows, out, pitch)
                                : life_grid_unpack_rows(grid, y, rows, out, pitch);
}

const char *life_grid_live_lanes(const life_grid *grid, int64_t y, char *scratch)
{
    const life_lanes *lanes = &grid->engine->lanes;
    const char *row = life_grid_row(grid, y);
    if (lanes->planes == 1) {
        return row;
    }
    size_t bytes = (size_t)lanes->columns * LIFE_COLUMN_BYTES;
    memcpy(scratch, row, bytes);
    for (int plane = 1; plane < lanes->planes; plane++) {
        life_lanes_add(scratch, row + (size_t)plane * lanes->plane_bytes, lanes->columns);
    }
    return scratch;
}
