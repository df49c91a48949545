#include "threads/pattern.h"

#include "core/transport/transport.h"
#include "core/world/collect.h"
#include "core/world/world_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The tag of a receive says whether it is for one source or for any; those with MIXED are both in
 * turn, of messages that all come from one rank, so that the order of the lists of both kinds is
 * seen. */
enum { EXACT = 0, EXACT_TOO = 1, ANY = 2, MIXED = 3, TAGS = 4, LONELY = 9, RACE = 10 };
enum { LARGEST = 9000, SMALL = 3000 };
enum { SUM, MAX, SCAN, BCAST, GATHER, ALLGATHER, ALLTOALL, KINDS };

/* xorshift64*, of Vigna (2016). */
uint64_t pattern_random(uint64_t *state, uint64_t below)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (*state * 2685821657736338717U >> 33) % below;
}

/* ---- the pattern ----------------------------------------------------------------------------- */

static int choose_bytes(uint64_t *random)
{
    static const int most[] = {1, 100, 600, 4200, LARGEST};
    return (int)pattern_random(random, (uint64_t)most[pattern_random(random, 5)]);
}

static int number_of(const pattern *p, const pattern_message *m, int before)
{
    int sequence = 0;
    for (int i = 0; i < before; i++) {
        const pattern_message *o = &p->message[i];
        sequence +=
            o->from == m->from && o->to == m->to && o->tag == m->tag && o->within == m->within;
    }
    return sequence;
}

void pattern_make(pattern *p, uint64_t seed, int most_ranks, bool small)
{
    uint64_t random = seed * 2862933555777941757ULL + 3037000493ULL;
    memset(p, 0, sizeof *p);
    p->seed = seed;
    p->ranks = 1 + (int)pattern_random(&random, (uint64_t)most_ranks);
    p->messages = (int)pattern_random(&random, small ? 8 : PATTERN_MESSAGES + 1);
    p->most_bytes = seed % 2 == 0 ? SMALL : LARGEST;
    p->operations = (int)pattern_random(&random, small ? 7 : PATTERN_OPERATIONS + 1);
    p->breaking =
        pattern_random(&random, 8) == 0 ? (int)pattern_random(&random, (uint64_t)p->ranks) : -1;
    for (int i = 0; i < p->messages; i++) {
        pattern_message *m = &p->message[i];
        m->within = pattern_random(&random, 4) == 0;
        m->tag = (int)pattern_random(&random, TAGS);
        m->to = (int)pattern_random(&random, (uint64_t)p->ranks);
        m->from = m->tag == MIXED ? (m->to + 2) % p->ranks
                                  : (int)pattern_random(&random, (uint64_t)p->ranks);
        m->within = m->within && m->from % 2 == m->to % 2;
        m->bytes = choose_bytes(&random) % p->most_bytes;
        m->matched = pattern_random(&random, 4) == 0;
        m->sequence = number_of(p, m, i);
    }
    for (int i = 0; i < p->operations; i++) {
        pattern_operation *o = &p->operation[i];
        o->kind = (int)pattern_random(&random, KINDS);
        o->within = pattern_random(&random, 3) == 0;
        o->count = 1 + (int)pattern_random(&random, pattern_random(&random, 4) == 0 && !small
                                                        ? PATTERN_NUMBERS
                                                        : 8);
        o->root = (int)pattern_random(&random, (uint64_t)p->ranks);
    }
}

/* ---- one rank's part ------------------------------------------------------------------------- */

typedef struct {
    const pattern_message *message; /* one that could come; those of a kind are alike */
    halo_request request;
    char *data;
    int bytes;  /* that came */
    bool exact; /* asks for the source */
    bool posted;
} receive;

typedef struct {
    halo_request request;
    int64_t *in, *out;
} operation;

typedef struct {
    pattern *p;
    halo_world *world, *half; /* of all; of the odd or the even ranks */
    int rank;
    uint64_t random;
    halo_request sends[PATTERN_MESSAGES];
    char *sent[PATTERN_MESSAGES];
    receive receives[PATTERN_MESSAGES];
    operation operations[PATTERN_OPERATIONS];
    int send_count, receive_count, begun; /* begun: operations */
    int next_message;
} part;

typedef struct {
    int magic, from, to, tag, sequence, bytes;
} head;

enum { MAGIC = 4711 };

static void wrong(part *at, const char *what, int64_t number)
{
    atomic_fetch_add(&at->p->wrong, 1);
    fprintf(stderr, "seed %" PRIu64 ", rank %d of %d: %s (%" PRId64 ")\n", at->p->seed, at->rank,
            at->p->ranks, what, number);
}

static halo_world *world_of(const part *at, bool within)
{
    return within ? at->half : at->world;
}

/* A rank of the world in the world of every other rank. */
static int rank_in(int rank, bool within)
{
    return within ? rank / 2 : rank;
}

