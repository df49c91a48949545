#ifndef HALOBEAT_BASE_SAMPLE_BINS_H
#define HALOBEAT_BASE_SAMPLE_BINS_H

#include "base/sample.h"

/* Histograms of samples of any type, and Otsu's threshold. Everything is local. */

/* Bins from the minimum finite sample to the maximum. Greys have one for each value of their type,
 * 2, 256 or 65536. Others have HALO_SAMPLE_BINS of equal width: for whole numbers the width is 1 if
 * they differ by less than that, otherwise the smallest sufficient power of 2; for reals it is
 * their range divided by HALO_SAMPLE_BINS. */
enum { HALO_SAMPLE_BINS = 65536 };

typedef struct {
    halo_sample_extremes of;
    int64_t count;           /* of bins */
    int shift;               /* for whole numbers: the width is 2^shift */
    double unit, low, scale; /* for reals: the bin of a sample is (sample * unit - low) * scale */
} halo_sample_bins;

/* `extremes` of greys are those of their type (halo_sample_type_extremes). */
halo_sample_bins halo_sample_bins_of(const halo_sample_extremes *extremes);

/* Adds the finite samples of `rows` rows, `pitch` bytes apart, to the histogram
 * counts[bins->count]. Samples beyond the extremes are left out. Of BIT, bits past the width are 0.
 */
void halo_sample_bins_add(const halo_sample_bins *bins, const void *data, int64_t rows,
                          ptrdiff_t pitch, int64_t width, int64_t *counts);

/* Otsu's threshold (N. Otsu, A threshold selection method from gray-level histograms, 1979), in the
 * middle between the two classes with the maximum variance between classes; the lowest of several
 * maxima. A histogram of two values is so split between them. For one value: a threshold above it
 * if it is 0, otherwise the value itself; for none `levels`. */
int64_t halo_otsu(const int64_t *counts, int64_t levels);

/* The same for samples: the key of the minimum sample of the upper class; a bin begins there. Whole
 * numbers with a bin each have the same threshold as greys. For a single value: above it if it is
 * 0, otherwise the value itself; 1 if the extremes are of no sample. */
int64_t halo_sample_otsu(const halo_sample_bins *bins, const int64_t *counts);

#endif
