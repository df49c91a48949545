#include "kernels/paths/steps.h"

#include <math.h>
#include <string.h>

static double side(double size)
{
    return size > 0 ? size : 1;
}

/* ---- images ---------------------------------------------------------------------------------- */

/* The length of a step as NumPy finds it, which MCP_Geometric uses. */
static double length(const halo_paths_options *options, int dy, int dx)
{
    double y = dy * side(options->cell_size[0]);
    double x = dx * side(options->cell_size[1]);
    return sqrt(y * y + x * x);
}

int halo_paths_steps(const halo_paths_options *options, halo_paths_step *steps)
{
    enum { STRAIGHT = 8, DEFAULT = 8 };
    static const int moves[HALO_PATHS_NEIGHBOURS][2] = {
        {-1, 0},  {0, -1}, {0, 1},   {1, 0},  {-1, -1}, {-1, 1}, {1, -1}, {1, 1},
        {-2, -1}, {-2, 1}, {-1, -2}, {-1, 2}, {1, -2},  {1, 2},  {2, -1}, {2, 1}};
    int count = options->neighbours > 0 ? options->neighbours : DEFAULT;
    if (paths_is_volume(options)) {
        return 0;
    }
    for (int s = 0; s < count; s++) {
        int dy = moves[s][0], dx = moves[s][1];
        double cells = s < STRAIGHT ? 0.5 : 0.25;
        steps[s] = (halo_paths_step){.dy = dy, .dx = dx, .weight = length(options, dy, dx) * cells};
        if (s >= STRAIGHT) { /* one beside the cell, straight, and the one before the goal */
            steps[s].passed[0][0] = dy / 2;
            steps[s].passed[0][1] = dx / 2;
            steps[s].passed[1][0] = dy - dy / 2;
            steps[s].passed[1][1] = dx - dx / 2;
        }
    }
    return count;
}

/* ---- volumes --------------------------------------------------------------------------------- */

static paths_step make_step(const halo_paths_options *options, int dz, int dy, int dx)
{
    const halo_paths_volume *volume = (const void *)options; /* of which they are the beginning */
    double z = dz * side(volume->plane_distance);
    double y = dy * side(options->cell_size[0]);
    double x = dx * side(options->cell_size[1]);
    return (paths_step){.dz = dz, .dy = dy, .dx = dx, .weight = sqrt(z * z + y * y + x * x) * 0.5};
}

static int find_volume(const halo_paths_options *options, paths_step *steps)
{
    enum { CUBE = 27 };
    int count = 0;
    for (int axes = 1; count < options->neighbours; axes++) { /* along which a step leads */
        for (int i = 0; i < CUBE; i++) {
            int dz = i / 9 - 1, dy = i / 3 % 3 - 1, dx = i % 3 - 1;
            if (dz * dz + dy * dy + dx * dx == axes) {
                steps[count++] = make_step(options, dz, dy, dx);
            }
        }
    }
    return count;
}

int paths_find_steps(const halo_paths_options *options, paths_step *steps)
{
    halo_paths_step flat[HALO_PATHS_NEIGHBOURS];
    if (paths_is_volume(options)) {
        return find_volume(options, steps);
    }
    int count = halo_paths_steps(options, flat);
    for (int s = 0; s < count; s++) {
        steps[s] = (paths_step){.dy = flat[s].dy, .dx = flat[s].dx, .weight = flat[s].weight};
        memcpy(steps[s].passed, flat[s].passed, sizeof steps[s].passed);
    }
    return count;
}

/* ---- parts ----------------------------------------------------------------------------------- */

void paths_part_visit_halo(const paths_part *part, paths_visit *visit, void *context)
{
    const int64_t *n = part->size, *halo = part->halo;
    if (n[0] * n[1] * n[2] == 0) {
        return;
    }
    for (int64_t z = -halo[0]; z < n[0] + halo[0]; z++) {
        for (int64_t y = -halo[1]; y < n[1] + halo[1]; y++) {
            bool owned = z >= 0 && z < n[0] && y >= 0 && y < n[1];
            for (int64_t x = -halo[2]; x < n[2] + halo[2]; x++) {
                x = owned && x == 0 ? n[2] : x;
                if (x < n[2] + halo[2]) {
                    visit(context, z, y, x);
                }
            }
        }
    }
}
