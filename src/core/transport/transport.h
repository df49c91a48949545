#ifndef HALOBEAT_CORE_TRANSPORT_TRANSPORT_H
#define HALOBEAT_CORE_TRANSPORT_TRANSPORT_H

#include "base/status.h"
#include "core/field/subarray.h"
#include "core/file/backend.h"
#include "core/transport/request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A transport carries messages between ranks. It is a table of functions; transport/mpi implements
 * it for processes, transport/threads for threads of one process, and transport/alone for a rank
 * without others. Everything that can be built of
 * these functions is built once, above them: waiting (core/world/wait.c), agreement, collectives of
 * other shapes (core/world/collect.c), votes, exchanges, mailboxes.
 *
 * An end is what one rank holds of a transport: it connects this rank with the others of a world.
 * Functions are local unless they say that they are collective over the ranks of the end. None of
 * them waits, unless it says so. They return HALO_TRANSPORT for failures of the transport. */

typedef struct halo_transport halo_transport;

typedef struct {
    const halo_transport *transport;
    int rank, ranks;
} halo_endpoint;

/* A description of strided memory that the transport sends from, or receives into, without a copy;
 * 0: none, the memory is contiguous. */
typedef struct {
    uintptr_t of;
} halo_datatype;

/* A message of an exchange. */
typedef struct {
    void *data; /* with a datatype, the beginning of the subarray */
    int bytes;  /* unused with a datatype */
    halo_datatype type;
    int peer, tag;
    bool sending;
} halo_transport_message;

/* Messages in strided memory. */
typedef struct {
    /* The datatype of a subarray, of at most 1 GiB; destroy it. */
    halo_status (*create)(const halo_subarray *subarray, halo_datatype *type);
    void (*destroy)(halo_datatype *type);
    /* Copies the subarray's bytes to `out`: what sending them would cost. */
    halo_status (*pack)(const halo_subarray *subarray, halo_datatype type, void *out);
} halo_typed_messages;

/* Messages that are prepared once and started many times. */
typedef struct {
    halo_status (*prepare)(halo_endpoint *end, const halo_transport_message *message,
                           halo_request *request);
    halo_status (*start)(int count, halo_request *requests);
    void (*destroy)(halo_request *request);
} halo_persistent_messages;

/* Messages to and from neighbours as one operation. A neighbourhood is this rank's edges. */
typedef struct halo_neighbourhood halo_neighbourhood;
struct halo_world;
typedef struct {
    /* Collective. The first `receives` of the [count] messages are receives; they must outlive it.
     * Waits. HALO_MEMORY. */
    halo_status (*connect)(halo_neighbourhood **out, struct halo_world *world,
                           const halo_transport_message *messages, int receives, int count);
    /* Collective. */
    halo_status (*start)(halo_neighbourhood *neighbourhood, halo_request *request);
    /* Collective. Accepts a pointer to NULL; sets it to NULL. */
    void (*destroy)(halo_neighbourhood **neighbourhood);
} halo_neighbour_messages;

/* Sleeping until something of this rank completes, where messages come without being looked for:
 * announce, test once more, and only then sleep; after the wait, end. */
typedef struct {
    unsigned (*announce)(halo_endpoint *end);
    /* At most so long, if it is not below 0. May return early. */
    void (*sleep)(halo_endpoint *end, unsigned announced, long nanoseconds);
    void (*end)(halo_endpoint *end);
} halo_sleeping;

/* Memory that all ranks of an end have in common, where they are threads of one process. */
typedef struct {
    /* Collective, waits. `bytes` bytes, the same number on all ranks, of zeroes on two cache lines'
     * boundary; the ranks get the same address. HALO_MEMORY, on all ranks; the failure of a broken
     * transport. Every rank that has got it releases it; the last one frees it. */
    halo_status (*create)(halo_endpoint *end, size_t bytes, void **out);
    void (*release)(void *memory);
    /* Wakes rank `rank` if it sleeps: after a sequentially consistent store of what it waits for,
     * which it looks for by sequentially consistent loads. */
    void (*wake)(halo_endpoint *end, int rank);
} halo_common_memory;

enum { HALO_TEST_AT_ONCE = 64 };

struct halo_transport {
    const char *name;
    bool in_process; /* ranks are threads of one process */

    /* Writes what carries the messages: "MPICH Version: 4.0.2 (1a2b3c4d)". All ranks must have the
     * same. */
    void (*describe)(char *text, size_t size);

    /* May a process have threads that do not call the transport? */
    bool (*allows_threads)(void);

