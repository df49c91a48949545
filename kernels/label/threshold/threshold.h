#ifndef HALOBEAT_LABEL_THRESHOLD_H
#define HALOBEAT_LABEL_THRESHOLD_H

#include "core/field/field.h"
#include "core/world/world.h"
#include "partition/cuts.h"

/* Thresholding: from grey to foreground. All functions except halo_threshold_local are local.
 * `grey` has cells of 1, 8 or 16 bits, and 2 or 3 axes. Row r of a volume is row r % n of plane r /
 * n, where n is the number of rows that the view owns in each plane. */

/* Adds the grey values of local rows `first` to `first + rows - 1` to the histogram counts[value],
 * which has an entry for each possible value (2, 256 or 65536, by the cell's size). */
void halo_histogram_add(const halo_view *grey, int64_t first, int64_t rows, int64_t *counts);

/* Otsu's threshold (N. Otsu, A threshold selection method from gray-level histograms, 1979), in the
 * middle between the two classes with the maximum variance between classes; the lowest of several
 * maxima. An image of two values is so split between them. For an image of one value: a threshold
 * above it if it is 0, otherwise the value itself; for none `levels`. */
int64_t halo_otsu(const int64_t *counts, int64_t levels);

/* Grey values of foreground: `min` to `max`, or with `invert` all others. */
typedef struct {
    int64_t min, max;
    bool invert;
} halo_grey_range;

/* Writes rows `first` to `first + rows - 1` of `foreground` (cells of 1 bit, the same rows).
 * `instructions` as in halo_label_options; if this machine does not have them, the best it has are
 * used (halo_label_create reports such an error). */
void halo_threshold(const halo_view *grey, const halo_grey_range *range, int64_t first,
                    int64_t rows, const halo_view *foreground, const char *instructions);

/* Local threshold: a pixel is foreground if its grey value is at least the mean of the square of 2
 * * radius + 1 pixels around it (in volumes, of the cube), minus `offset`; with `invert`, if it is
 * not. Beyond the edges the image is mirrored (edge pixels are repeated), or continues
 * periodically. With radius 7 this is grey >= skimage.filters.threshold_local(grey, 15, "mean",
 * offset), but exact. Pixels of the grey `skipped` are no part of means; what becomes of them is
 * not defined. */
typedef struct {
    int64_t radius; /* pixels, at least 1 */
    double offset;
    bool invert;
    bool skips; /* is there such a grey? */
    int64_t skipped;
    bool transposed; /* rows of the fields are columns of the image: see halo_threshold_local */
} halo_local_threshold;

/* Collective. Writes the owned pixels of `foreground`. `partition` cuts the domain, of 2 or 3 axes,
 * into strips of rows or planes; `grey`, of this rank's strip, has cells of 8 or 16 bits and a halo
 * of `radius` rows or planes (none is needed on other axes), which is exchanged. With
 * options->transposed, in 2 axes, the rows of both fields are columns of the image (as
 * halo_label_transpose makes them), of all of this strip's rows each, and need no halo.
 * HALO_ARGUMENT for another cell size, or a radius above 25000 or not less than each side of the
 * domain; HALO_RANKS for strips with fewer rows (planes) than the radius, but not none;
 * HALO_MEMORY, HALO_MPI. */
halo_status halo_threshold_local(halo_world *world, const halo_domain *domain,
                                 const halo_partition *partition, halo_field *grey,
                                 const halo_local_threshold *options, const halo_view *foreground);

/* Sets `to` (which may be `from`) to the inverse of `from`, in the owned rows; both have cells of 1
 * bit. */
void halo_foreground_invert(const halo_view *from, const halo_view *to);

/* Clears `foreground` where `where` is 0, in the owned rows; both have cells of 1 bit. */
void halo_foreground_limit(const halo_view *foreground, const halo_view *where);

/* The number of foreground cells in the owned rows. */
int64_t halo_foreground_count(const halo_view *foreground);

#endif
