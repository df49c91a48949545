#include "kernels/label/measure/shape_hull.h"
#include "kernels/label/measure/solid_shape.h"

/* In three axes only corners of the hulls in planes are kept: about 7 times the radius of the
 * region to the power of 2/3 for each plane. */

/* A region has at most one in a row. */
typedef struct {
    int64_t region, row, left, right;
    int64_t before; /* the region's run in an earlier row of this plane, or -1 */
    bool followed;
} plane_run;

static plane_run *run_of(const solid_plane *plane, int64_t i)
{
    return (plane_run *)(void *)plane->runs.data + i;
}

halo_status solid_plane_add(solid_plane *plane, int64_t *last, int64_t region, int64_t row,
                            int64_t left, int64_t right)
{
    plane_run *before = *last >= 0 ? run_of(plane, *last) : NULL;
    if (before != NULL && before->row == row) {
        before->right = right;
        return HALO_OK;
    }
    if (before != NULL) {
        before->followed = true;
    }
    const plane_run run = {region, row, left, right, *last, false};
    *last = (int64_t)(plane->runs.size / sizeof run);
    return halo_buffer_append(&plane->runs, &run, sizeof run);
}

/* From the last row up: the chain of the hull's corners on one side. */
static halo_status find_side(solid_plane *plane, int64_t last, bool mirrored, int64_t *count)
{
    plane->outline.size = 0;
    for (int64_t i = last; i >= 0; i = run_of(plane, i)->before) {
        const plane_run *run = run_of(plane, i);
        const shape_point point = {-run->row, mirrored ? 1 - run->right : run->left};
        HALO_TRY(halo_buffer_append(&plane->outline, &point, sizeof point));
    }
    *count = shape_find_corners((void *)plane->outline.data,
                                (int64_t)(plane->outline.size / sizeof(shape_point)));
    return HALO_OK;
}

static halo_status add_corners(solid_plane *plane, int64_t last, int64_t z, halo_buffer *corners)
{
    int64_t region = run_of(plane, last)->region;
    for (int side = 0; side < 2; side++) {
        int64_t count;
        HALO_TRY(find_side(plane, last, side == 1, &count));
        for (int64_t i = 0; i < count; i++) {
            const shape_point *point = (const shape_point *)(void *)plane->outline.data + i;
            const solid_corner corner = {region,
                                         {z, -point->row, side == 1 ? -point->x : point->x}};
            HALO_TRY(halo_buffer_append(corners, &corner, sizeof corner));
        }
    }
    return HALO_OK;
}

halo_status solid_plane_end(solid_plane *plane, int64_t z, halo_buffer *corners)
{
    int64_t count = (int64_t)(plane->runs.size / sizeof(plane_run));
    for (int64_t i = 0; i < count; i++) {
        HALO_TRY(run_of(plane, i)->followed ? HALO_OK : add_corners(plane, i, z, corners));
    }
    plane->runs.size = 0;
    return HALO_OK;
}

void solid_plane_free(solid_plane *plane)
{
    halo_buffer_free(&plane->runs);
    halo_buffer_free(&plane->outline);
}
