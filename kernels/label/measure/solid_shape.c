#include "kernels/label/measure/solid_shape.h"

#include "base/minmax.h"
#include "core/world/watched_sort.h"
#include "kernels/label/measure/shape_hull.h"
#include "kernels/label/measure/solid_diameter.h"
#include "kernels/label/measure/solid_hull.h"
#include "kernels/label/measure/solid_width.h"

/* A hull is found in halves of voxels from the corner of the region's bounding box: voxel i along
 * an axis has its centre at 2 i + 1, and its faces at 2 i and 2 i + 2. */

typedef struct {
    int64_t low[HALO_AXES], n[HALO_AXES]; /* the region's bounding box */
    solid_hull hull;
    halo_buffer lowest; /* of int64_t, the first facet that begins in each plane, or -1 */
    halo_buffer active; /* of int64_t, facets that the plane cuts */
    halo_buffer rows;   /* of hull_row, in the plane */
    halo_buffer outline;
    halo_buffer corners; /* of solid_voxel */
    halo_buffer boxes;   /* for the diameter */
    solid_width_memory width;
} shape_finder;

typedef struct {
    int64_t left, right; /* inclusive; left > right: none */
} hull_row;

static halo_status set_size(halo_buffer *buffer, int64_t count, size_t size)
{
    buffer->size = 0;
    HALO_TRY(halo_buffer_reserve(buffer, (size_t)count * size));
    buffer->size = (size_t)count * size;
    return HALO_OK;
}

static int64_t count_of(const halo_buffer *buffer, size_t size)
{
    return (int64_t)(buffer->size / size);
}

/* ---- the hull -------------------------------------------------------------------------------- */

static void find_box(shape_finder *s, const solid_corner *corners, int64_t count)
{
    for (int axis = 0; axis < HALO_AXES; axis++) {
        int64_t low = corners->at[axis], high = low;
        for (int64_t i = 1; i < count; i++) {
            low = halo_min(low, corners[i].at[axis]);
            high = halo_max(high, corners[i].at[axis]);
        }
        s->low[axis] = low;
        s->n[axis] = high + 1 - low;
    }
}

enum { FACES = 6 };

/* Adds the centres of the faces of a voxel, of which the first four have a volume. */
static void add_voxel(solid_hull *hull, const int64_t at[HALO_AXES], const int64_t low[HALO_AXES])
{
    static const int step[FACES][HALO_AXES] = {{0, 0, 1}, {0, 0, -1}, {0, 1, 0},
                                               {1, 0, 0}, {-1, 0, 0}, {0, -1, 0}};
    for (int face = 0; face < FACES; face++) {
        solid_point *point = &hull->points[hull->count++];
        for (int axis = 0; axis < HALO_AXES; axis++) {
            point->at[axis] = 2 * (at[axis] - low[axis]) + 1 + step[face][axis];
        }
    }
}

static halo_status find_hull(shape_finder *s, const solid_corner *corners, int64_t count)
{
    HALO_TRY(solid_hull_reserve(&s->hull, FACES * count));
    s->hull.count = 0;
    for (int64_t i = 0; i < count; i++) {
        add_voxel(&s->hull, corners[i].at, s->low);
    }
    return solid_hull_find(&s->hull);
}

/* The hull becomes that of the voxels in it, whose faces may be outside. */
static halo_status find_width(shape_finder *s, const double size[HALO_AXES], double *width)
{
    static const int64_t zero[HALO_AXES] = {0};
    const double unit[HALO_AXES] = {size[0] / 2, size[1] / 2, size[2] / 2};
    const solid_voxel *voxels = (const void *)s->corners.data;
    int64_t count = count_of(&s->corners, sizeof *voxels);
    HALO_TRY(solid_hull_reserve(&s->hull, FACES * count));
    s->hull.count = 0;
    for (int64_t i = 0; i < count; i++) {
        add_voxel(&s->hull, voxels[i].at, zero);
    }
    HALO_TRY(solid_hull_find(&s->hull));
    return solid_find_width(&s->hull, unit, &s->width, width);
}

/* ---- voxels in the hull, plane by plane ------------------------------------------------------ */

static int64_t divide_down(solid_wide value, solid_wide by)
{
    if (value == (int64_t)value && by == (int64_t)by) {
        int64_t quotient = (int64_t)value / (int64_t)by;
        return quotient - (quotient * (int64_t)by > (int64_t)value);
    }
    solid_wide quotient = value / by;
    return (int64_t)(quotient - (quotient * by > value));
}

static int64_t divide_up(solid_wide value, solid_wide by)
{
    return -divide_down(-value, by);
}

static const solid_point *corner_of(const solid_hull *h, const solid_facet *f, int i)
{
    return &h->points[f->corner[i]];
}

