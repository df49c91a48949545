#ifndef HALOBEAT_LABEL_THRESHOLD_H
#define HALOBEAT_LABEL_THRESHOLD_H

#include "core/field/field.h"
#include "core/world/world.h"
#include "partition/cuts.h"

/* From grey to foreground. All functions are local but one; `grey` has cells of 1, 8 or 16 bits,
 * and 2 or 3 axes: row r of a volume is row r % n of plane r / n, where n is how many rows of each
 * plane the view owns. */

/* Add the grey values of local rows `first` to `first + rows - 1` to counts[value], which has an
 * entry for each value the image can have (2, 256 or 65536, by the cell's size). */
void halo_histogram_add(const halo_view *grey, int64_t first, int64_t rows, int64_t *counts);

/* The threshold in the middle between the two classes that N. Otsu's method separates (A threshold
 * selection method from gray-level histograms, 1979): the largest variance between classes, the
 * lowest of several; so a two-valued image splits between its values. One value only: above it
 * if it is 0, that value itself otherwise. counts[levels] are not all 0. */
int64_t halo_otsu(const int64_t *counts, int64_t levels);

/* The grey values of foreground pixels: from `min` to `max`, or, with `invert`, all others. */
typedef struct {
    int64_t min, max;
    bool invert;
} halo_grey_range;

/* Write rows `first` to `first + rows - 1` of `foreground` (cells of 1 bit, same rows).
 * `instructions` as in halo_label_options; the best ones serve where this machine lacks them, which
 * is for halo_label_create to refuse. */
void halo_threshold(const halo_view *grey, const halo_grey_range *range, int64_t first,
                    int64_t rows, const halo_view *foreground, const char *instructions);

/* A pixel is foreground if its grey value is at least the mean of the square of 2 * radius + 1
 * pixels around it (of a volume, of the cube), less the offset; with `invert`, if it is not. Beyond
 * the edges the image is mirrored (the edge pixels come twice), or, along periodic axes, begins
 * again. With radius 7 this is grey >= skimage.filters.threshold_local(grey, 15, "mean", offset),
 * but exact. */
typedef struct {
    int64_t radius; /* at least 1 */
    double offset;
    bool invert;
} halo_local_threshold;

/* Collective. Write the owned pixels of `foreground`. `partition` cuts the domain, of 2 or 3 axes,
 * into strips of rows or planes; `grey`, of this rank's strip, has cells of 8 or 16 bits and halos
 * of `radius` of these (sides need none), which are exchanged. HALO_ARGUMENT for another cell size,
 * or a radius that is not less than each side of the domain, or above 25000; HALO_RANKS for strips
 * of fewer rows (planes) than the radius; HALO_MEMORY, HALO_MPI. */
halo_status halo_threshold_local(halo_world *world, const halo_domain *domain,
                                 const halo_partition *partition, halo_field *grey,
                                 const halo_local_threshold *options, const halo_view *foreground);

/* `to` (may be `from`) becomes foreground where `from` is background, in the owned rows; both have
 * cells of 1 bit. */
void halo_foreground_invert(const halo_view *from, const halo_view *to);

/* Foreground stays only where `where` is, too, in the owned rows; both have cells of 1 bit. */
void halo_foreground_limit(const halo_view *foreground, const halo_view *where);

/* Foreground cells of the owned rows. */
int64_t halo_foreground_count(const halo_view *foreground);

#endif
