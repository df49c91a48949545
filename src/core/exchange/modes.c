#include "core/exchange/exchange_internal.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Counts of transports are ints; larger halos travel in pieces. */
static const size_t PIECE = (size_t)1 << 30;

/* ---- messages -------------------------------------------------------------------------------- */

static void add_message(halo_exchange *exchange, halo_transport_message message)
{
    if (exchange->messages != NULL) {
        exchange->messages[exchange->message_count] = message;
    }
    exchange->message_count++;
}

static void add_transfer(halo_exchange *exchange, const halo_transfer *transfer, int way)
{
    const halo_transfer_buffer *buffer = &transfer->buffers[way];
    halo_transport_message message = {.data = buffer->data,
                                      .type = buffer->type,
                                      .peer = transfer->peer,
                                      .tag = transfer->tags[way],
                                      .sending = way == HALO_EXCHANGE_OUT};
    if (buffer->type.of != 0) {
        add_message(exchange, message);
        return;
    }
    for (size_t done = 0; done < buffer->bytes; done += PIECE) {
        message.data = buffer->data + done;
        message.bytes = (int)(buffer->bytes - done < PIECE ? buffer->bytes - done : PIECE);
        add_message(exchange, message);
    }
}

/* Post receives before sends, so that messages arrive in posted buffers. Within a field receives
 * are posted in reverse order: their tags fall where those of the sends rise, and both sides must
 * have the same order. */
static void add_phase(halo_exchange *exchange, halo_exchange_phase *phase)
{
    phase->first_message = exchange->message_count;
    int end = phase->first_transfer + phase->transfers;
    for (int first = phase->first_transfer, next; first < end; first = next) {
        int field = exchange->transfers[first].field;
        for (next = first; next < end && exchange->transfers[next].field == field;) {
            next++;
        }
        for (int i = next - 1; i >= first; i--) {
            add_transfer(exchange, &exchange->transfers[i], HALO_EXCHANGE_IN);
        }
    }
    phase->receives = exchange->message_count - phase->first_message;
    for (int i = phase->first_transfer; i < end; i++) {
        add_transfer(exchange, &exchange->transfers[i], HALO_EXCHANGE_OUT);
    }
    phase->messages = exchange->message_count - phase->first_message;
}

static void add_messages(halo_exchange *exchange)
{
    exchange->message_count = 0;
    for (int phase = 0; phase < exchange->phase_count; phase++) {
        add_phase(exchange, &exchange->phases[phase]);
    }
}

halo_status halo_exchange_make_messages(halo_exchange *exchange)
{
    add_messages(exchange);
    int count = exchange->message_count;
    exchange->message_count = 0;
    HALO_TRY(HALO_ALLOCATE(exchange->messages, count, "halo messages"));
    HALO_TRY(HALO_ALLOCATE(exchange->requests, count, "halo messages"));
    add_messages(exchange);
    for (int i = 0; i < exchange->message_count; i++) {
        exchange->requests[i] = HALO_NO_REQUEST;
        exchange->each.messages += exchange->messages[i].sending;
    }
    for (int i = 0; i < exchange->transfer_count; i++) {
        exchange->each.bytes += (int64_t)exchange->transfers[i].buffers[HALO_EXCHANGE_OUT].bytes;
    }
    exchange->each.exchanges = 1;
    return HALO_OK;
}

static halo_status wait_for_messages(halo_exchange *exchange, int phase)
{
    const halo_exchange_phase *p = &exchange->phases[phase];
    return halo_wait(exchange->world, p->messages, exchange->requests + p->first_message);
}

/* ---- p2p ------------------------------------------------------------------------------------- */

halo_status halo_exchange_start_message(halo_exchange *exchange, int i)
{
    const halo_world *world = exchange->world;
    return world->transport->start(world->end, &exchange->messages[i], &exchange->requests[i]);
}

static halo_status start_p2p(halo_exchange *exchange, int phase)
{
    const halo_exchange_phase *p = &exchange->phases[phase];
    for (int i = p->first_message; i < p->first_message + p->messages; i++) {
        HALO_TRY(halo_exchange_start_message(exchange, i));
    }
    return HALO_OK;
}

/* ---- persistent ------------------------------------------------------------------------------ */

static bool has_persistent(const halo_transport *transport)
{
    return transport->persistent != NULL;
}

static halo_status prepare_persistent(halo_exchange *exchange)
{
    const halo_world *world = exchange->world;
    for (int i = 0; i < exchange->message_count; i++) {
        HALO_TRY(world->transport->persistent->prepare(world->end, &exchange->messages[i],
                                                       &exchange->requests[i]));
    }
    return HALO_OK;
}