/* The facet's ends along an axis. */
static void find_ends(const solid_hull *h, const solid_facet *f, int axis, int64_t *low,
                      int64_t *high)
{
    int64_t a = corner_of(h, f, 0)->at[axis], b = corner_of(h, f, 1)->at[axis];
    int64_t c = corner_of(h, f, 2)->at[axis];
    *low = halo_min(a, halo_min(b, c));
    *high = halo_max(a, halo_max(b, c));
}

/* Facets become lists, through `above`, of those that begin in the same plane or before it. */
static halo_status sort_facets(shape_finder *s)
{
    HALO_TRY(set_size(&s->lowest, s->n[0] + 1, sizeof(int64_t)));
    int64_t *lowest = (void *)s->lowest.data, low, high;
    for (int64_t z = 0; z <= s->n[0]; z++) {
        lowest[z] = -1;
    }
    for (int64_t i = 0; i < solid_hull_facets(&s->hull); i++) {
        solid_facet *facet = solid_hull_facet(&s->hull, i);
        if (facet->live) {
            find_ends(&s->hull, facet, 0, &low, &high);
            facet->above = lowest[low / 2];
            lowest[low / 2] = i;
        }
    }
    return HALO_OK;
}

/* Facets that the plane at `z` cuts. */
static halo_status choose_facets(shape_finder *s, int64_t z)
{
    int64_t *active = (void *)s->active.data, kept = 0, low, high;
    for (int64_t i = 0; i < count_of(&s->active, sizeof *active); i++) {
        find_ends(&s->hull, solid_hull_facet(&s->hull, active[i]), 0, &low, &high);
        if (high >= z) {
            active[kept++] = active[i];
        }
    }
    s->active.size = (size_t)kept * sizeof *active;
    for (int64_t i = ((const int64_t *)(void *)s->lowest.data)[z / 2]; i >= 0;
         i = solid_hull_facet(&s->hull, i)->above) {
        find_ends(&s->hull, solid_hull_facet(&s->hull, i), 0, &low, &high);
        HALO_TRY(high >= z ? halo_buffer_append(&s->active, &i, sizeof i) : HALO_OK);
    }
    return HALO_OK;
}

/* Rows whose centres lie where the plane at `z` cuts the facet: from *first to *last. */
static void find_rows(const solid_hull *h, const solid_facet *f, int64_t z, int64_t *first,
                      int64_t *last)
{
    *first = INT64_MAX;
    *last = INT64_MIN;
    for (int i = 0; i < SOLID_CORNERS; i++) {
        const solid_point *a = corner_of(h, f, i), *b = corner_of(h, f, (i + 1) % SOLID_CORNERS);
        int64_t high = b->at[0] - a->at[0], across = b->at[1] - a->at[1], up = z - a->at[0];
        if (high < 0) {
            high = -high;
            up = -up;
        }
        if (up < 0 || up > high) {
            continue;
        }
        /* An edge in the plane has its ends on others, which are not. */
        solid_wide by = 2 * (solid_wide)halo_max(high, 1);
        solid_wide at = (solid_wide)(a->at[1] - 1) * halo_max(high, 1) + (solid_wide)across * up;
        *first = halo_min(*first, divide_up(at, by));
        *last = halo_max(*last, divide_down(at, by));
    }
}

/* The hull is on one side of the facet's plane. */
static void cut_rows(const solid_hull *h, const solid_facet *f, int64_t z, int64_t first,
                     int64_t last, hull_row *rows)
{
    const solid_point *base = corner_of(h, f, 0);
    const solid_wide *normal = f->normal;
    if (normal[2] == 0 || first > last) {
        return;
    }
    solid_wide outside = normal[0] * (z - base->at[0]) + normal[1] * (2 * first + 1 - base->at[1]) +
                         normal[2] * (1 - base->at[2]);
    for (int64_t row = first; row <= last; row++, outside += 2 * normal[1]) {
        if (normal[2] > 0) {
            int64_t right = divide_down(-outside, 2 * normal[2]);
            rows[row].right = halo_min(rows[row].right, right);
        } else {
            int64_t left = divide_up(outside, -2 * normal[2]);
            rows[row].left = halo_max(rows[row].left, left);
        }
    }
}

