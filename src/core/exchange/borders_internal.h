#ifndef HALOBEAT_CORE_EXCHANGE_BORDERS_INTERNAL_H
#define HALOBEAT_CORE_EXCHANGE_BORDERS_INTERNAL_H

#include "core/exchange/exchange.h"

/* A box of cells that another rank reads, or of halo cells that another rank owns; local
 * indices. */
typedef struct {
    int peer; /* never this rank itself */
    halo_box box;
} halo_border;

/* Boxes in the order of ranks. The k-th box sent to a rank has the cells, in the same order, of the
 * k-th box that it receives from this rank. */
typedef struct {
    halo_border *out, *in; /* [count] */
    int count;
} halo_borders;

/* Local. Lists what an exchange of this field, a part of `partition`, would send at once to all
 * neighbours, with `corners` also to diagonal ones. Call halo_borders_free in any case.
 * HALO_MEMORY. */
halo_status halo_borders_list(halo_borders *out, halo_world *world, const halo_partition *partition,
                              halo_field *field, bool corners);

/* Local. Frees the lists. Accepts a zeroed structure. */
void halo_borders_free(halo_borders *borders);

#endif
