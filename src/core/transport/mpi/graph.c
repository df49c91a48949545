#include "core/transport/mpi/graph.h"

#include "base/memory.h"
#include "core/transport/mpi/mpi_internal.h"

#include <stdlib.h>
#include <string.h>

/* A graph, in the same place on all ranks. */
typedef struct {
    MPI_Comm comm; /* MPI_COMM_NULL: free */
    int users;
    int64_t used; /* when it was asked for */
    int ins, outs;
    int *peers; /* [ins + outs] */
} graph;

/* More than exchanges have at the same time, in all but tests of that. */
enum { GRAPHS = 32 };

typedef struct {
    graph all[GRAPHS];
    int64_t requests;
} graphs;

static void forget(graph *g)
{
    if (g->comm != MPI_COMM_NULL) {
        MPI_Comm_free(&g->comm);
    }
    free(g->peers);
    *g = (graph){.comm = MPI_COMM_NULL};
}

static void destroy(void *data)
{
    graphs *kept = data;
    for (int i = 0; kept != NULL && i < GRAPHS; i++) {
        forget(&kept->all[i]);
    }
    free(kept);
}

/* Collective. The world's, made for the first request. */
static halo_status graphs_of(graphs **out, halo_world *world)
{
    void **place = halo_world_keep(world, destroy);
    halo_status status = HALO_OK;
    if (*place == NULL) {
        graphs *made = NULL;
        status = HALO_ALLOCATE(made, 1, "graphs of neighbours");
        for (int i = 0; made != NULL && i < GRAPHS; i++) {
            made->all[i].comm = MPI_COMM_NULL;
        }
        *place = made;
        status = halo_agree(world, status);
        if (status != HALO_OK) {
            free(made);
            *place = NULL;
        }
    }
    *out = *place;
    return status;
}

static bool is_that(const graph *g, int ins, int outs, const int *peers)
{
    return g->comm != MPI_COMM_NULL && g->ins == ins && g->outs == outs &&
           memcmp(g->peers, peers, (size_t)(ins + outs) * sizeof *peers) == 0;
}

/* Collective. One that is that of all ranks, or NULL. */
static halo_status find(halo_world *world, graphs *kept, int ins, int outs, const int *peers,
                        graph **out)
{
    uint32_t fits = 0;
    for (int i = 0; i < GRAPHS; i++) {
        fits |= (uint32_t)is_that(&kept->all[i], ins, outs, peers) << i;
    }
    MPI_Request handle;
    HALO_MPI_TRY(MPI_Iallreduce(MPI_IN_PLACE, &fits, 1, MPI_UINT32_T, MPI_BAND,
                                halo_world_comm(world), &handle));
    halo_request request = halo_mpi_request(handle);
    HALO_TRY(halo_wait(world, 1, &request));
    *out = NULL;
    for (int i = 0; i < GRAPHS && *out == NULL; i++) {
        *out = fits >> i & 1 ? &kept->all[i] : NULL;
    }
    return HALO_OK;
}

/* Local, the same on all ranks: a free place, else that of the one that nobody has used for the
 * longest time; NULL if all are in use. */
static graph *make_room(graphs *kept)
{
    graph *oldest = NULL;
    for (int i = 0; i < GRAPHS; i++) {
        graph *g = &kept->all[i];
        if (g->comm == MPI_COMM_NULL) {
            return g;
        }
        if (g->users == 0 && (oldest == NULL || g->used < oldest->used)) {
            oldest = g;
        }
    }
    if (oldest != NULL) {
        forget(oldest);
    }
    return oldest;
}

/* Open MPI's MPI_UNWEIGHTED is the address 2, which GCC takes for an array that is too small. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstringop-overread"
#endif
static halo_status connect(MPI_Comm *out, halo_world *world, int ins, int outs, const int *peers)
{
    HALO_MPI_TRY(MPI_Dist_graph_create_adjacent(halo_world_comm(world), ins, peers, MPI_UNWEIGHTED,
                                                outs, peers + ins, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                                out));
    MPI_Comm_set_errhandler(*out, MPI_ERRORS_RETURN);
    return HALO_OK;
}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

/* Collective. */
static halo_status add(halo_world *world, graph *place, int ins, int outs, const int *peers)
{
    int *kept = NULL;
    halo_status status = HALO_ALLOCATE(kept, ins + outs + 1, "a graph of neighbours");
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        status = connect(&place->comm, world, ins, outs, peers);
    }
    if (status != HALO_OK) {
        free(kept);
        place->comm = MPI_COMM_NULL;
        return status;
    }
    memcpy(kept, peers, (size_t)(ins + outs) * sizeof *peers);
    place->ins = ins;
    place->outs = outs;
    place->peers = kept;
    return HALO_OK;
}

halo_status halo_graph_get(MPI_Comm *out, halo_world *world, int ins, int outs, const int *peers)
{
    graphs *kept;
    graph *found = NULL;
    *out = MPI_COMM_NULL;
    HALO_TRY(graphs_of(&kept, world));
    HALO_TRY(find(world, kept, ins, outs, peers, &found));
    if (found == NULL) {
        found = make_room(kept);
        if (found == NULL) {
            return connect(out, world, ins, outs, peers);
        }
        HALO_TRY(add(world, found, ins, outs, peers));
    }
    found->users++;
    found->used = kept->requests++;
    *out = found->comm;
    return HALO_OK;
}

void halo_graph_release(halo_world *world, MPI_Comm comm)
{
    graphs *kept = *halo_world_keep(world, destroy);
    for (int i = 0; kept != NULL && i < GRAPHS && comm != MPI_COMM_NULL; i++) {
        if (kept->all[i].comm == comm) {
            kept->all[i].users--;
            return;
        }
    }
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_free(&comm);
    }
}
