#ifndef HALOBEAT_CORE_FIELD_PERIODIC_H
#define HALOBEAT_CORE_FIELD_PERIODIC_H

#include "core/field/field.h"

/* Filling halo cells with copies of this rank's own cells, on periodic axes. */

/* Local. Fills `depth` halo cells (at most the field's depth) of the axes after axis 0 for which
 * `fills` is true, for the cells of `written` (local indices; complete on these axes). The last
 * axis comes first, so that complete rows are copied with their own halo, including corners. */
void halo_periodic_fill_box(const halo_field *field, const bool fills[HALO_AXES],
                            const halo_box *written, int depth);

/* Local. Fills the halo along axis 0 from the field's own cells, with the halos of other axes: for
 * the only owner of a periodic axis 0. */
void halo_periodic_fill_outer(const halo_field *field);

/* Local. The address of `layers` layers from index `first` of axis 0 on, including their halo cells
 * on other axes; *bytes is their length in memory. */
char *halo_layer_span(const halo_field *field, int64_t first, int64_t layers, size_t *bytes);

#endif
