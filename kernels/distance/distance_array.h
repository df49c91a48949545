#ifndef HALOBEAT_DISTANCE_DISTANCE_ARRAY_H
#define HALOBEAT_DISTANCE_DISTANCE_ARRAY_H

#include "base/option.h"
#include "kernels/array/array.h"

/* Exact Euclidean distances of the elements of an array in memory, in one call
 * (kernels/array/array.h); kernels/distance/distance.h says what is computed. */

/* Zero-initialise it: 0 is the default. The rows below describe the members. */
typedef struct {
    bool squared;              /* squares of distances, which are whole numbers without spacing */
    bool with_sign;            /* minus the distance of background from foreground */
    bool invert;               /* distances of elements that are 0 from others */
    bool edge;                 /* what is beyond the edges is background, too */
    double spacing[HALO_AXES]; /* distance of elements along each axis of the array, the first one
                                * first, in any unit; 0 along all axes: 1 */
} halo_distance_array_options;

/* Options by name and value (halo_options_set). */
extern const halo_option *const halo_distance_array_rows;

/* The result of a call, besides arrays. */
typedef struct {
    int64_t foreground; /* elements that are not 0; with `invert`, that are */
    double max;         /* the largest distance of foreground, unless it is infinite: then 0 */
    bool infinite;      /* there is foreground, and no background */
} halo_distance_array_report;

/* Local. Sets the elements of `distances` to the distances of elements of `image`, of 1 to 3 axes
 * and any type, that are not 0 from the nearest one that is 0; those are 0 themselves. NaN is not
 * 0. Without such an element they are infinite, or, in an array of whole numbers, the largest one
 * of its type. `distances` has the same shape, and elements of float32 or float64; with `squared`,
 * of any type that has all squares. Distances are those of scipy.ndimage.distance_transform_edt,
 * rounded to float32 where the array has that: without spacing to the last bit, and otherwise but
 * where several elements are as near, whose computed distances may differ by 2 units in the last
 * place.
 *
 * `indices` [axes], one array for each axis of the image and of its shape, of whole numbers with a
 * sign, is set to the index of the nearest background along that axis, of several to that with the
 * least one along the last axis, of these along the axis before it, and so on: that of scipy.
 * Without background, all are -1; with `edge`, the nearest one may be beyond the array, at -1 or at
 * its length.
 *
 * `distances`, `indices` and `report` may be NULL. HALO_ARGUMENT also for types that do not have
 * the results. */
halo_status halo_distance_array_sized(halo_context *context, const halo_array *image,
                                      const halo_array *distances, const halo_array *indices,
                                      const halo_distance_array_options *options,
                                      halo_distance_array_report *report, size_t options_bytes,
                                      size_t report_bytes);
#define halo_distance_array(...)                                                \
    halo_distance_array_sized(__VA_ARGS__, sizeof(halo_distance_array_options), \
                              sizeof(halo_distance_array_report))

#endif
