#ifndef HALOBEAT_DISTANCE_THICKNESS_ARRAY_H
#define HALOBEAT_DISTANCE_THICKNESS_ARRAY_H

#include "base/option.h"
#include "kernels/array/array.h"

/* Local thickness of an array in memory, in one call (kernels/array/array.h);
 * kernels/distance/thickness.h says what is computed. */

/* Zero-initialise it: 0 is the default. The rows below describe the members. */
typedef struct {
    bool squared;   /* squares of radii, which are whole numbers without spacing */
    bool invert;    /* thickness of elements that are 0 */
    bool edge;      /* what is beyond the edges is background, too */
    double spacing; /* distance of elements, the same along all axes, in any unit; 0: 1 */
} halo_thickness_array_options;

/* Options by name and value (halo_options_set). */
extern const halo_option *const halo_thickness_array_rows;

/* The result of a call, besides arrays. */
typedef struct {
    int64_t foreground; /* elements that are not 0; with `invert`, that are */
    double max, mean;   /* of foreground, unless it is infinite: then 0 */
    bool infinite;      /* there is foreground, and no background */
} halo_thickness_array_report;

/* Local. Sets the elements of `thickness` to the local thickness of elements of `image`, of 1 to 3
 * axes and any type, that are not 0; others are 0. Without any that is 0 it is infinite, or, in an
 * array of whole numbers, the largest one of its type. `thickness` has the same shape, and elements
 * of float32 or float64; with `squared`, and without spacing, of any type that has all squares of
 * radii. `thickness` and `report` may be NULL. HALO_ARGUMENT also for types that do not have the
 * results, and for arrays of about 38000 elements or more along two axes. */
halo_status halo_thickness_array_sized(halo_context *context, const halo_array *image,
                                       const halo_array *thickness,
                                       const halo_thickness_array_options *options,
                                       halo_thickness_array_report *report, size_t options_bytes,
                                       size_t report_bytes);
#define halo_thickness_array(...)                                                 \
    halo_thickness_array_sized(__VA_ARGS__, sizeof(halo_thickness_array_options), \
                               sizeof(halo_thickness_array_report))

#endif
