#ifndef HALOBEAT_LIFE_ENGINE_H
#define HALOBEAT_LIFE_ENGINE_H

#include "core/beat/kernel.h"
#include "kernels/life/row_ops.h"
#include "kernels/life/sides.h"

/* Life as a kernel of the heartbeat: several generations in one superstep over a strip, in place.
 *
 * To the runtime a grid is a single axis of rows, and a row is one cell of many bytes;
 * kernels/life/blocks.h describes blocks. The superstep is a wavefront: rows go by in blocks small
 * enough to stay in the cache until all generations (levels) are through with them, each level one
 * row behind the level before. A level overwrites its rows; what the next block needs of the last
 * of them, the sums of its cells, is kept. So there is no second copy of the grid, and main memory
 * is read and written once a superstep. */

/* How a row lies: in strips all its cells are the rank's own; in blocks the neighbours' cells that
 * it needs a copy of stand beside them, computed like its own but counted by nobody here. */
typedef struct {
    int64_t width;        /* cells */
    int64_t first, owned; /* which of them are its own */
} life_engine_span;

typedef struct {
    halo_life_rule rule;
    bool periodic; /* the ends of a row are neighbours */
    bool infinite; /* empty space all around: cells are kept relative to the background, which a
                    * rule with B0 changes */
    int levels;    /* most generations in a superstep */
    bool blocks;   /* other ranks have cells beside these */
    life_engine_span span;
} life_engine_options;

typedef struct {
    const life_row_ops *ops;
    const life_rule_code *code;
    life_lanes lanes;
    life_engine_span span;
    life_ends ends;
    bool blocks;
    life_sides sides; /* in blocks */
    halo_life_rule rule;
    bool relative;                /* cells are kept as what differs from the background */
    const life_rule_lanes *rules; /* [2]: while the background is dead; while it is alive */
    int levels, block_rows;
    int64_t generation; /* of the grid at beat 0 */
    bool counting;      /* births and deaths in the supersteps to come */
    int64_t *changes;   /* [2 * levels]: births and deaths of each level of this rank's superstep */
    int64_t *agreed;    /* the same of the last superstep, over all ranks */
    char *mask;         /* [columns] columns: lanes with a cell of the rank's own in them */
    /* For each level 2 * columns columns of sums: of the last row done; the same in the low end of
     * a strip; of the first row of its middle. */
    char *last_sums, *low_sums, *seam_sums;
    char *side;
    void *memory; /* what the pointers above point into */
} life_engine;

/* Local. HALO_MEMORY. The operations must be of an ISA that this machine has. */
halo_status life_engine_create(life_engine **out, const life_row_ops *ops,
                               const life_engine_options *options);

/* Local. Accepts a pointer to NULL. */
void life_engine_destroy(life_engine **engine);

/* Local. The table for a run with this engine, whose options are the address of a pointer to it; it
 * stops by itself, if `converges`, when nothing changes any more. The caller keeps the engine. */
halo_kernel life_engine_kernel(const life_engine *engine, bool converges);

/* Local. Column 0 of plane 0 of row `y` of a run's field. */
static inline char *life_engine_row(const halo_view *view, int64_t y)
{
    return (char *)halo_row(view, y) + LIFE_COLUMN_BYTES;
}

/* Local. Bytes that an engine takes. */
size_t life_engine_bytes(const life_lanes *lanes, int levels);

/* Local. Flops of a column of a row in one generation, for simulated machines. */
double life_engine_column_flops(const life_lanes *lanes);

#endif
