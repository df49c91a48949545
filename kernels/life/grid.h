#ifndef HALOBEAT_LIFE_GRID_H
#define HALOBEAT_LIFE_GRID_H

#include "kernels/life/blocks.h"
#include "kernels/life/engine.h"
#include "kernels/life/life.h"

/* This rank's plain rows of a grid in blocks, while they are wanted or wait to be handed over to
 * the blocks. */
typedef struct {
    char *rows;         /* NULL: all dead, if current */
    unsigned char *put; /* [rows]: is the row newer than the blocks'? */
    bool waits;         /* is any? */
    bool current;       /* rows are as the blocks have them, or newer; the same on all ranks */
} life_staging;

/* One grid of fixed size, and the run on it. A grid that grows is replaced by a larger one.
 * Internal to the Life kernel. */
typedef struct {
    halo_life_box box;
    int states, rank;
    life_blocks *blocks; /* NULL: strips */
    life_staging staging;
    life_engine *engine;
    halo_kernel kernel;
    halo_beat *beat;
} life_grid;

struct halo_life {
    halo_world *world;
    halo_life_options options;
    const halo_isa_variant *variant; /* with life_row_ops */
    life_grid *grid;
    int64_t generation;
    bool touched;        /* this rank's cells were changed from outside since the last run */
    bool stop_requested; /* this rank's watcher, and no run has ended by it yet */
    int64_t margin;      /* generations until a live cell may come to an edge that grows */
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

/* Local. Bytes that rows on their way to and from files take on this rank. */
int64_t life_grid_later(const halo_life *life);

/* Collective. A grid of dead cells. */
halo_status life_grid_create(life_grid **out, halo_life *life, const halo_life_box *box);

/* Local. Accepts a pointer to NULL. */
void life_grid_destroy(life_grid **grid);

/* Local. Rows of this rank's strip or block, and the first of them, counted from the grid's. */
int64_t life_grid_rows(const life_grid *grid);
int64_t life_grid_first_row(const life_grid *grid);

/* Local. Fill in which part of the grid this rank has, and the parts there are. */
void life_grid_place(const life_grid *grid, int ranks, halo_life_report *report);

/* Local. Which rows each rank holds as plain rows. [ranks + 1]. */
const int64_t *life_grid_cuts(const life_grid *grid);

/* Local. Column 0 of plane 0 of local row `y`. */
static inline char *life_grid_row(const life_grid *grid, int64_t y)
{
    return life_engine_row(halo_beat_view(grid->beat, 0), y);
}

/* Local. Bits of a cell and bytes of a row in plain rows. */
int life_grid_cell_bits(const life_grid *grid);
size_t life_grid_row_bytes(const life_grid *grid);

/* Local. From and to plain rows of the grid; `y` counts from the first row this rank holds as a
 * plain one. HALO_ARGUMENT for a state the rule lacks, or, in blocks, to get rows that are not
 * current; HALO_MEMORY. */
halo_status life_grid_put_rows(life_grid *grid, int64_t y, int64_t rows, const void *data,
                               size_t pitch);
halo_status life_grid_get_rows(const life_grid *grid, int64_t y, int64_t rows, void *out,
                               size_t pitch);

/* Local. The same from and to what is computed on: rows of this rank's strip or block, in blocks
 * with the ghosts. States are those of the rule. HALO_MEMORY. */
halo_status life_grid_pack_rows(life_grid *grid, int64_t y, int64_t rows, const void *data,
                                size_t pitch);
halo_status life_grid_unpack_rows(const life_grid *grid, int64_t y, int64_t rows, void *out,
                                  size_t pitch);

/* Local. A plane of a plain row as bits: the row itself if it has no other, or `plane` written to
 * `room` (as many words as the row has cells of 64). */
const uint64_t *life_plain_plane(const life_grid *grid, const void *row, int plane, uint64_t *room);

/* Local. Plain rows of a grid in blocks, as above. */
halo_status life_staging_put(life_grid *grid, int64_t y, int64_t rows, const void *data,
                             size_t pitch);
halo_status life_staging_get(const life_grid *grid, int64_t y, int64_t rows, void *out,
                             size_t pitch);
void life_staging_free(life_grid *grid);

/* Collective; nothing to do for strips. Hand rows that were put over to the blocks; that, and bring
 * all plain rows up to date; the first, and forget plain rows. HALO_MEMORY, HALO_MPI. */
halo_status life_staging_hand_over(halo_life *life, life_grid *grid);
halo_status life_staging_bring(halo_life *life, life_grid *grid);
halo_status life_staging_end(halo_life *life, life_grid *grid);

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
