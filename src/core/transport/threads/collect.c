#include "core/transport/threads/threads_internal.h"

#include <string.h>

/* A bit in the number of ranks that have arrived: one of them has left, so that the operation will
 * not be done. It is set only before all have arrived. */
enum { LEFT = 1 << 30 };

/* ---- parts ----------------------------------------------------------------------------------- */

static int64_t *numbers_of(void *memory)
{
    return memory;
}

/* The numbers of an operation are divided among the ranks. */
static int bound(const threads_slot *slot, int rank)
{
    return (int)((int64_t)slot->count * rank / slot->group->ranks);
}

void halo_threads_combine(int64_t *total, const int64_t *more, int count, halo_reduction reduction)
{
    for (int i = 0; i < count; i++) {
        int64_t a = total[i], b = more[i];
        total[i] = reduction == HALO_REDUCE_SUM   ? (int64_t)((uint64_t)a + (uint64_t)b)
                   : reduction == HALO_REDUCE_MAX ? (a > b ? a : b)
                   : reduction == HALO_REDUCE_MIN ? (a < b ? a : b)
                                                  : a | b;
    }
}

enum { AT_ONCE = 256 }; /* numbers that are reduced at a time, aside: they may be the results */

/* The numbers `rank` is to reduce, for all ranks. */
static void reduce(threads_slot *slot, int rank)
{
    int ranks = slot->group->ranks, end = bound(slot, rank + 1);
    int64_t total[AT_ONCE];
    for (int at = bound(slot, rank), some; at < end; at += some) {
        some = end - at < AT_ONCE ? end - at : AT_ONCE;
        memcpy(total, (const int64_t *)slot->entries[0].in + at, (size_t)some * sizeof *total);
        for (int r = 1; r < ranks; r++) {
            halo_threads_combine(total, (const int64_t *)slot->entries[r].in + at, some,
                                 slot->reduction);
        }
        for (int r = 0; r < ranks; r++) {
            memcpy(numbers_of(slot->entries[r].out) + at, total, (size_t)some * sizeof *total);
        }
    }
}

static void sum_below(threads_slot *slot, int rank)
{
    for (int i = bound(slot, rank); i < bound(slot, rank + 1); i++) {
        uint64_t below = 0;
        for (int r = 0; r < slot->group->ranks; r++) {
            int64_t *value = numbers_of(slot->entries[r].out) + i;
            uint64_t own = (uint64_t)*value;
            *value = (int64_t)below;
            below += own;
        }
    }
}

static void copy(void *to, const void *from, size_t bytes)
{
    if (bytes > 0) { /* or there may be no memory */
        memmove(to, from, bytes);
    }
}

static void copy_from_root(threads_slot *slot, int rank)
{
    if (rank != slot->root) {
        copy(slot->entries[rank].out, slot->entries[slot->root].out, (size_t)slot->count);
    }
}

static void copy_to_root(threads_slot *slot, int rank)
{
    size_t bytes = (size_t)slot->count;
    copy((char *)slot->entries[0].out + (size_t)rank * bytes, slot->entries[rank].in, bytes);
}

static void copy_from_all(threads_slot *slot, int rank)
{
    size_t bytes = (size_t)slot->count;
    for (int r = 0; r < slot->group->ranks; r++) {
        copy((char *)slot->entries[rank].out + (size_t)r * bytes, slot->entries[r].in, bytes);
    }
}

static void copy_own_blocks(threads_slot *slot, int rank)
{
    size_t bytes = (size_t)slot->count;
    for (int r = 0; r < slot->group->ranks; r++) {
        copy((char *)slot->entries[rank].out + (size_t)r * bytes,
             (const char *)slot->entries[r].in + (size_t)rank * bytes, bytes);
    }
}

/* ---- slots ----------------------------------------------------------------------------------- */

/* Ends the operation for all ranks, and frees the slot for another. */
static void complete(threads_slot *slot, unsigned state)
{
    for (int r = 0; r < slot->group->ranks; r++) {
        halo_threads_finish(slot->entries[r].request, state);
    }
    SYNC_STORE(&slot->arrived, 0, release); /* for halo_threads_leave */
    SYNC_ADD(&slot->turn, 1, release);
}

void halo_threads_take_part(threads_request *request)
{
    threads_slot *slot = request->slot;
    atomic_store_explicit(&request->state, THREADS_OPEN, memory_order_relaxed);
    SYNC_ADD(&request->owner->parts, -1, relaxed);
    slot->part(slot, request->rank);
    if (SYNC_ADD(&slot->left, -1, acq_rel) == 1) {
        complete(slot, THREADS_DONE);
    }
}

/* Called by the last rank that comes. After the parts have been shared out the slot may be another
 * operation's at any moment. */
static void work(threads_slot *slot, int64_t bytes)
{
    int ranks = slot->group->ranks;
    if (bytes > THREADS_FOR_ALL && ranks > 1) {
        SYNC_STORE(&slot->left, ranks, relaxed);
        for (int r = 0; r < ranks; r++) {
            SYNC_ADD(&slot->entries[r].request->owner->parts, 1, relaxed);
            halo_threads_finish(slot->entries[r].request, THREADS_PART);
        }
        return;
    }
    for (int r = 0; r < ranks; r++) {
        slot->part(slot, r);
    }
    complete(slot, THREADS_DONE);
}