    /* Begin to send `bytes` bytes to rank `to`, or to receive at most `room` from `from`
     * (HALO_ANY_SOURCE: any). A message arrives where the tag is the same; two between the same
     * ranks with the same tag arrive in the order in which they were sent. `matched`: it is not
     * complete before its receiver has begun to receive it. After a failure *request is none. */
    halo_status (*isend)(halo_endpoint *end, const void *data, int bytes, int to, int tag,
                         bool matched, halo_request *request);
    halo_status (*irecv)(halo_endpoint *end, void *data, int room, int from, int tag,
                         halo_request *request);
    /* The same for messages that may have a datatype. */
    halo_status (*start)(halo_endpoint *end, const halo_transport_message *message,
                         halo_request *request);

    /* Sets *complete. With `bytes`, sets it to the number of bytes of a message received. */
    halo_status (*test)(halo_endpoint *end, halo_request *request, bool *complete, int *bytes);

    /* Sets *index to that of one of at most HALO_TEST_AT_ONCE requests that is complete, -1: none
     * is, or none is set; the rest as `test`. NULL: they are tested one by one. */
    halo_status (*test_any)(halo_endpoint *end, int count, halo_request *requests, int *index,
                            int *bytes);

    /* Moves messages that are under way. */
    halo_status (*progress)(halo_endpoint *end);

    /* Forgets a message to be received, whose memory is free on return; sets the request to none.
     */
    void (*cancel)(halo_endpoint *end, halo_request *request);

    /* The failure, with its message, becomes that of everything that ranks of this end, and of ends
     * made together with it, wait for, now and later. On return no other rank uses memory of this
     * rank's requests. NULL: there is nobody to tell. */
    void (*fail)(halo_endpoint *end, halo_status status, const char *message);

    /* Waiting inside the transport, where that is better than to test again and again; else NULL.
     */
    halo_status (*wait_all)(halo_endpoint *end, int count, halo_request *requests);
    halo_status (*wait_any)(halo_endpoint *end, int count, halo_request *requests, int *index,
                            int *bytes);
    /* Seconds that this rank has waited inside collective operations that were begun; NULL: none.
     */
    double (*waited)(void);

    /* Collective: begin operations. Every rank calls them in the same order. `mine` and `all` may
     * be the same memory in iallreduce. The sum over lower ranks is undefined on rank 0. Blocks of
     * iallgather and ialltoall have `bytes` bytes a rank. igather is to rank 0. */
    halo_status (*iallreduce)(halo_endpoint *end, const int64_t *mine, int64_t *all, int count,
                              halo_reduction reduction, halo_request *request);
    halo_status (*iexscan)(halo_endpoint *end, int64_t *values, int count, halo_request *request);
    halo_status (*ibcast)(halo_endpoint *end, void *data, int bytes, int root,
                          halo_request *request);
    halo_status (*igather)(halo_endpoint *end, const void *mine, int bytes, void *all,
                           halo_request *request);
    halo_status (*iallgather)(halo_endpoint *end, const void *mine, int bytes, void *all,
                              halo_request *request);
    halo_status (*ialltoall)(halo_endpoint *end, const void *mine, int bytes, void *theirs,
                             halo_request *request);

    /* Collective. `size` bytes begin with a halo_endpoint, and are zero: ends are allocated by who
     * asks for them, before, so that no rank can fail alone. They wait. duplicate: the same ranks,
     * whose messages do not mix with those of `end`. split: those with the same colour, in the
     * order of their ranks; with a colour below 0 none: out->ranks is 0. near: the ranks of this
     * machine. */
    size_t end_size;
    halo_status (*duplicate)(halo_endpoint *end, halo_endpoint *out);
    halo_status (*split)(halo_endpoint *end, int colour, halo_endpoint *out);
    halo_status (*near)(halo_endpoint *end, halo_endpoint *out);
    /* The rank in `other` of rank `rank` of `end`; -1: it is not there. */
    int (*rank_in)(const halo_endpoint *end, int rank, const halo_endpoint *other);
    /* Collective. Does nothing to an end of no ranks. */
    void (*close)(halo_endpoint *end);

    /* Only some transports have these; NULL: it does not. */
    const halo_sleeping *sleeping;
    const halo_common_memory *common;
    const halo_typed_messages *typed;
    const halo_persistent_messages *persistent;
    const halo_neighbour_messages *neighbour;
    const halo_file_calls *files;
    /* Collective. Sends messages below the transport, to measure their cost: `times` times every
     * rank sends two messages of `bytes` bytes to its neighbours in a ring, and receives theirs, by
     * calls of the library that carries them. [2 * bytes]. Waits. */
    halo_status (*bare_ring)(halo_endpoint *end, const char *out, char *in, int bytes,
                             int64_t times);
};

/* Local. A world's transport, and this rank's end of it. */
const halo_transport *halo_transport_of(const struct halo_world *world);
halo_endpoint *halo_endpoint_of(const struct halo_world *world);

/* The transport of a rank without others, none of whose messages is ever sent. */
extern const halo_transport halo_transport_alone;

#endif
