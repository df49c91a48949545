#include "io/contour/contours.h"

#include "core/world/collect.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

halo_status halo_contours_begin(halo_contours *c)
{
    int64_t first = halo_contours_point_count(c);
    return halo_buffer_append(&c->starts, &first, sizeof first);
}

halo_status halo_contours_add(halo_contours *c, int32_t x, int32_t y)
{
    halo_contour_point point = {.y = y, .x = x};
    return halo_buffer_append(&c->points, &point, sizeof point);
}

halo_status halo_contours_add_circle(halo_contours *c, double x, double y, double radius,
                                     int64_t count)
{
    HALO_TRY(halo_contours_begin(c));
    for (int64_t i = 0; i < count; i++) {
        double angle = 2 * PI * (double)i / (double)count;
        HALO_TRY(halo_contours_add(c, (int32_t)lrint(x + radius * cos(angle)),
                                   (int32_t)lrint(y + radius * sin(angle))));
    }
    return HALO_OK;
}

halo_status halo_contours_firsts(halo_contours *c, const int64_t **firsts)
{
    HALO_TRY(halo_buffer_reserve(&c->starts, sizeof **firsts));
    int64_t *starts = (int64_t *)(void *)c->starts.data;
    starts[halo_contours_count(c)] = halo_contours_point_count(c);
    *firsts = starts;
    return HALO_OK;
}

int64_t halo_contours_double_area(const halo_contours *c, const halo_contour_point *points,
                                  int64_t contour)
{
    int64_t first = halo_contours_first(c, contour), end = halo_contours_first(c, contour + 1);
    int64_t area = 0;
    for (int64_t i = first; i < end; i++) {
        const halo_contour_point *a = &points[i], *b = &points[i + 1 < end ? i + 1 : first];
        area += (int64_t)a->x * b->y - (int64_t)b->x * a->y;
    }
    return area < 0 ? -area : area;
}

double halo_contours_area(const halo_contours *c, const halo_contour_point *points, int64_t unit)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < halo_contours_count(c); i++) {
        sum += halo_contours_double_area(c, points, i);
    }
    return (double)sum / (2 * (double)unit * (double)unit);
}

double halo_contours_mean_distance(const halo_contours *c, const halo_contour_point *points,
                                   int64_t unit)
{
    const halo_contour_point *begun = halo_contours_points(c);
    int64_t count = halo_contours_point_count(c);
    double of = (double)unit, sum = 0;
    for (int64_t i = 0; i < count; i++) {
        sum += hypot(points[i].x / of - begun[i].x, points[i].y / of - begun[i].y);
    }
    return sum / (double)count;
}

static halo_status share_buffer(halo_world *world, halo_buffer *buffer)
{
    int64_t bytes = (int64_t)buffer->size;
    HALO_TRY(halo_bcast(world, &bytes, sizeof bytes, 0));
    halo_status status = HALO_OK;
    if (halo_world_rank(world) != 0) {
        status = halo_buffer_reserve(buffer, (size_t)bytes);
    }
    HALO_TRY(halo_agree(world, status));
    buffer->size = (size_t)bytes;
    return halo_bcast(world, buffer->data, (size_t)bytes, 0);
}

halo_status halo_contours_share(halo_world *world, halo_contours *c, halo_status mine)
{
    HALO_TRY(halo_agree(world, mine));
    HALO_TRY(share_buffer(world, &c->starts));
    return share_buffer(world, &c->points);
}

void halo_contours_free(halo_contours *c)
{
    halo_buffer_free(&c->starts);
    halo_buffer_free(&c->points);
}
