#include "core/exchange/shared_memory.h"

#include "base/memory.h"
#include "core/exchange/shm_map.h"
#include "core/world/collect.h"
#include "core/world/world_internal.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Two cache lines, because processors fetch them in pairs. */
enum { SIGNAL_BYTES = 128 };

typedef struct {
    _Alignas(SIGNAL_BYTES) _Atomic uint64_t count;
} signal;

_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2 && ATOMIC_LONG_LOCK_FREE == 2,
               "counters between processes must not need locks");

/* A rank sends this to a peer about its counters, and then a message about each box. */
typedef struct {
    halo_shm_map signals;
    int64_t slot; /* of the counter that speaks of the peer */
} greeting;

typedef struct {
    halo_shm_map cells;     /* between processes, where the address is only its owner's */
    halo_subarray subarray; /* of its cells */
} offer;

typedef struct {
    halo_shm_map_view view;
    halo_subarray from, to;
} copy;

typedef struct {
    int rank;
    int first_give, gives, first_take, takes; /* of the boxes, ordered by peer and tag */
    halo_shm_map_view view;
    const signal *ready; /* how often the peer's cells have been */
    const signal *read;  /* how often it has read this rank's */
    bool pending;        /* cells are to be read */
} peer;

struct halo_shared {
    halo_world *world;
    signal *all;     /* between threads: the counters of all ranks */
    int span;        /* number of counters of each rank */
    uint64_t count;  /* of beginnings */
    signal *signals; /* [1 + peer_count], for others to read: ready, and read of each peer */
    peer *peers;
    int peer_count;
    copy *copies; /* [takes] */
    int copy_count;
};

/* While ranks meet. */
typedef struct {
    halo_shared_box *give, *take; /* ordered by peer and tag, as both ends know them */
    int gives, takes;
    char *outgoing, *incoming; /* for each peer a greeting and its offers */
    halo_message *out, *in;
} meeting;

static int compare_boxes(const void *a, const void *b)
{
    const halo_shared_box *one = a, *other = b;
    int by_peer = (one->peer > other->peer) - (one->peer < other->peer);
    return by_peer != 0 ? by_peer : (one->tag > other->tag) - (one->tag < other->tag);
}

static halo_status copy_in_order(halo_shared_box **out, const halo_shared_box *boxes, int count)
{
    HALO_TRY(HALO_ALLOCATE(*out, count, "halos to share"));
    if (count > 0) {
        memcpy(*out, boxes, (size_t)count * sizeof **out);
        qsort(*out, (size_t)count, sizeof **out, compare_boxes);
    }
    return HALO_OK;
}

static halo_status bring_boxes(meeting *meet, const halo_shared_box *give, int gives,
                               const halo_shared_box *take, int takes)
{
    size_t boxes = (size_t)(gives + takes), bytes = boxes * (sizeof(greeting) + sizeof(offer));
    *meet = (meeting){.gives = gives, .takes = takes};
    HALO_TRY(copy_in_order(&meet->give, give, gives));
    HALO_TRY(copy_in_order(&meet->take, take, takes));
    HALO_TRY(HALO_ALLOCATE(meet->outgoing, bytes, "halos to share"));
    HALO_TRY(HALO_ALLOCATE(meet->incoming, bytes, "halos to share"));
    HALO_TRY(HALO_ALLOCATE(meet->out, boxes, "halos to share"));
    return HALO_ALLOCATE(meet->in, boxes, "halos to share");
}

static void leave(meeting *meet)
{
    free(meet->give);
    free(meet->take);
    free(meet->outgoing);
    free(meet->incoming);
    free(meet->out);
    free(meet->in);
}

static int count_of(const halo_shared_box *boxes, int count, int first, int rank)
{
    int found = 0;
    while (first + found < count && boxes[first + found].peer == rank) {
        found++;
    }
    return found;
}

static halo_status find_peers(halo_shared *shared, const meeting *meet)
{
    HALO_TRY(HALO_ALLOCATE(shared->peers, meet->gives + meet->takes, "halos to share"));
    HALO_TRY(HALO_ALLOCATE(shared->copies, meet->takes, "halos to share"));
    int given = 0, taken = 0;
    while (given < meet->gives || taken < meet->takes) {
        peer *p = &shared->peers[shared->peer_count++];
        p->rank = given < meet->gives ? meet->give[given].peer : meet->take[taken].peer;
        if (taken < meet->takes && meet->take[taken].peer < p->rank) {
            p->rank = meet->take[taken].peer;
        }
        p->first_give = given;
        p->first_take = taken;
        p->gives = count_of(meet->give, meet->gives, given, p->rank);
        p->takes = count_of(meet->take, meet->takes, taken, p->rank);
        given += p->gives;
        taken += p->takes;
    }
    shared->copy_count = meet->takes;
    return HALO_OK;
}

static bool are_threads(const halo_shared *shared)
{
    return shared->world->transport->common != NULL;
}

/* Collective. Counters of threads are one block of memory, which lasts as long as any rank that
 * looks at them. */
