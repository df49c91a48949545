#include "kernels/label/measure/mesh_cells.h"
#include "support/unit_check.h"

#include <math.h>
#include <stdbool.h>

/* Surfaces of boxes of voxels, whose area and volume are known, and what all cases have in common.
 */

enum { SIDE = 8 };

typedef struct {
    double area, volume;
} surface;

/* The surface of voxels for which `in` is true, at places from 1 to SIDE - 2. */
static surface find(const double size[3], bool (*in)(int z, int y, int x))
{
    mesh_cells cells;
    int64_t area = 0, missing = 0, voxels = 0;
    mesh_cells_make(&cells, size);
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        int z = i / (SIDE * SIDE), y = i / SIDE % SIDE, x = i % SIDE, code = 0;
        for (int corner = 0; corner < 8; corner++) {
            code |= in(z + (corner >> 2), y + (corner >> 1 & 1), x + (corner & 1)) << corner;
        }
        area += cells.area[code];
        missing += cells.missing[code];
        voxels += in(z, y, x);
    }
    return (surface){(double)area * cells.area_unit,
                     (double)voxels - (double)missing * cells.volume_unit};
}

static bool in_box(int z, int y, int x)
{
    return z >= 2 && z < 4 && y >= 1 && y < 6 && x >= 3 && x < 6;
}

static bool is_voxel(int z, int y, int x)
{
    return z == 3 && y == 4 && x == 5;
}

static bool is_close(double found, double should)
{
    return fabs(found - should) <= 1e-7 * should;
}

/* Faces of a box are in the planes of its outer voxels' faces; its edges and corners are cut off.
 */
TEST("a box")
{
    const double cube[] = {1, 1, 1}, size[] = {2, .5, 3};
    const double sides[] = {1, 4, 2};
    for (int spaced = 0; spaced < 2; spaced++) {
        const double *s = spaced != 0 ? size : cube;
        double area = 0, volume = 2 * 5 * 3;
        for (int axis = 0; axis < 3; axis++) {
            int b = (axis + 1) % 3, c = (axis + 2) % 3;
            area += 2 * sides[b] * s[b] * sides[c] * s[c];
            area += 4 * sides[axis] * s[axis] * hypot(s[b], s[c]) / 2;
            volume -= 4 * sides[axis] / 8;
        }
        double corner = sqrt(pow(s[0] * s[1], 2) + pow(s[1] * s[2], 2) + pow(s[2] * s[0], 2)) / 8;
        volume -= 8 * (1. / 8 - 1. / 48);
        const surface found = find(s, in_box);
        CU_ASSERT(is_close(found.area, area + 8 * corner));
        CU_ASSERT(is_close(found.volume, volume));
    }
}

TEST("a voxel")
{
    const double cube[] = {1, 1, 1};
    const surface found = find(cube, is_voxel);
    CU_ASSERT(is_close(found.area, sqrt(3)));
    CU_ASSERT(is_close(found.volume, 1. / 6));
}

/* Cases of cubes that are mirror images have the same area; every case with corners on both sides
 * has some. A cell has no more volume than 1. */
TEST("all cases")
{
    const double cube[] = {1, 1, 1};
    mesh_cells cells;
    mesh_cells_make(&cells, cube);
    CU_ASSERT(cells.area[0] == 0 && cells.area[MESH_CASES - 1] == 0);
    CU_ASSERT(cells.missing[0] == 0 && cells.missing[MESH_CASES - 1] == 0);
    for (int i = 1; i < MESH_CASES - 1; i++) {
        int mirrored = (i & 0x55) << 1 | (i & 0xaa) >> 1;
        int turned = (i & 0x99) | (i & 0x22) << 1 | (i & 0x44) >> 1;
        CU_ASSERT(cells.area[i] > 0 && cells.area[i] == cells.area[mirrored]);
        CU_ASSERT(cells.area[i] == cells.area[turned]);
        CU_ASSERT(cells.missing[i] == cells.missing[mirrored]);
        double volume =
            __builtin_popcount((unsigned)i) / 8. - (double)cells.missing[i] * cells.volume_unit;
        CU_ASSERT(volume > 0 && volume < 1);
    }
}
