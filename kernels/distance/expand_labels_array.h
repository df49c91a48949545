#ifndef HALOBEAT_DISTANCE_EXPAND_LABELS_ARRAY_H
#define HALOBEAT_DISTANCE_EXPAND_LABELS_ARRAY_H

#include "base/option.h"
#include "kernels/array/array.h"

/* Labels that grow into the background around them, in one call (kernels/array/array.h). */

/* Zero-initialise it, but for the distance: 0 is the default. The rows below describe the members.
 */
typedef struct {
    double distance;           /* background up to so far from a label gets it; 0: none does */
    double spacing[HALO_AXES]; /* distance of elements along each axis of the array, the first one
                                * first, in any unit; 0 along all axes: 1 */
} halo_expand_labels_array_options;

/* Options by name and value (halo_options_set). */
extern const halo_option *const halo_expand_labels_array_rows;

/* The result of a call, besides arrays. */
typedef struct {
    int64_t expanded; /* elements that were 0 and have got a label */
} halo_expand_labels_array_report;

/* Local. Sets the elements of `expanded` to the labels of the nearest elements of `labels`, of 1 to
 * 3 axes and any type, that are not 0, if these are at most options->distance away; others are 0.
 * Labels stay as they are. Of several that are as near, an element gets the label of that with the
 * least index along the last axis, of these along the axis before it, and so on: results are those
 * of skimage.segmentation.expand_labels. `expanded` has the same shape and type, and is another
 * array. `report` may be NULL. HALO_ARGUMENT also for a distance below 0. */
halo_status halo_expand_labels_array_sized(halo_context *context, const halo_array *labels,
                                           const halo_array *expanded,
                                           const halo_expand_labels_array_options *options,
                                           halo_expand_labels_array_report *report,
                                           size_t options_bytes, size_t report_bytes);
#define halo_expand_labels_array(...)                                                     \
    halo_expand_labels_array_sized(__VA_ARGS__, sizeof(halo_expand_labels_array_options), \
                                   sizeof(halo_expand_labels_array_report))

#endif
