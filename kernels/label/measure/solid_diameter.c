#include "kernels/label/measure/solid_diameter.h"

#include "base/minmax.h"

#include <math.h>
#include <stdlib.h>

/* A box around some corners. */
typedef struct {
    int64_t low[HALO_AXES], high[HALO_AXES];
} voxel_box;

/* The square of the largest distance of two centres of faces, of voxels so far apart along each
 * axis: those that look away from each other along the axis where this matters most. */
static double square_of(const solid_voxels *s, const int64_t apart[HALO_AXES])
{
    double square = 0, faces = 0;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        double size = s->size[axis], along = (double)apart[axis] * size;
        square += along * along;
        double longer = size * (2 * along + size);
        faces = longer > faces ? longer : faces;
    }
    return square + faces;
}

static double square_between(const solid_voxels *s, const solid_voxel *a, const solid_voxel *b)
{
    int64_t apart[HALO_AXES];
    for (int axis = 0; axis < HALO_AXES; axis++) {
        apart[axis] = llabs(a->at[axis] - b->at[axis]);
    }
    return square_of(s, apart);
}

/* No voxels of two boxes are further apart. */
static double bound_between(const solid_voxels *s, const voxel_box *a, const voxel_box *b)
{
    int64_t apart[HALO_AXES];
    for (int axis = 0; axis < HALO_AXES; axis++) {
        apart[axis] = halo_max(a->high[axis] - b->low[axis], b->high[axis] - a->low[axis]);
    }
    return square_of(s, apart);
}

enum { BOX = 16, CELLS = 32 }; /* corners of a box; cells of the grid along its longest axis */

static int compare_cells(const void *a, const void *b)
{
    const solid_voxel *one = a, *other = b;
    return (one->cell > other->cell) - (one->cell < other->cell);
}

/* Puts corners in an order in which neighbours are near to each other. */
static void sort_corners(const solid_voxels *s)
{
    solid_voxel *corners = s->corners;
    int64_t side = halo_max(s->n[0], halo_max(s->n[1], s->n[2])) / CELLS + 1;
    for (int64_t i = 0; i < s->count; i++) {
        const int64_t *at = corners[i].at;
        corners[i].cell = (at[0] / side * CELLS + at[1] / side) * CELLS + at[2] / side;
    }
    qsort(corners, (size_t)s->count, sizeof *corners, compare_cells);
}

static halo_status find_boxes(const solid_voxels *s)
{
    const solid_voxel *corners = s->corners;
    int64_t count = s->count;
    s->boxes->size = 0;
    for (int64_t i = 0; i < count; i += BOX) {
        voxel_box box;
        for (int axis = 0; axis < HALO_AXES; axis++) {
            box.low[axis] = box.high[axis] = corners[i].at[axis];
            for (int64_t k = i + 1; k < halo_min(i + BOX, count); k++) {
                box.low[axis] = halo_min(box.low[axis], corners[k].at[axis]);
                box.high[axis] = halo_max(box.high[axis], corners[k].at[axis]);
            }
        }
        HALO_TRY(halo_buffer_append(s->boxes, &box, sizeof box));
    }
    return HALO_OK;
}

/* The corner that is the furthest one from *from, which it becomes. */
static double go_furthest(const solid_voxels *s, int64_t *from)
{
    const solid_voxel *corners = s->corners;
    double most = 0;
    int64_t furthest = *from;
    for (int64_t i = 0; i < s->count; i++) {
        double square = square_between(s, &corners[i], &corners[*from]);
        if (square > most) {
            most = square;
            furthest = i;
        }
    }
    *from = furthest;
    return most;
}

static double search_boxes(const solid_voxels *s, int64_t a, int64_t b, double most)
{
    const solid_voxel *corners = s->corners;
    int64_t count = s->count;
    for (int64_t i = a * BOX; i < halo_min((a + 1) * BOX, count); i++) {
        for (int64_t k = b * BOX; k < halo_min((b + 1) * BOX, count); k++) {
            double square = square_between(s, &corners[i], &corners[k]);
            most = square > most ? square : most;
        }
    }
    return most;
}

/* All pairs of corners but for those in boxes that are too near to each other. The bound rounds as
 * distances do, so that the order does not matter. */
halo_status solid_find_diameter(const solid_voxels *s, double *diameter)
{
    int64_t from = 0, since = 0;
    double most = go_furthest(s, &from);
    most = fmax(most, go_furthest(s, &from));
    if (s->count > BOX) {
        sort_corners(s);
    }
    HALO_TRY(find_boxes(s));
    const voxel_box *boxes = (const void *)s->boxes->data;
    int64_t count = (int64_t)(s->boxes->size / sizeof *boxes);
    for (int64_t a = 0; a < count; a++) {
        HALO_TRY(halo_watch_piece(s->world, &since, BOX * (a + 1)));
        for (int64_t b = 0; b <= a; b++) {
            if (bound_between(s, &boxes[a], &boxes[b]) > most) {
                most = search_boxes(s, a, b, most);
            }
        }
    }
    *diameter = sqrt(most);
    return HALO_OK;
}
