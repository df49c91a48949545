#ifndef HALOBEAT_CORE_EXCHANGE_SHARED_MEMORY_H
#define HALOBEAT_CORE_EXCHANGE_SHARED_MEMORY_H

#include "core/field/field.h"
#include "core/world/world.h"

/* Exchange through shared memory: ranks of one machine copy cells directly from the memory of their
 * owner to their own halo, without messages.
 *
 * Each rank has a page of counters that its peers can read. One counter says how often its cells
 * have been ready; for each peer there is one that says how often this rank has read that peer's
 * cells. No rank writes another rank's memory. A counter is stored with release order after the
 * data it refers to, and loaded with acquire order before the data are used, as weakly ordered
 * processors require. */
typedef struct halo_shared halo_shared;

/* A box of a field's cells that `peer` reads, or into which cells of `peer` are copied. */
typedef struct {
    int peer; /* another rank of the same machine */
    int tag;  /* the same at both ends, unique between the two ranks */
    const halo_field *field;
    halo_box box; /* local indices; whole rows of bit-packed cells */
} halo_shared_box;

/* Collective. `give` [gives] are this rank's boxes that others read, `take` [takes] the boxes it
 * reads into; each has a counterpart of the same shape on the peer. The fields must be created with
 * `shared` and must stay where they are while the object exists; its mappings and descriptors end
 * with it. HALO_ARGUMENT for fields that are not shared, or if a rank may not read another's memory
 * (different containers); HALO_MEMORY; HALO_MPI; the same on all ranks. */
halo_status halo_shared_create(halo_shared **out, halo_world *world, const halo_shared_box *give,
                               int gives, const halo_shared_box *take, int takes);

/* Local, even while others still read. Accepts a pointer to NULL. */
void halo_shared_destroy(halo_shared **shared);

/* Collective among peers, does not wait. Declares this rank's cells ready; they must not be written
 * until halo_shared_end. Copies what is ready already. */
void halo_shared_begin(halo_shared *shared);

/* Collective among peers. Waits until this rank has copied everything and, unless its cells are
 * `double_buffered`, until its peers have copied its cells, which may then be written.
 * Double-buffered cells are not written before a later exchange among the same ranks has ended; by
 * then all have copied them. HALO_MPI. */
halo_status halo_shared_end(halo_shared *shared, bool double_buffered);

#endif
