#ifndef HALOBEAT_WATERSHED_LEVELS_H
#define HALOBEAT_WATERSHED_LEVELS_H

#include "kernels/watershed/watershed.h"

/* Levels of a watershed without labels: reconstruction of a strip, and the extrema of it. Internal
 * to the kernels.
 *
 * Samples become keys, unsigned numbers in their order; or with `high` in the opposite order, so
 * that maxima are minima of keys, and the reconstruction by erosion is that by dilation. */

/* Collective. Creates a watershed that has levels only, for what stands here; as
 * halo_watershed_create. Destroy it by halo_watershed_destroy. */
halo_status watershed_levels_create(halo_watershed **out, halo_world *world,
                                    const halo_domain *domain, const halo_partition *strips,
                                    const halo_watershed_options *options);

/* Local. Take row `row` of the strip: of the image, and of the levels' beginning, which are cut to
 * the image. Every row of the image comes first. HALO_ARGUMENT for NaN. */
halo_status watershed_levels_put_image(halo_watershed *w, int64_t row, const void *samples,
                                       bool high);
halo_status watershed_levels_put(halo_watershed *w, int64_t row, const void *samples, bool high);

/* Local. Levels begin as the image raised by `height`, more than 0, but by no less than the
 * smallest difference of its type. */
void watershed_levels_raise(halo_watershed *w, double height);

/* Collective. Lowers levels until each is the larger one of the sample and the least level of the
 * neighbours, unless it is less. HALO_MEMORY, HALO_TRANSPORT, HALO_CANCELLED. */
halo_status watershed_levels_settle(halo_watershed *w);

/* Collective. *spread: -1, 0 or 1 if the difference between the largest and the smallest sample of
 * the image is less than `height`, equal to it, or more. HALO_TRANSPORT. */
halo_status watershed_levels_compare_spread(halo_watershed *w, double height, int *spread);

/* Collective. Finds regional minima: connected cells of one key, all of whose other neighbours have
 * larger ones; of the image, or of the `levels`. Without `borders` those with a cell on an edge of
 * the domain, along its last `axes` axes, are left out. HALO_MEMORY, HALO_TRANSPORT,
 * HALO_CANCELLED. */
halo_status watershed_levels_find_minima(halo_watershed *w, bool levels, bool borders, int axes);

/* Local. A row of the strip: of the minima that were found; of cells whose level stayed the image's
 * raised by `height`; as bits, those past the width 0. Of levels, as samples. */
void watershed_levels_minima_row(const halo_watershed *w, int64_t row, uint64_t *bits);
void watershed_levels_unmoved_row(const halo_watershed *w, int64_t row, double height,
                                  uint64_t *bits);
void watershed_levels_row(const halo_watershed *w, int64_t row, bool high, void *samples);

#endif
