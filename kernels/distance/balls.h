#ifndef HALOBEAT_DISTANCE_BALLS_H
#define HALOBEAT_DISTANCE_BALLS_H

#include "core/world/world.h"
#include "partition/box.h"

#include <stdbool.h>
#include <stdint.h>

/* Balls of pixels: those nearer to a centre than a radius, |p - q|^2 < square. Internal to the
 * kernel; everything is local. */

typedef struct {
    uint32_t square;       /* of the radius */
    int32_t at[HALO_AXES]; /* the centre: layer, row, column */
} distance_ball;

/* Neighbours of a pixel differ along 1, 2 or 3 axes. */
enum { BALLS_STEPS = 3 };

/* Which balls lie within that of a neighbour: for radii whose squares are below `squares`,
 * least[steps - 1][square] is the least square of the radius about a neighbour that is `steps` axes
 * away. */
typedef struct {
    int64_t squares;
    uint32_t *least[BALLS_STEPS];
} balls_table;

/* Makes the table for radii with squares up to `max`, or for as many as take little time. Watched.
 * HALO_MEMORY, HALO_CANCELLED. Call balls_table_free in any case. */
halo_status balls_table_create(balls_table *table, const halo_world *world, int axes, uint32_t max);
void balls_table_free(balls_table *table);

/* Does the ball lie within the one with `other` about a neighbour? False where the table does not
 * know. */
static inline bool balls_within(const balls_table *table, uint32_t square, int steps,
                                uint32_t other)
{
    return square < table->squares && other >= table->least[steps - 1][square];
}

#endif
