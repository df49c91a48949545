#ifndef HALOBEAT_CLI_LIFE_GRID_H
#define HALOBEAT_CLI_LIFE_GRID_H

#include "kernels/life/life.h"

/* Which grid a pattern lives in: words and sizes from the command line or a file, and how they
 * become a place. Pure functions.
 *
 * Columns and rows that a user writes or reads count from the grid's upper left cell; on an axis
 * that grows, from the place that the pattern's file calls 0, or else from the pattern's upper left
 * cell. Cells are numbered as Golly does, which has cell 0 in the middle of a bounded axis. */

/* Kinds of grids by name: what lies beyond top and bottom, and beyond left and right. */
#define LIFE_TOPOLOGY_LIST(X)                                            \
    X(plane, GROW, GROW, "endless: it grows as the pattern does")        \
    X(dead, DEAD, DEAD, "with a border of cells that are dead for ever") \
    X(torus, WRAP, WRAP, "opposite edges are neighbours")                \
    X(cylinder, DEAD, WRAP, "left and right are neighbours; dead above and below it")

typedef struct {
    halo_life_edge edges[HALO_LIFE_AXES];
    int64_t n[HALO_LIFE_AXES]; /* cells; 0 where the pattern's size will do, or on an axis that
                                * grows */
} life_topology;

/* Read a name of the list above, or a grid in Golly's words (T100,80 or P100,0, without a colon).
 * HALO_ARGUMENT, saying what is allowed. */
halo_status life_topology_parse(const char *text, life_topology *topology);

/* The reverse: ":T100,80" for a grid of this box and these edges, "" for one that grows both ways.
 * HALO_ARGUMENT for a grid that Golly has no words for. */
enum { LIFE_TOPOLOGY_TEXT = 64 };
halo_status life_topology_print(const halo_life_edge *edges, const halo_life_box *box,
                                char text[LIFE_TOPOLOGY_TEXT]);

/* In words, for people. */
const char *life_topology_words(const halo_life_edge *edges);

/* What there is to place. */
typedef struct {
    int64_t n[HALO_LIFE_AXES];  /* cells of the pattern; 0 or more */
    bool placed;                /* its file says where it lies: */
    int64_t lo[HALO_LIFE_AXES]; /* there */
    bool golly;                 /* the topology is Golly's, of a file or a rule */
    bool at;                    /* the user says where it is to lie: */
    int64_t to[HALO_LIFE_AXES]; /* there: column and row as above */
} life_placing;

/* Where a grid lies, and the pattern in it: where the user wants it, or else where its file says if
 * the file also says which grid it is in, or else in the middle. An axis that grows begins with the
 * pattern's cells.
 * `wanted` may ask for a size, with 0 for none. HALO_ARGUMENT if the pattern does not fit. */
halo_status life_place(const life_topology *topology, const int64_t wanted[HALO_LIFE_AXES],
                       const life_placing *placing, halo_life_box *grid,
                       int64_t pattern_lo[HALO_LIFE_AXES]);

/* The number of the first cell that users count from. */
int64_t life_origin(halo_life_edge edge, int64_t lo);

#endif
