#ifndef HALOBEAT_CHAN_VESE_LEVEL_SET_H
#define HALOBEAT_CHAN_VESE_LEVEL_SET_H

#include "core/field/field.h"

/* Initial level sets: they fill in the owned rows of a field of bits, depending on global positions
 * only. All functions are local. Pixels are the same as by scikit-image's functions of these
 * names. */

/* A checkerboard with squares of `square` pixels per side; the first square is outside. */
void halo_chan_vese_checkerboard(const halo_view *cells, int64_t square);

/* A disk: pixels closer than `radius` to (row, column) are inside. Centres of pixels have integer
 * coordinates. */
void halo_chan_vese_disk(const halo_view *cells, double row, double column, double radius);

/* Local row `row` from that of an image: samples other than 0 are inside. */
void halo_chan_vese_binary(const halo_view *cells, int64_t row, const double *samples);

#endif
