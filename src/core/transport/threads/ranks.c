#include "base/cores.h"
#include "core/transport/threads/threads_internal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- teams ----------------------------------------------------------------------------------- */

threads_team *halo_threads_team_create(int ranks)
{
    threads_team *team = calloc(1, sizeof *team);
    threads_rank *rank = aligned_alloc(SYNC_LINE, (size_t)ranks * sizeof *rank);
    threads_rank **members = calloc((size_t)ranks, sizeof(threads_rank *));
    if (team == NULL || rank == NULL || members == NULL) {
        free(team);
        free(rank);
        free((void *)members);
        return NULL;
    }
    memset(rank, 0, (size_t)ranks * sizeof *rank);
    team->ranks = ranks;
    team->cores = halo_cores_allowed(NULL, 0);
    team->rank = rank;
    bool good = true;
    for (int r = 0; r < ranks; r++) {
        rank[r].team = team;
        rank[r].number = r;
        rank[r].last_beside = &rank[r].beside;
        rank[r].account = halo_memory_account_create();
        members[r] = &rank[r];
        good = good && rank[r].account != NULL;
    }
    team->group = good ? halo_threads_group_create(ranks, members) : NULL;
    free((void *)members);
    if (team->group == NULL) {
        halo_threads_team_destroy(team);
        return NULL;
    }
    return team;
}

static void free_messages(threads_message *list)
{
    for (threads_message *next; list != NULL; list = next) {
        next = list->next;
        free(list);
    }
}

static void free_requests(threads_request *list)
{
    for (threads_request *next; list != NULL; list = next) {
        next = list->next;
        free(list);
    }
}

void halo_threads_team_destroy(threads_team *team)
{
    if (team == NULL) {
        return;
    }
    for (int r = atomic_load(&team->joined); team->group != NULL && r < team->ranks; r++) {
        halo_threads_group_leave(team->group);
    }
    for (int r = 0; r < team->ranks; r++) {
        halo_memory_account_release(team->rank[r].account);
        free_messages(team->rank[r].free_messages);
        free_messages(atomic_load(&team->rank[r].returned));
        free_requests(team->rank[r].free_requests);
        for (threads_request *at = team->rank[r].requests, *after; at != NULL; at = after) {
            after = at->link.after;
            free(at);
        }
    }
    free(team->rank);
    free(team);
}

void halo_threads_begin_rank(threads_rank *self)
{
    self->account_before = halo_memory_account_use(self->account);
}

void halo_threads_end_rank(threads_rank *self)
{
    halo_memory_account_use(self->account_before);
}

void halo_threads_break(threads_team *team, halo_status status, const char *message)
{
    halo_sync_take(&team->lock);
    bool first = SYNC_LOAD(&team->broken, relaxed) == HALO_OK;
    if (first) {
        snprintf(team->message, sizeof team->message, "%s", message);
        SYNC_STORE(&team->broken, (unsigned)status, seq_cst);
    }
    halo_sync_release(&team->lock);
    for (int r = 0; first && r < team->ranks; r++) {
        SYNC_ADD(&team->rank[r].events, 1, seq_cst);
        halo_sync_wake(&team->rank[r].events, INT_MAX);
    }
}

/* A rank that returns a failure frees memory that others would still copy from or into. It does
 * its parts of all operations before it waits for those of others, who wait for its parts. */
static void withdraw_all(threads_rank *self)
{
    bool settled;
    do {
        settled = true;
        for (threads_request *r = self->requests; r != NULL; r = r->link.after) {
            if (r->shown != NULL) {
                halo_threads_see_no_more(r);
            } else if (r->slot == NULL) {
                halo_threads_withdraw(r);
            } else if (!halo_threads_leave(r)) {
                settled = false;
            }
        }
        if (!settled) {
            halo_sync_yield();
        }
    } while (!settled);
}

static void take_parts(threads_rank *self)
{
    for (threads_request *r = self->requests; r != NULL; r = r->link.after) {
        if (SYNC_LOAD(&r->state, acquire) == THREADS_PART) {
            halo_threads_take_part(r);
        }
    }
}

