#include "base/minmax.h"
#include "io/contour/contours_draw.h"

#include <math.h>

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

/* ---- before and after ------------------------------------------------------------------------ */

/* Widths of lines, in 256ths of a pixel, in a picture that is shown at its own size. */
enum {
    THIN = HALO_CANVAS_ONE,
    STRONG = 2 * HALO_CANVAS_ONE,
    RIM = HALO_CANVAS_ONE / 2,
    COMMON_SIDE = 640,  /* pixels of such a picture */
    SHARE_OF_WIDTH = 24 /* of a contour's, which a strong line may have */
};

/* How much wider lines are than in such a picture. */
static double find_scale(const halo_contours *contours, int64_t width, int64_t height)
{
    int64_t count = halo_contours_count(contours);
    double side = (double)halo_max(halo_max(height, width), COMMON_SIDE), widths = 0;
    for (int64_t c = 0; c < count; c++) {
        int64_t twice = halo_contours_double_area(contours, halo_contours_points(contours), c);
        widths += sqrt((double)twice / 2);
    }
    double max = widths / (double)count * HALO_CANVAS_ONE / SHARE_OF_WIDTH / STRONG;
    return fmax(fmin(side / COMMON_SIDE, max), .75);
}

halo_contours_pens halo_contours_pens_choose(const halo_contours *contours, int64_t width,
                                             int64_t height)
{
    double scale = find_scale(contours, width, height);
    return (halo_contours_pens){
        .thin = {.width = (int64_t)(THIN * scale), .colour = {64, 176, 255}},
        .strong = {.width = (int64_t)(STRONG * scale),
                   .rim = (int64_t)(RIM * scale),
                   .colour = {255, 212, 0},
                   .rim_colour = {32, 24, 0}}};
}

halo_status halo_contours_draw_moved(const halo_canvas *canvas, const halo_contours *contours,
                                     const halo_contour_point *points, int64_t unit,
                                     const halo_contours_pens *pens)
{
    halo_contours_drawing drawing = {.contours = contours,
                                     .points = halo_contours_points(contours),
                                     .enlarge = 1,
                                     .reduce = 1,
                                     .pen = &pens->thin};
    HALO_TRY(halo_contours_draw(canvas, &drawing));
    drawing.points = points;
    drawing.unit = unit;
    drawing.pen = &pens->strong;
    return halo_contours_draw(canvas, &drawing);
}
