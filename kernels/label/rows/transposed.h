#ifndef HALOBEAT_LABEL_TRANSPOSED_H
#define HALOBEAT_LABEL_TRANSPOSED_H

#include "core/field/field.h"
#include "kernels/label/label_region.h"
#include "kernels/label/merge/border.h"
#include "kernels/label/rows/strip.h"

/* Strips of narrow images whose columns lie in memory as rows: a row costs as much as hundreds of
 * its pixels, so that an image with few columns is labelled faster by these. Regions are the same;
 * what depends on the order of pixels is in this file. Local; internal to the label kernel. */

/* An image with this many columns at most has a row in one word. */
enum { LABEL_TRANSPOSED_COLUMNS = 32 };

/* Strips of more than one row. Names components of a united strip by the raster order of their
 * first pixels in the image, which is not the order of their labels, and replaces the forest in
 * strip->classes by these names. HALO_MEMORY. */
halo_status label_transposed_name(label_strip *strip);

/* Changes rows and columns of the strip to planes, rows and columns of the image. `last` is that of
 * the image. */
void label_transposed_part(const label_input *input, halo_region *part);

/* Runs of the image's layer at the low or high end of the strip, in raster order. Returns how many
 * there are: at most the strip's rows. */
int32_t label_transposed_runs(const label_strip *strip, bool high, const border_side *to);

#endif
