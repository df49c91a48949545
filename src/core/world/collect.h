#ifndef HALOBEAT_CORE_WORLD_COLLECT_H
#define HALOBEAT_CORE_WORLD_COLLECT_H

#include "base/memory.h"
#include "core/world/world.h"

#include <stddef.h>

/* Collective operations on numbers and bytes. Every function here is collective, waits through
 * halo_wait, and is exact: sums are integers. Errors are HALO_TRANSPORT and HALO_MEMORY; ranks may
 * get different ones. */

/* values[i], [count], becomes its sum (its maximum, its minimum) over all ranks. */
halo_status halo_allreduce_sum(halo_world *world, int64_t *values, int count);
halo_status halo_allreduce_max(halo_world *world, int64_t *values, int count);
halo_status halo_allreduce_min(halo_world *world, int64_t *values, int count);

/* values[i], [count], becomes its sum over the ranks on this rank's machine. */
halo_status halo_allreduce_near_sum(halo_world *world, int64_t *values, int count);

/* values[i], [count], becomes its sum over all lower ranks: 0 on rank 0. */
halo_status halo_exscan(halo_world *world, int64_t *values, int count);

/* Every rank's `data`, `bytes` bytes, becomes that of rank `root`. */
halo_status halo_bcast(halo_world *world, void *data, size_t bytes, int root);

/* Rank 0's `buffer`, if `made` is HALO_OK there, becomes that of every rank: the same bytes, and a
 * byte of 0 behind them. Returns the same on all ranks. */
halo_status halo_bcast_buffer(halo_world *world, halo_status made, halo_buffer *buffer);

/* Rank 0 gets `mine`, `bytes` bytes (the same on all ranks, at most INT_MAX), of every rank, in
 * rank order: `all` is [ranks * bytes] there and unused elsewhere. */
halo_status halo_gather(halo_world *world, const void *mine, size_t bytes, void *all);

/* Blocks of bytes to chosen ranks: counts_out[r] bytes go to rank r, taken from `out` in rank
 * order. On return *in holds what came, in rank order, counts_in[r] bytes from rank r. Both counts
 * have an entry per rank; the caller frees *in with halo_memory_free. */
halo_status halo_alltoallv(halo_world *world, const void *out, const size_t *counts_out, void **in,
                           size_t *counts_in);

/* Rank 0 gets `mine`, `bytes` bytes (any number, another on each rank), of every rank, in rank
 * order: *all there, *total bytes long, which the caller frees with halo_memory_free. *all is NULL
 * and *total 0 on the other ranks, and on every rank whose status is not HALO_OK. */
halo_status halo_gatherv(halo_world *world, const void *mine, size_t bytes, void **all,
                         size_t *total);

/* Collective. Begin an allreduce of [count] numbers, or an allgather of `bytes` bytes a rank, in
 * which every rank gets those of all in rank order. `mine` and `all` may be the same memory in the
 * first; both must stay until the request is complete. With one rank they are complete on return,
 * as they are in a world of one rank alone. */
halo_status halo_iallreduce(halo_world *world, const int64_t *mine, int64_t *all, int count,
                            halo_reduction reduction, halo_request *request);
halo_status halo_iallgather(halo_world *world, const void *mine, int bytes, void *all,
                            halo_request *request);

/* Local. Begin to send `bytes` bytes to rank `to`, or to receive at most `room` from `from`
 * (HALO_ANY_SOURCE: from any rank). The request of halo_issend is complete only when the receiver
 * has begun to receive the message. After a failure the request is HALO_NO_REQUEST. HALO_TRANSPORT.
 */
halo_status halo_isend(halo_world *world, const void *data, int bytes, int to, int tag,
                       halo_request *request);
halo_status halo_issend(halo_world *world, const void *data, int bytes, int to, int tag,
                        halo_request *request);
halo_status halo_irecv(halo_world *world, void *data, int room, int from, int tag,
                       halo_request *request);

/* Local. Stops to receive a message, whose memory is free on return. Sets the request to
 * HALO_NO_REQUEST, which it may be already. */
void halo_cancel(halo_world *world, halo_request *request);

/* Local. halo_isend if `sending`, else halo_irecv. */
halo_status halo_post(halo_world *world, bool sending, void *data, int bytes, int peer, int tag,
                      halo_request *request);

/* Local. The same for any number of bytes, which travel in pieces of 1 GiB: the requests
 * are requests[*posted] and those after it, and are counted in *posted. With `requests` NULL they
 * are only counted. Both ends have the same number of bytes. */
halo_status halo_post_pieces(halo_world *world, bool sending, char *data, size_t bytes, int peer,
                             int tag, halo_request *requests, int *posted);

/* A message to or from one rank. */
typedef struct {
    int rank;
    void *data;           /* only read when it is sent */
    size_t bytes;         /* at most INT_MAX; of a message to receive, the room for it */
    halo_request request; /* halo_sendrecv's own */
} halo_message;

/* Collective over the ranks that the messages name. Send and receive at the same time; a message
 * may be shorter than the room its receiver made, and one to this rank itself is copied, also in a
 * world of one rank alone. One message for each pair of ranks and direction.
 * Needs no memory, so that no rank can fail alone for want of it. After a failure of one message
 * the others still travel: none is under way any more on return, whatever its status. */
halo_status halo_sendrecv(halo_world *world, halo_message *out, int outs, halo_message *in,
                          int ins);

#endif
