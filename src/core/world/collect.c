#include "core/world/collect.h"

#include "base/memory.h"
#include "core/world/world_internal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Counts of transports are ints; larger blocks travel in pieces. */
static const size_t PIECE = (size_t)1 << 30;

enum { ROUTE_TAG = 101, SWAP_TAG = 102 };

static halo_status begin_reduction(halo_world *world, halo_endpoint *end, const int64_t *mine,
                                   int64_t *all, int count, halo_reduction reduction,
                                   halo_request *request)
{
    if (end->ranks > 1) {
        return world->transport->iallreduce(end, mine, all, count, reduction, request);
    }
    memmove(all, mine, (size_t)count * sizeof *all);
    *request = HALO_NO_REQUEST;
    return HALO_OK;
}

static halo_status reduce(halo_world *world, halo_endpoint *end, int64_t *values, int count,
                          halo_reduction reduction)
{
    halo_request request;
    HALO_TRY(begin_reduction(world, end, values, values, count, reduction, &request));
    return halo_wait(world, 1, &request);
}

halo_status halo_iallreduce(halo_world *world, const int64_t *mine, int64_t *all, int count,
                            halo_reduction reduction, halo_request *request)
{
    return begin_reduction(world, world->end, mine, all, count, reduction, request);
}

halo_status halo_iallgather(halo_world *world, const void *mine, int bytes, void *all,
                            halo_request *request)
{
    if (halo_world_ranks(world) > 1) {
        return world->transport->iallgather(world->end, mine, bytes, all, request);
    }
    memmove(all, mine, (size_t)bytes);
    *request = HALO_NO_REQUEST;
    return HALO_OK;
}

halo_status halo_allreduce_sum(halo_world *world, int64_t *values, int count)
{
    return reduce(world, world->end, values, count, HALO_REDUCE_SUM);
}

halo_status halo_allreduce_max(halo_world *world, int64_t *values, int count)
{
    return reduce(world, world->end, values, count, HALO_REDUCE_MAX);
}

halo_status halo_allreduce_min(halo_world *world, int64_t *values, int count)
{
    return reduce(world, world->end, values, count, HALO_REDUCE_MIN);
}

halo_status halo_allreduce_near_sum(halo_world *world, int64_t *values, int count)
{
    return reduce(world, world->near, values, count, HALO_REDUCE_SUM);
}

halo_status halo_exscan(halo_world *world, int64_t *values, int count)
{
    halo_request request;
    if (halo_world_ranks(world) > 1) {
        HALO_TRY(world->transport->iexscan(world->end, values, count, &request));
        HALO_TRY(halo_wait(world, 1, &request));
    }
    if (halo_world_rank(world) == 0) {
        memset(values, 0, (size_t)count * sizeof *values); /* the transport leaves it undefined */
    }
    return HALO_OK;
}

halo_status halo_bcast(halo_world *world, void *data, size_t bytes, int root)
{
    for (size_t done = 0; halo_world_ranks(world) > 1 && done < bytes; done += PIECE) {
        size_t piece = bytes - done < PIECE ? bytes - done : PIECE;
        halo_request request;
        HALO_TRY(
            world->transport->ibcast(world->end, (char *)data + done, (int)piece, root, &request));
        HALO_TRY(halo_wait(world, 1, &request));
    }
    return HALO_OK;
}

halo_status halo_bcast_buffer(halo_world *world, halo_status made, halo_buffer *buffer)
{
    size_t bytes = buffer->size;
    HALO_TRY(halo_agree(world, made));
    HALO_TRY(halo_bcast(world, &bytes, sizeof bytes, 0));
    buffer->size = halo_world_rank(world) == 0 ? bytes : 0;
    HALO_TRY(halo_agree(world, halo_buffer_reserve(buffer, bytes - buffer->size + 1)));
    buffer->size = bytes;
    buffer->data[bytes] = '\0';
    return halo_agree(world, halo_bcast(world, buffer->data, bytes, 0));
}

halo_status halo_gather(halo_world *world, const void *mine, size_t bytes, void *all)
{
    halo_request request;
    if (halo_world_ranks(world) == 1) {
        memcpy(all, mine, bytes);
        return HALO_OK;
    }
    HALO_TRY(world->transport->igather(world->end, mine, (int)bytes, all, &request));
    return halo_wait(world, 1, &request);
}

halo_status halo_isend(halo_world *world, const void *data, int bytes, int to, int tag,
                       halo_request *request)
{
    return world->transport->isend(world->end, data, bytes, to, tag, false, request);
}

halo_status halo_issend(halo_world *world, const void *data, int bytes, int to, int tag,
                        halo_request *request)
{
    return world->transport->isend(world->end, data, bytes, to, tag, true, request);
}

halo_status halo_irecv(halo_world *world, void *data, int room, int from, int tag,
                       halo_request *request)
{
    return world->transport->irecv(world->end, data, room, from, tag, request);
}

void halo_cancel(halo_world *world, halo_request *request)
{
    world->transport->cancel(world->end, request);
}

halo_status halo_post(halo_world *world, bool sending, void *data, int bytes, int peer, int tag,
                      halo_request *request)
{
    return sending ? halo_isend(world, data, bytes, peer, tag, request)
                   : halo_irecv(world, data, bytes, peer, tag, request);
}

halo_status halo_post_pieces(halo_world *world, bool sending, char *data, size_t bytes, int peer,
                             int tag, halo_request *requests, int *posted)
{
    for (size_t done = 0; done < bytes; done += PIECE) {
        int piece = (int)(bytes - done < PIECE ? bytes - done : PIECE);
        int number = (*posted)++;
        if (requests != NULL) {
            HALO_TRY(halo_post(world, sending, data + done, piece, peer, tag, &requests[number]));
        }
    }
    return HALO_OK;
}

