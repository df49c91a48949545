#ifndef HALOBEAT_LABEL_VALUE_RANGE_H
#define HALOBEAT_LABEL_VALUE_RANGE_H

#include "core/field/field.h"
#include "core/world/world.h"
#include "kernels/label/label_value.h"

/* From samples of any type to foreground, as threshold.h has it for greys of 1, 8 and 16 bits.
 * Samples are passed as keys (label_value.h). Infinities are numbers; NaN is never foreground.
 * Views have cells of the type, and 2 or 3 axes; `instructions` as in halo_threshold. All functions
 * are local but one. */

/* What samples are like. Zero-initialised but for the type: there are none. */
typedef struct {
    halo_label_value type;
    int64_t finite, nans; /* how many are finite, and NaN */
    int64_t min, max;     /* of the finite ones; not set if there are none */
} halo_value_extremes;

/* Add the owned samples of a view. */
void halo_value_extremes_add(halo_value_extremes *extremes, const halo_view *values,
                             const char *instructions);

/* Collective. From those of each rank's samples to those of all. HALO_MPI. */
halo_status halo_value_extremes_share(halo_world *world, halo_value_extremes *extremes);

/* Samples from the least finite one to the largest are counted in bins of one width. It is 1 of
 * whole numbers that differ by less than HALO_VALUE_BINS, of others the smallest power of 2 that is
 * enough; of reals their range through HALO_VALUE_BINS. */
enum { HALO_VALUE_BINS = 65536 };

typedef struct {
    halo_value_extremes of;
    int shift;               /* of whole numbers: the width is 2^shift */
    double unit, low, scale; /* of reals: the bin of a sample is (sample * unit - low) * scale */
} halo_value_bins;

halo_value_bins halo_value_bins_of(const halo_value_extremes *extremes);

/* Add the owned samples of a view that are finite to counts[HALO_VALUE_BINS]. */
void halo_value_histogram_add(const halo_value_bins *bins, const halo_view *values,
                              int64_t *counts);

/* The key from which on samples are of the upper class of Otsu's method (halo_otsu), where a bin
 * begins. Whole numbers of one bin each have the threshold that they would have as greys. A single
 * value: above it if it is 0, that value itself otherwise; 1 if there is none. */
int64_t halo_value_otsu(const halo_value_bins *bins, const int64_t *counts);

/* Samples of foreground pixels: from `min` to `max`, or, with `invert`, all other numbers. */
typedef struct {
    int64_t min, max;
    bool invert;
} halo_value_range;

/* Write the owned rows of `foreground` (cells of 1 bit, the same pixels). Returns how many samples
 * are NaN. */
int64_t halo_foreground_within(const halo_view *values, halo_label_value type,
                               const halo_value_range *range, const halo_view *foreground,
                               const char *instructions);

/* The key of the least sample of the type that is `value` or more, and of the largest one that is
 * `value` or less. False for a value beyond the type, on either side. */
bool halo_value_key_from(halo_label_value type, double value, int64_t *key);
bool halo_value_key_to(halo_label_value type, double value, int64_t *key);

/* The key of the largest sample of the type, which is infinity of reals. */
int64_t halo_value_key_last(halo_label_value type);

/* The key at `share`, 0 to 1, of the way from the least finite sample to the largest, of which
 * there are some; between two samples of the type it is the larger or, with `down`, the smaller
 * one. */
int64_t halo_value_key_at(const halo_value_extremes *extremes, double share, bool down);

#endif