static halo_status start_persistent(halo_exchange *exchange, int phase)
{
    const halo_exchange_phase *p = &exchange->phases[phase];
    return exchange->world->transport->persistent->start(p->messages,
                                                         exchange->requests + p->first_message);
}

static void release_persistent(halo_exchange *exchange)
{
    for (int i = 0; i < exchange->message_count; i++) {
        exchange->world->transport->persistent->destroy(&exchange->requests[i]);
    }
}

/* ---- neighbour ------------------------------------------------------------------------------- */

#ifndef HALOBEAT_SIMGRID /* which has no collectives among neighbours */
/* A phase as one operation among neighbours. */
typedef struct {
    halo_neighbourhood *phases[HALO_AXES];
    halo_request requests[HALO_AXES];
} neighbour_state;

static bool has_neighbour(const halo_transport *transport)
{
    return transport->neighbour != NULL;
}

static halo_status prepare_neighbour(halo_exchange *exchange)
{
    const halo_neighbour_messages *calls = exchange->world->transport->neighbour;
    neighbour_state *state = NULL;
    halo_status status = HALO_ALLOCATE(state, 1, "an exchange among neighbours");
    exchange->mode_state = state; /* to be released also where another rank has none */
    HALO_TRY(halo_agree(exchange->world, status));
    for (int phase = 0; phase < exchange->phase_count; phase++) {
        const halo_exchange_phase *p = &exchange->phases[phase];
        HALO_TRY(calls->connect(&state->phases[phase], exchange->world,
                                exchange->messages + p->first_message, p->receives, p->messages));
    }
    return HALO_OK;
}

static halo_status start_neighbour(halo_exchange *exchange, int phase)
{
    neighbour_state *state = exchange->mode_state;
    return exchange->world->transport->neighbour->start(state->phases[phase],
                                                        &state->requests[phase]);
}

static halo_status finish_neighbour(halo_exchange *exchange, int phase)
{
    neighbour_state *state = exchange->mode_state;
    return halo_wait(exchange->world, 1, &state->requests[phase]);
}

static void release_neighbour(halo_exchange *exchange)
{
    neighbour_state *state = exchange->mode_state;
    for (int phase = 0; state != NULL && phase < HALO_AXES; phase++) {
        exchange->world->transport->neighbour->destroy(&state->phases[phase]);
    }
    free(state);
    exchange->mode_state = NULL;
}

static const halo_exchange_mode neighbour = {.name = "neighbour",
                                             .is_there = has_neighbour,
                                             .prepare = prepare_neighbour,
                                             .start = start_neighbour,
                                             .finish = finish_neighbour,
                                             .release = release_neighbour};
#endif

/* ---- the table ------------------------------------------------------------------------------- */

static const halo_exchange_mode p2p = {
    .name = "p2p", .start = start_p2p, .finish = wait_for_messages};

static const halo_exchange_mode persistent = {.name = "persistent",
                                              .is_there = has_persistent,
                                              .prepare = prepare_persistent,
                                              .start = start_persistent,
                                              .finish = wait_for_messages,
                                              .release = release_persistent};

static const halo_exchange_mode *const modes[] = {
    &p2p,
    &persistent,
#ifndef HALOBEAT_SIMGRID
    &neighbour,
    &halo_exchange_mode_shared,
#endif
};

const halo_exchange_mode *halo_exchange_find_mode(const char *name)
{
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (strcmp(modes[i]->name, name) == 0) {
            return modes[i];
        }
    }
    return NULL;
}

/* Ranks that share cores sleep while they wait: for a message each time, and in mode shared twice,
 * until the cells are there and until they have been read. */
static const char *choose_standard(const halo_world *world)
{
    bool own_cores = world->near->ranks <= world->cores;
    return world->transport->common != NULL && own_cores ? "shared" : p2p.name;
}

const halo_exchange_mode *halo_exchange_choose_mode(const halo_world *world, const char *name)
{
    const halo_transport *transport = world->transport;
    const halo_exchange_mode *found =
        halo_exchange_find_mode(name != NULL ? name : choose_standard(world));
    bool there = found != NULL && (found->is_there == NULL || found->is_there(transport));
    return there ? found : &p2p;
}

const char *halo_exchange_mode_used(const halo_world *world, const char *mode)
{
    return halo_exchange_choose_mode(world, mode)->name;
}

bool halo_exchange_shares_fields(const halo_world *world, const char *mode)
{
    return world->transport->common == NULL &&
           halo_exchange_choose_mode(world, mode)->shared_fields;
}
