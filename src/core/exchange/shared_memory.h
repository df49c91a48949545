#ifndef HALOBEAT_CORE_EXCHANGE_SHARED_MEMORY_H
#define HALOBEAT_CORE_EXCHANGE_SHARED_MEMORY_H

#include "core/field/field.h"
#include "core/world/world.h"

/* Cells that ranks of one machine read from each other's memory: no messages, and one copy, from
 * the cells of their owner straight into the reader's halo.
 *
 * Each rank has a page of counters that its peers can read. One says how often its cells have been
 * ready; there is one for each peer, which says how often this rank has read that peer's. Nobody
 * writes another rank's memory. A counter is stored with release order after what it speaks of, and
 * loaded with acquire order before what depends on it, so that weakly ordered processors do. */
typedef struct halo_shared halo_shared;

/* A box of cells of a field that `peer` reads, or the place for one that is read from it. */
typedef struct {
    int peer; /* another rank of the same machine */
    int tag;  /* the same for both ends, different from others between the two */
    const halo_field *field;
    halo_box box; /* local indices; of bit-packed cells whole rows */
} halo_shared_box;

/* Collective. `give` are this rank's boxes that others read, `take` the places for what it reads:
 * each box has its counterpart of the same shape on the peer. The fields, made to be shared, stay
 * where they are as long as this lives. What a field keeps open and mapped for it ends with it.
 * HALO_ARGUMENT for a field that is not shared or not so far, and where a rank may not read the
 * memory of another (containers of their own); HALO_MEMORY; HALO_MPI; the same on all ranks. */
halo_status halo_shared_create(halo_shared **out, halo_world *world, const halo_shared_box *give,
                               int gives, const halo_shared_box *take, int takes);

/* Local, also while others still read. Accepts a pointer to NULL. */
void halo_shared_destroy(halo_shared **shared);

/* Collective among peers, does not wait. This rank's cells are ready, and must not be written until
 * the end; reads what is ready already. */
void halo_shared_begin(halo_shared *shared);

/* Collective among peers. Waits until everything is read that this rank takes and, unless its cells
 * are `double_buffered`, until its peers have read what it gives: then these may be written.
 * Double-buffered cells are not written before a later one of these among the same ranks has ended:
 * then everyone has read them, without being asked. HALO_MPI. */
halo_status halo_shared_end(halo_shared *shared, bool double_buffered);

#endif
