#ifndef HALOBEAT_CHAN_VESE_LEVEL_SET_H
#define HALOBEAT_CHAN_VESE_LEVEL_SET_H

#include "core/field/field.h"

/* Level sets to begin with: they fill in the owned rows of a field of bits, each pixel by its
 * global place. All local; the same pixels as scikit-image's functions of these names. */

/* Squares of that many pixels a side, by turns outside and inside; the first is outside. */
void halo_chan_vese_checkerboard(const halo_view *cells, int64_t square);

/* Pixels nearer than `radius` to a point are inside. Pixels' centres have whole coordinates. */
void halo_chan_vese_disk(const halo_view *cells, double row, double column, double radius);

/* Samples that are not 0 are inside: local rows `first` to `first + rows - 1` of a field of 8 or 16
 * bits a pixel with the same owned rows. */
void halo_chan_vese_binary(const halo_view *cells, const halo_view *samples, int64_t first,
                           int64_t rows);

#endif
