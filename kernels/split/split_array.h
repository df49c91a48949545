#ifndef HALOBEAT_SPLIT_SPLIT_ARRAY_H
#define HALOBEAT_SPLIT_SPLIT_ARRAY_H

#include "base/option.h"
#include "kernels/array/array.h"
#include "kernels/split/split.h"

/* Objects of an array in memory that touch, in one call (kernels/array/array.h);
 * kernels/split/split.h has the definition. */

/* Zero-initialise it: 0 is the default. The rows below describe the members. */
typedef struct {
    int by;           /* halo_split_by: what objects are split by */
    int connectivity; /* number of neighbours of an element: 2 in one axis, 4 or 8 in two, 6, 18 or
                       * 26 in three; 0: the largest of these */
    bool dark;        /* by intensity: the darkest elements of an object are its peak */
    halo_optional_real h; /* peaks are kept that are more than this above the pass to a higher one,
                           * 0 or more; not given: .75 by distance, 0 by intensity */
} halo_split_array_options;

/* Options by name and value (halo_options_set). */
extern const halo_option *const halo_split_array_rows;

/* Local. Splits the objects of `image`, an array of 1 to 3 axes and any type, and sets `labels`, an
 * array of the same shape and of any type that has all labels, to the numbers of their parts, from
 * 1 on in the order of their first elements, and to 0 in the background. By distance, elements of
 * the image that are not 0 are foreground, NaN among them, and `mask` is NULL. By intensity,
 * elements of `mask` that are not 0 are foreground, an array of the same shape and any type; NULL:
 * all are. `report` may be NULL.
 *
 * HALO_ARGUMENT also for NaN in the foreground by intensity, for a mask by distance, and for a type
 * of labels that does not have the largest one. */
halo_status halo_split_array_sized(halo_context *context, const halo_array *image,
                                   const halo_array *mask, const halo_array *labels,
                                   const halo_split_array_options *options,
                                   halo_split_report *report, size_t options_bytes,
                                   size_t report_bytes);
#define halo_split_array(...) \
    halo_split_array_sized(__VA_ARGS__, sizeof(halo_split_array_options), sizeof(halo_split_report))

#endif
