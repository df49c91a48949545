#ifndef HALOBEAT_IO_IMAGE_DENSITY_H
#define HALOBEAT_IO_IMAGE_DENSITY_H

#include "io/image/image_internal.h"

/* Pixels a length, as PNG and JPEG have them: mostly dots on paper or a screen, which measure
 * nothing, but of microscopes the size of a pixel. Not installed. */

/* Dots an inch of screens, prints and scanners. */
bool halo_density_is_usual(double per_inch);

/* Sets the spacing of columns and rows. There are `across` pixels along a row, and `down` along a
 * column, in one `unit`. More than 2400 dots an inch that are not usual ones are a measure, in
 * micrometres; others are kept as dots an inch. Without a unit only the ratio is meant. A note is
 * added if pixels that measure nothing are not square. */
void halo_density_set(halo_image_reader *reader, double across, double down, halo_length unit);

/* Pixels a metre along columns and rows, as PNG has them: whole numbers below 2^31. False if the
 * geometry does not tell, or with less than three digits. */
bool halo_density_of(const halo_image_geometry *geometry, uint32_t density[2]);

#endif
