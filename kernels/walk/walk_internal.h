#ifndef HALOBEAT_WALK_WALK_INTERNAL_H
#define HALOBEAT_WALK_WALK_INTERNAL_H

#include "core/world/watch.h"
#include "kernels/walk/walk.h"
#include "kernels/walk/walk_ops.h"

enum { WALK_WORD_BITS = 64 /* bits per word of the medium */ };

struct halo_walk {
    walk_table table;
    const walk_ops *ops;
    halo_walk_facts facts;
    int64_t n[HALO_WALK_AXES]; /* of the medium as given */

    /* Cells in which walkers may start: rows of words with a bit per cell, and the number of such
     * cells before each row. */
    uint64_t *starts;
    int64_t *before; /* [rows + 1] */
    int64_t rows, row_words;

    uint32_t *around; /* [places] of the table, or */
    uint32_t *tiles;  /* of the table, or */
    uint16_t *kind;   /* of the table, with `columns` */
    uint32_t *columns;
};

/* WALK_WALL is what is beyond reflecting edges: no walker enters it, even if the solid conducts. */
enum { WALK_SOLID, WALK_FLUID, WALK_WALL, WALK_CELL_KINDS };

/* The medium of `options` with `beyond` more cells at each edge than the table has. */
typedef struct {
    unsigned char *cells; /* one of WALK_SOLID, ... */
    int64_t n[HALO_WALK_AXES], stride[HALO_WALK_AXES];
    int beyond[HALO_WALK_AXES];
    int margin[HALO_WALK_AXES]; /* cells beyond the period at each edge, including `beyond` */
    int32_t period[HALO_WALK_AXES];
} walk_padded;

/* Free it with walk_padded_free. HALO_MEMORY. */
halo_status walk_padded_create(walk_padded *padded, const halo_walk_options *options, int margin,
                               int beyond);
void walk_padded_free(walk_padded *padded);

/* Local, pure. The length of a period along an axis, and the medium's cell at index i of it, which
 * may be beyond the period; -1 for a wall. */
int32_t walk_period_of(const halo_walk_options *options, int axis, int margin);
int64_t walk_cell_at(const halo_walk_options *options, int axis, int64_t i);

/* Local. The number of cells in the walkers' table. */
int64_t walk_count_places(const walk_table *table, const walk_padded *padded);

/* Allocates table->tiles, walk_tile_bytes bytes. HALO_MEMORY. */
halo_status walk_make_tiles(halo_walk *walk, const halo_walk_options *options);
int64_t walk_tile_bytes(const halo_walk_options *options, int margin);

/* Finds the shares of hops along each axis, which are 1 in all. True if they are the same. */
bool walk_find_shares(const halo_walk_options *options, double shares[HALO_WALK_AXES]);

/* Makes table->around, or walk->kind and walk->columns. HALO_ARGUMENT, HALO_MEMORY. */
halo_status walk_make_walls(halo_walk *walk, const walk_padded *padded);
halo_status walk_make_chances(halo_walk *walk, const halo_walk_options *options,
                              const walk_padded *padded);

/* Sets the velocity along x, in cells per step, at each y of the padded medium, [padded->n[1]], and
 * the flow's facts. HALO_ARGUMENT, HALO_MEMORY. */
halo_status walk_find_flow(halo_walk *walk, const halo_walk_options *options,
                           const walk_padded *padded, double *velocity);

/* halo_walk_run, which the world, or NULL, watches. HALO_CANCELLED; sums are then undefined. */
halo_status walk_run_watched(const halo_world *world, const halo_walk *walk, int64_t first,
                             int count, int64_t steps, int64_t every, int64_t *sums);

/* Makes the 8 columns of a kind. `parts` are probabilities of outcomes in units of 2^-29, including
 * WALK_STAY, to which the missing rest is added. */
void walk_make_columns(const int64_t parts[WALK_OUTCOMES], uint32_t columns[WALK_OUTCOMES]);

#endif
