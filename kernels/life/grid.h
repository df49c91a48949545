#ifndef HALOBEAT_LIFE_GRID_H
#define HALOBEAT_LIFE_GRID_H

#include "kernels/life/blocks.h"
#include "kernels/life/engine.h"
#include "kernels/life/life.h"

/* This rank's plain rows of a grid in blocks, while they are in use or wait to be sent to the
 * blocks. */
typedef struct {
    char *rows;         /* NULL: all dead, if current */
    unsigned char *put; /* [rows]: the row is newer than the blocks' */
    bool waits;         /* true if any row is newer */
    bool current;       /* rows are those of the blocks, or newer; the same on all ranks */
} life_staging;

/* One grid of fixed size, and the run on it. A grid that grows is replaced by a larger one, or by
 * one elsewhere. Internal to the Life kernel. */
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
    const halo_isa_variant *variant; /* of life_row_ops */
    life_grid *grid;
    int64_t generation;
    bool touched;        /* this rank's cells were changed from outside since the last run */
    bool stop_requested; /* by this rank's watcher; no run has ended by it yet */
    int64_t margin;      /* generations until a live cell may reach an edge that grows */
    halo_life_stop stopped;
    bool kept, kept_background;
    halo_life_census kept_census;
    int64_t enlargements;        /* of the grid */
    halo_beat_report past_beats; /* of grids that were replaced */

    /* While it counts changes: */
    halo_life_change *changes;
    int64_t changes_room, change_count;
    int64_t beats_seen; /* of the run on this grid */
};

/* Local. True if either axis grows, so that the plane is infinite. */
static inline bool life_grows(const halo_life_options *options)
{
    return options->edges[HALO_LIFE_ROWS] == HALO_LIFE_GROW ||
           options->edges[HALO_LIFE_COLUMNS] == HALO_LIFE_GROW;
}

/* Local. Bytes that reading or writing rows of files allocates on this rank. */
int64_t life_grid_later(const halo_life *life);

/* Collective. Creates a grid of dead cells. */
halo_status life_grid_create(life_grid **out, halo_life *life, const halo_life_box *box);

/* Local. Accepts a pointer to NULL. */
void life_grid_destroy(life_grid **grid);

/* Local. The number of rows of this rank's strip or block, and the first of them, counted from the
 * grid's first row. */
int64_t life_grid_rows(const life_grid *grid);
int64_t life_grid_first_row(const life_grid *grid);

/* Local. Sets the part of the grid that this rank has, and the parts in use, in the report. */
void life_grid_place(const life_grid *grid, int ranks, halo_life_report *report);

/* Local. Cuts [ranks + 1] of the plain rows that each rank holds. */
const int64_t *life_grid_cuts(const life_grid *grid);

/* Local. Column 0 of plane 0 of local row `y`. */
static inline char *life_grid_row(const life_grid *grid, int64_t y)
{
    return life_engine_row(halo_beat_view(grid->beat, 0), y);
}

/* Local. Bits per cell and bytes per row of plain rows. */
int life_grid_cell_bits(const life_grid *grid);
size_t life_grid_row_bytes(const life_grid *grid);

/* Local. From and to plain rows of the grid; `y` counts from the first plain row this rank holds.
 * HALO_ARGUMENT for a state that the rule does not have, or in blocks for getting rows that are not
 * current; HALO_MEMORY. */
halo_status life_grid_put_rows(life_grid *grid, int64_t y, int64_t rows, const void *data,
                               size_t pitch);
halo_status life_grid_get_rows(const life_grid *grid, int64_t y, int64_t rows, void *out,
                               size_t pitch);

/* Local. From and to the rows of this rank's strip or block, in blocks with the ghosts. States are
 * those of the rule. HALO_MEMORY. */
halo_status life_grid_pack_rows(life_grid *grid, int64_t y, int64_t rows, const void *data,
                                size_t pitch);
halo_status life_grid_unpack_rows(const life_grid *grid, int64_t y, int64_t rows, void *out,
                                  size_t pitch);

/* Local. A plane of a plain row as bits: the row itself if it has only one, otherwise `plane`
 * written to `room` (a word per 64 cells). */
const uint64_t *life_plain_plane(const life_grid *grid, const void *row, int plane, uint64_t *room);

/* Local. Plain rows of a grid in blocks, as above. */
halo_status life_staging_put(life_grid *grid, int64_t y, int64_t rows, const void *data,
                             size_t pitch);
halo_status life_staging_get(const life_grid *grid, int64_t y, int64_t rows, void *out,
                             size_t pitch);
void life_staging_free(life_grid *grid);

/* Collective; do nothing for strips. Send rows that were put to the blocks; do that and update all
 * plain rows; do the first and drop plain rows. HALO_MEMORY, HALO_TRANSPORT. */
halo_status life_staging_hand_over(halo_life *life, life_grid *grid);
halo_status life_staging_bring(halo_life *life, life_grid *grid);
halo_status life_staging_end(halo_life *life, life_grid *grid);

/* Local. The cells of a row that are not dead, in lanes, undefined beyond the width; `scratch` has
 * room for a plane. Valid while both are unchanged. */
const char *life_grid_live_lanes(const life_grid *grid, int64_t y, char *scratch);

/* Collective. A census without its hash, which costs more than the rest. */
halo_status life_count_live(halo_life *life, halo_life_census *census);

/* Local. Adds the report of the run on a grid. */
void life_add_beats(halo_beat_report *sum, const life_grid *grid);

/* Collective, before a run. Drops the margin on all ranks if any rank's cells were changed. */
halo_status life_check_margin(halo_life *life);

/* Collective. Enlarges the grid if there is no room for *generations generations on the sides that
 * grow, and sets *generations to the number there is room for, at least 1. HALO_MEMORY if a larger
 * grid does not fit; the grid is then unchanged. */
halo_status life_make_room(halo_life *life, int64_t *generations);

#endif
