#ifndef HALOBEAT_IO_FLOW_FLOW_COLOURS_H
#define HALOBEAT_IO_FLOW_FLOW_COLOURS_H

#include <stdint.h>

/* Flow in the colours that the literature shows it in (Baker et al., as in io/flow/flo.h): the hue
 * says where a pixel goes, right red, down yellow, left blue like the sky, up violet; the more
 * colourful, the further; white is still. All functions here are local.
 *
 * Vectors are pairs of floats (u, v), right and down in pixels, and count in 256ths of a pixel up
 * to 2^20 pixels; from there on whole numbers decide, so that colours are the same on every
 * machine. A pixel of which nothing is known (a component beyond 10^9, or none) is black. */

/* The square of the largest of `count` vectors' lengths, in 256ths of a pixel: the scale that
 * colours need. Over several ranks, the largest of theirs. */
int64_t halo_flow_max_square(const float *vectors, int64_t count);

/* The colours of `count` vectors, 3 bytes each into `colours`. The largest one of a picture has a
 * full colour: `max_square` is the square of its length. What is longer still is darker. */
void halo_flow_colours(const float *vectors, int64_t count, int64_t max_square,
                       unsigned char *colours);

#endif
