#ifndef HALOBEAT_WATERSHED_WATERSHED_ARRAY_H
#define HALOBEAT_WATERSHED_WATERSHED_ARRAY_H

#include "base/option.h"
#include "kernels/array/array.h"
#include "kernels/watershed/watershed.h"

/* Watershed of an array in memory from markers, in one call (kernels/array/array.h);
 * kernels/watershed/watershed.h has the definition. */

/* Zero-initialise it: 0 is the default. The rows below describe the members. */
typedef struct {
    int connectivity; /* number of neighbours of an element: 2 in one axis, 4 or 8 in two, 6, 18 or
                       * 26 in three; 0: the smallest of these */
    bool line;        /* elements that have a neighbour of a smaller label, other than 0, become 0,
                       * so that lines part the basins */
    halo_optional_real minima; /* without markers: those minima are markers that are deeper than
                                * this, 0 or more; not given: 0, all of them */
} halo_watershed_array_options;

/* Options by name and value (halo_options_set). */
extern const halo_option *const halo_watershed_array_rows;

/* Local. Floods `image`, an array of 1 to 3 axes of any type, from markers, and sets `labels`, an
 * array of the same shape and of any type that has all labels, to the label of the marker whose
 * basin an element belongs to. `markers` has the same shape and any type, with whole numbers from 1
 * to 2^31 - 1 in elements of markers and 0 elsewhere; elements of a marker need not be connected.
 * NULL: the markers are the minima of the image in the mask, those that options->minima says,
 * numbered from 1 on in the order of their first elements: connected elements of one value that
 * have no lower neighbour. `mask`, of the same shape and any type, is 0 where elements do not
 * belong to the image; their label is 0, and markers there are ignored; NULL: all belong to it.
 * Elements that no path within the mask joins to a marker have the label 0. `report` may be NULL.
 *
 * Where neighbours have no equal values the result is that of scikit-image's and ITK's watershed.
 * A line is drawn after flooding, and differs from that of scikit-image's watershed_line.
 *
 * HALO_ARGUMENT also for NaN in the image, for options->minima with markers, and for a type of
 * labels that does not have the largest one. */
halo_status halo_watershed_array_sized(halo_context *context, const halo_array *image,
                                       const halo_array *markers, const halo_array *mask,
                                       const halo_array *labels,
                                       const halo_watershed_array_options *options,
                                       halo_watershed_report *report, size_t options_bytes,
                                       size_t report_bytes);
#define halo_watershed_array(...)                                                 \
    halo_watershed_array_sized(__VA_ARGS__, sizeof(halo_watershed_array_options), \
                               sizeof(halo_watershed_report))

#endif
