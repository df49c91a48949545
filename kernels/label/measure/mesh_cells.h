#ifndef HALOBEAT_LABEL_MESH_CELLS_H
#define HALOBEAT_LABEL_MESH_CELLS_H

#include <stdint.h>

/* The surface of a set of voxels by marching cubes: a cell has the centres of 2 x 2 x 2 voxels as
 * its corners, and what the surface has in it depends on which of them are in the set. Local, pure;
 * internal to the label kernel.
 *
 * Surfaces go through the middles of edges between a corner in the set and one outside of it. Where
 * two corners in the set are diagonally opposite on a face, they are joined there. The triangles
 * are those of the topologically correct cases of T. Lewiner, H. Lopes, A. Vieira, G. Tavares:
 * Efficient implementation of marching cubes' cases with topological guarantees (2003), which
 * scikit-image's marching_cubes finds for such a set at the level 0.5. Where a case is symmetric,
 * and its triangles are not, areas and volumes are means over the ways to lay them, so that they do
 * not depend on the orientation; areas of cubic voxels are the same for all of them. */

enum { MESH_CASES = 256, MESH_BITS = 28 };

/* Sums of cells are whole numbers, so that they do not depend on the order: parts of 2^-MESH_BITS
 * of the units. */
typedef struct {
    int32_t area[MESH_CASES]; /* in units of area_unit */
    int32_t
        missing[MESH_CASES]; /* an eighth of a voxel for each corner in the set, less the volume
                              * that the surface cuts off of the cell: in units of volume_unit */
    double area_unit, volume_unit;
} mesh_cells;

/* The table for voxels of a size along planes, rows and columns. Bit 4 z + 2 y + x of a case stands
 * for the corner at plane z, row y and column x of the cell. */
void mesh_cells_make(mesh_cells *cells, const double size[3]);

#endif