/* Finds the rows of voxels that the hull has in plane `plane`: from *first to *last. */
static halo_status find_plane(shape_finder *s, int64_t plane, int64_t *first, int64_t *last)
{
    int64_t z = 2 * plane + 1;
    hull_row *rows = (void *)s->rows.data;
    HALO_TRY(choose_facets(s, z));
    for (int64_t row = 0; row < s->n[1]; row++) {
        rows[row] = (hull_row){0, s->n[2] - 1};
    }
    const int64_t *active = (const void *)s->active.data;
    *first = INT64_MAX;
    *last = INT64_MIN;
    for (int64_t i = 0; i < count_of(&s->active, sizeof *active); i++) {
        const solid_facet *facet = solid_hull_facet(&s->hull, active[i]);
        int64_t begin, end;
        find_rows(&s->hull, facet, z, &begin, &end);
        cut_rows(&s->hull, facet, z, begin, end, rows);
        *first = halo_min(*first, begin);
        *last = halo_max(*last, end);
    }
    return HALO_OK;
}

static halo_status keep_corners(shape_finder *s, int64_t plane, int64_t first, int64_t last)
{
    const hull_row *rows = (const void *)s->rows.data;
    for (int side = 0; side < 2; side++) {
        s->outline.size = 0;
        for (int64_t row = first; row <= last; row++) {
            const shape_point point = {row, side == 1 ? -rows[row].right : rows[row].left};
            HALO_TRY(rows[row].left <= rows[row].right
                         ? halo_buffer_append(&s->outline, &point, sizeof point)
                         : HALO_OK);
        }
        shape_point *points = (void *)s->outline.data;
        int64_t count = shape_find_corners(points, count_of(&s->outline, sizeof *points));
        for (int64_t i = 0; i < count; i++) {
            const solid_voxel voxel = {
                {plane, points[i].row, side == 1 ? -points[i].x : points[i].x}, 0};
            HALO_TRY(halo_buffer_append(&s->corners, &voxel, sizeof voxel));
        }
    }
    return HALO_OK;
}

/* Counts the voxels, and keeps the corners of each plane. */
static halo_status find_voxels(shape_finder *s, int64_t *voxels)
{
    HALO_TRY(sort_facets(s));
    HALO_TRY(set_size(&s->rows, s->n[1], sizeof(hull_row)));
    s->active.size = s->corners.size = 0;
    *voxels = 0;
    for (int64_t plane = 0; plane < s->n[0]; plane++) {
        int64_t first, last;
        HALO_TRY(find_plane(s, plane, &first, &last));
        const hull_row *rows = (const void *)s->rows.data;
        for (int64_t row = first; row <= last; row++) {
            *voxels += halo_max(rows[row].right + 1 - rows[row].left, 0);
        }
        HALO_TRY(keep_corners(s, plane, first, last));
        HALO_TRY(halo_watch_piece(s->hull.world, &s->hull.since, s->n[1]));
    }
    return HALO_OK;
}

/* ---------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const solid_corner *one = a, *other = b;
    if (one->region != other->region) {
        return one->region < other->region ? -1 : 1;
    }
    int axis = 0;
    while (axis < HALO_AXES - 1 && one->at[axis] == other->at[axis]) {
        axis++;
    }
    return (one->at[axis] > other->at[axis]) - (one->at[axis] < other->at[axis]);
}

static int64_t count_corners(const solid_corner *corners, int64_t count)
{
    int64_t found = 1;
    while (found < count && corners[found].region == corners->region) {
        found++;
    }
    return found;
}

halo_status solid_find_shapes(const halo_world *world, solid_corner *corners, int64_t count,
                              int64_t first, const double size[HALO_AXES], int64_t *hulls,
                              double *diameters, double *widths)
{
    shape_finder s = {.hull = {.world = world}};
    halo_status status = halo_watched_sort(world, corners, count, sizeof *corners, compare);
    for (int64_t i = 0, some; i < count && status == HALO_OK; i += some) {
        some = count_corners(corners + i, count - i);
        int64_t region = corners[i].region - first;
        find_box(&s, corners + i, some);
        HALO_TRY_OR(done, find_hull(&s, corners + i, some));
        HALO_TRY_OR(done, find_voxels(&s, &hulls[region]));
        const solid_voxels voxels = {.corners = (void *)s.corners.data,
                                     .count = count_of(&s.corners, sizeof *voxels.corners),
                                     .world = world,
                                     .n = s.n,
                                     .size = size,
                                     .boxes = &s.boxes};
        if (diameters != NULL) {
            HALO_TRY_OR(done, solid_find_diameter(&voxels, &diameters[region]));
        }
        if (widths != NULL) {
            HALO_TRY_OR(done, find_width(&s, size, &widths[region]));
        }
    }
done:
    solid_hull_free(&s.hull);
    halo_buffer_free(&s.lowest);
    halo_buffer_free(&s.active);
    halo_buffer_free(&s.rows);
    halo_buffer_free(&s.outline);
    halo_buffer_free(&s.corners);
    halo_buffer_free(&s.boxes);
    solid_width_free(&s.width);
    return status;
}
