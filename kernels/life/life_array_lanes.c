#include "base/memory.h"
#include "kernels/life/life_array_internal.h"

#include <string.h>

/* Rows that are kept as they are computed on. */

bool life_array_keeps_lanes(const halo_life_array *life)
{
    const halo_life_options grid = {.edges = {life->edges[0], life->edges[1]}};
    return life->cells.bits == 1 && !life_grows(&grid);
}

/* This rank's rows of a grid, and the same rows between calls. */
typedef struct {
    char *grid, *kept;
    size_t grid_pitch, bytes; /* of a row, with its ghosts */
    int64_t rows;
} lane_rows;

static lane_rows find_lane_rows(const halo_life_array *kept, const halo_life *life)
{
    const life_grid *grid = life->grid;
    int64_t first = life_grid_first_row(grid);
    return (lane_rows){.grid = (char *)halo_row(halo_beat_view(grid->beat, 0), 0),
                       .kept = kept->computed + (size_t)first * kept->lanes.row_bytes,
                       .grid_pitch = (size_t)halo_beat_view(grid->beat, 0)->stride[0],
                       .bytes = kept->lanes.row_bytes,
                       .rows = life_grid_rows(grid)};
}

void life_array_put_lanes(const halo_life_array *kept, halo_life *life)
{
    const life_engine *engine = life->grid->engine;
    const lane_rows r = find_lane_rows(kept, life);
    for (int64_t y = 0; y < r.rows; y++) {
        memcpy(r.grid + (size_t)y * r.grid_pitch, r.kept + (size_t)y * r.bytes, r.bytes);
    }
    if (r.rows > 0) {
        engine->ops->ghosts(life_grid_row(life->grid, 0), (ptrdiff_t)r.grid_pitch, r.rows,
                            &engine->ends);
    }
}

void life_array_get_lanes(const halo_life_array *kept, const halo_life *life)
{
    const lane_rows r = find_lane_rows(kept, life);
    for (int64_t y = 0; y < r.rows; y++) {
        memcpy(r.kept + (size_t)y * r.bytes, r.grid + (size_t)y * r.grid_pitch, r.bytes);
    }
}

halo_status life_array_make_lanes(halo_life_array *kept)
{
    if (kept->computed != NULL) {
        return HALO_OK;
    }
    void *rows;
    kept->lanes = life_lanes_make(kept->cells.box.n[HALO_LIFE_COLUMNS], kept->rule.states);
    HALO_TRY(halo_memory_create(&rows,
                                kept->lanes.row_bytes * (size_t)kept->cells.box.n[HALO_LIFE_ROWS],
                                "the cells of a grid"));
    kept->computed = rows;
    return HALO_OK;
}

halo_status life_array_make_plain(halo_life_array *life, const array_call *call,
                                  const halo_world *world)
{
    int64_t first, end;
    const halo_isa_variant *variant;
    HALO_TRY(halo_isa_pick(&variant, life_row_variants, call->instructions));
    HALO_TRY(life_array_share(world, life->cells.box.n[HALO_LIFE_ROWS], &first, &end));
    life_transpose *transpose = ((const life_row_ops *)variant->ops)->transpose;
    for (int64_t y = first; y < end; y++) {
        life_lanes_unpack(&life->lanes, transpose,
                          life->computed + (size_t)y * life->lanes.row_bytes + LIFE_COLUMN_BYTES,
                          (uint64_t *)(void *)life_kept_row(&life->cells, y));
    }
    return HALO_OK;
}
