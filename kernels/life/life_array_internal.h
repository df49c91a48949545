#ifndef HALOBEAT_LIFE_LIFE_ARRAY_INTERNAL_H
#define HALOBEAT_LIFE_LIFE_ARRAY_INTERNAL_H

#include "kernels/array/array_internal.h"
#include "kernels/life/grid.h"
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
    /* The rows of a grid of bits that does not grow as they are computed on (lanes.h), which are
     * there in place of `cells` after a run: to make plain rows of them, and these of plain rows,
     * costs as much as many generations. */
    life_lanes lanes;
    char *computed; /* of halo_memory_create; NULL: none yet, or never */
    bool has_computed, has_cells;
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

/* Local, pure. True if the rows of this grid are kept as they are computed on. */
bool life_array_keeps_lanes(const halo_life_array *life);

/* Local, on rank 0. Allocates them, if they are not there yet. HALO_MEMORY. */
halo_status life_array_make_lanes(halo_life_array *kept);

/* Local, called by each rank. Copy its rows to a grid, and from it. */
void life_array_put_lanes(const halo_life_array *kept, halo_life *life);
void life_array_get_lanes(const halo_life_array *kept, const halo_life *life);

/* Local, called by each rank. Makes its share of plain rows of them. HALO_ARGUMENT for unknown
 * instructions. */
halo_status life_array_make_plain(halo_life_array *life, const array_call *call,
                                  const halo_world *world);

/* Local, called by each rank. Sets the first and the end of its share of rows. HALO_MEMORY. */
halo_status life_array_share(const halo_world *world, int64_t rows, int64_t *first, int64_t *end);

/* Local, called by each rank. Copy cells from an array whose first cell is at `place`, which is in
 * the box, to dead cells; and cells from `place` on, which may be beyond the box, to an array.
 * HALO_MEMORY, HALO_CANCELLED; HALO_ARGUMENT for elements that are none of the rule's `states`,
 * unless they are bytes, which a run checks. */
halo_status life_kept_take(life_kept *kept, array_call *call, const halo_world *world,
                           const halo_array *array, int states,
                           const int64_t place[HALO_LIFE_AXES]);
halo_status life_kept_give(const life_kept *kept, array_call *call, const halo_world *world,
                           const halo_array *array, const int64_t place[HALO_LIFE_AXES]);

#endif
