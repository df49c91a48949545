#ifndef HALOBEAT_LABEL_KEEP_ARRAY_H
#define HALOBEAT_LABEL_KEEP_ARRAY_H

#include "base/option.h"
#include "kernels/array/array.h"

/* Removing regions of an array in memory, in one call (kernels/array/array.h). */

/* Zero-initialise it: 0 is the default. The rows below describe the members. */
typedef struct {
    int connectivity; /* number of neighbours of an element: 2 in one axis, 4 or 8 in two, 6, 18 or
                       * 26 in three; 0: the smallest of these */
    bool values;      /* regions are connected elements of equal value. Otherwise: of elements
                       * that are not 0 */
    bool labels;      /* regions are all elements of one value, connected or not, as in label
                       * images: values are whole numbers, of which those above 0 are labels */
    bool periodic[HALO_AXES];   /* opposite ends of this axis of the array are neighbours */
    int64_t min_area, max_area; /* smallest and largest number of elements of regions that are
                                 * kept; max_area 0: no limit */
    bool clear_border; /* remove regions that touch an end of an axis that is not periodic */
    int64_t largest;   /* then keep at most this number of regions, the largest, of equal
                        * ones the first, or with `labels` those of lower labels; 0: all */
    bool invert;       /* remove what would be kept, and keep what would be removed */
} halo_keep_array_options;

/* Options by name and value (halo_options_set). */
extern const halo_option *const halo_keep_array_rows;

/* Local. Keeps those regions of `image`, an array of 1 to 3 axes of any type, that the options
 * choose: sets `out`, an array of the same shape and type, to the image's elements there and to 0
 * elsewhere. It is what cc3d.dust does with `values`, min_area and invert, and remove_small_objects
 * of scikit-image with `labels`. `out` may be the image itself, with the same strides. *regions is
 * set to the number of regions that are chosen, without regard to `invert`; `regions` may be
 * NULL. */
halo_status halo_keep_array_sized(halo_context *context, const halo_array *image,
                                  const halo_array *out, const halo_keep_array_options *options,
                                  int64_t *regions, size_t options_bytes);
#define halo_keep_array(...) halo_keep_array_sized(__VA_ARGS__, sizeof(halo_keep_array_options))

#endif
