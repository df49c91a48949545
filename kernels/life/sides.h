#ifndef HALOBEAT_LIFE_SIDES_H
#define HALOBEAT_LIFE_SIDES_H

#include "core/exchange/exchange.h"
#include "kernels/life/row_ops.h"

/* The cells that rows of a block share with the blocks next to it: at each end LIFE_GHOSTS own
 * cells for the other block, and LIFE_GHOSTS cells beyond that end from it. Internal to the Life
 * kernel. */

typedef struct {
    life_window own[2];    /* the block's cells at the low and the high end */
    life_window ghosts[2]; /* the cells beyond these ends */
} life_sides;

/* Local. For rows whose own cells are `first` to `first + owned - 1` (at least LIFE_GHOSTS), with
 * ghosts where there is room for them. */
void life_sides_make(life_sides *sides, const life_lanes *lanes, int64_t first, int64_t owned);

/* For kernels whose state is a life_engine with sides. */
extern const halo_side_halo life_engine_side_halo;

#endif
