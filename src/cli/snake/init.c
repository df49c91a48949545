#include "app/options/values.h"
#include "base/minmax.h"
#include "cli/snake/job.h"
#include "io/contour/contours_read.h"
#include "kernels/snake/seek.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- as it is asked for ---------------------------------------------------------------------- */

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
static bool scan_circle(const char *text, snake_init *init)
{
    bool good = halo_scan_number(&text, -MAX_PIXELS, MAX_PIXELS, &init->x) && *text++ == ',' &&
                halo_scan_number(&text, -MAX_PIXELS, MAX_PIXELS, &init->y) && *text++ == ',' &&
                halo_scan_number(&text, 0, MAX_PIXELS, &init->radius) &&
                scan_points(&text, &init->points);
    return good && *text == '\0' && init->radius > 0;
}

static bool scan_polygon(const char *text, snake_init *init)
{
    init->path = text;
    return *text != '\0';
}

/* RxC[,N] */
static bool scan_grid(const char *text, snake_init *init)
{
    int64_t n[2] = {0, 0};
    bool good = app_scan_sizes(&text, INT32_MAX, 2, n) == 2 && scan_points(&text, &init->points);
    init->rows = n[0];
    init->columns = n[1];
    return good && *text == '\0';
}

/* ---- as it begins ---------------------------------------------------------------------------- */

enum { MIN_CIRCLE = 8 /* points */, MIN_RADIUS = 3 };

static const double DEFAULT_SPACING = 6; /* pixels */
static const double SHARE_OF_CELL = 0.9; /* that a circle of a grid is wide */
static const double PI = 3.14159265358979323846;

typedef struct {
    int64_t width, height;
    double spacing; /* 0: none was asked for */
    halo_contours *contours;
} making;

/* Points of a circle: unless another number was asked for, an even one, so that two colours take
 * turns all the way round. */
static halo_status choose_points(const making *m, const snake_init *init, double radius,
                                 int64_t *points)
{
    int64_t max = (int64_t)(2 * PI * radius);
    double spacing = m->spacing > 0 ? m->spacing : DEFAULT_SPACING;
    *points =
        init->points > 0 ? init->points : halo_max(2 * llrint(PI * radius / spacing), MIN_CIRCLE);
    if (*points < SNAKE_MIN_POINTS) {
        return halo_fail(HALO_ARGUMENT,
                         "--init %s: a contour needs %d points at least, and this is %" PRId64,
                         init->text, SNAKE_MIN_POINTS, *points);
    }
    return init->points <= halo_max(max, MIN_CIRCLE)
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "--init %s: %" PRId64 " points on a circle of radius %g are less than a "
                           "pixel apart; use %" PRId64 " at most",
                           init->text, *points, radius, max);
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
    int64_t points;
    HALO_TRY(choose_points(m, init, init->radius, &points));
    return halo_contours_add_circle(m->contours, init->x, init->y, init->radius, points);
}

