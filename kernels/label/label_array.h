#ifndef HALOBEAT_LABEL_LABEL_ARRAY_H
#define HALOBEAT_LABEL_LABEL_ARRAY_H

#include "base/option.h"
#include "kernels/array/array.h"

/* Region labelling of an array in memory, in one call (kernels/array/array.h). */

/* Zero-initialise it: 0 is the default. The rows below describe the members. */
typedef struct {
    int connectivity; /* number of neighbours of an element: 2 in one axis, 4 or 8 in two, 6, 18 or
                       * 26 in three; 0: the smallest of these */
    const char *structure; /* NULL: neighbours are those of `connectivity`. Otherwise it is 0, and
                            * this has 3^axes characters 0 or 1 for the elements around one, in C's
                            * order, as scipy's structuring elements: "010111010" stands for 4
                            * neighbours in two axes. The opposite of a neighbour must be one; the
                            * middle does not count.
                            * Others than those of a connectivity take several times as long and 24
                            * bytes for each run of elements in a row, and are not possible with a
                            * world */
    bool values;           /* regions are connected elements of equal value; NaN belongs to none.
                            * Otherwise: of elements that are not 0, NaN among them, as scipy has it */
    const char *delta; /* with `values`: neighbours whose values differ by at most this belong to
                        * one region; NULL: 0. A number as text, so that 64-bit values are exact */
    const char *background;   /* with `values`: elements of this value, a number as text, belong to
                               * no region; NULL: "0"; "none": there is no such value */
    bool periodic[HALO_AXES]; /* opposite ends of this axis of the array are neighbours */
    int64_t min_area, max_area; /* smallest and largest number of elements of regions that are kept;
                                 * max_area 0: no limit */
    bool clear_border;          /* drop regions that touch an end of an axis that is not periodic */
    int64_t largest;            /* then keep at most this number of regions, the largest; 0: all */
} halo_label_array_options;

/* Options by name and value (halo_options_set). */
extern const halo_option *const halo_label_array_rows;

/* Local; collective over the context's world, if it has one. Labels the regions of `image`, an
 * array of 1 to 3 axes of any type: sets `labels`, an array of the same shape and of any type
 * (of bool only if there is one region at most), to 0 in the background and to 1 to *regions
 * elsewhere, numbered in the order of the regions' first elements, as scipy.ndimage.label does.
 * `labels` and `regions` may be NULL. Images are read in place. With `values`, each rank copies
 * a few rows at a time of one whose rows are not contiguous, aligned and in the machine's byte
 * order: it holds a plane or two of a volume, and some 32 if axis 0 is the one that is contiguous,
 * as in Fortran's order, but never more than half of its strip, unless that is a megabyte or less.
 * Without `values`, `labels` may be
 * the image itself, if both have the same type and strides. HALO_ARGUMENT also for a type of labels
 * that is too small for the number of regions, to which *regions is set all the same. */
halo_status halo_label_array_sized(halo_context *context, const halo_array *image,
                                   const halo_array *labels,
                                   const halo_label_array_options *options, int64_t *regions,
                                   size_t options_bytes);
#define halo_label_array(...) halo_label_array_sized(__VA_ARGS__, sizeof(halo_label_array_options))

#endif
