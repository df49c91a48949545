#include "kernels/label/measure/shape_hull.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/watched_sort.h"

#include <math.h>

__extension__ typedef __int128 wide;

/* Everything is counted in halves of pixels: the middles of a pixel's edges are one row, or one
 * column, from its centre. What is to the right is found as what is to the left of the mirror
 * image. Of rows with the same ends only the first and the last can have a corner of the hull. */
/* A point is the leftmost one in a half row, counted from half a row above the region. */
enum { POINTS = 4 }; /* of an extent, and one behind the last */

typedef struct {
    shape_point *points; /* [POINTS * extents + 1] from above; then only the corners of the hull */
    int64_t count;
} outline;

static int64_t left_of(const shape_extent *extent, bool mirrored)
{
    return mirrored ? -2 * (extent->right - 1) : 2 * extent->left;
}

static void put(outline *o, int64_t row, int64_t x)
{
    o->points[o->count++] = (shape_point){row, x};
}

static void find_points(const shape_extent *extents, int64_t count, bool mirrored, outline *o)
{
    int64_t above = left_of(extents, mirrored), end = 0;
    o->count = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t left = left_of(&extents[i], mirrored);
        int64_t begin = 2 * (extents[i].row - extents[0].row);
        if (begin > end) { /* a region in several pieces has rows between them */
            put(o, end, above);
            above = left;
        }
        end = begin + 2 * extents[i].rows;
        put(o, begin, halo_min(left, above));
        put(o, begin + 1, left - 1);
        if (extents[i].rows > 1) {
            put(o, end - 1, left - 1);
        }
        above = left;
    }
    put(o, end, above);
}

int64_t shape_find_corners(shape_point *points, int64_t count)
{
    int64_t corners = 0;
    for (int64_t i = 0; i < count; i++) {
        shape_point next = points[i];
        while (corners >= 2) {
            shape_point a = points[corners - 2], b = points[corners - 1];
            if ((wide)(b.x - a.x) * (next.row - a.row) < (wide)(next.x - a.x) * (b.row - a.row)) {
                break;
            }
            corners--; /* b is not left of the way from a to the next one */
        }
        points[corners++] = next;
    }
    return corners;
}

