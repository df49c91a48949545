#include "kernels/distance/balls.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/watch.h"

/* The table by going through the pixels of the largest ball, of which those with z <= y <= x are
 * enough: of all that are as far from the centre as one of these, the farthest ones from a
 * neighbour lie opposite to it. The ball of a neighbour has to reach these. */

/* Raises what radii above this pixel's distance need. A step towards the neighbour leads away from
 * the pixel along its longest axes. */
static void add_pixel(balls_table *table, int axes, int64_t x, int64_t y, int64_t z)
{
    int64_t square = x * x + y * y + z * z;
    const int64_t along[] = {x, x + y, x + y + z};
    for (int steps = 1; steps <= axes; steps++) {
        uint32_t *least = &table->least[steps - 1][square + 1];
        uint32_t needed = (uint32_t)(square + 2 * along[steps - 1] + steps + 1);
        *least = *least > needed ? *least : needed;
    }
}

static halo_status add_pixels(balls_table *table, const halo_world *world, int axes)
{
    int64_t limit = table->squares - 1, since = 0;
    for (int64_t x = 0; x * x < limit; x++) {
        for (int64_t y = 0; y <= x && x * x + y * y < limit; y++) {
            int64_t z = 0;
            for (; z <= (axes == HALO_AXES ? y : 0) && x * x + y * y + z * z < limit; z++) {
                add_pixel(table, axes, x, y, z);
            }
            HALO_TRY(halo_watch_piece(world, &since, z + 1));
        }
    }
    return HALO_OK;
}

halo_status balls_table_create(balls_table *table, const halo_world *world, int axes, uint32_t max)
{
    enum { FLAT = 1 << 20, SOLID = 1 << 16 }; /* squares: radii of 1024, and of 256 in volumes */
    *table = (balls_table){.squares = halo_min(axes == HALO_AXES ? SOLID : FLAT, (int64_t)max + 1)};
    for (int steps = 1; steps <= axes; steps++) {
        HALO_TRY(
            HALO_ALLOCATE_LARGE(table->least[steps - 1], table->squares + 1, "a table of balls"));
        for (int64_t i = 0; i <= table->squares; i++) {
            table->least[steps - 1][i] = 0;
        }
    }
    HALO_TRY(add_pixels(table, world, axes));
    for (int steps = 1; steps <= axes; steps++) {
        uint32_t *least = table->least[steps - 1];
        for (int64_t i = 1; i <= table->squares; i++) {
            least[i] = least[i] > least[i - 1] ? least[i] : least[i - 1];
        }
    }
    return HALO_OK;
}

void balls_table_free(balls_table *table)
{
    for (int i = 0; i < BALLS_STEPS; i++) {
        halo_memory_free(table->least[i]);
    }
    *table = (balls_table){.squares = 0};
}
