#ifndef HALOBEAT_KERNELS_LIFE_LIFE_TOPOLOGY_H
#define HALOBEAT_KERNELS_LIFE_LIFE_TOPOLOGY_H

#include "kernels/life/life.h"

/* The grid of a pattern: parsing names and sizes from users and files, and placing the pattern. All
 * functions are local and pure.
 *
 * Columns and rows in options and output count from the grid's upper left cell; on an axis that
 * grows, from the position that the pattern's file calls 0, or if the file has none, from the
 * pattern's upper left cell. Cells are numbered as in Golly, where cell 0 is in the middle of a
 * bounded axis. */

/* Kinds of grids: name, edges at top and bottom, edges at left and right, description. */
#define HALO_LIFE_TOPOLOGY_LIST(X)                                       \
    X(plane, GROW, GROW, "endless: it grows as the pattern does")        \
    X(dead, DEAD, DEAD, "with a border of cells that are dead for ever") \
    X(torus, WRAP, WRAP, "opposite edges are neighbours")                \
    X(cylinder, DEAD, WRAP, "left and right are neighbours; dead above and below it")

typedef struct {
    halo_life_edge edges[HALO_LIFE_AXES];
    int64_t n[HALO_LIFE_AXES]; /* cells; 0: the size of the pattern, or an axis that grows */
} halo_life_topology;

/* Parses a name of the list, in lower or upper case, or a grid in Golly's notation without the
 * colon (T100,80 or P100,0). HALO_ARGUMENT, with what is allowed. */
halo_status halo_life_topology_parse(const char *text, halo_life_topology *topology);

/* The reverse: ":T100,80" for a grid with this box and these edges, "" for one that grows on both
 * axes. HALO_ARGUMENT for a grid that Golly's notation cannot express. */
enum { HALO_LIFE_TOPOLOGY_TEXT = 64 };
halo_status halo_life_topology_print(const halo_life_edge *edges, const halo_life_box *box,
                                     char text[HALO_LIFE_TOPOLOGY_TEXT]);

/* A description in words; a constant string. */
const char *halo_life_topology_words(const halo_life_edge *edges);

/* A pattern to place. */
typedef struct {
    int64_t n[HALO_LIFE_AXES];  /* cells of the pattern; 0 or more */
    bool placed;                /* the file gives its position: */
    int64_t lo[HALO_LIFE_AXES]; /* that position */
    bool golly;                 /* the topology is in Golly's notation, from a file or a rule */
    bool at;                    /* the user gives a position: */
    int64_t to[HALO_LIFE_AXES]; /* that position, row and column counted as above */
} halo_life_placing;

/* Sets the box of the grid, and the position of the pattern in it: where the user wants it;
 * otherwise where its file says, if the file also has a topology; otherwise in the middle. A
 * growing axis begins with the cells of the pattern. `wanted` is a size, 0 for none. HALO_ARGUMENT
 * if the pattern does not fit. */
halo_status halo_life_place(const halo_life_topology *topology,
                            const int64_t wanted[HALO_LIFE_AXES], const halo_life_placing *placing,
                            halo_life_box *grid, int64_t pattern_lo[HALO_LIFE_AXES]);

/* The index of the first cell that users count from, on an axis that begins with cell `lo`. */
int64_t halo_life_origin(halo_life_edge edge, int64_t lo);

/* Sets `parts` by a decomposition `text` (as for halo_decomposition_parse; NULL: strips) of a grid
 * that begins with `box`. A growing axis counts as having cells for all ranks, as it soon will.
 * Unless `text` gives numbers, blocks may be low but not narrow. HALO_ARGUMENT. */
halo_status halo_life_parts_parse(const char *text, const halo_life_edge *edges,
                                  const halo_life_box *box, int ranks, int parts[HALO_LIFE_AXES]);

/* The cells to show in a picture of a grid whose initial box was `begun` (it may have grown since):
 * all cells of a bounded axis, and on a growing axis those of `live`, which may be empty, with a
 * small margin. Never empty. */
halo_life_box halo_life_view(const halo_life_edge *edges, const halo_life_box *begun,
                             const halo_life_box *live);

/* A part of such a view: on a growing axis at most 180 rows and 320 columns, or 1.5 times the
 * initial size, around the middle of the initial grid and within the view. Without this limit
 * gliders that fly far make everything else too small to see. */
halo_life_box halo_life_close_up(const halo_life_edge *edges, const halo_life_box *begun,
                                 const halo_life_box *view);

#endif
