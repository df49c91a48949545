#include "core/exchange/exchange_internal.h"
#include "core/exchange/graph.h"

#include "base/memory.h"

#include <stdlib.h>

/* A phase as one collective among neighbours. MPI knows them as edges of a graph, one for each
 * message: those between the same two ranks are told apart by their order alone, which is that of
 * their tags on both sides. */

typedef struct {
    MPI_Comm comms[HALO_AXES];       /* of each phase */
    MPI_Request requests[HALO_AXES]; /* of each phase */
    /* Of each message, in the exchange's order. */
    int *peers;
    int *counts;
    MPI_Aint *places;
    MPI_Datatype *types;
} neighbour_state;

static halo_status allocate(neighbour_state **out, int messages)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "an exchange among neighbours"));
    neighbour_state *state = *out;
    for (int phase = 0; phase < HALO_AXES; phase++) {
        state->comms[phase] = MPI_COMM_NULL;
        state->requests[phase] = MPI_REQUEST_NULL;
    }
    HALO_TRY(HALO_ALLOCATE(state->peers, messages, "halo messages"));
    HALO_TRY(HALO_ALLOCATE(state->counts, messages, "halo messages"));
    HALO_TRY(HALO_ALLOCATE(state->places, messages, "halo messages"));
    return HALO_ALLOCATE(state->types, messages, "halo messages");
}

/* Collective. */
static halo_status connect(const halo_exchange *exchange, int phase, neighbour_state *state)
{
    const halo_exchange_phase *p = &exchange->phases[phase];
    return halo_graph_get(&state->comms[phase], exchange->world, p->receives,
                          p->messages - p->receives, state->peers + p->first_message);
}

static halo_status prepare(halo_exchange *exchange)
{
    neighbour_state *state = NULL;
    halo_status status = allocate(&state, exchange->message_count);
    exchange->mode_state = state; /* to be released also where another rank has none */
    HALO_TRY(halo_agree(exchange->world, status));
    for (int i = 0; i < exchange->message_count; i++) {
        const halo_exchange_message *m = &exchange->messages[i];
        state->peers[i] = m->peer;
        state->counts[i] = m->count;
        state->types[i] = m->type;
        HALO_MPI_TRY(MPI_Get_address(m->data, &state->places[i]));
    }
    for (int phase = 0; phase < exchange->phase_count; phase++) {
        HALO_TRY(connect(exchange, phase, state));
    }
    return HALO_OK;
}

static halo_status start(halo_exchange *exchange, int phase)
{
    neighbour_state *state = exchange->mode_state;
    const halo_exchange_phase *p = &exchange->phases[phase];
    int in = p->first_message, out = in + p->receives;
    HALO_MPI_TRY(MPI_Ineighbor_alltoallw(MPI_BOTTOM, state->counts + out, state->places + out,
                                         state->types + out, MPI_BOTTOM, state->counts + in,
                                         state->places + in, state->types + in, state->comms[phase],
                                         &state->requests[phase]));
    return HALO_OK;
}

static halo_status finish(halo_exchange *exchange, int phase)
{
    neighbour_state *state = exchange->mode_state;
    return halo_wait(exchange->world, 1, &state->requests[phase]);
}

static void release(halo_exchange *exchange)
{
    neighbour_state *state = exchange->mode_state;
    if (state == NULL) {
        return;
    }
    for (int phase = 0; phase < HALO_AXES; phase++) {
        halo_graph_release(exchange->world, state->comms[phase]);
    }
    free(state->peers);
    free(state->counts);
    free(state->places);
    free(state->types);
    free(state);
    exchange->mode_state = NULL;
}

const halo_exchange_mode halo_exchange_mode_neighbour = {
    .name = "neighbour", .prepare = prepare, .start = start, .finish = finish, .release = release};
