#ifndef HALOBEAT_LABEL_SAMPLE_MEASURES_H
#define HALOBEAT_LABEL_SAMPLE_MEASURES_H

#include "base/exact_sum.h"
#include "kernels/label/measure/by_number.h"
#include "kernels/label/measure/region_samples.h"

/* Measures of regions by their samples as tables of functions, which halo_label_measure calls.
 * Internal to the label kernel. */

/* Pixels of a row that are in one region. */
typedef struct {
    const void *row;           /* the row's samples, from column 0 on */
    int64_t begin, end;        /* the pixels are columns begin to end - 1 of it */
    int64_t plane, line, left; /* position in the image of the row, and of its column 0 */
} label_region_run;

/* The type of samples, and how sums of it are kept. */
typedef struct {
    halo_sample_type type;
    halo_sum_format sum, square, place; /* of samples, squares, and samples times positions */
} label_sample_format;

/* Local. Adds a run to the entry (by_number.h) of its region. */
typedef void label_samples_add(const void *context, void *entry, const label_region_run *run);

/* A table of regions, and the function that adds runs of pixels to it. */
typedef struct {
    label_by_number table;
    label_samples_add *add;
    const void *context; /* of `add` */
} label_sample_taker;

/* A measure that takes each sample once. The context of its functions is a label_sample_format. */
typedef struct {
    const char *what; /* for messages about memory */
    size_t (*entry_bytes)(const label_sample_format *format);
    size_t result_bytes;
    label_samples_add *add;
    label_by_number_add *join;
    /* Writes the result of a region, of result_bytes, to `out`. Returns whether its numbers fit in
     * 64 bits. */
    bool (*finish)(const label_sample_format *format, const void *entry, void *out);
} label_sample_measure;

extern const label_sample_measure label_intensity_measure, label_moment_measure,
    label_channel_measure;

/* ---- medians and other quantiles, which take samples several times --------------------------- */

/* Zero-initialise it. */
typedef struct {
    label_sample_taker taker;
    halo_sample_type type;
    double share;     /* of the numbers that lie before the quantile: .5 of medians */
    int width, shift; /* bits of a rank that are counted, and those below them */
    bool done;        /* no pass is left; set by the caller */
    bool begun;       /* numbers of samples are known */
    bool above;       /* the last pass, for what is above the lower median */
    struct label_median_state *states;
} label_medians;

/* Collective. HALO_MEMORY, HALO_TRANSPORT. Call label_medians_free in any case. */
halo_status label_medians_create(label_medians *medians, const label_numbered *image,
                                 halo_sample_type type, double share);

/* Local, pure. The place, from 0, among so many numbers in order of the one at or before a
 * quantile, and how far that is on the way to the next one, from 0 to below 1: as numpy.quantile
 * has it (method "linear"). */
int64_t label_quantile_place(int64_t numbers, double share, double *fraction);

/* Collective, after all samples were taken. *again, the same on all ranks, is true if all must be
 * taken once more, and this function be called again. HALO_MEMORY, HALO_TRANSPORT. */
halo_status label_medians_next(label_medians *medians, bool *again);

/* Collective, after label_medians_next has set *again to false. Sets *out to the medians of this
 * rank's regions; the caller frees it with halo_memory_free. HALO_MEMORY. */
halo_status label_medians_finish(label_medians *medians, halo_median **out);

/* Local. Bytes per region, where there are many. */
int64_t label_medians_bytes(void);

/* Local. Accepts zeroed medians. */
void label_medians_free(label_medians *medians);

#endif
