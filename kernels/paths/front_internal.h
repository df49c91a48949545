#ifndef HALOBEAT_PATHS_FRONT_INTERNAL_H
#define HALOBEAT_PATHS_FRONT_INTERNAL_H

#include "kernels/paths/front.h"

#include <math.h>

/* Cells of a front, for its source files. All functions are local. */

/* The weight of a step from the cell `index` of this cost; `volume` is that of the front. */
static inline double paths_weigh(const paths_front *front, int64_t index, double cost, int step,
                                 bool volume)
{
    enum { STRAIGHT = 8 };
    const halo_paths_cell *cells = front->cells;
    double to = fabs(cells[index + front->offsets[step]].cost);
    if (volume || step < STRAIGHT) {
        return (cost + to) * front->steps[step].weight;
    }
    const int64_t *passed = front->passed[step];
    return (fabs(cells[index + passed[0]].cost) + fabs(cells[index + passed[1]].cost) + to + cost) *
           front->steps[step].weight;
}

/* Sets a smaller distance of the cell, and puts it into the queue. */
static inline void paths_improve(paths_front *front, int32_t index, double distance)
{
    halo_paths_cell *cell = &front->cells[index];
    cell->distance = distance;
    cell->cost = -fabs(cell->cost);
    front->improved++;
    paths_queue_push(&front->queue, paths_queue_bucket(&front->queue, distance), index);
}

/* Sets front->reach to the variant for the ISA in the options. */
halo_status paths_front_find_reach(paths_front *front, const halo_paths_options *options);

#endif
