#include "kernels/paths/map.h"

#include "core/world/collect.h"

#include <math.h>
#include <string.h>

static halo_paths_step reversed(const halo_paths_step *step)
{
    halo_paths_step back = {.dy = -step->dy, .dx = -step->dx, .weight = step->weight};
    for (int p = 0; p < 2; p++) {
        back.passed[p][0] = -step->passed[p][0];
        back.passed[p][1] = -step->passed[p][1];
    }
    return back;
}

bool paths_look_is_tight(const paths_look *look, int64_t y, int64_t x, int step)
{
    const halo_paths_step *there = &look->steps[step], back = reversed(there);
    const halo_paths_cell *to = paths_cell_at(look, y, x);
    const halo_paths_cell *from = paths_cell_at(look, y + there->dy, x + there->dx);
    double reached = paths_look_reach(look, y + there->dy, x + there->dx, &back, from, to);
    return paths_is_same(reached, to->distance);
}

int paths_look_back(const paths_look *look, int64_t y, int64_t x)
{
    double nearest = paths_cell_at(look, y, x)->distance;
    int back = -1;
    for (int s = 0; s < look->step_count; s++) {
        const halo_paths_step *step = &look->steps[s];
        double distance = paths_cell_at(look, y + step->dy, x + step->dx)->distance;
        if (distance < nearest && paths_look_is_tight(look, y, x, s)) {
            nearest = distance;
            back = s;
        }
    }
    return back;
}

halo_status halo_paths_reach(const halo_paths_map *map, int64_t *reached, double *farthest)
{
    double unreached = halo_paths_unreached(map->options);
    const int64_t *n = map->cells->owned.n;
    *reached = 0;
    *farthest = 0;
    for (int64_t y = 0; y < n[0]; y++) {
        const halo_paths_cell *cells = halo_row(map->cells, y);
        for (int64_t x = 0; x < n[1]; x++) {
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

void halo_paths_bar_edges(const halo_paths_map *map)
{
    const halo_view *cells = map->cells;
    int64_t depth = cells->depth, side = cells->side_depth;
    if (halo_box_cells(&cells->owned) == 0) {
        return; /* there is no halo either */
    }
    for (int64_t y = -depth; y < cells->owned.n[0] + depth; y++) {
        int64_t row = cells->owned.lo[0] + y;
        halo_paths_cell *line = halo_row(cells, y);
        for (int64_t x = -side; x < cells->owned.n[1] + side; x++) {
            int64_t column = cells->owned.lo[1] + x;
            if (row < 0 || row >= map->domain->n[0] || column < 0 || column >= map->domain->n[1]) {
                line[x].distance = HUGE_VAL;
            }
        }
    }
}
