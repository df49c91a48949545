#include "cli/snake/init.h"

#include "io/contour/contours_read.h"

#include <inttypes.h>
#include <math.h>

enum { LEAST_POINTS = 3, LEAST_CIRCLE = 8, LEAST_RADIUS = 3 };

static const double USUAL_SPACING = 6;   /* pixels */
static const double SHARE_OF_CELL = 0.9; /* that a circle of a grid is wide */
static const double PI = 3.14159265358979323846;

typedef struct {
    int64_t width, height;
    double spacing; /* 0: none was asked for */
    halo_contours *contours;
} making;

/* Points of a circle: an even number, so that two colours take turns all the way round. */
static int64_t usual_points(const making *m, double radius)
{
    double spacing = m->spacing > 0 ? m->spacing : USUAL_SPACING;
    int64_t points = 2 * llrint(PI * radius / spacing);
    return points > LEAST_CIRCLE ? points : LEAST_CIRCLE;
}

static halo_status check_points(const snake_init *init, double radius)
{
    if (init->points == 0) {
        return HALO_OK;
    }
    if (init->points < LEAST_POINTS) {
        return halo_fail(HALO_ARGUMENT,
                         "--init %s: a contour needs %d points at least, and this is %" PRId64,
                         init->text, LEAST_POINTS, init->points);
    }
    int64_t most = (int64_t)(2 * PI * radius);
    return init->points <= most || init->points <= LEAST_CIRCLE
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "--init %s: %" PRId64 " points on a circle of radius %g are less than a "
                           "pixel apart; use %" PRId64 " at most",
                           init->text, init->points, radius, most);
}

static halo_status make_circle(const making *m, const snake_init *init)
{
    if (lrint(init->x - init->radius) < 0 || lrint(init->x + init->radius) >= m->width ||
        lrint(init->y - init->radius) < 0 || lrint(init->y + init->radius) >= m->height) {
        return halo_fail(HALO_ARGUMENT,
                         "--init %s: the circle goes from column %g to %g and from row %g to %g, "
                         "and the picture only has columns 0 to %" PRId64 " and rows 0 to %" PRId64
                         "; use a smaller radius or another centre",
                         init->text, init->x - init->radius, init->x + init->radius,
                         init->y - init->radius, init->y + init->radius, m->width - 1,
                         m->height - 1);
    }
    if (init->radius < 1) {
        return halo_fail(HALO_ARGUMENT, "--init %s: a circle's radius is 1 pixel or more",
                         init->text);
    }
    HALO_TRY(check_points(init, init->radius));
    return halo_contours_add_circle(m->contours, init->x, init->y, init->radius,
                                    init->points > 0 ? init->points
                                                     : usual_points(m, init->radius));
}

static halo_status fail_small(const making *m, const snake_init *init, double radius)
{
    double cell = 2 * LEAST_RADIUS / SHARE_OF_CELL;
    int64_t rows = (int64_t)((double)m->height / cell),
            columns = (int64_t)((double)m->width / cell);
    if (rows == 0 || columns == 0) {
        return halo_fail(HALO_ARGUMENT,
                         "--init %s: a picture of %" PRId64 " x %" PRId64
                         " pixels is too small for any circle that could move; give the points by "
                         "polygon:FILE.csv",
                         init->text, m->width, m->height);
    }
    return halo_fail(HALO_ARGUMENT,
                     "--init %s: circles of %.2g pixels across are too small to move; a picture "
                     "of %" PRId64 " x %" PRId64 " pixels has room for grid:%" PRId64 "x%" PRId64
                     " at most",
                     init->text, 2 * radius, m->width, m->height, rows, columns);
}

static halo_status make_grid(const making *m, const snake_init *init)
{
    double high = (double)m->height / (double)init->rows;
    double wide = (double)m->width / (double)init->columns;
    double radius = SHARE_OF_CELL * fmin(high, wide) / 2;
    if (radius < LEAST_RADIUS) {
        return fail_small(m, init, radius);
    }
    HALO_TRY(check_points(init, radius));
    int64_t points = init->points > 0 ? init->points : usual_points(m, radius);
    for (int64_t i = 0; i < init->rows; i++) {
        for (int64_t j = 0; j < init->columns; j++) {
            HALO_TRY(halo_contours_add_circle(m->contours, ((double)j + .5) * wide - .5,
                                              ((double)i + .5) * high - .5, radius, points));
        }
    }
    return HALO_OK;
}

static halo_status make_polygon(const making *m, const snake_init *init)
{
    const halo_contours_limits limits = {
        .width = m->width, .height = m->height, .min = LEAST_POINTS, .spacing = m->spacing};
    return halo_contours_read(init->path, &limits, m->contours);
}

static halo_status make_all(const making *m, const snake_arguments *arguments)
{
    static halo_status (*const makers[])(const making *,
                                         const snake_init *) = {[SNAKE_INIT_CIRCLE] = make_circle,
                                                                [SNAKE_INIT_POLYGON] = make_polygon,
                                                                [SNAKE_INIT_GRID] = make_grid};
    for (int i = 0; i < arguments->inits.count; i++) {
        const snake_init *init = &arguments->inits.list[i];
        HALO_TRY(makers[init->kind](m, init));
    }
    return HALO_OK;
}

halo_status snake_init_make(halo_world *world, const snake_arguments *arguments, int64_t width,
                            int64_t height, halo_contours *contours)
{
    const making m = {
        .width = width, .height = height, .spacing = arguments->spacing, .contours = contours};
    halo_status status = HALO_OK;
    if (halo_world_rank(world) == 0) {
        status = make_all(&m, arguments);
    }
    return halo_contours_share(world, contours, status);
}
