#ifndef HALOBEAT_PATHS_MAP_H
#define HALOBEAT_PATHS_MAP_H

#include "kernels/paths/paths_back.h"
#include "kernels/paths/steps.h"

#include <math.h>

/* Reading final distances. Cells have local indices z, y, x, of which z is 0 in images. All
 * functions are local except paths_find_hops. Internal to the paths kernel. */

typedef struct {
    const halo_paths_map *map;
    const halo_view *cells;
    paths_part part;
    double unreached;
    int step_count;
    paths_step steps[PATHS_STEPS];
} paths_look;

static inline paths_look paths_look_at(const halo_paths_map *map)
{
    paths_look look = {.map = map,
                       .cells = map->cells,
                       .part = paths_part_of(map->cells, map->domain),
                       .unreached = halo_paths_unreached(map->options)};
    look.step_count = paths_find_steps(map->options, look.steps);
    return look;
}

static inline const halo_paths_cell *paths_cell_at(const paths_look *look, int64_t z, int64_t y,
                                                   int64_t x)
{
    const ptrdiff_t *stride = look->part.stride;
    const char *row = (const char *)look->cells->origin + z * stride[0] + y * stride[1];
    return (const halo_paths_cell *)(const void *)row + x;
}

static inline bool paths_is_owned(const paths_look *look, int64_t z, int64_t y, int64_t x)
{
    return paths_part_owns(&look->part, z, y, x);
}

/* Sets at[] to the local indices of a place, and back. */
static inline void paths_find_local(const paths_part *part, const halo_paths_place *place,
                                    int64_t at[HALO_AXES])
{
    bool volume = part->n[0] > 1;
    at[0] = (volume ? place->row / part->n[1] : 0) - part->lo[0];
    at[1] = (volume ? place->row % part->n[1] : place->row) - part->lo[1];
    at[2] = place->column - part->lo[2];
}

static inline halo_paths_place paths_place_of(const paths_part *part, int64_t z, int64_t y,
                                              int64_t x)
{
    return (halo_paths_place){.row = (z + part->lo[0]) * part->n[1] + y + part->lo[1],
                              .column = x + part->lo[2]};
}

/* Moves a place by a step. */
static inline void paths_go(const paths_part *part, const paths_step *step, halo_paths_place *place)
{
    place->row += step->dz * part->n[1] + step->dy;
    place->column += step->dx;
}

/* The distance at the end of a step from cell (z, y, x), which is `from`, to the cell `to`: to the
 * last bit what a front computes. All cells of the step must be in the part or its halo. */
static inline double paths_look_reach(const paths_look *look, int64_t z, int64_t y, int64_t x,
                                      const paths_step *step, const halo_paths_cell *from,
                                      const halo_paths_cell *to)
{
    double sum = fabs(from->cost) + fabs(to->cost);
    if (step->passed[1][0] != 0 || step->passed[1][1] != 0) {
        const halo_paths_cell *p =
            paths_cell_at(look, z, y + step->passed[0][0], x + step->passed[0][1]);
        const halo_paths_cell *q =
            paths_cell_at(look, z, y + step->passed[1][0], x + step->passed[1][1]);
        sum = fabs(p->cost) + fabs(q->cost) + fabs(to->cost) + fabs(from->cost);
    }
    return from->distance + sum * step->weight;
}

static inline bool paths_is_same(double a, double b)
{
    return !(a < b) && !(a > b);
}

/* True if the neighbour of cell (z, y, x) in the direction of this step is tight. */
bool paths_look_is_tight(const paths_look *look, int64_t z, int64_t y, int64_t x, int step);

/* The step to the tight neighbour that has the smallest distance, the first of several; -1 if none
 * has a smaller distance than the cell. */
int paths_look_back(const paths_look *look, int64_t z, int64_t y, int64_t x);

/* Collective. Sets `hops`, a field as in halo_paths_nearest, to the number of steps from a cell,
 * along tight cells of the same distance, to the next one that is a source or has a tight neighbour
 * with a smaller distance; 0 for such cells themselves. HALO_MEMORY, HALO_TRANSPORT. */
halo_status paths_find_hops(const halo_paths_map *map, halo_field *hops);

#endif
