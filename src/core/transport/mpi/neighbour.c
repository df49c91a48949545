#include "core/transport/mpi/graph.h"
#include "core/transport/mpi/mpi_internal.h"

#include "base/memory.h"

#include <stdlib.h>

/* Messages as one collective among neighbours. MPI knows them as edges of a graph, one for each
 * message: those between the same two ranks are told apart by their order alone, which is that of
 * their tags on both sides. */
struct halo_neighbourhood {
    halo_world *world;
    MPI_Comm comm;
    int receives;
    /* These arrays have an entry for each message, receives first. */
    int *peers;
    int *counts;
    MPI_Aint *places;
    MPI_Datatype *types;
};

static halo_status allocate(halo_neighbourhood **out, halo_world *world, int count)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "an exchange among neighbours"));
    halo_neighbourhood *made = *out;
    made->world = world;
    made->comm = MPI_COMM_NULL;
    HALO_TRY(HALO_ALLOCATE(made->peers, count, "halo messages"));
    HALO_TRY(HALO_ALLOCATE(made->counts, count, "halo messages"));
    HALO_TRY(HALO_ALLOCATE(made->places, count, "halo messages"));
    return HALO_ALLOCATE(made->types, count, "halo messages");
}

static halo_status describe(halo_neighbourhood *made, const halo_transport_message *messages,
                            int count)
{
    for (int i = 0; i < count; i++) {
        made->peers[i] = messages[i].peer;
        made->counts[i] = messages[i].type.of != 0 ? 1 : messages[i].bytes;
        made->types[i] = halo_mpi_datatype(messages[i].type);
        HALO_MPI_TRY(MPI_Get_address(messages[i].data, &made->places[i]));
    }
    return HALO_OK;
}

/* The caller destroys what *out points to after a failure, too: another rank may have made it. */
static halo_status connect(halo_neighbourhood **out, halo_world *world,
                           const halo_transport_message *messages, int receives, int count)
{
    *out = NULL;
    halo_status status = allocate(out, world, count);
    if (status == HALO_OK) {
        (*out)->receives = receives;
        status = describe(*out, messages, count);
    }
    HALO_TRY(halo_agree(world, status));
    return halo_graph_get(&(*out)->comm, world, receives, count - receives, (*out)->peers);
}

static halo_status start(halo_neighbourhood *n, halo_request *request)
{
    MPI_Request handle = MPI_REQUEST_NULL;
    int out = n->receives;
    HALO_MPI_TRY(MPI_Ineighbor_alltoallw(MPI_BOTTOM, n->counts + out, n->places + out,
                                         n->types + out, MPI_BOTTOM, n->counts, n->places, n->types,
                                         n->comm, &handle));
    *request = halo_mpi_request(handle);
    return HALO_OK;
}

static void destroy(halo_neighbourhood **neighbourhood)
{
    halo_neighbourhood *n = *neighbourhood;
    if (n != NULL) {
        halo_graph_release(n->world, n->comm);
        free(n->peers);
        free(n->counts);
        free(n->places);
        free(n->types);
        free(n);
        *neighbourhood = NULL;
    }
}

const halo_neighbour_messages halo_mpi_neighbour = {
    .connect = connect, .start = start, .destroy = destroy};
