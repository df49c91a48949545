#ifndef HALOBEAT_IO_FLOW_FLOW_ARROWS_H
#define HALOBEAT_IO_FLOW_FLOW_ARROWS_H

#include "io/canvas/canvas.h"

/* Vectors of optical flow as arrows on a picture. All functions are local. */

/* Position and vector, right and down, in units of 1 / HALO_CANVAS_ONE pixel. */
typedef struct {
    int64_t x, y, u, v;
} halo_flow_arrow;

/* The width of arrows, in units of 1 / HALO_CANVAS_ONE pixel: as many as `arrows` all over a
 * picture of `pixels` leave it visible. 1 to 6 pixels. */
int64_t halo_flow_arrow_width(double pixels, int64_t arrows);

/* Draws an arrow of this width that is `scale` times as long as its vector. Its hue is that of the
 * direction (io/flow/flow_colours.h), at full saturation, so that slow motion is seen as well. */
void halo_flow_arrow_draw(const halo_canvas *canvas, const halo_flow_arrow *arrow, double scale,
                          int64_t width);

#endif