static halo_status fail_small(const making *m, const snake_init *init, double radius)
{
    double cell = 2 * MIN_RADIUS / SHARE_OF_CELL;
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

typedef struct {
    double x, y, radius; /* pixels */
} grid_circle;

/* The largest circle in cell `i` of a grid, counted along its rows. */
static grid_circle circle_in_cell(const making *m, const snake_init *init, int64_t i)
{
    double high = (double)m->height / (double)init->rows;
    double wide = (double)m->width / (double)init->columns;
    return (grid_circle){((double)(i % init->columns) + .5) * wide - .5,
                         ((double)(i / init->columns) + .5) * high - .5, fmin(high, wide) / 2};
}

static halo_status make_grid(const making *m, const snake_init *init)
{
    double radius = SHARE_OF_CELL * circle_in_cell(m, init, 0).radius;
    if (radius < MIN_RADIUS) {
        return fail_small(m, init, radius);
    }
    int64_t points;
    HALO_TRY(choose_points(m, init, radius, &points));
    for (int64_t i = 0; i < init->rows * init->columns; i++) {
        const grid_circle at = circle_in_cell(m, init, i);
        HALO_TRY(halo_contours_add_circle(m->contours, at.x, at.y, radius, points));
    }
    return HALO_OK;
}

static halo_status make_polygon(const making *m, const snake_init *init)
{
    const halo_contours_limits limits = {
        .width = m->width, .height = m->height, .min = SNAKE_MIN_POINTS, .spacing = m->spacing};
    return halo_contours_read(init->path, &limits, m->contours);
}

/* ---- kinds of contours ----------------------------------------------------------------------- */

static const struct {
    const char *name, *values;
    bool (*scan)(const char *text, snake_init *init);
    halo_status (*make)(const making *m, const snake_init *init);
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

halo_status snake_parse_init(const char *text, void *into)
{
    snake_inits *inits = into;
    if (inits->count == SNAKE_INITS) {
        return halo_fail(HALO_ARGUMENT,
                         "it cannot be given more than %d times; put the contours into one file, "
                         "for polygon:FILE.csv",
                         SNAKE_INITS);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t name = strlen(kinds[i].name);
        if (strncmp(text, kinds[i].name, name) != 0) {
            continue;
        }
        snake_init *init = &inits->list[inits->count++];
        *init = (snake_init){.kind = i, .text = text};
        return kinds[i].scan(text + name, init)
                   ? HALO_OK
                   : halo_fail(HALO_ARGUMENT, "it takes %s, not \"%.200s\"", kinds[i].values, text);
    }
    return halo_fail(HALO_ARGUMENT,
                     "it takes circle:X,Y,R[,N], polygon:FILE.csv or grid:RxC[,N], not \"%.200s\"",
                     text);
}

static halo_status make_all(const making *m, const snake_inits *inits, int64_t *starts)
{
    for (int i = 0; i < inits->count; i++) {
        starts[i] = halo_contours_count(m->contours);
        HALO_TRY(kinds[inits->list[i].kind].make(m, &inits->list[i]));
    }
    return HALO_OK;
}

static making making_of(const app_run *run, halo_contours *contours)
{
    return (making){.width = run->domain.n[1],
                    .height = run->domain.n[0],
                    .spacing = ((const snake_options *)run->options)->spacing,
                    .contours = contours};
}

halo_status snake_make_contours(app_run *run, halo_contours *contours)
{
    const snake_options *asked = run->options;
    snake_job *job = run->job;
    const making m = making_of(run, contours);
    bool makes = halo_world_rank(run->world) == 0;
    return halo_contours_share(run->world, contours,
                               makes ? make_all(&m, &asked->inits, job->starts) : HALO_OK);
}

/* ---- seeking --------------------------------------------------------------------------------- */

/* Contours begin that much outside of what was found, in 256ths of the radius. */
enum { SEEK_MARGIN = HALO_SNAKE_SEEK_UNIT / 10 };

static bool is_grid(const snake_init *init)
{
    return kinds[init->kind].make == make_grid;
}

static int64_t seek_units(double pixels)
{
    return llrint(pixels * HALO_SNAKE_SEEK_UNIT);
}

/* The largest circle in every cell of all grids; `circles` is NULL to count them. */
static int64_t list_circles(const making *m, const snake_inits *inits, halo_snake_circle *circles)
{
    int64_t count = 0;
    for (int k = 0; k < inits->count; k++) {
        const snake_init *init = &inits->list[k];
        int64_t cells = is_grid(init) ? init->rows * init->columns : 0;
        for (int64_t i = 0; i < cells && circles != NULL; i++) {
            const grid_circle at = circle_in_cell(m, init, i);
            circles[count + i] =
                (halo_snake_circle){seek_units(at.x), seek_units(at.y), seek_units(at.radius)};
        }
        count += cells;
    }
    return count;
}

static halo_status copy_contours(halo_contours *into, const halo_contours *from, int64_t first,
                                 int64_t end)
{
    const halo_contour_point *points = halo_contours_points(from);
    for (int64_t c = first; c < end; c++) {
        HALO_TRY(halo_contours_begin(into));
        for (int64_t i = halo_contours_first(from, c); i < halo_contours_first(from, c + 1); i++) {
            HALO_TRY(halo_contours_add(into, points[i].x, points[i].y));
        }
    }
    return HALO_OK;
}

/* A circle of a grid, if it has moved; otherwise the contour that there is. */
static halo_status add_found(const making *m, const snake_init *init, const halo_contours *before,
                             int64_t contour, const halo_snake_circle *from,
                             const halo_snake_circle *to)
{
    if (from->x == to->x && from->y == to->y && from->radius == to->radius) {
        return copy_contours(m->contours, before, contour, contour + 1);
    }
    double unit = HALO_SNAKE_SEEK_UNIT;
    double radius = (double)to->radius * (1 + SEEK_MARGIN / unit) / unit;
    int64_t points;
    HALO_TRY(choose_points(m, init, radius, &points));
    return halo_contours_add_circle(m->contours, (double)to->x / unit, (double)to->y / unit, radius,
                                    points);
}

static halo_status replace(const making *m, const snake_inits *inits, const int64_t *starts,
                           const halo_contours *before, const halo_snake_circle *from,
                           const halo_snake_circle *to)
{
    int64_t circle = 0;
    for (int k = 0; k < inits->count; k++) {
        int64_t end = k + 1 < inits->count ? starts[k + 1] : halo_contours_count(before);
        if (!is_grid(&inits->list[k])) {
            HALO_TRY(copy_contours(m->contours, before, starts[k], end));
            continue;
        }
        for (int64_t c = starts[k]; c < end; c++, circle++) {
            HALO_TRY(add_found(m, &inits->list[k], before, c, &from[circle], &to[circle]));
        }
    }
    return HALO_OK;
}

halo_status snake_seek(app_run *run, const halo_field *gradient)
{
    const snake_options *asked = run->options;
    snake_job *job = run->job;
    halo_contours found = {0};
    const making m = making_of(run, &found);
    int64_t count = list_circles(&m, &asked->inits, NULL);
    halo_snake_circle *from;
    if (count == 0 || asked->seek == SNAKE_SEEK_NOTHING) {
        return HALO_OK;
    }
    halo_status status = halo_agree(run->world, HALO_ALLOCATE(from, 2 * count, "circles"));
    if (status != HALO_OK) {
        free(from); /* another rank may have failed */
        return status;
    }
    halo_snake_circle *to = from + count;
    list_circles(&m, &asked->inits, from);
    memcpy(to, from, (size_t)count * sizeof *to);
    status = halo_snake_seek(run->world, halo_field_view(gradient), &run->domain, SEEK_MARGIN, to,
                             count);
    if (status == HALO_OK) {
        bool makes = halo_world_rank(run->world) == 0;
        status = halo_contours_share(
            run->world, &found,
            makes ? replace(&m, &asked->inits, job->starts, &job->contours, from, to) : HALO_OK);
    }
    free(from);
    if (status == HALO_OK) {
        halo_contours_free(&job->contours);
        job->contours = found;
    } else {
        halo_contours_free(&found);
    }
    return status;
}
