#ifndef HALOBEAT_WALK_WALK_INTERNAL_H
#define HALOBEAT_WALK_WALK_INTERNAL_H

#include "kernels/walk/walk.h"
#include "kernels/walk/walk_ops.h"

enum { WALK_WORD_BITS = 64 /* of the medium's bits */ };

struct halo_walk {
    walk_table table;
    const walk_ops *ops;
    halo_walk_facts facts;
    int64_t n[HALO_WALK_AXES]; /* of the medium as given */

    /* Where walkers begin: a bit a cell, rows of words, and how many before each row. */
    uint64_t *starts;
    int64_t *before; /* [rows + 1] */
    int64_t rows, row_words;

    uint32_t *around; /* the table's, [places], or */
    uint32_t *tiles;  /* or */
    uint16_t *kind;   /* these two */
    uint32_t *columns;
};

/* A wall is what is beyond reflecting edges: nobody enters it, even if the solid conducts. */
enum { WALK_SOLID, WALK_FLUID, WALK_WALL, WALK_CELL_KINDS };

/* The medium of `options` with `beyond` more cells at each edge than the table has places. */
typedef struct {
    unsigned char *cells; /* one of these each */
    int64_t n[HALO_WALK_AXES], stride[HALO_WALK_AXES];
    int beyond[HALO_WALK_AXES];
    int margin[HALO_WALK_AXES]; /* cells beyond the period at each edge, `beyond` included */
    int32_t period[HALO_WALK_AXES];
} walk_padded;

/* Free with walk_padded_free. HALO_MEMORY. */
halo_status walk_padded_create(walk_padded *padded, const halo_walk_options *options, int margin,
                               int beyond);
void walk_padded_free(walk_padded *padded);

/* Local, pure. The length of a period along an axis, and the medium's cell at place i of it, which
 * may be beyond; -1 for a wall. */
int32_t walk_period_of(const halo_walk_options *options, int axis, int margin);
int64_t walk_cell_at(const halo_walk_options *options, int axis, int64_t i);

/* Local. Cells that walkers have places for. */
int64_t walk_count_places(const walk_table *table, const walk_padded *padded);

/* Allocate table->tiles, walk_tile_bytes bytes. HALO_MEMORY. */
halo_status walk_make_tiles(halo_walk *walk, const halo_walk_options *options);
int64_t walk_tile_bytes(const halo_walk_options *options, int margin);

/* table->around; walk->kind and walk->columns. HALO_ARGUMENT, HALO_MEMORY. */
halo_status walk_make_walls(halo_walk *walk, const walk_padded *padded);
halo_status walk_make_chances(halo_walk *walk, const halo_walk_options *options,
                              const walk_padded *padded);

/* Cells a step along x at each y of the padded medium, [padded->n[1]], 0 where there is none. Fills
 * in the flow's facts. HALO_ARGUMENT, HALO_MEMORY. */
halo_status walk_find_flow(halo_walk *walk, const halo_walk_options *options,
                           const walk_padded *padded, double *velocity);

/* Of 2^29 parts, how many each outcome gets, WALK_STAY included; what is missing is added to that.
 * The kind's 8 columns. */
void walk_make_columns(const int64_t parts[WALK_OUTCOMES], uint32_t columns[WALK_OUTCOMES]);

#endif
