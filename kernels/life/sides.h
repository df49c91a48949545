#ifndef HALOBEAT_LIFE_SIDES_H
#define HALOBEAT_LIFE_SIDES_H

#include "core/exchange/exchange.h"
#include "kernels/life/row_ops.h"

/* The cells that the rows of a block share with the blocks beside it: LIFE_GHOSTS cells at its own
 * end, for the other block, and as many beyond that end, from it. Internal to the Life kernel. */

typedef struct {
    life_window own[2];    /* the block's cells at the low and the high end */
    life_window ghosts[2]; /* those beyond */
} life_sides;

/* Local. Of rows that have their own cells `first` to `first` + `owned` - 1 (at least LIFE_GHOSTS),
 * and ghosts wherever there is room for them. */
void life_sides_make(life_sides *sides, const life_lanes *lanes, int64_t first, int64_t owned);

/* For kernels whose state is a life_engine with sides. */
extern const halo_side_halo life_engine_side_halo;

#endif