static halo_status make_common_signals(halo_shared *shared)
{
    int64_t peers = shared->peer_count;
    void *memory = NULL;
    HALO_TRY(halo_allreduce_max(shared->world, &peers, 1));
    shared->span = 1 + (int)peers;
    size_t count = (size_t)halo_world_ranks(shared->world) * (size_t)shared->span;
    HALO_TRY(halo_world_create_common(shared->world, count * sizeof(signal), &memory));
    shared->all = memory;
    shared->signals = shared->all + (size_t)halo_world_rank(shared->world) * (size_t)shared->span;
    return HALO_OK;
}

static halo_status make_signals(halo_shared *shared)
{
    size_t bytes = ((size_t)shared->peer_count + 1) * sizeof(signal);
    void *memory;
    HALO_TRY(halo_memory_create_shared(&memory, bytes, "the counters of an exchange"));
    shared->signals = memory;
    return halo_memory_share(memory, 0, bytes);
}

static halo_status describe_cells(offer *out, const halo_shared_box *box)
{
    const halo_subarray *subarray = &box->cells;
    size_t place, bytes = subarray->row_bytes;
    int file = halo_field_file(box->field, subarray->start, &place);
    for (int level = 0; level < 2; level++) {
        bytes += (size_t)((subarray->n[level] - 1) * subarray->stride[level]);
    }
    return halo_shm_map_describe(&out->cells, file, place, bytes);
}

static halo_status make_offer(const halo_shared *shared, offer *out, const halo_shared_box *box)
{
    *out = (offer){.subarray = box->cells};
    return are_threads(shared) ? HALO_OK : describe_cells(out, box);
}

static halo_status describe_signals(const halo_shared *shared, greeting *out)
{
    size_t bytes = ((size_t)shared->peer_count + 1) * sizeof(signal);
    return are_threads(shared)
               ? HALO_OK
               : halo_shm_map_describe(&out->signals, halo_memory_file(shared->signals), 0, bytes);
}

static halo_status write_messages(halo_shared *shared, meeting *meet)
{
    char *outgoing = meet->outgoing, *incoming = meet->incoming;
    for (int i = 0; i < shared->peer_count; i++) {
        const peer *p = &shared->peers[i];
        size_t out = sizeof(greeting) + (size_t)p->gives * sizeof(offer);
        size_t in = sizeof(greeting) + (size_t)p->takes * sizeof(offer);
        meet->out[i] = (halo_message){.rank = p->rank, .data = outgoing, .bytes = out};
        meet->in[i] = (halo_message){.rank = p->rank, .data = incoming, .bytes = in};
        greeting hello = {.slot = 1 + i};
        HALO_TRY(describe_signals(shared, &hello));
        memcpy(outgoing, &hello, sizeof hello);
        for (int k = 0; k < p->gives; k++) {
            offer made;
            HALO_TRY(make_offer(shared, &made, &meet->give[p->first_give + k]));
            memcpy(outgoing + sizeof hello + (size_t)k * sizeof made, &made, sizeof made);
        }
        outgoing += out;
        incoming += in;
    }
    return HALO_OK;
}

static bool have_same_shape(const halo_subarray *a, const halo_subarray *b)
{
    return a->row_bytes == b->row_bytes && a->n[0] == b->n[0] && a->n[1] == b->n[1];
}

static halo_status accept_offer(const halo_shared *shared, copy *out, const offer *made,
                                const halo_shared_box *take)
{
    out->to = take->cells;
    out->from = made->subarray;
    if (!have_same_shape(&out->to, &out->from)) {
        return halo_fail(HALO_ARGUMENT, "rank %d shares other cells than are needed from it",
                         take->peer);
    }
    if (are_threads(shared)) {
        return HALO_OK;
    }
    const void *start;
    HALO_TRY(halo_shm_map_open(&out->view, &made->cells, take->peer, &start));
    out->from.start = (char *)(uintptr_t)start; /* only read */
    return HALO_OK;
}

static halo_status find_signals(const halo_shared *shared, peer *p, const greeting *hello)
{
    const void *signals = NULL;
    if (are_threads(shared)) {
        signals = shared->all + (size_t)p->rank * (size_t)shared->span;
    } else {
        HALO_TRY(halo_shm_map_open(&p->view, &hello->signals, p->rank, &signals));
    }
    p->ready = signals;
    p->read = p->ready + hello->slot;
    return HALO_OK;
}

static halo_status read_messages(halo_shared *shared, const meeting *meet)
{
    for (int i = 0; i < shared->peer_count; i++) {
        peer *p = &shared->peers[i];
        const char *incoming = meet->in[i].data;
        greeting hello;
        memcpy(&hello, incoming, sizeof hello);
        HALO_TRY(find_signals(shared, p, &hello));
        for (int k = 0; k < p->takes; k++) {
            offer made;
            memcpy(&made, incoming + sizeof hello + (size_t)k * sizeof made, sizeof made);
            int box = p->first_take + k;
            HALO_TRY(accept_offer(shared, &shared->copies[box], &made, &meet->take[box]));
        }
    }
    return HALO_OK;
}

