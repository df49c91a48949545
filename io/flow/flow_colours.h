#ifndef HALOBEAT_IO_FLOW_FLOW_COLOURS_H
#define HALOBEAT_IO_FLOW_FLOW_COLOURS_H

#include <stdint.h>

/* Optical flow as colours, as in the literature (Baker et al., see io/flow/flo.h). The hue is the
 * direction: right is red, down yellow, left blue, up violet. The saturation is the length; no
 * motion is white. All functions here are local.
 *
 * Vectors are pairs of floats (u, v), right and down in pixels. They are rounded to 256ths of a
 * pixel, with a maximum length of 2^20 pixels, and colours are computed from that in integers, so
 * that they are the same on every machine. Pixels with unknown motion (a component above 10^9, or
 * NaN) are black. */

/* The square of the maximum length of [count] vectors, in 256ths of a pixel: the scale of the
 * colours. Over several ranks, take the maximum. */
int64_t halo_flow_max_square(const float *vectors, int64_t count);

/* Writes the colours of [count] vectors, 3 bytes each, to `colours`. `max_square` is the square of
 * the length that gets full saturation; longer vectors are darker. */
void halo_flow_colours(const float *vectors, int64_t count, int64_t max_square,
                       unsigned char *colours);

#endif
