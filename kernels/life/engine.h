#ifndef HALOBEAT_LIFE_ENGINE_H
#define HALOBEAT_LIFE_ENGINE_H

#include "core/beat/kernel.h"
#include "kernels/life/row_ops.h"
#include "kernels/life/sides.h"

/* Life as a kernel of the heartbeat: several generations in one superstep over a strip, in place.
 *
 * For the runtime a grid is a single axis of rows, and a row is one cell of many bytes;
 * kernels/life/blocks.h describes blocks. The superstep is a wavefront: rows are processed in
 * blocks small enough to stay in the cache until all generations (levels) are done with them, each
 * level one row behind the level before. A level overwrites its rows; the sums of cells of its last
 * row, which the next block needs, are kept. So there is no second copy of the grid, and main
 * memory is read and written once per superstep. */

/* The layout of a row. In strips all its cells are the rank's own. In blocks copies of neighbours'
 * cells are next to them, which are computed like its own but not counted. */
typedef struct {
    int64_t width;        /* cells */
    int64_t first, owned; /* the rank's own cells */
} life_engine_span;

typedef struct {
    halo_life_rule rule;
    bool periodic; /* the ends of a row are neighbours */
    bool infinite; /* empty space on all sides: cells are stored relative to the background,
                    * which a rule with B0 changes */
    int levels;    /* maximum generations in a superstep */
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
    bool relative;                /* cells are stored as their difference from the background */
    const life_rule_lanes *rules; /* [2]: for a dead background; for a live one */
    int levels, block_rows;
    int64_t generation; /* of the grid at beat 0 */
    bool counting;      /* count births and deaths in the following supersteps */
    int64_t *changes;   /* [2 * levels]: births and deaths of each level in this rank's superstep */
    int64_t *agreed;    /* the same of the last superstep, over all ranks */
    char *mask;         /* [columns] columns: lanes with a cell of the rank's own in them */
    /* For each level 2 * columns columns of sums: of the last row done; the same in the low end of
     * a strip; of the first row of its middle. */
    char *last_sums, *low_sums, *seam_sums;
    char *side;
    life_program *programs; /* [2], of a map */
    void *memory;           /* memory of the other pointers */
} life_engine;

/* Local. The operations must be of an ISA that this machine has. HALO_MEMORY. */
halo_status life_engine_create(life_engine **out, const life_row_ops *ops,
                               const life_engine_options *options);

/* Local. Accepts a pointer to NULL. */
void life_engine_destroy(life_engine **engine);

/* Local. The kernel for a run with this engine; its options are the address of a pointer to the
 * engine. With `converges` the run ends when nothing changes any more. The caller owns the
 * engine. */
halo_kernel life_engine_kernel(const life_engine *engine, bool converges);

/* Local. Column 0 of plane 0 of row `y` of a run's field. */
static inline char *life_engine_row(const halo_view *view, int64_t y)
{
    return (char *)halo_row(view, y) + LIFE_COLUMN_BYTES;
}

/* Local. Bytes that an engine takes. */
size_t life_engine_bytes(const life_lanes *lanes, int levels, const halo_life_rule *rule);

/* Local. Floating-point operations of a column of a row in one generation, for simulated
 * machines. */
double life_engine_column_flops(const life_lanes *lanes);

#endif
