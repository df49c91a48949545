#ifndef HALOBEAT_PATHS_STEPS_H
#define HALOBEAT_PATHS_STEPS_H

#include "core/field/field.h"
#include "kernels/paths/paths.h"

/* Steps from a cell to its neighbours, in an image or in a volume: an image is one plane. All
 * functions are local and pure. Internal to the paths kernel. */

enum { PATHS_STEPS = 26, PATHS_KNIGHTS = 16 };

typedef struct {
    int dz, dy, dx;
    double weight;    /* factor of the sum of costs */
    int passed[2][2]; /* dy, dx of the two cells that a knight's move passes over */
} paths_step;

/* True if these options are for volumes. */
static inline bool paths_is_volume(const halo_paths_options *options)
{
    enum { FACES = 6, EDGES = 18 };
    int neighbours = options->neighbours;
    return neighbours == FACES || neighbours == EDGES || neighbours == PATHS_STEPS;
}

/* Writes the steps to `steps`, [PATHS_STEPS], and returns their number. Their order decides which
 * of several ways back to cells of one distance a path takes: in images that of halo_paths_steps,
 * in volumes those across faces come first, then those across edges, then corners, each kind in
 * raster order. */
int paths_find_steps(const halo_paths_options *options, paths_step *steps);

/* A rank's part, along planes, rows and columns, whatever the number of axes: an image has one
 * plane, and no halo before and behind it. */
typedef struct {
    int64_t size[HALO_AXES];     /* owned cells */
    int64_t halo[HALO_AXES];     /* depth of the halo at either end */
    int64_t lo[HALO_AXES];       /* the first owned cell, in the domain */
    int64_t n[HALO_AXES];        /* size of the domain */
    ptrdiff_t stride[HALO_AXES]; /* bytes */
} paths_part;

static inline paths_part paths_part_of(const halo_view *cells, const halo_domain *domain)
{
    paths_part part = {.size = {1}, .n = {1}};
    int before = HALO_AXES - cells->axes;
    for (int axis = 0; axis < cells->axes; axis++) {
        part.size[before + axis] = cells->owned.n[axis];
        part.halo[before + axis] = axis == 0 ? cells->depth : cells->side_depth;
        part.lo[before + axis] = cells->owned.lo[axis];
        part.n[before + axis] = domain->n[axis];
        part.stride[before + axis] = cells->stride[axis];
    }
    return part;
}

/* True if a cell, by local indices, is owned. */
static inline bool paths_part_owns(const paths_part *part, int64_t z, int64_t y, int64_t x)
{
    return z >= 0 && z < part->size[0] && y >= 0 && y < part->size[1] && x >= 0 &&
           x < part->size[2];
}

/* True if it lies in the domain. */
static inline bool paths_part_is_inside(const paths_part *part, int64_t z, int64_t y, int64_t x)
{
    z += part->lo[0];
    y += part->lo[1];
    x += part->lo[2];
    return z >= 0 && z < part->n[0] && y >= 0 && y < part->n[1] && x >= 0 && x < part->n[2];
}

/* Called for a cell, by local indices. */
typedef void paths_visit(void *context, int64_t z, int64_t y, int64_t x);

/* Calls `visit` for the cells of the halo, row by row. A part without cells has none. */
void paths_part_visit_halo(const paths_part *part, paths_visit *visit, void *context);

#endif
