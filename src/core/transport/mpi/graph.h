#ifndef HALOBEAT_CORE_TRANSPORT_MPI_GRAPH_H
#define HALOBEAT_CORE_TRANSPORT_MPI_GRAPH_H

#include "core/world/world.h"

#include <mpi.h>

/* Communicators with a graph topology, for neighbourhood collectives. MPI polls while it creates
 * one; with more ranks than cores that takes fifty milliseconds. Successive exchanges, as cuts
 * move, mostly have the same neighbours, so communicators are stored with the world and reused. */

/* Collective. A communicator in which this rank receives from the first `ins` of `peers`, and sends
 * to the following `outs`, in this order; ranks may occur more than once. Release it by
 * halo_graph_release. HALO_MEMORY, HALO_TRANSPORT. */
halo_status halo_graph_get(MPI_Comm *out, halo_world *world, int ins, int outs, const int *peers);

/* Collective. Accepts MPI_COMM_NULL. */
void halo_graph_release(halo_world *world, MPI_Comm comm);

#endif
