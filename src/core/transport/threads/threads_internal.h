#ifndef HALOBEAT_CORE_TRANSPORT_THREADS_THREADS_INTERNAL_H
#define HALOBEAT_CORE_TRANSPORT_THREADS_THREADS_INTERNAL_H

#include "base/memory.h"
#include "core/transport/threads/sync.h"
#include "core/transport/transport.h"

#include <stdalign.h>

/* Internals of the transport of threads.
 *
 * A rank's mailbox is a lock and two lists: receives that have been posted, and messages that none
 * was there for. A sender looks under the lock whether the receive is there, and copies straight
 * into its memory; otherwise it leaves a copy of a small message, or a pointer to a large one,
 * which the receiver copies. So messages arrive while their receiver computes, and a request is a
 * flag. Receives of small messages wait beside the mailbox until their rank sends or waits, and are
 * put into it together: two ranks that exchange some messages would otherwise take the lock in
 * turn, and its cache line with it, for every one of them. A collective operation is a slot in
 * which every rank puts its pointers; the last one that comes does the work for all, or, if it is
 * much, lets each rank do its part. Few numbers of few ranks, which have a core each, are reduced
 * by each rank for itself, from what all have shown. */

typedef struct halo_team threads_team;
typedef struct threads_rank threads_rank;
typedef struct threads_group threads_group;
typedef struct threads_slot threads_slot;
typedef struct threads_mailbox threads_mailbox;
typedef struct threads_end threads_end;

enum {
    THREADS_EAGER = 4096, /* bytes up to which a message is copied where nobody waits for it */
    THREADS_POOLED = 512, /* bytes up to which the copy's memory is used again */
#ifdef HALO_SYNC_STEPPED  /* small, so that short tests come to their ends */
    THREADS_RING = 2,
    THREADS_FOR_ALL = 64,
    THREADS_SHOWING = 3,
#else
    THREADS_RING = 16,       /* collective operations of a group that may be under way */
    THREADS_FOR_ALL = 32768, /* bytes that one rank reads and writes for all; if there are more,
                                each rank does its part */
    THREADS_SHOWING = 16,    /* ranks up to which each shows its numbers to all */
#endif
    THREADS_FEW = 3,     /* buckets of a mailbox that lie beside its lock */
    THREADS_NUMBERS = 15 /* that a rank shows: what fits beside their number into a line */
};

/* States of a request. */
enum {
    THREADS_OPEN,
    THREADS_DONE,
    THREADS_PART,      /* a collective, in which this rank has its part to do */
    THREADS_TRUNCATED, /* a message that is longer than the memory for it */
    THREADS_WITHDRAWN  /* nobody uses its memory any more, since the team is broken */
};

typedef struct threads_request threads_request;

typedef struct {
    threads_request *before, *after;
} threads_link;

typedef struct threads_message threads_message;

struct threads_request {
    /* A sender that finds a receive uses these members: a cache line. */
    atomic_uint state;
    int from, tag; /* what is asked for; from: HALO_ANY_SOURCE, or THREADS_SENDING */
    int room, bytes;
    int rank;              /* in its group */
    void *data;            /* of a receive, or a reduction's results */
    threads_request *next; /* in the mailbox, among the rank's receives beside it, or free ones */
    uint64_t order;
    threads_rank *owner;
    threads_mailbox *box; /* of a message: where it is */
    /* Only the owner uses the rest. */
    threads_link link;        /* in the owner's list of requests */
    threads_message *message; /* that a receive has found */
    threads_slot *slot;       /* of a collective, or NULL */
    threads_end *shown;       /* of a reduction of shown numbers, or NULL */
    unsigned number;          /* of that reduction; the rest of it: */
    int seen;                 /* ranks that have shown theirs, from 0 on */
    halo_reduction reduction;
};

enum { THREADS_SENDING = -2 };

/* A message that no receive was there for. */
struct threads_message {
    threads_message *next;
    threads_rank *home;      /* whose pool it belongs to; NULL: none */
    const void *data;        /* the body, or the sender's memory */
    threads_request *sender; /* waits for the match; NULL: has gone on */
    int from, tag, bytes;
    uint64_t order;
    char body[];
};

/* One thread, in all worlds that it has ends of. */
struct threads_rank {
    /* It sleeps on `events` after it has set `parked`. */
    alignas(SYNC_LINE) atomic_uint events;
    atomic_uint parked;
    atomic_int parts; /* of operations, that it has to do */
    /* Messages of its pool that others have given back. */
    alignas(SYNC_LINE) _Atomic(threads_message *) returned;
    /* Only the thread itself uses the rest. */
    alignas(SYNC_LINE) threads_team *team;
    int number;                /* in the team */
    int showing;               /* reductions of shown numbers that are not complete */
    threads_request *requests; /* that are not free */
    threads_request *free_requests;
    threads_request *beside, **last_beside; /* receives beside their mailboxes, in order */
    threads_message *free_messages;
    halo_memory_account *account, *account_before; /* of the memory that it takes; its thread's */
};

