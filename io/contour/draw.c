#include "io/contour/contours_draw.h"

static int64_t place_on_canvas(const halo_contours_drawing *what, int64_t place)
{
    enum { HALF = HALO_CANVAS_ONE / 2 };
    int64_t unit = what->unit > 0 ? what->unit : 1;
    return (2 * place + unit) * HALF * what->enlarge / (what->reduce * unit) - HALF;
}

/* Points of a contour; false if it is nowhere near the canvas. */
static bool find_points(const halo_canvas *canvas, const halo_contours_drawing *what, int64_t first,
                        int64_t count, halo_canvas_point *points)
{
    int64_t min = INT64_MAX, max = INT64_MIN;
    for (int64_t i = 0; i < count; i++) {
        const halo_contour_point *point = &what->points[first + i];
        points[i] = (halo_canvas_point){.x = place_on_canvas(what, point->x),
                                        .y = place_on_canvas(what, point->y)};
        min = points[i].y < min ? points[i].y : min;
        max = points[i].y > max ? points[i].y : max;
    }
    int64_t margin = what->pen->width + what->pen->rim + HALO_CANVAS_ONE;
    return max + margin >= canvas->first_row * HALO_CANVAS_ONE &&
           min - margin <= (canvas->first_row + canvas->rows) * HALO_CANVAS_ONE;
}

halo_status halo_contours_draw(const halo_canvas *canvas, const halo_contours_drawing *what)
{
    halo_buffer room = {0};
    halo_status status = HALO_OK;
    for (int64_t c = 0; c < halo_contours_count(what->contours) && status == HALO_OK; c++) {
        int64_t first = halo_contours_first(what->contours, c);
        int64_t count = halo_contours_first(what->contours, c + 1) - first;
        status = halo_buffer_reserve(&room, (size_t)count * sizeof(halo_canvas_point));
        halo_canvas_point *points = (halo_canvas_point *)(void *)room.data;
        if (status == HALO_OK && find_points(canvas, what, first, count, points)) {
            halo_canvas_polyline(canvas, points, count, 1, what->pen);
        }
    }
    halo_buffer_free(&room);
    return status;
}
