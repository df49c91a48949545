#ifndef HALOBEAT_PATHS_MAP_H
#define HALOBEAT_PATHS_MAP_H

#include "kernels/paths/paths_back.h"

#include <math.h>

/* Reading final distances. All functions are local except paths_find_hops. Internal to the paths
 * kernel. */

typedef struct {
    const halo_paths_map *map;
    const halo_view *cells;
    int64_t rows, columns; /* owned */
    double unreached;
    int step_count;
    halo_paths_step steps[HALO_PATHS_NEIGHBOURS];
} paths_look;

static inline paths_look paths_look_at(const halo_paths_map *map)
{
    paths_look look = {.map = map,
                       .cells = map->cells,
                       .rows = map->cells->owned.n[0],
                       .columns = map->cells->owned.n[1],
                       .unreached = halo_paths_unreached(map->options)};
    look.step_count = halo_paths_steps(map->options, look.steps);
    return look;
}

static inline const halo_paths_cell *paths_cell_at(const paths_look *look, int64_t y, int64_t x)
{
    return (const halo_paths_cell *)halo_row(look->cells, y) + x;
}

static inline bool paths_is_owned(const paths_look *look, int64_t y, int64_t x)
{
    return y >= 0 && y < look->rows && x >= 0 && x < look->columns;
}

/* The distance at the end of a step from cell (y, x), which is `from`, to the cell `to`: to the
 * last bit what a front computes. All cells of the step must be in the part or its halo. */
static inline double paths_look_reach(const paths_look *look, int64_t y, int64_t x,
                                      const halo_paths_step *step, const halo_paths_cell *from,
                                      const halo_paths_cell *to)
{
    double sum = fabs(from->cost) + fabs(to->cost);
    if (step->passed[1][0] != 0 || step->passed[1][1] != 0) {
        const halo_paths_cell *p =
            paths_cell_at(look, y + step->passed[0][0], x + step->passed[0][1]);
        const halo_paths_cell *q =
            paths_cell_at(look, y + step->passed[1][0], x + step->passed[1][1]);
        sum = fabs(p->cost) + fabs(q->cost) + fabs(to->cost) + fabs(from->cost);
    }
    return from->distance + sum * step->weight;
}

static inline bool paths_is_same(double a, double b)
{
    return !(a < b) && !(a > b);
}

/* True if the neighbour of cell (y, x) in the direction of this step is tight. */
bool paths_look_is_tight(const paths_look *look, int64_t y, int64_t x, int step);

/* The step to the tight neighbour that has the smallest distance, the first of several; -1 if none
 * has a smaller distance than the cell. */
int paths_look_back(const paths_look *look, int64_t y, int64_t x);

/* Collective. Sets `hops`, a field as in halo_paths_nearest, to the number of steps from a cell,
 * along tight cells of the same distance, to the next one that is a source or has a tight neighbour
 * with a smaller distance; 0 for such cells themselves. HALO_MEMORY, HALO_TRANSPORT. */
halo_status paths_find_hops(const halo_paths_map *map, halo_field *hops);

#endif
