#include "threads/pattern_part.h"

#include "core/transport/transport.h"
#include "core/world/world_internal.h"

#include <stdlib.h>
#include <string.h>

static int64_t value_of(int rank, int number, int i)
{
    return (int64_t)(rank + 1) * (number + 3) + i;
}

halo_status pattern_begin_operation(pattern_part *at)
{
    int number = at->begun++;
    const pattern_operation *o = &at->p->operation[number];
    pattern_begun *mine = &at->operations[number];
    halo_world *world = pattern_world_of(at, o->within);
    const halo_transport *transport = world->transport;
    int ranks = world->end->ranks, rank = world->end->rank, root = o->root % ranks;
    int blocks = o->kind == PATTERN_ALLTOALL ? ranks : 1, bytes = o->count * (int)sizeof(int64_t);
    mine->in = malloc((size_t)(bytes * blocks));
    mine->out = calloc((size_t)(ranks * o->count), sizeof *mine->out);
    for (int i = 0; i < o->count * blocks; i++) {
        mine->in[i] = value_of(rank, number, i);
    }
    switch (o->kind) {
    case PATTERN_SUM:
        memcpy(mine->out, mine->in, (size_t)bytes);
        return transport->iallreduce(world->end, mine->out, mine->out, o->count, HALO_REDUCE_SUM,
                                     &mine->request);
    case PATTERN_MAX:
        return transport->iallreduce(world->end, mine->in, mine->out, o->count, HALO_REDUCE_MAX,
                                     &mine->request);
    case PATTERN_SCAN:
        return transport->iexscan(world->end, mine->in, o->count, &mine->request);
    case PATTERN_BCAST:
        return transport->ibcast(world->end, mine->in, bytes, root, &mine->request);
    case PATTERN_GATHER:
        return transport->igather(world->end, mine->in, bytes, mine->out, &mine->request);
    case PATTERN_ALLGATHER:
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
    case PATTERN_SUM:
    case PATTERN_SCAN:
        for (int r = 0; r < (o->kind == PATTERN_SUM ? ranks : rank); r++) {
            sum += value_of(r, number, i);
        }
        return sum;
    case PATTERN_MAX:
        return value_of(ranks - 1, number, i);
    case PATTERN_BCAST:
        return value_of(o->root % ranks, number, i);
    case PATTERN_ALLTOALL:
        return value_of(other, number, rank * o->count + i);
    default:
        return value_of(other, number, i);
    }
}

void pattern_check_operation(pattern_part *at, int number)
{
    const pattern_operation *o = &at->p->operation[number];
    const pattern_begun *mine = &at->operations[number];
    const halo_world *world = pattern_world_of(at, o->within);
    int ranks = world->end->ranks, rank = world->end->rank;
    bool in_place = o->kind == PATTERN_SCAN || o->kind == PATTERN_BCAST;
    bool blocks =
        o->kind == PATTERN_GATHER || o->kind == PATTERN_ALLGATHER || o->kind == PATTERN_ALLTOALL;
    if ((o->kind == PATTERN_GATHER || o->kind == PATTERN_SCAN) &&
        (rank == 0) != (o->kind == PATTERN_GATHER)) {
        return; /* nothing comes of it here */
    }
    const int64_t *got = in_place ? mine->in : mine->out;
    for (int r = 0; r < (blocks ? ranks : 1); r++) {
        for (int i = 0; i < o->count; i++) {
            if (got[r * o->count + i] != expected(o, number, ranks, rank, r, i)) {
                pattern_wrong(at, "an operation of all ranks", o->kind);
                return;
            }
        }
    }
}

halo_status pattern_wait_operations(pattern_part *at, int left)
{
    for (int i = 0; i < at->begun - left; i++) {
        HALO_TRY(halo_wait(at->world, 1, &at->operations[i].request));
    }
    return HALO_OK;
}
