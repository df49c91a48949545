#include "base/memory.h"
#include "base/minmax.h"
#include "core/move/redistribute.h"
#include "core/world/collect.h"
#include "kernels/paths/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Results as commands want them: at places, and in strips. */

enum { NUMBER_BITS = 32 };

/* The bits of the distances that this rank has; distances are in the order of their bits, as whole
 * numbers from 0 on. */
static void take_distances(const halo_paths_map *map, const halo_paths_place *places, int64_t count,
                           int64_t *bits)
{
    const paths_look look = paths_look_at(map);
    for (int64_t i = 0; i < count; i++) {
        int64_t at[HALO_AXES];
        paths_find_local(&look.part, &places[i], at);
        if (paths_is_owned(&look, at[0], at[1], at[2])) {
            double distance = paths_cell_at(&look, at[0], at[1], at[2])->distance;
            distance = distance < look.unreached ? fabs(distance) : HUGE_VAL;
            memcpy(&bits[i], &distance, sizeof distance);
        }
    }
}

halo_status halo_paths_distances(const halo_paths_map *map, const halo_paths_place *places,
                                 int64_t count, double *distances)
{
    enum { AT_ONCE = 1 << 20 };
    int64_t *bits;
    HALO_TRY(halo_agree(map->world, HALO_ALLOCATE(bits, count + 1, "distances of targets")));
    take_distances(map, places, count, bits);
    halo_status status = HALO_OK;
    for (int64_t i = 0; i < count && status == HALO_OK; i += AT_ONCE) {
        status = halo_allreduce_max(map->world, bits + i, (int)halo_min(count - i, AT_ONCE));
    }
    memcpy(distances, bits, (size_t)count * sizeof *bits);
    free(bits);
    return status;
}

halo_status halo_paths_nearest_in_strips(const halo_paths_map *map, const halo_partition *strips,
                                         halo_field *numbers, halo_clock *clock)
{
    const halo_view *rows = halo_field_view(numbers);
    halo_box mine = halo_partition_box(map->partition, halo_world_rank(map->world));
    halo_field *parts = NULL;
    halo_status status = halo_agree(
        map->world, halo_field_create(&parts, map->domain, &mine, NUMBER_BITS, map->cells->depth));
    HALO_TRY_OR(done, status);
    status =
        halo_redistribute(map->world, rows, strips, halo_field_view(parts), map->partition, clock);
    HALO_TRY_OR(done, status);
    status = halo_paths_nearest(map, parts);
    HALO_TRY_OR(done, status);
    status =
        halo_redistribute(map->world, halo_field_view(parts), map->partition, rows, strips, clock);
done:
    halo_field_destroy(&parts);
    return status;
}