static char byte_of(const head *h, int i)
{
    return (char)(h->from * 31 + h->to * 7 + h->tag * 3 + h->sequence + i);
}

static size_t size_of(const pattern_message *m)
{
    return sizeof(head) + (size_t)m->bytes;
}

static halo_status send_next(part *at)
{
    const pattern_message *m = &at->p->message[at->next_message++];
    if (m->from != at->rank) {
        return HALO_OK;
    }
    int i = at->send_count++;
    const head h = {MAGIC, m->from, m->to, m->tag, m->sequence, m->bytes};
    at->sent[i] = malloc(size_of(m));
    memcpy(at->sent[i], &h, sizeof h);
    for (int b = 0; b < m->bytes; b++) {
        at->sent[i][sizeof h + (size_t)b] = byte_of(&h, b);
    }
    halo_world *world = world_of(at, m->within);
    int to = rank_in(m->to, m->within);
    return m->matched ? halo_issend(world, at->sent[i], (int)size_of(m), to, m->tag, &at->sends[i])
                      : halo_isend(world, at->sent[i], (int)size_of(m), to, m->tag, &at->sends[i]);
}

static void list_receives(part *at)
{
    for (int i = 0; i < at->p->messages; i++) {
        if (at->p->message[i].to == at->rank) {
            at->receives[at->receive_count++] = (receive){.message = &at->p->message[i]};
        }
    }
    for (int i = at->receive_count - 1; i > 0; i--) {
        int other = (int)pattern_random(&at->random, (uint64_t)i + 1);
        receive kept = at->receives[i];
        at->receives[i] = at->receives[other];
        at->receives[other] = kept;
    }
    for (int i = 0; i < at->receive_count; i++) {
        int tag = at->receives[i].message->tag;
        at->receives[i].exact = tag == MIXED ? pattern_random(&at->random, 2) == 0 : tag != ANY;
    }
}

static halo_status post_receive(part *at, receive *r)
{
    const pattern_message *m = r->message;
    int from = r->exact ? rank_in(m->from, m->within) : HALO_ANY_SOURCE;
    int room = (int)sizeof(head) + at->p->most_bytes;
    r->data = calloc(1, (size_t)room);
    r->posted = true;
    return halo_irecv(world_of(at, m->within), r->data, room, from, m->tag, &r->request);
}

/* The message that came is one of the messages that the receive is for. */
static void check_receive(part *at, const receive *r)
{
    head h;
    const pattern_message *m = r->message;
    memcpy(&h, r->data, sizeof h);
    if (h.magic != MAGIC || h.to != at->rank || h.tag != m->tag ||
        (r->exact && h.from != m->from) || (r->bytes >= 0 && r->bytes != (int)sizeof h + h.bytes)) {
        wrong(at, "a message that was not asked for", h.from);
        return;
    }
    for (int b = 0; b < h.bytes; b++) {
        if (r->data[sizeof h + (size_t)b] != byte_of(&h, b)) {
            wrong(at, "a damaged message", b);
            return;
        }
    }
}

/* Messages from one rank with one tag have come in the order in which they were sent, to receives
 * in the order in which those were posted. */
static void check_order(part *at)
{
    for (int i = 0; i < at->receive_count; i++) {
        head one, other;
        memcpy(&one, at->receives[i].data, sizeof one);
        for (int k = i + 1; k < at->receive_count; k++) {
            memcpy(&other, at->receives[k].data, sizeof other);
            bool alike = one.from == other.from && one.tag == other.tag &&
                         at->receives[i].message->within == at->receives[k].message->within;
            if (alike && one.sequence >= other.sequence) {
                wrong(at, "a message out of order", other.sequence);
            }
        }
    }
}

/* ---- operations ------------------------------------------------------------------------------ */

static int64_t value_of(int rank, int number, int i)
{
    return (int64_t)(rank + 1) * (number + 3) + i;
}

static halo_status begin_operation(part *at)
{
    int number = at->begun++;
    const pattern_operation *o = &at->p->operation[number];
    operation *mine = &at->operations[number];
    halo_world *world = world_of(at, o->within);
    const halo_transport *transport = world->transport;
    int ranks = world->end->ranks, rank = world->end->rank, root = o->root % ranks;
    int blocks = o->kind == ALLTOALL ? ranks : 1, bytes = o->count * (int)sizeof(int64_t);
    mine->in = malloc((size_t)(bytes * blocks));
    mine->out = calloc((size_t)(ranks * o->count), sizeof *mine->out);
    for (int i = 0; i < o->count * blocks; i++) {
        mine->in[i] = value_of(rank, number, i);
    }
    switch (o->kind) {
    case SUM:
        memcpy(mine->out, mine->in, (size_t)bytes);
        return transport->iallreduce(world->end, mine->out, mine->out, o->count, HALO_REDUCE_SUM,
                                     &mine->request);
    case MAX:
        return transport->iallreduce(world->end, mine->in, mine->out, o->count, HALO_REDUCE_MAX,
                                     &mine->request);
    case SCAN:
        return transport->iexscan(world->end, mine->in, o->count, &mine->request);
    case BCAST:
        return transport->ibcast(world->end, mine->in, bytes, root, &mine->request);
    case GATHER:
        return transport->igather(world->end, mine->in, bytes, mine->out, &mine->request);
    case ALLGATHER:
        return transport->iallgather(world->end, mine->in, bytes, mine->out, &mine->request);
    default:
        return transport->ialltoall(world->end, mine->in, bytes, mine->out, &mine->request);
    }
}

