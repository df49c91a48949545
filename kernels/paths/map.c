#include "kernels/paths/map.h"

#include "core/world/collect.h"

#include <math.h>
#include <string.h>

static paths_step reversed(const paths_step *step)
{
    paths_step back = {.dz = -step->dz, .dy = -step->dy, .dx = -step->dx, .weight = step->weight};
    for (int p = 0; p < 2; p++) {
        back.passed[p][0] = -step->passed[p][0];
        back.passed[p][1] = -step->passed[p][1];
    }
    return back;
}

static const halo_paths_cell *neighbour(const paths_look *look, int64_t z, int64_t y, int64_t x,
                                        const paths_step *step)
{
    return paths_cell_at(look, z + step->dz, y + step->dy, x + step->dx);
}

bool paths_look_is_tight(const paths_look *look, int64_t z, int64_t y, int64_t x, int step)
{
    const paths_step *there = &look->steps[step], back = reversed(there);
    const halo_paths_cell *to = paths_cell_at(look, z, y, x);
    const halo_paths_cell *from = neighbour(look, z, y, x, there);
    double reached =
        paths_look_reach(look, z + there->dz, y + there->dy, x + there->dx, &back, from, to);
    return paths_is_same(reached, to->distance);
}

int paths_look_back(const paths_look *look, int64_t z, int64_t y, int64_t x)
{
    double nearest = paths_cell_at(look, z, y, x)->distance;
    int back = -1;
    for (int s = 0; s < look->step_count; s++) {
        double distance = neighbour(look, z, y, x, &look->steps[s])->distance;
        if (distance < nearest && paths_look_is_tight(look, z, y, x, s)) {
            nearest = distance;
            back = s;
        }
    }
    return back;
}

halo_status halo_paths_reach(const halo_paths_map *map, int64_t *reached, double *farthest)
{
    double unreached = halo_paths_unreached(map->options);
    int64_t rows = halo_view_rows(map->cells), columns = map->cells->owned.n[map->cells->axes - 1];
    *reached = 0;
    *farthest = 0;
    for (int64_t y = 0; y < rows; y++) {
        const halo_paths_cell *cells = halo_view_row(map->cells, y);
        for (int64_t x = 0; x < columns; x++) {
            bool is_reached = cells[x].distance < unreached;
            *reached += is_reached;
            if (is_reached && cells[x].distance > *farthest) {
                *farthest = cells[x].distance;
            }
        }
    }
    int64_t bits; /* which are in the order of distances */
    memcpy(&bits, farthest, sizeof bits);
    HALO_TRY(halo_allreduce_sum(map->world, reached, 1));
    HALO_TRY(halo_allreduce_max(map->world, &bits, 1));
    memcpy(farthest, &bits, sizeof bits);
    return HALO_OK;
}

static void bar(void *context, int64_t z, int64_t y, int64_t x)
{
    const paths_look *look = context;
    if (!paths_part_is_inside(&look->part, z, y, x)) {
        ((halo_paths_cell *)(uintptr_t)paths_cell_at(look, z, y, x))->distance = HUGE_VAL;
    }
}

void halo_paths_bar_edges(const halo_paths_map *map)
{
    paths_look look = paths_look_at(map);
    paths_part_visit_halo(&look.part, bar, &look);
}
