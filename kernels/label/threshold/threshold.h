#ifndef HALOBEAT_LABEL_THRESHOLD_H
#define HALOBEAT_LABEL_THRESHOLD_H

#include "base/sample_bins.h"
#include "core/field/field.h"
#include "core/world/world.h"
#include "partition/cuts.h"

/* Thresholding: from samples to foreground. All functions except halo_threshold_local and
 * halo_extremes_share are local. Samples of every type are passed as keys (base/sample.h):
 * infinities are numbers; NaN is never foreground. Views have cells of the type, and 2 or 3 axes;
 * `instructions` as in halo_label_options; if this machine does not have them, the best it has are
 * used (halo_label_create reports such an error). */

/* Adds the owned samples of a view, which are not bits. */
void halo_extremes_add(halo_sample_extremes *extremes, const halo_view *samples,
                       const char *instructions);

/* Collective. Replaces each rank's extremes by those of all samples. HALO_TRANSPORT. */
halo_status halo_extremes_share(halo_world *world, halo_sample_extremes *extremes);

/* Adds the finite owned samples of a view to the histogram counts[bins->count]. */
void halo_histogram_add(const halo_sample_bins *bins, const halo_view *samples, int64_t *counts);

/* Samples of foreground: `min` to `max`, or with `invert` all other numbers. Either end may be
 * beyond the type, and `min` above `max`: none. */
typedef struct {
    int64_t min, max;
    bool invert;
} halo_key_range;

/* Writes the owned rows of `foreground` (cells of 1 bit, the same pixels; bits past the width are
 * 0). */
void halo_threshold(const halo_view *samples, halo_sample_type type, const halo_key_range *range,
                    const halo_view *foreground, const char *instructions);

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
 * HALO_MEMORY, HALO_TRANSPORT. */
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
