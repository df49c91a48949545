#ifndef HALOBEAT_LIFE_GRID_H
#define HALOBEAT_LIFE_GRID_H

#include "kernels/life/engine.h"
#include "kernels/life/life.h"

/* One grid of fixed size, and the run on it. A grid that grows is replaced by a larger one.
 * Internal to the Life kernel. */
typedef struct {
    halo_life_box box;
    int states;
    life_engine *engine;
    halo_kernel kernel;
    halo_beat *beat;
} life_grid;

struct halo_life {
    halo_world *world;
    halo_life_options options;
    const life_path *path;
    life_grid *grid;
    int64_t generation;
    bool touched;     /* this rank's cells were changed from outside since the last run */
    bool wishes_stop; /* this rank's watcher, and no run has ended by it yet */
    int64_t margin;   /* generations until a live cell may come to an edge that grows */
    halo_life_stop stopped;
    bool kept, kept_background;
    halo_life_census kept_census;
    halo_life_report past; /* of grids that were replaced */

    /* While it runs counted. */
    halo_life_change *changes;
    int64_t changes_room, change_count;
    int64_t beats_seen; /* of the run on this grid */
};

/* Local. Does either axis grow? Then the plane is infinite. */
static inline bool life_grows(const halo_life_options *options)
{
    return options->edges[HALO_LIFE_ROWS] == HALO_LIFE_GROW ||
           options->edges[HALO_LIFE_COLUMNS] == HALO_LIFE_GROW;
}

/* Collective. A grid of dead cells. */
halo_status life_grid_create(life_grid **out, halo_life *life, const halo_life_box *box);

/* Local. Accepts a pointer to NULL. */
void life_grid_destroy(life_grid **grid);

/* Local. Rows of this rank's strip. */
int64_t life_grid_rows(const life_grid *grid);

/* Local. Column 0 of plane 0 of local row `y`. */
static inline char *life_grid_row(const life_grid *grid, int64_t y)
{
    return life_engine_row(halo_beat_view(grid->beat, 0), y);
}

/* Local. Bits of a cell and bytes of a row in plain rows. */
int life_grid_cell_bits(const life_grid *grid);
size_t life_grid_row_bytes(const life_grid *grid);

/* Local. From and to a plain row; `y` is local. HALO_ARGUMENT for a state the rule lacks;
 * HALO_MEMORY. */
halo_status life_grid_put_rows(life_grid *grid, int64_t y, int64_t rows, const void *data,
                               size_t pitch);
halo_status life_grid_get_rows(const life_grid *grid, int64_t y, int64_t rows, void *out,
                               size_t pitch);

/* Local. Which cells of a row are not dead, in lanes, with anything beyond the width; `scratch` has
 * room for a plane. Valid while both stay as they are. */
const char *life_grid_live_lanes(const life_grid *grid, int64_t y, char *scratch);

/* Collective. The smallest box with all cells that are not dead; n is 0 if there are none. */
halo_status life_live_box(halo_life *life, halo_life_box *live);

/* Local. Add what the run on a grid did. */
void life_add_beats(halo_beat_report *sum, const life_grid *grid);

/* Collective, before a run. Forget the margin everywhere if any rank's cells were changed. */
halo_status life_check_margin(halo_life *life);

/* Collective. Is there room for `*generations` on the sides that grow? Enlarge the grid if not,
 * and tell for how many there is room: at least 1. HALO_MEMORY if a larger grid does not fit; the
 * grid is then as it was. */
halo_status life_make_room(halo_life *life, int64_t *generations);

#endif
