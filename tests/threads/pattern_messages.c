#include "threads/pattern_part.h"

#include "core/world/world_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MAGIC = 4711, LONELY = 9, RACE = 10 };

/* A rank of the world in the world of every other rank. */
static int rank_in(int rank, bool within)
{
    return within ? rank / 2 : rank;
}

static char byte_of(const pattern_head *h, int i)
{
    return (char)(h->from * 31 + h->to * 7 + h->tag * 3 + h->sequence + i);
}

static size_t size_of(const pattern_message *m)
{
    return sizeof(pattern_head) + (size_t)m->bytes;
}

halo_status pattern_send_next(pattern_part *at)
{
    const pattern_message *m = &at->p->message[at->next_message++];
    if (m->from != at->rank) {
        return HALO_OK;
    }
    int i = at->send_count++;
    const pattern_head h = {MAGIC, m->from, m->to, m->tag, m->sequence, m->bytes};
    at->sent[i] = malloc(size_of(m));
    memcpy(at->sent[i], &h, sizeof h);
    for (int b = 0; b < m->bytes; b++) {
        at->sent[i][sizeof h + (size_t)b] = byte_of(&h, b);
    }
    halo_world *world = pattern_world_of(at, m->within);
    int to = rank_in(m->to, m->within);
    return m->matched ? halo_issend(world, at->sent[i], (int)size_of(m), to, m->tag, &at->sends[i])
                      : halo_isend(world, at->sent[i], (int)size_of(m), to, m->tag, &at->sends[i]);
}

void pattern_list_receives(pattern_part *at)
{
    for (int i = 0; i < at->p->messages; i++) {
        if (at->p->message[i].to == at->rank) {
            at->receives[at->receive_count++] = (pattern_receive){.message = &at->p->message[i]};
        }
    }
    for (int i = at->receive_count - 1; i > 0; i--) {
        int other = (int)pattern_random(&at->random, (uint64_t)i + 1);
        pattern_receive kept = at->receives[i];
        at->receives[i] = at->receives[other];
        at->receives[other] = kept;
    }
    for (int i = 0; i < at->receive_count; i++) {
        int tag = at->receives[i].message->tag;
        at->receives[i].exact =
            tag == PATTERN_MIXED ? pattern_random(&at->random, 2) == 0 : tag != PATTERN_ANY;
    }
}

halo_status pattern_post_receive(pattern_part *at, pattern_receive *r)
{
    const pattern_message *m = r->message;
    int from = r->exact ? rank_in(m->from, m->within) : HALO_ANY_SOURCE;
    int room = (int)sizeof(pattern_head) + at->p->most_bytes;
    r->data = calloc(1, (size_t)room);
    r->posted = true;
    return halo_irecv(pattern_world_of(at, m->within), r->data, room, from, m->tag, &r->request);
}

void pattern_check_receive(pattern_part *at, const pattern_receive *r)
{
    pattern_head h;
    const pattern_message *m = r->message;
    memcpy(&h, r->data, sizeof h);
    if (h.magic != MAGIC || h.to != at->rank || h.tag != m->tag ||
        (r->exact && h.from != m->from) || (r->bytes >= 0 && r->bytes != (int)sizeof h + h.bytes)) {
        pattern_wrong(at, "a message that was not asked for", h.from);
        return;
    }
    for (int b = 0; b < h.bytes; b++) {
        if (r->data[sizeof h + (size_t)b] != byte_of(&h, b)) {
            pattern_wrong(at, "a damaged message", b);
            return;
        }
    }
}

void pattern_check_order(pattern_part *at)
{
    for (int i = 0; i < at->receive_count; i++) {
        pattern_head one, other;
        memcpy(&one, at->receives[i].data, sizeof one);
        for (int k = i + 1; k < at->receive_count; k++) {
            memcpy(&other, at->receives[k].data, sizeof other);
            bool alike = one.from == other.from && one.tag == other.tag &&
                         at->receives[i].message->within == at->receives[k].message->within;
            if (alike && one.sequence >= other.sequence) {
                pattern_wrong(at, "a message out of order", other.sequence);
            }
        }
    }
}

halo_status pattern_wait_receives(pattern_part *at)
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

halo_status pattern_race(pattern_part *at)
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
        pattern_wrong(at, "a message that was lost", got);
    }
    return HALO_OK;
}
