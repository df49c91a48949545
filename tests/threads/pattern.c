#include "threads/pattern_part.h"

#include "core/world/world_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 9000, SMALL = 3000 };

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
        m->tag = (int)pattern_random(&random, PATTERN_TAGS);
        m->to = (int)pattern_random(&random, (uint64_t)p->ranks);
        m->from = m->tag == PATTERN_MIXED ? (m->to + 2) % p->ranks
                                          : (int)pattern_random(&random, (uint64_t)p->ranks);
        m->within = m->within && m->from % 2 == m->to % 2;
        m->bytes = choose_bytes(&random) % p->most_bytes;
        m->matched = pattern_random(&random, 4) == 0;
        m->sequence = number_of(p, m, i);
    }
    for (int i = 0; i < p->operations; i++) {
        pattern_operation *o = &p->operation[i];
        o->kind = (int)pattern_random(&random, PATTERN_KINDS);
        o->within = pattern_random(&random, 3) == 0;
        o->count = 1 + (int)pattern_random(&random, pattern_random(&random, 4) == 0 && !small
                                                        ? PATTERN_NUMBERS
                                                        : 8);
        o->root = (int)pattern_random(&random, (uint64_t)p->ranks);
    }
}

/* ---- in a random order ----------------------------------------------------------------------- */

void pattern_wrong(pattern_part *at, const char *what, int64_t number)
{
    atomic_fetch_add(&at->p->wrong, 1);
    fprintf(stderr, "seed %" PRIu64 ", rank %d of %d: %s (%" PRId64 ")\n", at->p->seed, at->rank,
            at->p->ranks, what, number);
}

halo_world *pattern_world_of(const pattern_part *at, bool within)
{
    return within ? at->half : at->world;
}

/* One of the receives that have been posted, or a send, or an operation, is tested. */
static halo_status test_some(pattern_part *at)
{
    bool complete;
    uint64_t which = pattern_random(&at->random, 3);
    if (which == 0 && at->send_count > 0) {
        int i = (int)pattern_random(&at->random, (uint64_t)at->send_count);
        HALO_TRY(halo_test(at->world, &at->sends[i], &complete));
        if (complete) { /* its memory is this rank's again */
            memset(at->sent[i], 0x55, sizeof(pattern_head));
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

static halo_status do_all(pattern_part *at)
{
    enum { UNDER_WAY = 12 }; /* fewer than may be, so that slots are used again */
    int posted = 0;
    while (at->next_message < at->p->messages || posted < at->receive_count ||
           at->begun < at->p->operations) {
        uint64_t what = pattern_random(&at->random, 8);
        if (what < 3 && at->next_message < at->p->messages) {
            HALO_TRY(pattern_send_next(at));
        } else if (what < 6 && posted < at->receive_count) {
            HALO_TRY(pattern_post_receive(at, &at->receives[posted++]));
        } else if (what == 6 && at->begun < at->p->operations) {
            HALO_TRY(pattern_begin_operation(at));
            HALO_TRY(pattern_wait_operations(at, UNDER_WAY));
        } else {
            HALO_TRY(test_some(at));
        }
        if (at->p->breaking == at->rank && pattern_random(&at->random, 40) == 0) {
            return halo_world_fail(at->world, halo_fail(HALO_FORMAT, "broken on purpose"));
        }
    }
    return HALO_OK;
}

static halo_status finish(pattern_part *at)
{
    HALO_TRY(pattern_random(&at->random, 2) == 0 ? halo_wait(at->world, at->send_count, at->sends)
                                                 : HALO_OK);
    HALO_TRY(pattern_wait_receives(at));
    HALO_TRY(halo_wait(at->world, at->send_count, at->sends));
    HALO_TRY(pattern_wait_operations(at, 0));
    for (int i = 0; i < at->receive_count; i++) {
        pattern_check_receive(at, &at->receives[i]);
    }
    pattern_check_order(at);
    for (int i = 0; i < at->begun; i++) {
        pattern_check_operation(at, i);
    }
    return pattern_race(at);
}

/* A message that has come is whole though the team is broken: its sender has not gone before. */
static void check_broken(pattern_part *at)
{
    for (int i = 0; i < at->receive_count; i++) {
        pattern_receive *r = &at->receives[i];
        int magic = 0;
        if (r->posted) {
            memcpy(&magic, r->data, sizeof magic);
        }
        if (magic != 0) {
            r->bytes = -1;
            pattern_check_receive(at, r);
        }
    }
}

/* Memory is overwritten before it is freed: nobody else may use it any more. */
static void free_part(pattern_part *at)
{
    for (int i = 0; i < at->send_count; i++) {
        memset(at->sent[i], 0x66, sizeof(pattern_head));
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
    pattern_part *at = calloc(1, sizeof *at);
    at->p = context;
    at->world = world;
    at->rank = halo_world_rank(world);
    at->random = (at->p->seed * PATTERN_RANKS + (uint64_t)at->rank) * 2685821657736338717U + 1;
    const halo_world_options options = {.wait = halo_world_wait_policy(world)};
    halo_status status = halo_world_split(&at->half, world, at->rank % 2, &options);
    if (status == HALO_OK) {
        at->half->policy = world->policy;
        pattern_list_receives(at);
        status = do_all(at);
    }
    if (status == HALO_OK) {
        status = finish(at);
    }
    if (status != HALO_OK) {
        check_broken(at);
        atomic_fetch_add(&at->p->broken, 1);
        if (at->p->breaking < 0) {
            pattern_wrong(at, halo_last_message(), 0);
        }
    }
    free_part(at);
    return status;
}
