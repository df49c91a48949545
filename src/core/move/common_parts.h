#ifndef HALOBEAT_CORE_MOVE_COMMON_PARTS_H
#define HALOBEAT_CORE_MOVE_COMMON_PARTS_H

#include "core/move/strided_rows.h"
#include "core/world/world.h"

/* Parts of ranks that are threads of one process, each of which reads cells of the others where
 * they lie, or puts cells there. A rank that leaves, even because the ranks fail, waits for those
 * that use its cells just then. */

typedef struct halo_common_part halo_common_part;

typedef struct {
    halo_world *world;
    halo_common_part *of; /* [ranks]; NULL: ranks are no threads of one process */
} halo_common_parts;

/* Collective. Puts this rank's part among those of all ranks, which may be read after the next
 * operation of all ranks that succeeds, such as halo_agree. Every rank that has *out calls
 * halo_common_parts_leave. HALO_MEMORY, on all ranks; a failure of the transport. */
halo_status halo_common_parts_join(halo_common_parts *out, halo_world *world,
                                   const halo_part *mine);

/* Local. *out is the part of a rank, whose cells stay until they are given back. HALO_TRANSPORT,
 * and NULL, if the rank has left; `what` says in the message what it had: "its cells". */
halo_status halo_common_parts_borrow(const halo_common_parts *parts, int rank, const char *what,
                                     const halo_part **out);
void halo_common_parts_give_back(const halo_common_parts *parts, int rank);

/* Local. No other rank reads this rank's cells after it. Waits only for ranks that have borrowed
 * them and not yet given them back. Does nothing without parts. */
void halo_common_parts_leave(halo_common_parts *parts);

#endif
