#include "io/flow/flow_arrows.h"
#include "base/minmax.h"
#include "io/flow/flow_colours.h"

#include <math.h>

enum {
    ONE = HALO_CANVAS_ONE,
    WIDTHS_APART = 22, /* widths of lines from an arrow to the next */
    WIDEST = 6 * ONE
};

int64_t halo_flow_arrow_width(double pixels, int64_t arrows)
{
    double apart = sqrt(pixels / (double)arrows);
    return halo_max(ONE, halo_min((int64_t)rint(apart * ONE / WIDTHS_APART), WIDEST));
}

static void choose_colour(const halo_flow_arrow *arrow, unsigned char colour[3])
{
    const float pair[] = {(float)arrow->u / ONE, (float)arrow->v / ONE};
    halo_flow_colours(pair, 1, halo_flow_max_square(pair, 1), colour);
}

void halo_flow_arrow_draw(const halo_canvas *canvas, const halo_flow_arrow *arrow, double scale,
                          int64_t width)
{
    halo_canvas_pen pen = {.width = width, .rim = ONE / 2 + width / 4};
    const halo_canvas_point from = {arrow->x, arrow->y};
    const halo_canvas_point to = {arrow->x + (int64_t)rint(scale * (double)arrow->u),
                                  arrow->y + (int64_t)rint(scale * (double)arrow->v)};
    choose_colour(arrow, pen.colour);
    halo_canvas_arrow(canvas, from, to, &pen);
}
