#include "kernels/label/measure/mesh_cells.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- triangles ------------------------------------------------------------------------------- */

/* The cases but for rotations and reflections. Triangles have nine digits: plane, row and column of
 * each vertex in halves of an edge, in the order in which the normal points into the set. */
static const struct {
    uint8_t corners;
    const char *triangles;
} cases[] = {
    {0x01, "010100001"},
    {0x03, "010100012 012100102"},
    {0x06, "010001120 001102120 012021120 012120102"},
    {0x18, "122021012 210201100"},
    {0x07, "021120012 120102012 120100102"},
    {0x16, "120210100 201100210 100201102 100102001 012001102 001012010 021010012 010021120 "
           "010120100"},
    {0x19, "001012201 122201012 201122210 021210122 210021010"},
    {0x0f, "122100102 120100122"},
    {0x17, "120210201 120201102 021120102 012021102"},
    {0x1b, "102122021 210102021 010210021 201102210"},
    {0x1e, "100010001 210201120 102120201 120102122"},
    {0x3c, "212122210 120210122 100012102 012100010"},
    {0x69, "100201210 021010120 102001012 122221212"},
    {0x1f, "120210201 102120201 122120102"},
    {0x3d, "212111210 111102210 001210102 210001120 012120001 120012111 111122120 212122111 "
           "111012102"},
    {0x6b, "021010120 201210100 221212122"},
    {0x3f, "212122120 212120210"},
    {0x6f, "212122221 201210100"},
    {0x7e, "001100010 212122221"},
    {0x7f, "221212122"},
};

enum { BASES = sizeof cases / sizeof *cases, AXES = 3, CORNERS = 8, TURNS = 48, DIGITS = 9 };

/* A rotation, or one with a reflection: axis a of the image is axis order[a], reversed if flip[a].
 */
typedef struct {
    int order[AXES], flip[AXES];
    int sign; /* -1 of a reflection */
} turn;

static turn turn_of(int i)
{
    static const int orders[][AXES] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                       {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    enum { FLIPS = 8, EVEN = 3 };
    turn t = {.sign = i / FLIPS < EVEN ? 1 : -1};
    for (int axis = 0; axis < AXES; axis++) {
        t.order[axis] = orders[i / FLIPS][axis];
        t.flip[axis] = i >> axis & 1;
        t.sign *= t.flip[axis] != 0 ? -1 : 1;
    }
    return t;
}

static int turned_case(int corners, const turn *t)
{
    int out = 0;
    for (int i = 0; i < CORNERS; i++) {
        int to = 0;
        for (int axis = 0; axis < AXES; axis++) {
            int from = i >> (AXES - 1 - t->order[axis]) & 1;
            to = to << 1 | (from ^ t->flip[axis]);
        }
        out |= (corners >> i & 1) << to;
    }
    return out;
}

/* Reads a vertex, in edges from the centre of the cell. */
static void read_vertex(const char *digits, const turn *t, double out[AXES])
{
    for (int axis = 0; axis < AXES; axis++) {
        double place = (double)(digits[t->order[axis]] - '1') / 2;
        out[axis] = t->flip[axis] != 0 ? -place : place;
    }
}

/* ---- areas and volumes ----------------------------------------------------------------------- */

typedef struct {
    double area, volume; /* in the units of the size; of a cell of 1 */
    int ways;            /* that are added up */
} cell_sums;

/* Adds a triangle: its area, and a third of the distance of its plane from the centre of the cell
 * times its area in a cell of 1. */
static void add_triangle(const char *digits, const turn *t, const double size[AXES], cell_sums *to)
{
    double vertex[3][AXES], normal[AXES], square = 0, volume = 0;
    for (int i = 0; i < 3; i++) {
        read_vertex(digits + (ptrdiff_t)AXES * i, t, vertex[i]);
    }
    for (int axis = 0; axis < AXES; axis++) {
        int b = (axis + 1) % AXES, c = (axis + 2) % AXES;
        double one[] = {vertex[1][b] - vertex[0][b], vertex[1][c] - vertex[0][c]};
        double other[] = {vertex[2][b] - vertex[0][b], vertex[2][c] - vertex[0][c]};
        normal[axis] = (one[0] * other[1] - one[1] * other[0]) / 2;
        double scaled = normal[axis] * size[b] * size[c];
        square += scaled * scaled;
        volume += normal[axis] * vertex[0][axis] / 3;
    }
    to->area += sqrt(square);
    to->volume -= t->sign * volume;
}

/* The area of a side of the cell that is in the set, by its corners in their order around it. */
static double side_area(const int in[4])
{
    const double few[] = {0, .125, .5, .875, 1};
    int count = in[0] + in[1] + in[2] + in[3];
    bool joined = count == 2 && in[0] == in[2];
    return joined ? .75 : few[count];
}

/* The sides of the cell add this to the volume: each is half an edge away from the centre. */
static double side_volume(int corners)
{
    double sum = 0;
    for (int axis = 0; axis < AXES; axis++) {
        int one = 1 << axis, other = 1 << (axis + 1) % AXES, across = 1 << (axis + 2) % AXES;
        for (int side = 0; side < 2; side++) {
            int at = side * across;
            const int in[] = {corners >> at & 1, corners >> (at + one) & 1,
                              corners >> (at + one + other) & 1, corners >> (at + other) & 1};
            sum += side_area(in) / (2 * 3);
        }
    }
    return sum;
}

static void add_case(int base, const double size[AXES], cell_sums sums[MESH_CASES])
{
    for (int i = 0; i < TURNS; i++) {
        const turn t = turn_of(i);
        cell_sums *to = &sums[turned_case(cases[base].corners, &t)];
        const char *digits = cases[base].triangles;
        for (;; digits += DIGITS + 1) {
            add_triangle(digits, &t, size, to);
            if (digits[DIGITS] == '\0') {
                break;
            }
        }
        to->ways++;
    }
}

void mesh_cells_make(mesh_cells *cells, const double size[3])
{
    cell_sums sums[MESH_CASES] = {{.ways = 0}};
    double most = 0;
    for (int i = 0; i < BASES; i++) {
        add_case(i, size, sums);
    }
    for (int i = 0; i < MESH_CASES; i++) {
        sums[i].area /= sums[i].ways > 0 ? sums[i].ways : 1;
        sums[i].volume = sums[i].ways > 0 ? sums[i].volume / sums[i].ways + side_volume(i) : 0;
        most = fmax(most, sums[i].area);
    }
    const double parts = (double)(1 << MESH_BITS);
    *cells = (mesh_cells){.area_unit = most / parts, .volume_unit = 1 / parts};
    for (int i = 0; i < MESH_CASES; i++) {
        double voxels = __builtin_popcount((unsigned)i) / (double)CORNERS;
        cells->area[i] = (int32_t)lround(sums[i].area / cells->area_unit);
        cells->missing[i] =
            sums[i].ways > 0 ? (int32_t)lround((voxels - sums[i].volume) * parts) : 0;
    }
}