static halo_status meet_peers(halo_shared *shared, meeting *meet)
{
    halo_status status = find_peers(shared, meet);
    if (are_threads(shared)) {
        HALO_TRY(halo_agree(shared->world, status));
        HALO_TRY(make_common_signals(shared));
    } else if (status == HALO_OK) {
        status = make_signals(shared);
    }
    if (status == HALO_OK) {
        status = write_messages(shared, meet);
    }
    HALO_TRY(halo_agree(shared->world, status));
    status =
        halo_sendrecv(shared->world, meet->out, shared->peer_count, meet->in, shared->peer_count);
    if (status == HALO_OK) {
        status = read_messages(shared, meet);
    }
    return halo_agree(shared->world, status);
}

halo_status halo_shared_create(halo_shared **out, halo_world *world, const halo_shared_box *give,
                               int gives, const halo_shared_box *take, int takes)
{
    *out = NULL;
    meeting meet = {0};
    halo_shared *shared;
    halo_status status = HALO_ALLOCATE(shared, 1, "halos to share");
    if (status == HALO_OK) {
        status = bring_boxes(&meet, give, gives, take, takes);
    }
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        shared->world = world;
        status = meet_peers(shared, &meet);
    }
    leave(&meet);
    if (status != HALO_OK) {
        halo_shared_destroy(&shared);
    }
    *out = shared;
    return status;
}

/* The count of a rank that reads no more, and that nobody waits for. */
static const uint64_t FOR_EVER = UINT64_MAX;

static void raise_signal(signal *raised, uint64_t count)
{
    atomic_store(&raised->count, count);
}

static bool is_raised(const signal *raised, uint64_t count)
{
    return atomic_load(&raised->count) >= count;
}

static bool is_any_ready(void *context)
{
    const halo_shared *shared = context;
    for (int i = 0; i < shared->peer_count; i++) {
        if (shared->peers[i].pending && is_raised(shared->peers[i].ready, shared->count)) {
            return true;
        }
    }
    return false;
}

static bool is_all_read(void *context)
{
    const halo_shared *shared = context;
    for (int i = 0; i < shared->peer_count; i++) {
        if (shared->peers[i].gives > 0 && !is_raised(shared->peers[i].read, shared->count)) {
            return false;
        }
    }
    return true;
}

/* Returns whether anything is left to read. */
static bool read_ready(halo_shared *shared)
{
    bool left = false;
    for (int i = 0; i < shared->peer_count; i++) {
        peer *p = &shared->peers[i];
        if (p->pending && is_raised(p->ready, shared->count)) {
            for (int k = p->first_take; k < p->first_take + p->takes; k++) {
                halo_subarray_copy(&shared->copies[k].to, &shared->copies[k].from);
            }
            raise_signal(&shared->signals[1 + i], shared->count);
            halo_world_wake(shared->world, p->rank);
            p->pending = false;
        }
        left = left || p->pending;
    }
    return left;
}

void halo_shared_begin(halo_shared *shared)
{
    shared->count++;
    raise_signal(&shared->signals[0], shared->count);
    for (int i = 0; i < shared->peer_count; i++) {
        shared->peers[i].pending = shared->peers[i].takes > 0;
        halo_world_wake(shared->world, shared->peers[i].rank);
    }
    read_ready(shared);
}

halo_status halo_shared_end(halo_shared *shared, bool double_buffered)
{
    while (read_ready(shared)) {
        HALO_TRY(halo_wait_until_woken(shared->world, is_any_ready, shared));
    }
    return double_buffered ? HALO_OK : halo_wait_until_woken(shared->world, is_all_read, shared);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* A thread's cells are freed where they lie, and peers may still read them: after the last
 * exchange, or since another rank has failed, of which not all ranks know yet. Those peers come to
 * their end of the exchange, or to this function, without this rank. */
static void await_readers(halo_shared *shared)
{
    for (int i = 0; i < shared->peer_count; i++) {
        raise_signal(&shared->signals[1 + i], FOR_EVER);
    }
    for (int64_t tests = 1; shared->count > 0 && !is_all_read(shared); tests++) {
        halo_wait_pause(shared->world->policy, tests);
    }
}

void halo_shared_destroy(halo_shared **out)
{
    halo_shared *shared = *out;
    if (shared == NULL) {
        return;
    }
    for (int i = 0; i < shared->peer_count; i++) {
        halo_shm_map_close(&shared->peers[i].view);
    }
    for (int i = 0; i < shared->copy_count; i++) {
        halo_shm_map_close(&shared->copies[i].view);
    }
    if (shared->all != NULL) {
        await_readers(shared);
        halo_world_release_common(shared->world, shared->all);
    } else {
        halo_memory_free(shared->signals);
    }
    free(shared->peers);
    free(shared->copies);
    free(shared);
    *out = NULL;
}
