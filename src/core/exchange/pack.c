#include "core/exchange/exchange_internal.h"

#include "base/memory.h"
#include "core/world/clock.h"

#include <limits.h>
#include <string.h>

/* Pack and unpack transfers. Both ways of packing put the same bytes on the wire, so each rank
 * chooses for itself. */

enum { ALIGNMENT = 64 };

/* A type is one message; longer ones go in pieces, which only buffers have. */
static const size_t MAX_TYPE_BYTES = (size_t)1 << 30;

static size_t rounded(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static halo_transfer_buffer make_buffer(const halo_exchange *exchange,
                                        const halo_transfer *transfer, int way)
{
    halo_transfer_buffer buffer = {.packed = true};
    if (transfer->side_halo) {
        const halo_side_halo *side_halo = exchange->options.side_halo;
        buffer.bytes = side_halo->bytes(exchange->options.side_halo_state, transfer->field) *
                       (size_t)transfer->boxes[HALO_EXCHANGE_OUT].n[0];
    } else {
        buffer.subarray =
            halo_subarray_of(exchange->fields[transfer->field], &transfer->boxes[way]);
        buffer.bytes = halo_subarray_bytes(&buffer.subarray);
        buffer.packed = !halo_subarray_is_contiguous(&buffer.subarray);
        buffer.data = buffer.subarray.start;
    }
    return buffer;
}

/* ---- datatypes ------------------------------------------------------------------------------- */

/* Some of the rows, so that large halos are tried as quickly as small ones. */
static halo_subarray sample_of(const halo_subarray *subarray)
{
    enum { SAMPLE = 1 << 16 };
    halo_subarray sample = *subarray;
    for (int level = 0; level < 2; level++) {
        int64_t others = (int64_t)(halo_subarray_bytes(&sample) / (size_t)sample.n[level]);
        int64_t max = others < SAMPLE ? SAMPLE / others : 1;
        sample.n[level] = sample.n[level] < max ? sample.n[level] : max;
    }
    return sample;
}

/* Seconds that packing by the transport takes, and that copying takes. */
static halo_status time_packing(const halo_typed_messages *typed, const halo_subarray *sample,
                                halo_datatype type, char *out, double seconds[2])
{
    double begun = halo_seconds();
    halo_subarray_pack(sample, out);
    double between = halo_seconds();
    HALO_TRY(typed->pack(sample, type, out));
    seconds[0] = halo_seconds() - between;
    seconds[1] = between - begun;
    return HALO_OK;
}

/* Is the transport's packing the faster one? The best of a few times each, turn by turn: other
 * programs only ever make them longer. No need to go on where one takes several times as long. */
static halo_status compare_packing(const halo_typed_messages *typed,
                                   const halo_transfer_buffer *buffer, bool *type_wins)
{
    enum { ROUNDS = 5, CLEARLY = 4 };
    double best_typed = 1e9, best_copied = 1e9;
    halo_subarray sample = sample_of(&buffer->subarray);
    halo_datatype type;
    HALO_TRY(typed->create(&sample, &type));
    halo_status status = HALO_OK;
    for (int round = 0; round <= ROUNDS && status == HALO_OK; round++) {
        double seconds[2] = {0};
        status = time_packing(typed, &sample, type, buffer->data, seconds);
        if (round > 0) { /* the first one only touches the memory */
            best_typed = seconds[0] < best_typed ? seconds[0] : best_typed;
            best_copied = seconds[1] < best_copied ? seconds[1] : best_copied;
            if (best_typed > CLEARLY * best_copied) {
                break;
            }
        }
    }
    typed->destroy(&type);
    *type_wins = best_typed < best_copied;
    return status;
}

static void use_type(halo_transfer_buffer *buffer, halo_datatype type)
{
    buffer->type = type;
    buffer->packed = false;
    buffer->data = buffer->subarray.start;
}

/* Receives use the packing that was measured to be faster for sends: their cells lie alike. */
static halo_status choose_packing(const halo_typed_messages *typed, halo_transfer *transfer,
                                  const char *packing)
{
    halo_transfer_buffer *out = &transfer->buffers[HALO_EXCHANGE_OUT];
    halo_transfer_buffer *in = &transfer->buffers[HALO_EXCHANGE_IN];
    bool copies = typed == NULL || (packing != NULL && strcmp(packing, "copy") == 0);
    if (copies || transfer->side_halo || !out->packed || out->bytes > MAX_TYPE_BYTES ||
        out->subarray.n[0] > INT_MAX || out->subarray.n[1] > INT_MAX) {
        return HALO_OK;
    }
    bool type_wins = packing != NULL && strcmp(packing, "datatype") == 0;
    if (!type_wins) {
        HALO_TRY(compare_packing(typed, out, &type_wins));
    }
    if (!type_wins) {
        return HALO_OK;
    }
    halo_datatype type;
    HALO_TRY(typed->create(&out->subarray, &type));
    use_type(out, type);
    HALO_TRY(typed->create(&in->subarray, &type));
    use_type(in, type);
    return HALO_OK;
}

/* ---- buffers --------------------------------------------------------------------------------- */

halo_status halo_exchange_lay_out(halo_exchange *exchange)
{
    size_t bytes = 0;
    for (int i = 0; i < exchange->transfer_count; i++) {
        halo_transfer *transfer = &exchange->transfers[i];
        for (int way = 0; way < HALO_EXCHANGE_WAYS; way++) {
            transfer->buffers[way] = make_buffer(exchange, transfer, way);
            bytes += transfer->buffers[way].packed ? rounded(transfer->buffers[way].bytes) : 0;
        }
    }
    if (bytes == 0) {
        return HALO_OK;
    }
    HALO_TRY(halo_memory_create(&exchange->buffer, bytes, "halo messages"));
    char *next = exchange->buffer;
    for (int i = 0; i < exchange->transfer_count; i++) {
        for (int way = 0; way < HALO_EXCHANGE_WAYS; way++) {
            halo_transfer_buffer *buffer = &exchange->transfers[i].buffers[way];
            if (buffer->packed) {
                buffer->data = next;
                next += rounded(buffer->bytes);
            }
        }
        HALO_TRY(choose_packing(exchange->world->transport->typed, &exchange->transfers[i],
                                exchange->options.packing));
    }
    return HALO_OK;
}

void halo_exchange_free_buffers(halo_exchange *exchange)
{
    for (int i = 0; i < exchange->transfer_count; i++) {
        for (int way = 0; way < HALO_EXCHANGE_WAYS; way++) {
            halo_transfer_buffer *buffer = &exchange->transfers[i].buffers[way];
            if (buffer->type.of != 0) {
                exchange->world->transport->typed->destroy(&buffer->type);
            }
        }
    }
    halo_memory_free(exchange->buffer);
    exchange->buffer = NULL;
}

static int side_of(const halo_transfer *transfer)
{
    return transfer->step[1] < 0 ? 0 : 1;
}

/* Between the fields and the packed buffers of a phase that go out, or come in. */
static void copy_packed(halo_exchange *exchange, int phase, int way)
{
    const halo_exchange_phase *p = &exchange->phases[phase];
    const halo_side_halo *side_halo = exchange->options.side_halo;
    void *state = exchange->options.side_halo_state;
    for (int i = p->first_transfer; i < p->first_transfer + p->transfers; i++) {
        const halo_transfer *transfer = &exchange->transfers[i];
        const halo_transfer_buffer *buffer = &transfer->buffers[way];
        const halo_view *view = halo_field_view(exchange->fields[transfer->field]);
        int64_t rows = transfer->boxes[HALO_EXCHANGE_OUT].n[0];
        bool out = way == HALO_EXCHANGE_OUT;
        if (transfer->side_halo && out) {
            side_halo->take(state, view, transfer->field, side_of(transfer), 0, rows, buffer->data);
        } else if (transfer->side_halo) {
            side_halo->give(state, view, transfer->field, side_of(transfer), 0, rows, buffer->data);
        } else if (buffer->packed && out) {
            halo_subarray_pack(&buffer->subarray, buffer->data);
        } else if (buffer->packed) {
            halo_subarray_unpack(&buffer->subarray, buffer->data);
        }
    }
}

void halo_exchange_pack(halo_exchange *exchange, int phase)
{
    copy_packed(exchange, phase, HALO_EXCHANGE_OUT);
}

void halo_exchange_unpack(halo_exchange *exchange, int phase)
{
    copy_packed(exchange, phase, HALO_EXCHANGE_IN);
}
