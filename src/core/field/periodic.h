#ifndef HALOBEAT_CORE_FIELD_PERIODIC_H
#define HALOBEAT_CORE_FIELD_PERIODIC_H

#include "core/field/field.h"

/* Halo cells that are copies of this rank's own cells. */

/* Local. Fill, `depth` cells deep (the field's or less), the halos on those axes after axis 0 that
 * `fills` names, for cells of `written` (local indices; whole on the axes named); the last axis
 * first, so that rows copied whole bring their own halos along, corners included. */
void halo_periodic_fill_box(const halo_field *field, const bool fills[HALO_AXES],
                            const halo_box *written, int depth);

/* Local. Fill the halo along axis 0 from the field's own cells, halos of other axes included:
 * for the only owner of a periodic axis 0. */
void halo_periodic_fill_outer(const halo_field *field);

/* Local. Where `layers` layers from index `first` of axis 0 on begin in memory, their halo cells
 * on other axes included, and how many bytes further they end. */
char *halo_layer_span(const halo_field *field, int64_t first, int64_t layers, size_t *bytes);

#endif
