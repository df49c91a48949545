#ifndef HALOBEAT_KERNELS_LIFE_LIFE_TOPOLOGY_H
#define HALOBEAT_KERNELS_LIFE_LIFE_TOPOLOGY_H

#include "kernels/life/life.h"

/* The grid that a pattern lives in: names and sizes from a user or a file, and how they become a
 * place. All functions are local and pure.
 *
 * Columns and rows that a user writes or reads count from the grid's upper left cell; on an axis
 * that grows, from the place that the pattern's file calls 0, or else from the pattern's upper left
 * cell. Cells are numbered as Golly does, which has cell 0 in the middle of a bounded axis. */

/* Kinds of grids: name, what lies beyond top and bottom, and beyond left and right, what it is. */
#define HALO_LIFE_TOPOLOGY_LIST(X)                                       \
    X(plane, GROW, GROW, "endless: it grows as the pattern does")        \
    X(dead, DEAD, DEAD, "with a border of cells that are dead for ever") \
    X(torus, WRAP, WRAP, "opposite edges are neighbours")                \
    X(cylinder, DEAD, WRAP, "left and right are neighbours; dead above and below it")

typedef struct {
    halo_life_edge edges[HALO_LIFE_AXES];
    int64_t n[HALO_LIFE_AXES]; /* cells; 0 where the pattern's size will do, or on an axis that
                                * grows */
} halo_life_topology;

/* Read a name of the list above, in any case, or a grid in Golly's words (T100,80 or P100,0,
 * without a colon). HALO_ARGUMENT, saying what is allowed. */
halo_status halo_life_topology_parse(const char *text, halo_life_topology *topology);

/* The reverse: ":T100,80" for a grid of this box and these edges, "" for one that grows both ways.
 * HALO_ARGUMENT for a grid that Golly has no words for. */
enum { HALO_LIFE_TOPOLOGY_TEXT = 64 };
halo_status halo_life_topology_print(const halo_life_edge *edges, const halo_life_box *box,
                                     char text[HALO_LIFE_TOPOLOGY_TEXT]);

/* In words, for people. */
const char *halo_life_topology_words(const halo_life_edge *edges);

/* What there is to place. */
typedef struct {
    int64_t n[HALO_LIFE_AXES];  /* cells of the pattern; 0 or more */
    bool placed;                /* its file says where it lies: */
    int64_t lo[HALO_LIFE_AXES]; /* there */
    bool golly;                 /* the topology is Golly's, of a file or a rule */
    bool at;                    /* the user says where it is to lie: */
    int64_t to[HALO_LIFE_AXES]; /* there: row and column as above */
} halo_life_placing;

/* Where a grid lies, and the pattern in it: where the user wants it, or else where its file says if
 * the file also says which grid it is in, or else in the middle. An axis that grows begins with the
 * pattern's cells. `wanted` may ask for a size, with 0 for none. HALO_ARGUMENT if the pattern does
 * not fit. */
halo_status halo_life_place(const halo_life_topology *topology,
                            const int64_t wanted[HALO_LIFE_AXES], const halo_life_placing *placing,
                            halo_life_box *grid, int64_t pattern_lo[HALO_LIFE_AXES]);

/* The number of the first cell that users count from, on an axis that begins with cell `lo`. */
int64_t halo_life_origin(halo_life_edge edge, int64_t lo);

/* How many `parts` a decomposition (as in halo_decomposition_parse; NULL: strips) makes of a grid
 * that begins with `box`. An axis that grows counts as if it had cells for all ranks, as it soon
 * will. Unless `text` says how many, blocks may be low, but not narrow. HALO_ARGUMENT. */
halo_status halo_life_parts_parse(const char *text, const halo_life_edge *edges,
                                  const halo_life_box *box, int ranks, int parts[HALO_LIFE_AXES]);

/* The cells that a picture shows of a grid that began as `begun` (blocks may have made it larger
 * since): all of an axis with bounds, and on one that grows `live`, which may be empty, with a few
 * cells around it. Never empty. */
halo_life_box halo_life_view(const halo_life_edge *edges, const halo_life_box *begun,
                             const halo_life_box *live);

/* A part of such a view: on an axis that grows, at most 180 rows and 320 columns, or one and a half
 * times as many as the grid began with, around the middle of that grid but within the view. Gliders
 * fly far, and with all of their ways in sight nobody would see what sends them. */
halo_life_box halo_life_close_up(const halo_life_edge *edges, const halo_life_box *begun,
                                 const halo_life_box *view);

#endif
