#include "kernels/label/shape_hull.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <stdlib.h>

__extension__ typedef __int128 wide;

/* Everything is counted in halves of pixels: the middles of a pixel's edges are one row, or one
 * column, from its centre. What is to the right is found as what is to the left of the mirror
 * image. Of rows with the same ends only the first and the last can have a corner of the hull. */
typedef struct {
    int64_t row, x; /* the leftmost point in this half row, from half a row above the region */
} point;

enum { POINTS = 3 }; /* of an extent, and one behind the last */

typedef struct {
    point *points; /* [POINTS * extents + 1] from above; then only the corners of the hull */
    int64_t count;
} outline;

static int64_t left_of(const shape_extent *extent, bool mirrored)
{
    return mirrored ? -2 * (extent->right - 1) : 2 * extent->left;
}

static void put(outline *o, int64_t row, int64_t x)
{
    o->points[o->count++] = (point){row, x};
}

static void find_points(const shape_extent *extents, int64_t count, bool mirrored, outline *o)
{
    int64_t above = left_of(extents, mirrored), end = 0;
    o->count = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t left = left_of(&extents[i], mirrored), begin = end;
        end += 2 * extents[i].rows;
        put(o, begin, halo_min(left, above));
        put(o, begin + 1, left - 1);
        if (extents[i].rows > 1) {
            put(o, end - 1, left - 1);
        }
        above = left;
    }
    put(o, end, above);
}

/* The lower half of Andrew's monotone chain (A. M. Andrew: Another efficient algorithm for convex
 * hulls in two dimensions, 1979): leaves the corners. */
static void find_corners(outline *o)
{
    point *corner = o->points;
    int64_t corners = 0;
    for (int64_t i = 0; i < o->count; i++) {
        point next = o->points[i];
        while (corners >= 2) {
            point a = corner[corners - 2], b = corner[corners - 1];
            if ((wide)(b.x - a.x) * (next.row - a.row) < (wide)(next.x - a.x) * (b.row - a.row)) {
                break;
            }
            corners--; /* b is not left of the way from a to the next one */
        }
        corner[corners++] = next;
    }
    o->count = corners;
}

static int64_t divide_up(wide value, int64_t by)
{
    /* A division of 128 bits takes several times as long. */
    if (value == (int64_t)value) {
        int64_t quotient = (int64_t)value / by;
        return quotient + (quotient * by < (int64_t)value);
    }
    wide quotient = value / by;
    return (int64_t)(quotient + (quotient * by < value));
}

/* The sum, over all rows, of the first column that the hull has there. */
static int64_t add_least(const outline *o)
{
    int64_t sum = 0;
    for (int64_t c = 0; c + 1 < o->count; c++) {
        point a = o->points[c], b = o->points[c + 1];
        int64_t row = (a.row + 1) / 2, end = (b.row + 1) / 2; /* whose centres lie between */
        int64_t high = b.row - a.row, across = b.x - a.x;
        if (across == 0) {
            sum += (end - row) * divide_up(a.x, 2);
            continue;
        }
        for (; row < end; row++) {
            wide reached = (wide)a.x * high + (wide)across * (2 * row + 1 - a.row);
            sum += divide_up(reached, 2 * high);
        }
    }
    return sum;
}

static int64_t find_hull(const shape_extent *extents, int64_t count, outline *o)
{
    int64_t pixels = 0;
    for (int64_t i = 0; i < count; i++) {
        pixels += extents[i].rows;
    }
    for (int side = 0; side < 2; side++) {
        find_points(extents, count, side == 1, o);
        find_corners(o);
        pixels -= add_least(o);
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
static int64_t count_extents(const shape_extent *extents, int64_t count)
{
    int64_t found = 1;
    while (found < count && extents[found].region == extents->region) {
        found++;
    }
    return found;
}

static halo_status allocate(const shape_extent *extents, int64_t count, outline *o)
{
    int64_t most = 1;
    for (int64_t i = 0, some; i < count; i += some) {
        some = count_extents(extents + i, count - i);
        most = halo_max(most, some);
    }
    return HALO_ALLOCATE_LARGE(o->points, POINTS * most + 1, "outlines of regions");
}

halo_status shape_find_hulls(shape_extent *extents, int64_t count, int64_t first, int64_t *hulls)
{
    outline o = {0};
    if (count > 0) {
        qsort(extents, (size_t)count, sizeof *extents, compare);
    }
    HALO_TRY(allocate(extents, count, &o));
    for (int64_t i = 0, some; i < count; i += some) {
        some = count_extents(extents + i, count - i);
        hulls[extents[i].region - first] = find_hull(extents + i, some, &o);
    }
    halo_memory_free(o.points);
    return HALO_OK;
}
