#include "base/minmax.h"
#include "base/scan.h"
#include "io/contour/contours_shapes.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- text ------------------------------------------------------------------------------------ */

static const double MAX_PIXELS = 1e9;

/* ",N" at *text, or nothing. */
static bool scan_points(const char **text, int64_t *points)
{
    if (**text != ',') {
        return true;
    }
    (*text)++;
    return halo_scan_integer(text, 1, INT32_MAX, points);
}

/* X,Y,R[,N] */
static bool scan_circle(const char *text, halo_contours_shape *shape)
{
    bool good = halo_scan_number(&text, -MAX_PIXELS, MAX_PIXELS, &shape->x) && *text++ == ',' &&
                halo_scan_number(&text, -MAX_PIXELS, MAX_PIXELS, &shape->y) && *text++ == ',' &&
                halo_scan_number(&text, 0, MAX_PIXELS, &shape->radius) &&
                scan_points(&text, &shape->points);
    return good && *text == '\0' && shape->radius > 0;
}

static bool scan_polygon(const char *text, halo_contours_shape *shape)
{
    shape->path = text;
    return *text != '\0';
}

/* RxC[,N] */
static bool scan_grid(const char *text, halo_contours_shape *shape)
{
    return halo_scan_integer(&text, 1, INT32_MAX, &shape->rows) && *text++ == 'x' &&
           halo_scan_integer(&text, 1, INT32_MAX, &shape->columns) &&
           scan_points(&text, &shape->points) && *text == '\0';
}

/* ---- circles --------------------------------------------------------------------------------- */

enum { MIN_CIRCLE = 8 /* points */, MIN_RADIUS = 3 };

static const double DEFAULT_SPACING = 6; /* pixels */
static const double SHARE_OF_CELL = 0.9; /* that a circle of a grid is wide */
static const double PI = 3.14159265358979323846;

typedef struct {
    const char *name; /* for messages */
    const halo_contours_limits *limits;
    halo_contours *contours;
} making;

/* Points of a circle: unless another number was asked for, an even one, so that two colours take
 * turns all the way round. */
static halo_status choose_points(const making *m, const halo_contours_shape *shape, double radius,
                                 int64_t *points)
{
    int64_t max = (int64_t)(2 * PI * radius);
    double spacing = m->limits->spacing > 0 ? m->limits->spacing : DEFAULT_SPACING;
    *points =
        shape->points > 0 ? shape->points : halo_max(2 * llrint(PI * radius / spacing), MIN_CIRCLE);
    if (*points < m->limits->min) {
        return halo_fail(HALO_ARGUMENT,
                         "%s %s: a contour needs %" PRId64 " points at least, and this is %" PRId64,
                         m->name, shape->text, m->limits->min, *points);
    }
    return shape->points <= halo_max(max, MIN_CIRCLE)
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "%s %s: %" PRId64 " points on a circle of radius %g are less than a "
                           "pixel apart; use %" PRId64 " at most",
                           m->name, shape->text, *points, radius, max);
}

static halo_status make_circle(const making *m, const halo_contours_shape *shape)
{
    if (lrint(shape->x - shape->radius) < 0 ||
        lrint(shape->x + shape->radius) >= m->limits->width ||
        lrint(shape->y - shape->radius) < 0 ||
        lrint(shape->y + shape->radius) >= m->limits->height) {
        return halo_fail(HALO_ARGUMENT,
                         "%s %s: the circle goes from column %g to %g and from row %g to %g, "
                         "and the picture only has columns 0 to %" PRId64 " and rows 0 to %" PRId64
                         "; use a smaller radius or another centre",
                         m->name, shape->text, shape->x - shape->radius, shape->x + shape->radius,
                         shape->y - shape->radius, shape->y + shape->radius, m->limits->width - 1,
                         m->limits->height - 1);
    }
    if (shape->radius < 1) {
        return halo_fail(HALO_ARGUMENT, "%s %s: a circle's radius is 1 pixel or more", m->name,
                         shape->text);
    }
    int64_t points;
    HALO_TRY(choose_points(m, shape, shape->radius, &points));
    return halo_contours_add_circle(m->contours, shape->x, shape->y, shape->radius, points);
}

