#ifndef HALOBEAT_LABEL_CONTACTS_ARRAY_H
#define HALOBEAT_LABEL_CONTACTS_ARRAY_H

#include "base/option.h"
#include "kernels/array/array.h"
#include "kernels/array/array_table.h"

/* Pairs of touching regions of an array of labels in memory, in one call
 * (kernels/array/array.h). */

/* Zero-initialise it: 0 is the default. The rows below describe the members. */
typedef struct {
    int connectivity; /* number of neighbours of an element: 2 in one axis, 4 or 8 in two, 6, 18 or
                       * 26 in three; 0: the smallest of these */
    double spacing[HALO_AXES]; /* distance of elements along each axis of the array, the first one
                                * first, in any unit; 0 along all axes: 1 */
} halo_contacts_array_options;

/* Options by name and value (halo_options_set). */
extern const halo_option *const halo_contacts_array_rows;

/* Local. Finds all pairs of labels above 0 that are neighbours anywhere in `labels`, an array of 1
 * to 3 axes of a type of whole numbers. *table, which the caller destroys with
 * halo_array_table_destroy, has a row for each pair, in ascending order, and the columns `label`
 * and `neighbour`, the smaller and the larger label (int64, of labels of uint64: uint64); `pairs`
 * (int64), the number of pairs of elements that are neighbours, which is what cc3d.contacts returns
 * with surface_area=False; and `area` (float64), that of the faces that they share, in the unit of
 * the spacing squared, in two axes the length of the edges: what it returns otherwise. Elements
 * that share only an edge or a corner have no area.
 *
 * The memory taken depends on the number of pairs. */
halo_status halo_contacts_array_sized(halo_context *context, const halo_array *labels,
                                      const halo_contacts_array_options *options,
                                      halo_array_table **table, size_t options_bytes);
#define halo_contacts_array(...) \
    halo_contacts_array_sized(__VA_ARGS__, sizeof(halo_contacts_array_options))

#endif
