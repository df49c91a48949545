#ifndef HALOBEAT_LIFE_LIFE_ARRAY_INTERNAL_H
#define HALOBEAT_LIFE_LIFE_ARRAY_INTERNAL_H

#include "kernels/array/array_internal.h"
#include "kernels/life/life_array.h"

/* Cells that are kept between calls on arrays. Internal to the Life kernel. */

/* Plain rows (life.h) of a box. */
typedef struct {
    halo_life_box box;
    int bits;     /* per cell */
    size_t pitch; /* bytes from a row to the next */
    char *rows;   /* of halo_memory_create */
} life_kept;

struct halo_life_array {
    halo_life_rule rule;
    halo_life_edge edges[HALO_LIFE_AXES];
    bool stop_when_still, still;
    life_kept cells; /* of halo_life_part_box, at least one cell */
    int64_t generation;
    halo_life_census census;
};

/* Local. Allocates dead cells. HALO_MEMORY. */
halo_status life_kept_create(life_kept *kept, const halo_life_box *box, int states);

/* Local. Row `y` of the box, from 0. */
static inline char *life_kept_row(const life_kept *kept, int64_t y)
{
    return kept->rows + (size_t)y * kept->pitch;
}

/* Local, called by each rank. Copy cells from an array whose first cell is at `place`, which is in
 * the box, to dead cells; and cells from `place` on, which may be beyond the box, to an array.
 * HALO_MEMORY, HALO_CANCELLED. */
halo_status life_kept_take(life_kept *kept, array_call *call, const halo_world *world,
                           const halo_array *array, const int64_t place[HALO_LIFE_AXES]);
halo_status life_kept_give(const life_kept *kept, array_call *call, const halo_world *world,
                           const halo_array *array, const int64_t place[HALO_LIFE_AXES]);

#endif