/* The number that an operation must give at place `i` of the block that rank `other` has given. */
static int64_t expected(const pattern_operation *o, int number, int ranks, int rank, int other,
                        int i)
{
    int64_t sum = 0;
    switch (o->kind) {
    case SUM:
    case SCAN:
        for (int r = 0; r < (o->kind == SUM ? ranks : rank); r++) {
            sum += value_of(r, number, i);
        }
        return sum;
    case MAX:
        return value_of(ranks - 1, number, i);
    case BCAST:
        return value_of(o->root % ranks, number, i);
    case ALLTOALL:
        return value_of(other, number, rank * o->count + i);
    default:
        return value_of(other, number, i);
    }
}

static void check_operation(part *at, int number)
{
    const pattern_operation *o = &at->p->operation[number];
    const operation *mine = &at->operations[number];
    const halo_world *world = world_of(at, o->within);
    int ranks = world->end->ranks, rank = world->end->rank;
    bool in_place = o->kind == SCAN || o->kind == BCAST;
    bool blocks = o->kind == GATHER || o->kind == ALLGATHER || o->kind == ALLTOALL;
    if ((o->kind == GATHER || o->kind == SCAN) && (rank == 0) != (o->kind == GATHER)) {
        return; /* nothing comes of it here */
    }
    const int64_t *got = in_place ? mine->in : mine->out;
    for (int r = 0; r < (blocks ? ranks : 1); r++) {
        for (int i = 0; i < o->count; i++) {
            if (got[r * o->count + i] != expected(o, number, ranks, rank, r, i)) {
                wrong(at, "an operation of all ranks", o->kind);
                return;
            }
        }
    }
}

/* ---- in a random order ----------------------------------------------------------------------- */

/* One of the receives that have been posted, or a send, or an operation, is tested. */
static halo_status test_some(part *at)
{
    bool complete;
    uint64_t which = pattern_random(&at->random, 3);
    if (which == 0 && at->send_count > 0) {
        int i = (int)pattern_random(&at->random, (uint64_t)at->send_count);
        HALO_TRY(halo_test(at->world, &at->sends[i], &complete));
        if (complete) { /* its memory is this rank's again */
            memset(at->sent[i], 0x55, sizeof(head));
        }
    } else if (which == 1 && at->receive_count > 0) {
        int i = (int)pattern_random(&at->random, (uint64_t)at->receive_count);
        if (at->receives[i].posted) {
            return halo_test(at->world, &at->receives[i].request, &complete);
        }
    } else if (which == 2 && at->begun > 0) {
        int i = (int)pattern_random(&at->random, (uint64_t)at->begun);
        return halo_test(at->world, &at->operations[i].request, &complete);
    }
    return HALO_OK;
}

/* At most so many operations may be under way; here fewer, so that slots are used again. */
static halo_status wait_operations(part *at, int left)
{
    for (int i = 0; i < at->begun - left; i++) {
        HALO_TRY(halo_wait(at->world, 1, &at->operations[i].request));
    }
    return HALO_OK;
}

static halo_status do_all(part *at)
{
    enum { UNDER_WAY = 12 };
    int posted = 0;
    while (at->next_message < at->p->messages || posted < at->receive_count ||
           at->begun < at->p->operations) {
        uint64_t what = pattern_random(&at->random, 8);
        if (what < 3 && at->next_message < at->p->messages) {
            HALO_TRY(send_next(at));
        } else if (what < 6 && posted < at->receive_count) {
            HALO_TRY(post_receive(at, &at->receives[posted++]));
        } else if (what == 6 && at->begun < at->p->operations) {
            HALO_TRY(begin_operation(at));
            HALO_TRY(wait_operations(at, UNDER_WAY));
        } else {
            HALO_TRY(test_some(at));
        }
        if (at->p->breaking == at->rank && pattern_random(&at->random, 40) == 0) {
            return halo_world_fail(at->world, halo_fail(HALO_FORMAT, "broken on purpose"));
        }
    }
    return HALO_OK;
}