/* Ranks that were made together. */
struct halo_team {
    int ranks;
    int cores;            /* that the process may use */
    threads_rank *rank;   /* [ranks] */
    threads_group *group; /* of all */
    atomic_int joined;    /* ranks that have made their ends of it */
    atomic_uint broken;   /* a halo_status: waits of all ranks end */
    sync_lock lock;       /* of the message */
    char message[HALO_MESSAGE_SIZE];
};

typedef struct {
    threads_request *posted, **last_posted;
    threads_message *waiting, **last_waiting;
} threads_bucket;

struct threads_mailbox {
    alignas(SYNC_LINE) sync_lock lock;
    int mask;                /* a source's bucket is `source & mask` */
    uint64_t order;          /* counts what was put into it */
    threads_bucket *buckets; /* by source; the last one is of receives from any */
    /* The buckets of two ranks, which pass between two cores together with the lock. */
    threads_bucket few[THREADS_FEW];
};

/* The pointers and the request that a rank brings to a collective operation. */
typedef struct {
    const void *in;
    void *out;
    threads_request *request;
} threads_entry;

/* A rank publishes its numbers for a reduction here. */
typedef struct {
    alignas(SYNC_LINE) atomic_uint number; /* of the reduction, from 1 */
    int64_t values[THREADS_NUMBERS];
} threads_shown;

/* Reductions of shown numbers before this one are complete on a rank. */
typedef struct {
    alignas(SYNC_LINE) atomic_uint number;
} threads_count;

/* Does the part of rank `rank` of an operation, whose parameters all ranks have given alike. */
typedef void threads_part(threads_slot *slot, int rank);

struct threads_slot {
    alignas(SYNC_LINE) atomic_int arrived;
    atomic_int left;  /* parts that are not done */
    atomic_uint turn; /* how often it has been free */
    threads_group *group;
    threads_part *part;
    int count, root; /* numbers or bytes */
    halo_reduction reduction;
    threads_entry *entries; /* [ranks] */
};

/* The ranks of a world, of whom each has an end. */
struct threads_group {
    int ranks;
    atomic_int users;
    threads_rank **members;  /* [ranks], in the order of their numbers */
    threads_mailbox *boxes;  /* [ranks] */
    threads_bucket *buckets; /* of all mailboxes, but for few ones */
    threads_entry *entries;  /* of all slots */
    threads_shown *shown;    /* [THREADS_RING * ranks]; NULL: ranks show nothing */
    threads_count *complete; /* [ranks], or NULL */
    threads_slot slots[THREADS_RING];
};

struct threads_end {
    halo_endpoint base;
    threads_group *group;
    threads_rank *self;
    unsigned collectives; /* that it has begun, but for: */
    unsigned shown;       /* reductions of shown numbers that it has begun */
    unsigned complete;    /* of which those before this one are complete, */
    unsigned ahead;       /* and others: bit i is reduction complete + i */
    unsigned read_by_all; /* those before this one were complete on all ranks at the last look */
};

extern const halo_transport halo_transport_threads;

/* ---- ranks (ranks.c) ------------------------------------------------------------------------- */

/* Local, of the rank's thread: memory that it takes is the rank's from now on, or no more. */
void halo_threads_begin_rank(threads_rank *self);
void halo_threads_end_rank(threads_rank *self);

/* Local. A team whose group is made; destroy it when no thread uses it. NULL: no memory. */
threads_team *halo_threads_team_create(int ranks);
void halo_threads_team_destroy(threads_team *team);

/* Local. The first failure, with its message, becomes that of every wait, now and later. */
void halo_threads_break(threads_team *team, halo_status status, const char *message);

/* Local, of the calling rank. Breaks the team; no other rank uses memory of this rank's requests
 * any more. */
void halo_threads_fail(threads_rank *self, halo_status status, const char *message);

/* Local, of a rank that waits for anything. Does its parts of operations, which others wait for.
 * HALO_OK; or the failure that has broken the team, with its message. Then no other rank uses
 * memory of this rank's requests any more: they have been withdrawn. */
halo_status halo_threads_go_on(threads_rank *self);

/* Local. Breaks the team, for want of memory for `what`. */
halo_status halo_threads_fail_memory(threads_rank *self, const char *what);

/* Local. A request that is open, with the other members unset; NULL: no memory. */
threads_request *halo_threads_request(threads_rank *self);
void halo_threads_request_free(threads_request *request);

/* Local. Takes back the messages of its pool that others have given back, if it has no more: before
 * a lock is taken, which must not be held while their cache line comes. */
void halo_threads_stock_messages(threads_rank *self);

/* Local. A message with room for `bytes` bytes; NULL: no memory. Any rank may free it. */
threads_message *halo_threads_message(threads_rank *self, int bytes);
void halo_threads_message_free(threads_message *message);

