#ifndef HALOBEAT_CORE_EXCHANGE_BORDERS_INTERNAL_H
#define HALOBEAT_CORE_EXCHANGE_BORDERS_INTERNAL_H

#include "core/exchange/exchange.h"

/* Cells near the part's ends that another rank reads, or of the halo that it owns; local indices.
 */
typedef struct {
    int peer; /* never this rank itself */
    halo_box box;
} halo_border;

/* Both lists in the order of ranks. The k-th box that goes to a rank has the cells, in the same
 * order, of the k-th box that comes from this one there. */
typedef struct {
    halo_border *out, *in; /* [count] */
    int count;
} halo_borders;

/* Local. What an exchange of this field, a part of `partition`, would send at once to all
 * neighbours, with `corners` to diagonal ones too. Free it with halo_borders_free, also after a
 * failure: HALO_MEMORY. */
halo_status halo_borders_list(halo_borders *out, halo_world *world, const halo_partition *partition,
                              halo_field *field, bool corners);

/* Local. Accepts a zeroed structure. */
void halo_borders_free(halo_borders *borders);

#endif