/* A receive that nobody sends to; and one that is taken back while its message may come. */
static halo_status race(part *at)
{
    int64_t never = 0, got = -1, mine = at->rank;
    int left = (at->rank + at->p->ranks - 1) % at->p->ranks;
    int right = (at->rank + 1) % at->p->ranks;
    halo_request lonely, raced, sent;
    HALO_TRY(halo_irecv(at->world, &never, sizeof never, HALO_ANY_SOURCE, LONELY, &lonely));
    HALO_TRY(halo_irecv(at->world, &got, sizeof got, left, RACE, &raced));
    if (pattern_random(&at->random, 4) == 0) {
        halo_cancel(at->world, &raced); /* nothing was done in between */
    }
    HALO_TRY(halo_isend(at->world, &mine, sizeof mine, right, RACE, &sent));
    halo_cancel(at->world, &raced);
    halo_cancel(at->world, &lonely);
    HALO_TRY(halo_wait(at->world, 1, &sent));
    if (got == -1) { /* it was taken back in time, so the message is still to come */
        HALO_TRY(halo_irecv(at->world, &got, sizeof got, left, RACE, &raced));
        HALO_TRY(halo_wait(at->world, 1, &raced));
    }
    if (got != left) {
        wrong(at, "a message that was lost", got);
    }
    return HALO_OK;
}

static halo_status wait_receives(part *at)
{
    halo_request left[PATTERN_MESSAGES];
    for (int i = 0; i < at->receive_count; i++) {
        left[i] = at->receives[i].request;
        at->receives[i].bytes = -1;
    }
    bool any = pattern_random(&at->random, 2) == 0;
    halo_status status = HALO_OK;
    for (int i = 0; i < at->receive_count && status == HALO_OK; i++) {
        int open = 0, index = i, bytes = -1;
        for (int k = 0; k < at->receive_count; k++) {
            open += halo_request_is_set(left[k]);
        }
        if (any && open > 0) {
            status = halo_wait_any(at->world, at->receive_count, left, &index, &bytes);
            at->receives[status == HALO_OK ? index : i].bytes = bytes;
        } else if (!any) {
            status = halo_wait(at->world, 1, &left[i]);
        }
    }
    for (int i = 0; i < at->receive_count; i++) {
        at->receives[i].request = left[i];
    }
    return status;
}

static halo_status finish(part *at)
{
    HALO_TRY(pattern_random(&at->random, 2) == 0 ? halo_wait(at->world, at->send_count, at->sends)
                                                 : HALO_OK);
    HALO_TRY(wait_receives(at));
    HALO_TRY(halo_wait(at->world, at->send_count, at->sends));
    HALO_TRY(wait_operations(at, 0));
    for (int i = 0; i < at->receive_count; i++) {
        check_receive(at, &at->receives[i]);
    }
    check_order(at);
    for (int i = 0; i < at->begun; i++) {
        check_operation(at, i);
    }
    return race(at);
}

/* A message that has come is whole though the team is broken: its sender has not gone before. */
static void check_broken(part *at)
{
    for (int i = 0; i < at->receive_count; i++) {
        receive *r = &at->receives[i];
        int magic = 0;
        if (r->posted) {
            memcpy(&magic, r->data, sizeof magic);
        }
        if (magic != 0) {
            r->bytes = -1;
            check_receive(at, r);
        }
    }
}

/* Memory is overwritten before it is freed: nobody else may use it any more. */
static void free_part(part *at)
{
    for (int i = 0; i < at->send_count; i++) {
        memset(at->sent[i], 0x66, sizeof(head));
    }
    for (int i = 0; i < at->send_count; i++) {
        free(at->sent[i]);
    }
    for (int i = 0; i < at->receive_count; i++) {
        free(at->receives[i].data);
    }
    for (int i = 0; i < at->begun; i++) {
        free(at->operations[i].in);
        free(at->operations[i].out);
    }
    halo_world_destroy(&at->half);
    free(at);
}

halo_status pattern_run(halo_world *world, void *context)
{
    part *at = calloc(1, sizeof *at);
    at->p = context;
    at->world = world;
    at->rank = halo_world_rank(world);
    at->random = (at->p->seed * PATTERN_RANKS + (uint64_t)at->rank) * 2685821657736338717U + 1;
    const halo_world_options options = {.wait = halo_world_wait_policy(world)};
    halo_status status = halo_world_split(&at->half, world, at->rank % 2, &options);
    if (status == HALO_OK) {
        at->half->policy = world->policy;
        list_receives(at);
        status = do_all(at);
    }
    if (status == HALO_OK) {
        status = finish(at);
    }
    if (status != HALO_OK) {
        check_broken(at);
        atomic_fetch_add(&at->p->broken, 1);
        if (at->p->breaking < 0) {
            wrong(at, halo_last_message(), 0);
        }
    }
    free_part(at);
    return status;
}
