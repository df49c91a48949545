#ifndef HALOBEAT_LIFE_SIDES_H
#define HALOBEAT_LIFE_SIDES_H

#include "core/exchange/exchange.h"
#include "kernels/life/lanes.h"

#include <stdbool.h>

/* The cells that the rows of a block share with the blocks beside it: LIFE_GHOSTS cells at its own
 * end, for the other block, and as many beyond that end, from it. Internal to the Life kernel. */

enum { LIFE_GHOSTS = 64 };

/* Cells of such a window that lie in one word of a row's plane. */
typedef struct {
    int64_t word;     /* from column 0 on */
    int shift;        /* of the first of them; the others follow, bit by bit */
    uint64_t pattern; /* their places in the window */
    uint64_t mask;    /* and in the word */
} life_window_part;

/* LIFE_GHOSTS cells in a row. */
typedef struct {
    int parts;
    life_window_part part[LIFE_GHOSTS];
} life_window;

typedef struct {
    life_window own[2];    /* the block's cells at the low and the high end */
    life_window ghosts[2]; /* those beyond */
} life_sides;

/* Local. Of rows that have their own cells `first` to `first` + `owned` - 1 (at least LIFE_GHOSTS),
 * and ghosts wherever there is room for them. */
void life_sides_make(life_sides *sides, const life_lanes *lanes, int64_t first, int64_t owned);

/* Local. A window of a plane, whose column 0 is at `plane`; `fast` may be set where the machine has
 * it (life_sides_has_fast), with the same results. */
uint64_t life_window_read(const life_window *window, const void *plane, bool fast);
void life_window_write(const life_window *window, void *plane, uint64_t cells, bool fast);

/* Local. Has the machine instructions that gather and scatter bits? */
bool life_sides_has_fast(void);

/* For kernels whose state is a life_engine with sides. */
extern const halo_sides life_engine_sides;

#endif