/* The messages of one direction; `counts` in rank order from `data`, our own left out. */
static halo_status post_route(halo_world *world, char *data, const size_t *counts, bool sending,
                              halo_request *requests, int *posted)
{
    for (int r = 0; r < halo_world_ranks(world); r++) {
        if (r != halo_world_rank(world)) {
            HALO_TRY(
                halo_post_pieces(world, sending, data, counts[r], r, ROUTE_TAG, requests, posted));
        }
        if (data != NULL) { /* or there is nothing to count in */
            data += counts[r];
        }
    }
    return HALO_OK;
}

static size_t offset_of(const size_t *counts, int rank)
{
    size_t offset = 0;
    for (int r = 0; r < rank; r++) {
        offset += counts[r];
    }
    return offset;
}

static halo_status swap_counts(halo_world *world, const size_t *counts_out, size_t *counts_in)
{
    halo_request request;
    if (halo_world_ranks(world) == 1) {
        counts_in[0] = counts_out[0];
        return HALO_OK;
    }
    HALO_TRY(world->transport->ialltoall(world->end, counts_out, (int)sizeof(size_t), counts_in,
                                         &request));
    return halo_wait(world, 1, &request);
}

halo_status halo_alltoallv(halo_world *world, const void *out, const size_t *counts_out, void **in,
                           size_t *counts_in)
{
    int rank = halo_world_rank(world), ranks = halo_world_ranks(world);
    *in = NULL;
    HALO_TRY(swap_counts(world, counts_out, counts_in));
    /* Data to be sent are only read; the signature is shared with receiving, and not const. */
    char *sent;
    memcpy(&sent, &out, sizeof sent);
    int messages = 0, posted = 0;
    post_route(world, NULL, counts_in, false, NULL, &messages);
    post_route(world, NULL, counts_out, true, NULL, &messages);
    halo_request *requests;
    halo_status status = HALO_ALLOCATE(requests, messages, "messages between ranks");
    if (status == HALO_OK) {
        status = halo_memory_create(in, offset_of(counts_in, ranks) + 1, "messages between ranks");
    }
    status = halo_agree(world, status); /* or the others would wait for us */
    if (status == HALO_OK) {
        status = post_route(world, *in, counts_in, false, requests, &posted);
    }
    if (status == HALO_OK) {
        status = post_route(world, sent, counts_out, true, requests, &posted);
    }
    if (status == HALO_OK && counts_out[rank] > 0) {
        memcpy((char *)*in + offset_of(counts_in, rank),
               (const char *)out + offset_of(counts_out, rank), counts_out[rank]);
    }
    if (status == HALO_OK) {
        status = halo_wait(world, posted, requests);
    }
    free(requests);
    if (status != HALO_OK) {
        halo_memory_free(*in);
        *in = NULL;
    }
    return status;
}

halo_status halo_gatherv(halo_world *world, const void *mine, size_t bytes, void **all,
                         size_t *total)
{
    int ranks = halo_world_ranks(world);
    size_t *counts = NULL; /* to each rank, and from each */
    *all = NULL;
    *total = 0;
    halo_status status = halo_agree(world, HALO_ALLOCATE(counts, 2 * ranks, "sizes of messages"));
    if (status == HALO_OK) {
        counts[0] = bytes;
        status = halo_alltoallv(world, mine, counts, all, counts + ranks);
    }
    if (status == HALO_OK && halo_world_rank(world) == 0) {
        *total = offset_of(counts + ranks, ranks);
    } else {
        halo_memory_free(*all); /* nothing but the byte that no message needs */
        *all = NULL;
    }
    free(counts);
    return status;
}

/* A message to this rank itself is copied: a world of one rank alone has no messages. */
static void copy_own(const halo_world *world, const halo_message *out, int outs,
                     const halo_message *in, int ins)
{
    int rank = halo_world_rank(world), from = 0, to = 0;
    while (from < outs && out[from].rank != rank) {
        from++;
    }
    while (to < ins && in[to].rank != rank) {
        to++;
    }
    if (from < outs && to < ins) {
        memcpy(in[to].data, out[from].data, out[from].bytes);
    }
}

static halo_status start_messages(halo_world *world, halo_message *messages, int count,
                                  bool sending)
{
    halo_status status = HALO_OK;
    for (int i = 0; i < count; i++) {
        halo_message *m = &messages[i];
        m->request = HALO_NO_REQUEST;
        if (m->rank != halo_world_rank(world)) {
            status = halo_status_first(status, halo_post(world, sending, m->data, (int)m->bytes,
                                                         m->rank, SWAP_TAG, &m->request));
        }
    }
    return status;
}

static halo_status await_messages(halo_world *world, halo_message *messages, int count)
{
    halo_status status = HALO_OK;
    for (int i = 0; i < count; i++) {
        if (halo_request_is_set(messages[i].request)) {
            status = halo_status_first(status, halo_wait(world, 1, &messages[i].request));
        }
    }
    return status;
}

/* After a failure too: others wait for what this rank sends, and buffers whose messages are under
 * way must stay. */
halo_status halo_sendrecv(halo_world *world, halo_message *out, int outs, halo_message *in, int ins)
{
    copy_own(world, out, outs, in, ins);
    halo_status status = start_messages(world, in, ins, false);
    status = halo_status_first(status, start_messages(world, out, outs, true));
    status = halo_status_first(status, await_messages(world, in, ins));
    return halo_status_first(status, await_messages(world, out, outs));
}
