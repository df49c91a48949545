#ifndef HALOBEAT_CORE_EXCHANGE_GRAPH_H
#define HALOBEAT_CORE_EXCHANGE_GRAPH_H

#include "core/world/world.h"

/* Communicators that know who is whose neighbour, for collectives among neighbours. MPI waits in
 * its own way while it makes one: with more ranks than cores that takes fifty milliseconds.
 * Exchanges that follow each other, as boundaries move, mostly have the same neighbours; so
 * communicators are kept with the world, and used again. */

/* Collective. A communicator in which this rank receives from the first `ins` of `peers`, and sends
 * to the `outs` that follow them, in this order; ranks may come more than once. Given back by
 * halo_graph_release. HALO_MEMORY, HALO_MPI. */
halo_status halo_graph_get(MPI_Comm *out, halo_world *world, int ins, int outs, const int *peers);

/* Collective; accepts MPI_COMM_NULL. */
void halo_graph_release(halo_world *world, MPI_Comm comm);

#endif