/* Local. Sets the state of a request, which its owner may free at once, and wakes the owner. */
void halo_threads_finish(threads_request *request, unsigned state);

/* Local. Wakes a rank that sleeps, after a store, sequentially consistent, of what it waits for. */
void halo_threads_wake(threads_rank *rank);

/* ---- messages (mailbox.c) -------------------------------------------------------------------- */

halo_status halo_threads_isend(halo_endpoint *end, const void *data, int bytes, int to, int tag,
                               bool matched, halo_request *request);
halo_status halo_threads_irecv(halo_endpoint *end, void *data, int room, int from, int tag,
                               halo_request *request);
void halo_threads_cancel(halo_endpoint *end, halo_request *request);

/* Local, of the rank's thread. Puts its receives that are beside their mailboxes into them, and
 * receives what has come for them. Whoever waits for anything calls it. */
void halo_threads_post_all(threads_rank *self);
static inline void halo_threads_post(threads_rank *self)
{
    if (self->beside != NULL) {
        halo_threads_post_all(self);
    }
}

/* Local. Takes an open message out of the mailbox, or waits until the other side, which has taken
 * it, is done with it. */
void halo_threads_withdraw(threads_request *request);

/* ---- collective operations (collect.c) ------------------------------------------------------- */

halo_status halo_threads_iallreduce(halo_endpoint *end, const int64_t *mine, int64_t *all,
                                    int count, halo_reduction reduction, halo_request *request);
halo_status halo_threads_iexscan(halo_endpoint *end, int64_t *values, int count,
                                 halo_request *request);
halo_status halo_threads_ibcast(halo_endpoint *end, void *data, int bytes, int root,
                                halo_request *request);
halo_status halo_threads_igather(halo_endpoint *end, const void *mine, int bytes, void *all,
                                 halo_request *request);
halo_status halo_threads_iallgather(halo_endpoint *end, const void *mine, int bytes, void *all,
                                    halo_request *request);
halo_status halo_threads_ialltoall(halo_endpoint *end, const void *mine, int bytes, void *theirs,
                                   halo_request *request);

/* Collective; begins an operation of another kind, whose parts are few. */
halo_status halo_threads_begin(halo_endpoint *end, const void *in, void *out, threads_part *part,
                               halo_request *request);

/* Local. Does this rank's part of the operation. */
void halo_threads_take_part(threads_request *request);

/* Local, where the team is broken. Does this rank's part, if all have come. True: nobody uses its
 * memory any more; false: others have not done their parts. */
bool halo_threads_leave(threads_request *request);

/* Local. Reduces numbers. */
void halo_threads_combine(int64_t *total, const int64_t *more, int count, halo_reduction reduction);

/* ---- reductions of shown numbers (shown.c) --------------------------------------------------- */

/* Collective; begins a reduction of at most THREADS_NUMBERS numbers, in a group that shows them. */
halo_status halo_threads_show(threads_end *end, const int64_t *mine, int64_t *all, int count,
                              halo_reduction reduction, halo_request *request);

/* Local. Completes an open reduction if all ranks have shown their numbers; all open ones of this
 * rank. */
bool halo_threads_see(threads_request *request);
void halo_threads_see_all(threads_rank *self);

/* Local. Gives up an open reduction; all of an end that is closed. */
void halo_threads_see_no_more(threads_request *request);
void halo_threads_stop_showing(const threads_end *end);

/* ---- groups (group.c) ------------------------------------------------------------------------ */

/* Local. A group of these members; every one of them calls halo_threads_group_leave. NULL: no
 * memory. */
threads_group *halo_threads_group_create(int ranks, threads_rank *const *members);
void halo_threads_group_leave(threads_group *group);

/* Local. Fills the end of rank `rank`. */
void halo_threads_fill_end(threads_end *end, threads_group *group, int rank);

/* Local. Waits for an operation of all ranks, where no world says how: it looks a while, and then
 * sleeps, since there may be a thousand ranks for two cores. */
halo_status halo_threads_await(halo_endpoint *end, halo_request *request);

halo_status halo_threads_duplicate(halo_endpoint *end, halo_endpoint *out);
halo_status halo_threads_split(halo_endpoint *end, int colour, halo_endpoint *out);
halo_status halo_threads_near(halo_endpoint *end, halo_endpoint *out);
int halo_threads_rank_in(const halo_endpoint *end, int rank, const halo_endpoint *other);
void halo_threads_close(halo_endpoint *end);

/* ---- common memory (common.c) ---------------------------------------------------------------- */

halo_status halo_threads_create_common(halo_endpoint *end, size_t bytes, void **out);
void halo_threads_release_common(void *memory);
void halo_threads_wake_rank(halo_endpoint *end, int rank);

/* ---- requests -------------------------------------------------------------------------------- */

static inline halo_request threads_handle(threads_request *request)
{
    return (halo_request){(uintptr_t)request};
}

static inline threads_request *threads_of(halo_request request)
{
    return (threads_request *)request.of;
}

#endif