halo_status halo_threads_go_on(threads_rank *self)
{
    threads_team *team = self->team;
    halo_threads_post(self);
    if (SYNC_LOAD(&self->parts, acquire) > 0) {
        take_parts(self);
    }
    if (self->showing > 0) {
        halo_threads_see_all(self);
    }
    unsigned broken = SYNC_LOAD(&team->broken, acquire);
    if (broken == HALO_OK) {
        return HALO_OK;
    }
    withdraw_all(self);
    return halo_fail((halo_status)broken, "%s", team->message);
}

void halo_threads_fail(threads_rank *self, halo_status status, const char *message)
{
    halo_threads_break(self->team, status, message);
    withdraw_all(self);
}

halo_status halo_threads_fail_memory(threads_rank *self, const char *what)
{
    halo_status status = halo_fail(HALO_MEMORY, "rank %d: out of memory: %s", self->number, what);
    halo_threads_fail(self, status, halo_last_message());
    return status;
}

/* ---- requests and messages ------------------------------------------------------------------- */

threads_request *halo_threads_request(threads_rank *self)
{
    threads_request *request = self->free_requests;
    if (request != NULL) {
        self->free_requests = request->next;
    } else {
        request =
            aligned_alloc(SYNC_LINE, (sizeof *request + SYNC_LINE - 1) / SYNC_LINE * SYNC_LINE);
        if (request == NULL) {
            return NULL;
        }
        request->owner = self;
    }
    request->next = NULL;
    request->slot = NULL;
    request->shown = NULL;
    request->link = (threads_link){.after = self->requests};
    if (self->requests != NULL) {
        self->requests->link.before = request;
    }
    self->requests = request;
    atomic_store_explicit(&request->state, THREADS_OPEN, memory_order_relaxed);
    return request;
}

void halo_threads_request_free(threads_request *request)
{
    threads_rank *self = request->owner;
    if (self == NULL) {
        return;
    }
    threads_link link = request->link;
    if (link.before != NULL) {
        link.before->link.after = link.after;
    } else {
        self->requests = link.after;
    }
    if (link.after != NULL) {
        link.after->link.before = link.before;
    }
    request->next = self->free_requests;
    self->free_requests = request;
}

void halo_threads_stock_messages(threads_rank *self)
{
    if (self->free_messages == NULL && SYNC_LOAD(&self->returned, relaxed) != NULL) {
        self->free_messages = SYNC_EXCHANGE(&self->returned, NULL, acquire);
    }
}

threads_message *halo_threads_message(threads_rank *self, int bytes)
{
    threads_message *message;
    if (bytes > THREADS_POOLED) {
        message = malloc(sizeof *message + (size_t)bytes);
        if (message != NULL) {
            message->home = NULL;
        }
        return message;
    }
    halo_threads_stock_messages(self);
    message = self->free_messages;
    if (message != NULL) {
        self->free_messages = message->next;
        return message;
    }
    message = aligned_alloc(64, (sizeof *message + THREADS_POOLED + 63) / 64 * 64);
    if (message != NULL) {
        message->home = self;
    }
    return message;
}

void halo_threads_message_free(threads_message *message)
{
    threads_rank *home = message->home;
    if (home == NULL) {
        free(message);
        return;
    }
    threads_message *head = SYNC_LOAD(&home->returned, relaxed);
    do {
        message->next = head;
    } while (!SYNC_SWAP_WEAK(&home->returned, &head, message, release));
}

/* ---- sleeping -------------------------------------------------------------------------------- */

/* After a store, sequentially consistent, of what is waited for. A rank that is about to sleep
 * stores `parked` first and then looks once more: either it sees what was stored, or this sees that
 * it is parked. `parked` is taken back before the event is counted: in the other order a rank that
 * parks anew in between would sleep with nobody to wake it. */
void halo_threads_wake(threads_rank *rank)
{
    if (SYNC_LOAD(&rank->parked, seq_cst) != 0 && SYNC_EXCHANGE(&rank->parked, 0, seq_cst) != 0) {
        SYNC_ADD(&rank->events, 1, seq_cst);
        halo_sync_wake(&rank->events, 1);
    }
}

void halo_threads_finish(threads_request *request, unsigned state)
{
    threads_rank *owner = request->owner;
    SYNC_STORE(&request->state, state, seq_cst);
    halo_threads_wake(owner);
}
