#ifndef HALOBEAT_LABEL_REGION_SAMPLES_H
#define HALOBEAT_LABEL_REGION_SAMPLES_H

#include "core/move/scatter_gather.h"
#include "kernels/label/label.h"

#include <stddef.h>

/* Measures of regions by their samples, which are passed once more after labelling, or are still in
 * memory: runs without such measures need not keep samples. Samples have any type; NaN is ignored.
 * Sums are exact, so that results do not depend on the distribution. */

/* Mean, minimum and maximum. */
typedef struct {
    int64_t numbers;  /* pixels that are not NaN */
    int64_t min, max; /* keys (label_value.h) of the minimum and maximum, if there are any */
    int64_t sum;      /* of integers, if it fits 64 bits */
    double mean;      /* NaN if no pixel is a number, or if there are infinities of both signs */
} halo_intensity;

/* Standard deviation, and the centroid weighted by samples. */
typedef struct {
    double deviation;           /* the square root of the mean squared deviation; NaN if no pixel is
                                 * a number, or one is infinite */
    double weighted[HALO_AXES]; /* plane, row and column, weighted by the samples; NaN likewise, and
                                 * if samples add up to 0 */
} halo_moments;

/* Each region has a histogram of a few bits of its samples, from the highest bits down: rows are
 * passed several times, so that memory does not depend on the number of pixels (selection by radix:
 * D. E. Knuth, The Art of Computer Programming 3, 5.3.3). With up to 32768 regions, samples of 8
 * bits are passed once. */
typedef struct {
    int64_t numbers;   /* samples that are not NaN */
    int64_t low, high; /* keys (base/sample.h) of the two that the median, or another quantile, lies
                        * between, which are one if it is that one; undefined without numbers */
} halo_median;

enum { HALO_CHANNELS = 3 };

/* Red, green and blue. */
typedef struct {
    int64_t sum[HALO_CHANNELS]; /* sum, minimum and maximum over the pixels of a region */
    int64_t min[HALO_CHANNELS], max[HALO_CHANNELS];
} halo_channels;

/* Measures, to be combined by |. */
enum {
    HALO_MEASURE_INTENSITIES = 1,
    HALO_MEASURE_MOMENTS = 2,
    HALO_MEASURE_MEDIANS = 4,
    HALO_MEASURE_CHANNELS = 8,
    HALO_MEASURE_QUANTILES = 16
};

enum { HALO_REGION_QUANTILES = 9 };

/* The measures of the regions of halo_label_regions on this rank, in the same order; NULL where
 * they were not asked for. */
typedef struct {
    halo_intensity *intensities;
    bool fits; /* with intensities, the same on all ranks: samples are integers, and the sums,
                * minima and maxima of all regions are from -2^63 to 2^63 - 1 */
    halo_moments *moments;
    halo_median *medians;
    halo_channels *channels;
    halo_median *quantiles[HALO_REGION_QUANTILES]; /* [samples->quantile_count] */
} halo_region_measures;

/* Collective. Passes all rows of the image to `take`, which has the context `taken_by`: to each
 * rank those of its strip, by `cuts`, [ranks + 1] of the first axis, in any order, numbered through
 * all planes. `cuts` are the same in each call for one halo_label_measure. Fails on all ranks
 * alike, also if `take` does on one. */
typedef halo_status halo_label_pass(void *context, const int64_t *cuts, halo_rows_take *take,
                                    void *taken_by);

/* The samples of an image: in memory, or passed by a function. */
typedef struct {
    halo_sample_type type;   /* BIT: 0 and 1, as U8. Of channels U8 or U16, three to a pixel */
    const halo_view *view;   /* pixels of this rank's part of halo_label_partition; or NULL, and */
    halo_label_pass *pass;   /* a function that passes them, */
    void *context;           /* and its context */
    const double *quantiles; /* [quantile_count] of HALO_MEASURE_QUANTILES, from 0 to 1 */
    int quantile_count;      /* HALO_REGION_QUANTILES at most */
} halo_region_samples;

/* Collective, after a run with `measure` and with the numbering HALO_LABEL_SCAN (or
 * halo_label_paint_scan). Sets *out to what `measures`, some of HALO_MEASURE_..., ask for; 0 does
 * nothing. Rows are painted again for each pass. Call halo_region_measures_free in any case.
 * HALO_ARGUMENT for another numbering, a label without `measure`, or channels of another type;
 * HALO_MEMORY, HALO_TRANSPORT, and what `pass` returns; the same on all ranks. */
halo_status halo_label_measure_sized(halo_label *label, unsigned measures,
                                     const halo_region_samples *samples, halo_region_measures *out,
                                     size_t samples_bytes, size_t out_bytes);
#define halo_label_measure(...) \
    halo_label_measure_sized(__VA_ARGS__, sizeof(halo_region_samples), sizeof(halo_region_measures))

/* Local. Frees the measures; *measures is then zeroed. */
void halo_region_measures_free_sized(halo_region_measures *measures, size_t measures_bytes);
#define halo_region_measures_free(...) \
    halo_region_measures_free_sized(__VA_ARGS__, sizeof(halo_region_measures))

/* Local. Bytes per region that halo_label_measure allocates, where there are many regions. */
int64_t halo_label_measure_bytes(unsigned measures, halo_sample_type type);

#endif
