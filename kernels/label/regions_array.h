#ifndef HALOBEAT_LABEL_REGIONS_ARRAY_H
#define HALOBEAT_LABEL_REGIONS_ARRAY_H

#include "base/option.h"
#include "kernels/array/array.h"
#include "kernels/array/array_table.h"

/* Measures of the regions of an array of labels in memory, in one call (kernels/array/array.h). */

/* Zero-initialise it: 0 is the default. The rows below describe the members. */
typedef struct {
    const char *properties;    /* names with commas between, as below; NULL: "standard" */
    double spacing[HALO_AXES]; /* distance of elements along each axis of the array, the first one
                                * first, in any unit; 0 along all axes: elements are counted */
    bool background; /* the elements whose label is 0 are a region, too, the first of the table */
} halo_regions_array_options;

/* Options by name and value (halo_options_set). */
extern const halo_option *const halo_regions_array_rows;

/* Local. Measures the regions of `labels`, an array of 1 to 3 axes of a type of whole numbers: all
 * elements of one label above 0 are a region, also where they are in several pieces. Elements of
 * labels of 0 and below are none. `intensity` is an array of the same shape of any type, or NULL;
 * NaN is left out. *table, which the caller destroys with halo_array_table_destroy, has a row for
 * each region, in ascending order of labels, and the columns `label` and those that
 * options->properties names, in this order and with the names that regionprops_table in
 * scikit-image has:
 *
 *     area, bbox, centroid                                 sums over elements
 *     intensity_mean, intensity_min, intensity_max         of elements that are not NaN
 *     axis_major_length, axis_minor_length                 two and three axes
 *     eccentricity, orientation                            two axes
 *     perimeter                                            two axes, of equal spacing
 *     solidity                                             two and three axes
 *     intensity_median, intensity_std, centroid_weighted
 *     euler_number, feret_diameter_max, equivalent_diameter_area      two and three axes
 *     extent, area_bbox
 *     area_convex                                          two and three axes
 *     spans                                                1 if the region touches both ends of an
 *                                                          axis
 *     feret_diameter_min, neighbours                       two and three axes
 *     thickness_mean, thickness_max                        the same, of equal spacing
 *     surface_area, mesh_volume, sphericity                three axes
 *
 * A property of each axis has a column for each: bbox-0, centroid-1. "standard" stands for label,
 * area, bbox, centroid, and with intensities their mean, minimum and maximum; "all" for all that
 * the array has. Definitions are those of scikit-image (kernels/label/measure/shape.h and others
 * give the sources). Lengths, areas and places are in the unit of the spacing, bbox in elements.
 * Columns of whole numbers are of int64, of labels of uint64 and of extremes of intensities of
 * uint64 of uint64; those of fractions and lengths of float64.
 *
 * The memory taken depends on the number of regions, not on the values of labels. */
halo_status halo_regions_array_sized(halo_context *context, const halo_array *labels,
                                     const halo_array *intensity,
                                     const halo_regions_array_options *options,
                                     halo_array_table **table, size_t options_bytes);
#define halo_regions_array(...) \
    halo_regions_array_sized(__VA_ARGS__, sizeof(halo_regions_array_options))

#endif