/* A slot is mostly free: it was used THREADS_RING operations ago. */
static halo_status await_turn(threads_end *end, threads_slot *slot, unsigned turn)
{
    while (SYNC_LOAD(&slot->turn, acquire) != turn) {
        HALO_TRY(halo_threads_go_on(end->self));
        halo_sync_yield();
    }
    return HALO_OK;
}

typedef struct {
    threads_part *part;
    int count, root;
    halo_reduction reduction;
    int64_t bytes; /* that all ranks together read and write, about */
} operation;

static halo_status begin(halo_endpoint *base, const operation *o, const void *in, void *out,
                         halo_request *request)
{
    threads_end *end = (threads_end *)base;
    unsigned number = end->collectives++;
    threads_slot *slot = &end->group->slots[number % THREADS_RING];
    *request = HALO_NO_REQUEST;
    HALO_TRY(await_turn(end, slot, number / THREADS_RING));
    threads_request *mine = halo_threads_request(end->self);
    if (mine == NULL) {
        return halo_threads_fail_memory(end->self, "an operation of all ranks");
    }
    *request = threads_handle(mine);
    mine->slot = slot;
    mine->rank = base->rank;
    slot->entries[base->rank] = (threads_entry){.in = in, .out = out, .request = mine};
    if (SYNC_ADD(&slot->arrived, 1, acq_rel) == base->ranks - 1) {
        slot->part = o->part;
        slot->count = o->count;
        slot->root = o->root;
        slot->reduction = o->reduction;
        work(slot, o->bytes);
    }
    return HALO_OK;
}

/* Does not hold any more that all will arrive? */
static bool give_up(threads_slot *slot)
{
    int seen = SYNC_LOAD(&slot->arrived, acquire);
    while (seen < slot->group->ranks &&
           !SYNC_SWAP_WEAK(&slot->arrived, &seen, seen | LEFT, acq_rel)) {
    }
    return seen != slot->group->ranks;
}

bool halo_threads_leave(threads_request *request)
{
    unsigned state = SYNC_LOAD(&request->state, acquire);
    if (state == THREADS_PART) {
        halo_threads_take_part(request);
        state = SYNC_LOAD(&request->state, acquire);
    }
    if (state == THREADS_OPEN && give_up(request->slot)) {
        /* If the operation has ended in between, this was the slot of another one. */
        state = SYNC_LOAD(&request->state, acquire);
        if (state == THREADS_OPEN) {
            state = THREADS_WITHDRAWN;
            atomic_store_explicit(&request->state, state, memory_order_relaxed);
        }
    }
    return state != THREADS_OPEN;
}

/* ---- operations ------------------------------------------------------------------------------ */

static int64_t all_bytes(const halo_endpoint *end, int64_t each)
{
    return end->ranks * each;
}

halo_status halo_threads_iallreduce(halo_endpoint *end, const int64_t *mine, int64_t *all,
                                    int count, halo_reduction reduction, halo_request *request)
{
    if (((threads_end *)end)->group->shown != NULL && count <= THREADS_NUMBERS) {
        return halo_threads_show((threads_end *)end, mine, all, count, reduction, request);
    }
    int64_t bytes = all_bytes(end, count * (int64_t)sizeof *mine);
    const operation o = {.part = reduce, .count = count, .reduction = reduction, .bytes = bytes};
    return begin(end, &o, mine, all, request);
}

halo_status halo_threads_iexscan(halo_endpoint *end, int64_t *values, int count,
                                 halo_request *request)
{
    int64_t bytes = all_bytes(end, count * (int64_t)sizeof *values);
    const operation o = {.part = sum_below, .count = count, .bytes = bytes};
    return begin(end, &o, values, values, request);
}

halo_status halo_threads_ibcast(halo_endpoint *end, void *data, int bytes, int root,
                                halo_request *request)
{
    const operation o = {
        .part = copy_from_root, .count = bytes, .root = root, .bytes = all_bytes(end, bytes)};
    return begin(end, &o, data, data, request);
}

halo_status halo_threads_igather(halo_endpoint *end, const void *mine, int bytes, void *all,
                                 halo_request *request)
{
    const operation o = {.part = copy_to_root, .count = bytes, .bytes = all_bytes(end, bytes)};
    return begin(end, &o, mine, all, request);
}

halo_status halo_threads_iallgather(halo_endpoint *end, const void *mine, int bytes, void *all,
                                    halo_request *request)
{
    const operation o = {
        .part = copy_from_all, .count = bytes, .bytes = end->ranks * all_bytes(end, bytes)};
    return begin(end, &o, mine, all, request);
}

halo_status halo_threads_ialltoall(halo_endpoint *end, const void *mine, int bytes, void *theirs,
                                   halo_request *request)
{
    const operation o = {
        .part = copy_own_blocks, .count = bytes, .bytes = end->ranks * all_bytes(end, bytes)};
    return begin(end, &o, mine, theirs, request);
}

halo_status halo_threads_begin(halo_endpoint *end, const void *in, void *out, threads_part *part,
                               halo_request *request)
{
    const operation o = {.part = part};
    return begin(end, &o, in, out, request);
}
