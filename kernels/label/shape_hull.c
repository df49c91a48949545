#include "kernels/label/shape_hull.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <stdlib.h>

__extension__ typedef __int128 wide;

/* Everything is counted in halves of pixels: the middles of a pixel's edges are one row, or one
 * column, from its centre. What is to the right is found as what is to the left of the mirror
 * image.
 */
typedef struct {
    int64_t *x;      /* [2 * rows + 1] the leftmost point in each half row, from half a row above */
    int64_t *corner; /* [2 * rows + 1] half rows of the hull's corners */
    int64_t *least;  /* [rows] the first column that the hull has in each row */
} outline;

static int64_t left_of(const shape_extent *extent, bool mirrored)
{
    return mirrored ? -2 * (extent->right - 1) : 2 * extent->left;
}

static void find_points(const shape_extent *extents, int64_t rows, bool mirrored, const outline *o)
{
    for (int64_t i = 0; i < rows; i++) {
        int64_t left = left_of(&extents[i], mirrored);
        o->x[2 * i] = i > 0 ? halo_min(left, left_of(&extents[i - 1], mirrored)) : left;
        o->x[2 * i + 1] = left - 1;
        o->x[2 * i + 2] = left; /* unless the next row begins further left */
    }
}

/* The lower half of Andrew's monotone chain (A. M. Andrew: Another efficient algorithm for convex
 * hulls in two dimensions, 1979). Returns how many corners there are. */
static int64_t find_corners(int64_t count, const outline *o)
{
    const int64_t *x = o->x;
    int64_t *corner = o->corner, corners = 0;
    for (int64_t k = 0; k < count; k++) {
        while (corners >= 2) {
            int64_t a = corner[corners - 2], b = corner[corners - 1];
            if ((wide)(x[b] - x[a]) * (k - a) < (wide)(x[k] - x[a]) * (b - a)) {
                break;
            }
            corners--; /* b is not left of the way from a to k */
        }
        corner[corners++] = k;
    }
    return corners;
}

static int64_t divide_up(wide value, wide by)
{
    wide quotient = value / by;
    return (int64_t)(quotient + (quotient * by < value));
}

static void find_least(int64_t rows, int64_t corners, const outline *o)
{
    int64_t at = 0;
    for (int64_t i = 0; i < rows; i++) {
        int64_t k = 2 * i + 1;
        while (at + 2 < corners && o->corner[at + 1] < k) {
            at++;
        }
        int64_t a = o->corner[at], b = o->corner[at + 1];
        wide reached = (wide)o->x[a] * (b - a) + (wide)(o->x[b] - o->x[a]) * (k - a);
        o->least[i] = divide_up(reached, 2 * (wide)(b - a));
    }
}

static int64_t find_hull(const shape_extent *extents, int64_t rows, const outline *o)
{
    int64_t pixels = rows;
    for (int side = 0; side < 2; side++) {
        find_points(extents, rows, side == 1, o);
        find_least(rows, find_corners(2 * rows + 1, o), o);
        for (int64_t i = 0; i < rows; i++) {
            pixels -= o->least[i];
        }
    }
    return pixels;
}

static int compare(const void *a, const void *b)
{
    const shape_extent *one = a, *other = b;
    return one->region != other->region ? (one->region < other->region ? -1 : 1)
                                        : (one->row > other->row) - (one->row < other->row);
}

/* Extents of the same region, which are in order. */
static int64_t count_rows(const shape_extent *extents, int64_t count)
{
    int64_t rows = 1;
    while (rows < count && extents[rows].region == extents->region) {
        rows++;
    }
    return rows;
}

static halo_status allocate(const shape_extent *extents, int64_t count, outline *o)
{
    int64_t most = 1;
    for (int64_t i = 0, rows; i < count; i += rows) {
        rows = count_rows(extents + i, count - i);
        most = halo_max(most, rows);
    }
    HALO_TRY(HALO_ALLOCATE_LARGE(o->x, 5 * most + 2, "outlines of regions"));
    o->corner = o->x + 2 * most + 1;
    o->least = o->corner + 2 * most + 1;
    return HALO_OK;
}

halo_status shape_find_hulls(shape_extent *extents, int64_t count, int64_t first, int64_t *hulls)
{
    outline o;
    if (count > 0) {
        qsort(extents, (size_t)count, sizeof *extents, compare);
    }
    HALO_TRY(allocate(extents, count, &o));
    for (int64_t i = 0, rows; i < count; i += rows) {
        rows = count_rows(extents + i, count - i);
        hulls[extents[i].region - first] = find_hull(extents + i, rows, &o);
    }
    halo_memory_free(o.x);
    return HALO_OK;
}
