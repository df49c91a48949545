#ifndef HALOBEAT_FILTER_FILTER_ARRAY_H
#define HALOBEAT_FILTER_FILTER_ARRAY_H

#include "base/option.h"
#include "kernels/array/array.h"

#include <stddef.h>

/* Filters on arrays in memory: smoothing, noise, edges, shapes, points.
 *
 * A filter is a step NAME[:VALUE][:KEY=VALUE]..., such as gaussian:2, median:size=5 or
 * opening:ball:3; names and values are those of scipy.ndimage and scikit-image. Steps that blanks
 * separate are computed one after the other, in one pass over the array: "median:1 gaussian:1.5".
 * What a step makes is what that function returns for the step's input, with the differences that
 * docs/filters.md names; dtype=float32 behind a step gives its results another type. Steps that
 * take a second image, such as subtract:NAME, have it from the options. Everything here is local.
 */

/* The number of filters; their names, help, the function that has the same definition, steps as
 * examples ("a|b"), and the rows of their options (NULL: none), the first of which are those that a
 * step gives without a name. NULL for another number. */
int halo_filters(void);
const char *halo_filter_name(int filter);
const char *halo_filter_help(int filter);
const char *halo_filter_authority(int filter);
const char *halo_filter_examples(int filter);
const halo_option *halo_filter_rows(int filter);

/* An array that steps name as their second image, such as subtract:dark. It has the shape of the
 * first one, elements of any type, of which those of bool count as 0 and 1, and no memory in common
 * with the result. */
typedef struct {
    const char *name; /* without blanks */
    const halo_array *array;
} halo_filter_second;

/* Options. Zero-initialise it: 0 means the default. */
typedef struct {
    int64_t tile; /* rows of an image that are computed together; 0: by their size */
    const halo_filter_second *seconds; /* [second_count] */
    int64_t second_count;
} halo_filter_array_options;

/* The rows of the options. */
extern const halo_option *const halo_filter_array_rows;

/* The report of a call. */
typedef struct {
    int64_t steps; /* of the chain */
    int64_t depth; /* rows, or planes of a volume, beyond those of a rank that it had to read */
    int ranks;
} halo_filter_array_report;

/* Finds the type that the steps make of an array of 1 to 3 axes with elements of `type` and the
 * shape `n` [axes]. HALO_ARGUMENT for steps that are not possible; HALO_MEMORY. */
halo_status halo_filter_array_type(const char *steps, halo_sample_type type, int axes,
                                   const int64_t *n, halo_sample_type *out);

/* Computes the steps on `in`, an array of 1 to 3 axes, and writes the result to `out`, an array of
 * the same shape and of the type that halo_filter_array_type finds. `report` may be NULL. Each rank
 * computes a strip, for which it reads `depth` rows of its neighbours.
 * HALO_ARGUMENT, HALO_MEMORY, HALO_CANCELLED. */
halo_status halo_filter_array_sized(halo_context *context, const halo_array *in,
                                    const halo_array *out, const char *steps,
                                    const halo_filter_array_options *options,
                                    halo_filter_array_report *report, size_t options_bytes,
                                    size_t report_bytes);
#define halo_filter_array(...)                                              \
    halo_filter_array_sized(__VA_ARGS__, sizeof(halo_filter_array_options), \
                            sizeof(halo_filter_array_report))

#endif