static halo_status fail_small(const making *m, const halo_contours_shape *shape, double radius)
{
    double cell = 2 * MIN_RADIUS / SHARE_OF_CELL;
    int64_t rows = (int64_t)((double)m->limits->height / cell),
            columns = (int64_t)((double)m->limits->width / cell);
    if (rows == 0 || columns == 0) {
        return halo_fail(HALO_ARGUMENT,
                         "%s %s: a picture of %" PRId64 " x %" PRId64
                         " pixels is too small for any circle that could move; give the points by "
                         "polygon:FILE.csv",
                         m->name, shape->text, m->limits->width, m->limits->height);
    }
    return halo_fail(
        HALO_ARGUMENT,
        "%s %s: circles of %.2g pixels across are too small to move; a picture "
        "of %" PRId64 " x %" PRId64 " pixels has room for grid:%" PRId64 "x%" PRId64 " at most",
        m->name, shape->text, 2 * radius, m->limits->width, m->limits->height, rows, columns);
}

typedef struct {
    double x, y, radius; /* pixels */
} exact_circle;

/* The largest circle in cell `i` of a grid, counted along its rows. */
static exact_circle circle_in_cell(const halo_contours_limits *limits,
                                   const halo_contours_shape *shape, int64_t i)
{
    double high = (double)limits->height / (double)shape->rows;
    double wide = (double)limits->width / (double)shape->columns;
    return (exact_circle){((double)(i % shape->columns) + .5) * wide - .5,
                          ((double)(i / shape->columns) + .5) * high - .5, fmin(high, wide) / 2};
}

static halo_status make_grid(const making *m, const halo_contours_shape *shape)
{
    double radius = SHARE_OF_CELL * circle_in_cell(m->limits, shape, 0).radius;
    if (radius < MIN_RADIUS) {
        return fail_small(m, shape, radius);
    }
    int64_t points;
    HALO_TRY(choose_points(m, shape, radius, &points));
    for (int64_t i = 0; i < shape->rows * shape->columns; i++) {
        const exact_circle at = circle_in_cell(m->limits, shape, i);
        HALO_TRY(halo_contours_add_circle(m->contours, at.x, at.y, radius, points));
    }
    return HALO_OK;
}

static halo_status make_polygon(const making *m, const halo_contours_shape *shape)
{
    return halo_contours_read(shape->path, m->limits, m->contours);
}

/* ---- kinds of shapes ------------------------------------------------------------------------- */

static const struct {
    const char *name, *values;
    bool (*scan)(const char *text, halo_contours_shape *shape);
    halo_status (*make)(const making *m, const halo_contours_shape *shape);
} kinds[] = {
    {"circle:",
     "circle:X,Y,R or circle:X,Y,R,N: centre, radius above 0 and number of "
     "points, such as circle:120,80,60",
     scan_circle, make_circle},
    {"polygon:", "polygon:FILE.csv", scan_polygon, make_polygon},
    {"grid:",
     "grid:RxC or grid:RxC,N: rows and columns of circles from 1 on, and "
     "points of each, such as grid:3x4",
     scan_grid, make_grid},
};

halo_status halo_contours_shapes_parse(halo_contours_shapes *shapes, const char *text)
{
    if (shapes->count == HALO_CONTOURS_SHAPES) {
        return halo_fail(HALO_ARGUMENT,
                         "it cannot be given more than %d times; put the contours into one file, "
                         "for polygon:FILE.csv",
                         HALO_CONTOURS_SHAPES);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t name = strlen(kinds[i].name);
        if (strncmp(text, kinds[i].name, name) != 0) {
            continue;
        }
        halo_contours_shape *shape = &shapes->list[shapes->count++];
        *shape = (halo_contours_shape){.kind = i, .text = text};
        return kinds[i].scan(text + name, shape)
                   ? HALO_OK
                   : halo_fail(HALO_ARGUMENT, "it takes %s, not \"%.200s\"", kinds[i].values, text);
    }
    return halo_fail(HALO_ARGUMENT,
                     "it takes circle:X,Y,R[,N], polygon:FILE.csv or grid:RxC[,N], not \"%.200s\"",
                     text);
}

