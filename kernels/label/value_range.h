#ifndef HALOBEAT_LABEL_VALUE_RANGE_H
#define HALOBEAT_LABEL_VALUE_RANGE_H

#include "core/field/field.h"
#include "core/world/world.h"
#include "kernels/label/label_value.h"

/* Thresholding of samples of any type, as in threshold.h for greys of 1, 8 and 16 bits. Samples are
 * passed as keys (label_value.h). Infinities are numbers; NaN is never foreground. Views have cells
 * of the type, and 2 or 3 axes; `instructions` as in halo_threshold. All functions are local except
 * halo_value_extremes_share. */

/* Extremes of samples. Zero-initialise it, except for the type: no samples. */
typedef struct {
    halo_label_value type;
    int64_t finite, nans; /* number of finite samples, and of NaN */
    int64_t min, max;     /* of the finite samples; undefined if there are none */
} halo_value_extremes;

/* Adds the owned samples of a view. */
void halo_value_extremes_add(halo_value_extremes *extremes, const halo_view *values,
                             const char *instructions);

/* Collective. Replaces each rank's extremes by those of all samples. HALO_MPI. */
halo_status halo_value_extremes_share(halo_world *world, halo_value_extremes *extremes);

/* Bins of equal width from the minimum to the maximum finite sample. For integers the width is 1 if
 * they differ by less than HALO_VALUE_BINS, otherwise the smallest sufficient power of 2; for reals
 * it is their range divided by HALO_VALUE_BINS. */
enum { HALO_VALUE_BINS = 65536 };

typedef struct {
    halo_value_extremes of;
    int shift;               /* for integers: the width is 2^shift */
    double unit, low, scale; /* for reals: the bin of a sample is (sample * unit - low) * scale */
} halo_value_bins;

halo_value_bins halo_value_bins_of(const halo_value_extremes *extremes);

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
int64_t halo_foreground_within(const halo_view *values, halo_label_value type,
                               const halo_value_range *range, const halo_view *foreground,
                               const char *instructions);

/* The key of the minimum sample of the type that is at least `value`, and of the maximum one that
 * is at most `value`. False for a value outside the type's range in that direction. */
bool halo_value_key_from(halo_label_value type, const halo_number *value, int64_t *key);
bool halo_value_key_to(halo_label_value type, const halo_number *value, int64_t *key);

/* The key of the maximum sample of the type; for reals, infinity. */
int64_t halo_value_key_last(halo_label_value type);

/* The key at `percent` of the way from the minimum finite sample to the maximum, which must exist.
 * It is exact where that is a sample of the type and `percent` a whole number; between two samples
 * of the type the larger one, or with `down` the smaller one. */
int64_t halo_value_key_at(const halo_value_extremes *extremes, double percent, bool down);

#endif
