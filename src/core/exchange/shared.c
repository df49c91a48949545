#include "base/memory.h"
#include "core/exchange/exchange_internal.h"
#include "core/exchange/shared_memory.h"

#include <stdlib.h>

/* Halos from ranks of the same machine are read where they lie; all others come in messages. Sides,
 * which only functions know, lie in buffers: threads read these, processes get messages. */

typedef struct {
    halo_shared *phases[HALO_AXES];
    bool *near; /* [message_count]: its bytes are not sent */
} shared_state;

static halo_shared_box box_of(const halo_exchange *exchange, const halo_transfer *transfer, int way)
{
    const halo_transfer_buffer *buffer = &transfer->buffers[way];
    halo_shared_box box = {.peer = transfer->peer,
                           .tag = transfer->tags[way],
                           .field = exchange->fields[transfer->field],
                           .cells = buffer->subarray};
    if (transfer->side_halo) {
        box.field = NULL;
        box.cells = (halo_subarray){
            .start = buffer->data, .row_bytes = buffer->bytes, .n = {1, 1}, .stride = {0, 0}};
    }
    return box;
}

static bool is_read(const halo_exchange *exchange, const halo_transfer *transfer)
{
    const halo_world *world = exchange->world;
    return halo_world_is_near(world, transfer->peer) &&
           (!transfer->side_halo || world->transport->common != NULL);
}

/* Take a transfer out of what is packed and sent. */
static void take_out(halo_exchange *exchange, const halo_exchange_phase *phase,
                     halo_transfer *transfer, bool *near)
{
    for (int way = 0; way < HALO_EXCHANGE_WAYS; way++) {
        transfer->buffers[way].packed = false;
    }
    for (int i = phase->first_message; i < phase->first_message + phase->messages; i++) {
        const halo_transport_message *message = &exchange->messages[i];
        int way = message->sending ? HALO_EXCHANGE_OUT : HALO_EXCHANGE_IN;
        if (message->peer == transfer->peer && message->tag == transfer->tags[way]) {
            near[i] = true;
        }
    }
}

/* Boxes of the near transfers of a phase. Returns how many. */
static int collect_boxes(halo_exchange *exchange, const halo_exchange_phase *phase, bool *near,
                         halo_shared_box *give, halo_shared_box *take)
{
    int count = 0;
    for (int i = phase->first_transfer; i < phase->first_transfer + phase->transfers; i++) {
        halo_transfer *transfer = &exchange->transfers[i];
        if (is_read(exchange, transfer)) {
            give[count] = box_of(exchange, transfer, HALO_EXCHANGE_OUT);
            take[count++] = box_of(exchange, transfer, HALO_EXCHANGE_IN);
            take_out(exchange, phase, transfer, near);
        }
    }
    return count;
}

static halo_status prepare_phase(halo_exchange *exchange, int number, shared_state *state)
{
    const halo_exchange_phase *phase = &exchange->phases[number];
    halo_shared_box *give, *take = NULL;
    halo_status status = HALO_ALLOCATE(give, phase->transfers, "halos to share");
    if (status == HALO_OK) {
        status = HALO_ALLOCATE(take, phase->transfers, "halos to share");
    }
    status = halo_agree(exchange->world, status);
    if (status == HALO_OK) {
        int count = collect_boxes(exchange, phase, state->near, give, take);
        status =
            halo_shared_create(&state->phases[number], exchange->world, give, count, take, count);
    }
    free(give);
    free(take);
    return status;
}

static halo_status prepare(halo_exchange *exchange)
{
    shared_state *state;
    halo_status status = HALO_ALLOCATE(state, 1, "an exchange in shared memory");
    exchange->mode_state = state; /* to be released also where another rank has none */
    if (status == HALO_OK) {
        status = HALO_ALLOCATE(state->near, exchange->message_count, "halo messages");
    }
    HALO_TRY(halo_agree(exchange->world, status));
    for (int phase = 0; phase < exchange->phase_count; phase++) {
        HALO_TRY(prepare_phase(exchange, phase, state));
    }
    return HALO_OK;
}

static halo_status start(halo_exchange *exchange, int phase)
{
    const shared_state *state = exchange->mode_state;
    const halo_exchange_phase *p = &exchange->phases[phase];
    halo_shared_begin(state->phases[phase]);
    for (int i = p->first_message; i < p->first_message + p->messages; i++) {
        if (!state->near[i]) {
            HALO_TRY(halo_exchange_start_message(exchange, i));
        }
    }
    return HALO_OK;
}

static halo_status finish(halo_exchange *exchange, int phase)
{
    const shared_state *state = exchange->mode_state;
    const halo_exchange_phase *p = &exchange->phases[phase];
    bool double_buffered = exchange->options.double_buffered;
    HALO_TRY(halo_shared_end(state->phases[phase], double_buffered));
    return halo_wait(exchange->world, p->messages, exchange->requests + p->first_message);
}

static void release(halo_exchange *exchange)
{
    shared_state *state = exchange->mode_state;
    if (state != NULL) {
        for (int phase = 0; phase < HALO_AXES; phase++) {
            halo_shared_destroy(&state->phases[phase]);
        }
        free(state->near);
        free(state);
        exchange->mode_state = NULL;
    }
}

const halo_exchange_mode halo_exchange_mode_shared = {.name = "shared",
                                                      .shared_fields = true,
                                                      .prepare = prepare,
                                                      .start = start,
                                                      .finish = finish,
                                                      .release = release};
