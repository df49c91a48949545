#ifndef HALOBEAT_KERNELS_CHAN_VESE_BORDER_H
#define HALOBEAT_KERNELS_CHAN_VESE_BORDER_H

#include "core/beat/beat.h"

/* The border of a level set, drawn on rows of an image: the pixels of which one of the four
 * neighbours is on the other side. What lies beyond the image is on the pixel's own side. */

/* Collective. Makes a copy of the level set of `beat` (kernel of chan_vese.h, on `domain`) that has
 * the rows next to this rank's strip as well. The caller destroys it, in any case. HALO_MEMORY,
 * HALO_TRANSPORT. */
halo_status halo_chan_vese_border_create(halo_field **copy, const halo_beat *beat,
                                         halo_world *world, const halo_domain *domain);

/* Local, pure. Draws the border on row `row` of an image of `rows` rows, which must be this rank's:
 * `pixels` has red, green and blue of each pixel. Pixels inside get the colour `inner`, those
 * outside `outer`. `copy` is the view of the field made above. */
void halo_chan_vese_border_paint(const halo_view *copy, int64_t row, int64_t rows,
                                 const unsigned char inner[3], const unsigned char outer[3],
                                 unsigned char *pixels);

#endif
