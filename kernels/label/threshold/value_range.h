#ifndef HALOBEAT_LABEL_VALUE_RANGE_H
#define HALOBEAT_LABEL_VALUE_RANGE_H

#include "core/field/field.h"
#include "core/world/world.h"
#include "kernels/label/label_value.h"

/* Thresholding of samples of any type, as in threshold.h for greys of 1, 8 and 16 bits. Samples are
 * passed as keys (base/sample.h). Infinities are numbers; NaN is never foreground. Views have cells
 * of the type, and 2 or 3 axes; `instructions` as in halo_threshold. All functions are local except
 * halo_value_extremes_share. */

/* Adds the owned samples of a view. */
void halo_value_extremes_add(halo_sample_extremes *extremes, const halo_view *values,
                             const char *instructions);

/* Collective. Replaces each rank's extremes by those of all samples. HALO_MPI. */
halo_status halo_value_extremes_share(halo_world *world, halo_sample_extremes *extremes);

/* Bins of equal width from the minimum to the maximum finite sample. For integers the width is 1 if
 * they differ by less than HALO_VALUE_BINS, otherwise the smallest sufficient power of 2; for reals
 * it is their range divided by HALO_VALUE_BINS. */
enum { HALO_VALUE_BINS = 65536 };

typedef struct {
    halo_sample_extremes of;
    int shift;               /* for integers: the width is 2^shift */
    double unit, low, scale; /* for reals: the bin of a sample is (sample * unit - low) * scale */
} halo_value_bins;

halo_value_bins halo_value_bins_of(const halo_sample_extremes *extremes);

/* Adds the finite owned samples of a view to counts[HALO_VALUE_BINS]. */
void halo_value_histogram_add(const halo_value_bins *bins, const halo_view *values,
                              int64_t *counts);

/* The key of the minimum sample of the upper class in Otsu's method (halo_otsu); a bin begins
 * there. Integers with a bin each have the same threshold as greys. For a single value: above it if
 * it is 0, otherwise the value itself; 1 if there is none. */
int64_t halo_value_otsu(const halo_value_bins *bins, const int64_t *counts);

/* Samples of foreground: `min` to `max`, or with `invert` all other numbers. */
typedef struct {
    int64_t min, max;
    bool invert;
} halo_value_range;

/* Writes the owned rows of `foreground` (cells of 1 bit, the same pixels). Returns the number of
 * NaN samples. */
int64_t halo_foreground_within(const halo_view *values, halo_sample_type type,
                               const halo_value_range *range, const halo_view *foreground,
                               const char *instructions);

#endif