halo_status halo_contours_shapes_make(const halo_contours_shapes *shapes, const char *name,
                                      const halo_contours_limits *limits, halo_contours *into,
                                      int64_t *firsts)
{
    const making m = {.name = name, .limits = limits, .contours = into};
    for (int i = 0; i < shapes->count; i++) {
        firsts[i] = halo_contours_count(into);
        HALO_TRY(kinds[shapes->list[i].kind].make(&m, &shapes->list[i]));
    }
    return HALO_OK;
}

/* ---- moved circles --------------------------------------------------------------------------- */

static int64_t cells_of(const halo_contours_shape *shape)
{
    return kinds[shape->kind].make == make_grid ? shape->rows * shape->columns : 0;
}

static int64_t units(double pixels)
{
    return llrint(pixels * HALO_CONTOURS_CIRCLE_UNIT);
}

static halo_contours_circle rounded_circle(const halo_contours_limits *limits,
                                           const halo_contours_shape *shape, int64_t cell)
{
    const exact_circle at = circle_in_cell(limits, shape, cell);
    return (halo_contours_circle){units(at.x), units(at.y), units(at.radius)};
}

int64_t halo_contours_shapes_cells(const halo_contours_shapes *shapes)
{
    int64_t count = 0;
    for (int i = 0; i < shapes->count; i++) {
        count += cells_of(&shapes->list[i]);
    }
    return count;
}

void halo_contours_shapes_circles(const halo_contours_shapes *shapes,
                                  const halo_contours_limits *limits, halo_contours_circle *circles)
{
    for (int i = 0; i < shapes->count; i++) {
        int64_t cells = cells_of(&shapes->list[i]);
        for (int64_t cell = 0; cell < cells; cell++) {
            *circles++ = rounded_circle(limits, &shapes->list[i], cell);
        }
    }
}

static halo_status copy_contour(halo_contours *into, const halo_contours *from, int64_t contour)
{
    const halo_contour_point *points = halo_contours_points(from);
    int64_t end = halo_contours_first(from, contour + 1);
    HALO_TRY(halo_contours_begin(into));
    for (int64_t i = halo_contours_first(from, contour); i < end; i++) {
        HALO_TRY(halo_contours_add(into, points[i].x, points[i].y));
    }
    return HALO_OK;
}

static bool is_same(const halo_contours_circle *a, const halo_contours_circle *b)
{
    return a->x == b->x && a->y == b->y && a->radius == b->radius;
}

static halo_status move_circle(const making *m, const halo_contours_shape *shape,
                               const halo_contours_circle *to, double margin)
{
    double unit = HALO_CONTOURS_CIRCLE_UNIT, radius = (double)to->radius * (1 + margin) / unit;
    int64_t points;
    HALO_TRY(choose_points(m, shape, radius, &points));
    return halo_contours_add_circle(m->contours, (double)to->x / unit, (double)to->y / unit, radius,
                                    points);
}

halo_status halo_contours_shapes_move(const halo_contours_shapes *shapes, const char *name,
                                      const halo_contours_limits *limits,
                                      const halo_contours *before, const int64_t *firsts,
                                      const halo_contours_circle *moved, double margin,
                                      halo_contours *into)
{
    const making m = {.name = name, .limits = limits, .contours = into};
    for (int i = 0; i < shapes->count; i++) {
        const halo_contours_shape *shape = &shapes->list[i];
        int64_t end = i + 1 < shapes->count ? firsts[i + 1] : halo_contours_count(before);
        int64_t cells = cells_of(shape);
        for (int64_t c = firsts[i]; c < end; c++) {
            const halo_contours_circle from = cells > 0
                                                  ? rounded_circle(limits, shape, c - firsts[i])
                                                  : (halo_contours_circle){0};
            const halo_contours_circle *to = cells > 0 ? moved++ : &from;
            HALO_TRY(is_same(&from, to) ? copy_contour(into, before, c)
                                        : move_circle(&m, shape, to, margin));
        }
    }
    return HALO_OK;
}
