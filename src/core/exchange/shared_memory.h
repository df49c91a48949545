#ifndef HALOBEAT_CORE_EXCHANGE_SHARED_MEMORY_H
#define HALOBEAT_CORE_EXCHANGE_SHARED_MEMORY_H

#include "core/field/field.h"
#include "core/field/subarray.h"
#include "core/world/world.h"

/* Exchange through shared memory: ranks of one machine copy cells directly from the memory of their
 * owner to their own halo, without messages.
 *
 * Each rank has a page of counters that its peers can read. One counter says how often its cells
 * have been ready; for each peer there is one that says how often this rank has read that peer's
 * cells. No rank writes another rank's memory. A counter is stored after the data it refers to, and
 * loaded before the data are used, in an order that all ranks see alike: weakly ordered processors
 * need it, and so does waking ranks that sleep.
 *
 * Ranks that are processes map each other's memory. Ranks that are threads read where it lies, and
 * wake each other. */
typedef struct halo_shared halo_shared;

/* Cells that `peer` reads, or into which cells of `peer` are copied. */
typedef struct {
    int peer;                /* another rank of the same machine */
    int tag;                 /* the same at both ends, unique between the two ranks */
    const halo_field *field; /* whose cells they are; NULL: other memory, between threads only */
    halo_subarray cells;     /* whole rows of bit-packed cells */
} halo_shared_box;

/* Collective. `give` [gives] are this rank's boxes that others read, `take` [takes] the boxes it
 * reads into; each has a counterpart of the same shape on the peer. The fields must stay where they
 * are while the object exists; between processes they must be created with `shared`, and mappings
 * and descriptors end with the object. HALO_ARGUMENT for fields that are not shared, or if a rank
 * may not read another's memory (different containers); HALO_MEMORY; HALO_TRANSPORT; the same on
 * all ranks. */
halo_status halo_shared_create(halo_shared **out, halo_world *world, const halo_shared_box *give,
                               int gives, const halo_shared_box *take, int takes);

/* Local, but between threads it waits until peers have read this rank's cells, or destroy theirs.
 * Accepts a pointer to NULL. */
void halo_shared_destroy(halo_shared **shared);

/* Collective among peers, does not wait. Declares this rank's cells ready; they must not be written
 * until halo_shared_end. Copies what is ready already. */
void halo_shared_begin(halo_shared *shared);

/* Collective among peers. Waits until this rank has copied everything and, unless its cells are
 * `double_buffered`, until its peers have copied its cells, which may then be written.
 * Double-buffered cells are not written before a later exchange among the same ranks has ended; by
 * then all have copied them. HALO_TRANSPORT. */
halo_status halo_shared_end(halo_shared *shared, bool double_buffered);

#endif