/* Points become the corners of their hull. */
static void find_corners(outline *o)
{
    o->count = shape_find_corners(o->points, o->count);
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
        shape_point a = o->points[c], b = o->points[c + 1];
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

/* columns[i] is set to the first column that the hull has in row i. */
static void find_columns(const outline *o, int64_t *columns)
{
    for (int64_t c = 0; c + 1 < o->count; c++) {
        shape_point a = o->points[c], b = o->points[c + 1];
        int64_t high = b.row - a.row, across = b.x - a.x;
        for (int64_t row = (a.row + 1) / 2; row < (b.row + 1) / 2; row++) {
            wide reached = (wide)a.x * high + (wide)across * (2 * row + 1 - a.row);
            columns[row] = divide_up(reached, 2 * high);
        }
    }
}

/* Rows from the first to the last. */
static int64_t count_rows(const shape_extent *extents, int64_t count)
{
    return extents[count - 1].row + extents[count - 1].rows - extents[0].row;
}

static int64_t find_hull(const shape_extent *extents, int64_t count, outline *o)
{
    int64_t pixels = count_rows(extents, count);
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

/* ---- Feret diameters ------------------------------------------------------------------------- */

/* Buffers for the rows of a region. */
typedef struct {
    int64_t *columns[2];   /* [rows] the first one of the hull in each; and of the mirror image */
    shape_extent *extents; /* [rows] of the hull's pixels */
    outline outline;       /* [POINTS * rows + 1] */
    shape_point *corners;  /* of both sides: [2 * (POINTS * rows + 1)] */
} feret_search;

/* The corners of the outline of pixels in the hull, which reaches further than the hull: down the
 * left side, *half of them, and down the right one. Returns how many there are. */
static int64_t find_all_corners(feret_search *f, int64_t rows, int64_t *half)
{
    int64_t corners = 0;
    for (int64_t row = 0; row < rows; row++) {
        f->extents[row] = (shape_extent){
            .row = row, .rows = 1, .left = f->columns[0][row], .right = 1 - f->columns[1][row]};
    }
    for (int side = 0; side < 2; side++) {
        *half = corners;
        find_points(f->extents, rows, side == 1, &f->outline);
        find_corners(&f->outline);
        for (int64_t i = 0; i < f->outline.count; i++) {
            shape_point corner = f->outline.points[i];
            f->corners[corners++] = (shape_point){corner.row, side == 1 ? -corner.x : corner.x};
        }
    }
    return corners;
}

/* A hull of pixels has few corners: about 3.5 times its radius to the power of 2/3. */
static double find_diameter(const shape_point *corners, int64_t count, const double size[2])
{
    double square = 0;
    for (int64_t i = 0; i < count; i++) {
        for (int64_t k = 0; k < i; k++) {
            double high = (double)(corners[i].row - corners[k].row) * size[0];
            double across = (double)(corners[i].x - corners[k].x) * size[1];
            square = fmax(square, high * high + across * across);
        }
    }
    return sqrt(square) / 2; /* positions are in halves of pixels */
}

/* The distance of the corner that is furthest from the line through two of them. */
static double find_height(const shape_point *corners, int64_t count, const shape_point line[2],
                          const double size[2])
{
    double high = (double)(line[1].row - line[0].row) * size[0];
    double across = (double)(line[1].x - line[0].x) * size[1], most = 0;
    for (int64_t i = 0; i < count; i++) {
        double down = (double)(corners[i].row - line[0].row) * size[0];
        double right = (double)(corners[i].x - line[0].x) * size[1];
        most = fmax(most, fabs(high * right - across * down));
    }
    return most / sqrt(high * high + across * across);
}

/* Two parallel lines are closest where one of them is along an edge. Corners [count] go down one
 * side, the first `half` of them, and then down the other. */
static double find_width(const shape_point *corners, int64_t count, int64_t half,
                         const double size[2])
{
    double width = INFINITY;
    for (int64_t i = 0; i < count; i++) {
        /* The last corner of each side is joined with that of the other one, and so are the first
         * ones. */
        int64_t next = i == half - 1 ? count - 1 : i == count - 1 ? half : i + 1;
        int64_t from = i == count - 1 ? 0 : i;
        const shape_point line[] = {corners[from], corners[next]};
        if (line[0].row != line[1].row || line[0].x != line[1].x) {
            width = fmin(width, find_height(corners, count, line, size));
        }
    }
    return width / 2; /* positions are in halves of pixels */
}

static void find_ferets(const shape_extent *extents, int64_t count, outline *o, feret_search *f,
                        const shape_ferets *ferets, int64_t region)
{
    int64_t rows = count_rows(extents, count);
    for (int side = 0; side < 2; side++) {
        find_points(extents, count, side == 1, o);
        find_corners(o);
        find_columns(o, f->columns[side]);
    }
    int64_t half, corners = find_all_corners(f, rows, &half);
    ferets->diameter[region] = find_diameter(f->corners, corners, ferets->size);
    if (ferets->width != NULL) {
        ferets->width[region] = find_width(f->corners, corners, half, ferets->size);
    }
}

static halo_status create_search(feret_search *f, int64_t rows)
{
    static const char what[] = "outlines of regions";
    HALO_TRY(HALO_ALLOCATE_LARGE(f->columns[0], rows + 1, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(f->columns[1], rows + 1, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(f->extents, rows + 1, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(f->outline.points, POINTS * rows + 1, what));
    return HALO_ALLOCATE_LARGE(f->corners, 2 * (POINTS * rows + 1), what);
}

static void free_search(feret_search *f)
{
    halo_memory_free(f->columns[0]);
    halo_memory_free(f->columns[1]);
    halo_memory_free(f->extents);
    halo_memory_free(f->outline.points);
    halo_memory_free(f->corners);
}

/* ---------------------------------------------------------------------------------------------- */

/* Extents of the same region, which are in order. */
static int64_t count_extents(const shape_extent *extents, int64_t count)
{
    int64_t found = 1;
    while (found < count && extents[found].region == extents->region) {
        found++;
    }
    return found;
}

static halo_status allocate(const shape_extent *extents, int64_t count, outline *o, feret_search *f)
{
    int64_t most = 1, most_rows = 1;
    for (int64_t i = 0, some; i < count; i += some) {
        some = count_extents(extents + i, count - i);
        most = halo_max(most, some);
        most_rows = halo_max(most_rows, count_rows(extents + i, some));
    }
    HALO_TRY(HALO_ALLOCATE_LARGE(o->points, POINTS * most + 1, "outlines of regions"));
    return f != NULL ? create_search(f, most_rows) : HALO_OK;
}

halo_status shape_find_hulls(const halo_world *world, shape_extent *extents, int64_t count,
                             int64_t first, int64_t *hulls, const shape_ferets *ferets)
{
    outline o = {0};
    feret_search f = {0};
    int64_t since = 0;
    HALO_TRY(halo_watched_sort(world, extents, count, sizeof *extents, compare));
    halo_status status = allocate(extents, count, &o, ferets != NULL ? &f : NULL);
    for (int64_t i = 0, some; i < count && status == HALO_OK; i += some) {
        some = count_extents(extents + i, count - i);
        int64_t region = extents[i].region - first;
        hulls[region] = find_hull(extents + i, some, &o);
        if (ferets != NULL) {
            find_ferets(extents + i, some, &o, &f, ferets, region);
        }
        status = halo_watch_piece(world, &since, some + count_rows(extents + i, some));
    }
    halo_memory_free(o.points);
    free_search(&f);
    return status;
}
