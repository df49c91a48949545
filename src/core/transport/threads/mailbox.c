#include "core/transport/threads/threads_internal.h"

#include <string.h>

/* The request of all messages that were complete when they began. It belongs to no rank, and is
 * never freed. */
static threads_request complete_request = {.state = THREADS_DONE};

/* ---- the two lists, with the lock held ------------------------------------------------------- */

static bool fits(const threads_request *request, int from, int tag)
{
    return request->tag == tag && (request->from == HALO_ANY_SOURCE || request->from == from);
}

/* The place of the first receive of a list that takes such a message; NULL: there is none. */
static threads_request **find_posted(threads_bucket *bucket, int from, int tag)
{
    threads_request **at = &bucket->posted;
    __builtin_prefetch(*at, 1); /* it is about to be written, if it fits */
    while (*at != NULL && !fits(*at, from, tag)) {
        at = &(*at)->next;
    }
    return *at != NULL ? at : NULL;
}

static threads_request *unlink_posted(threads_bucket *bucket, threads_request **at)
{
    threads_request *request = *at;
    *at = request->next;
    if (bucket->last_posted == &request->next) {
        bucket->last_posted = at;
    } else {
        __builtin_prefetch(request->next, 1); /* mostly the next to be taken */
    }
    return request;
}

/* Takes the receive that was posted first among those that take such a message. */
static threads_request *take_posted(threads_mailbox *box, int from, int tag)
{
    threads_bucket *exact = &box->buckets[from & box->mask];
    threads_bucket *any = &box->buckets[box->mask + 1];
    threads_request **first = find_posted(exact, from, tag), **other = find_posted(any, from, tag);
    if (first == NULL && other == NULL) {
        return NULL;
    }
    bool is_any = first == NULL || (other != NULL && (*other)->order < (*first)->order);
    return is_any ? unlink_posted(any, other) : unlink_posted(exact, first);
}

static threads_message **find_message(threads_bucket *bucket, const threads_request *request)
{
    threads_message **at = &bucket->waiting;
    while (*at != NULL && !fits(request, (*at)->from, (*at)->tag)) {
        at = &(*at)->next;
    }
    return *at != NULL ? at : NULL;
}

static threads_message *unlink_message(threads_bucket *bucket, threads_message **at)
{
    threads_message *message = *at;
    *at = message->next;
    if (bucket->last_waiting == &message->next) {
        bucket->last_waiting = at;
    } else {
        __builtin_prefetch(message->next, 1);
    }
    return message;
}

/* Takes the message that came first among those that the receive takes. */
static threads_message *take_message(threads_mailbox *box, const threads_request *request)
{
    bool any = request->from == HALO_ANY_SOURCE;
    int begin = any ? 0 : request->from & box->mask, end = any ? box->mask + 1 : begin + 1;
    threads_bucket *bucket = NULL;
    threads_message **best = NULL;
    for (int b = begin; b < end; b++) {
        threads_message **found = find_message(&box->buckets[b], request);
        if (found != NULL && (best == NULL || (*found)->order < (*best)->order)) {
            best = found;
            bucket = &box->buckets[b];
        }
    }
    if (best == NULL) {
        return NULL;
    }
    return unlink_message(bucket, best);
}

static void append_message(threads_mailbox *box, threads_message *message)
{
    threads_bucket *bucket = &box->buckets[message->from & box->mask];
    message->next = NULL;
    message->order = box->order++;
    *bucket->last_waiting = message;
    bucket->last_waiting = &message->next;
}

static void append_receive(threads_mailbox *box, threads_request *request)
{
    bool any = request->from == HALO_ANY_SOURCE;
    threads_bucket *bucket = &box->buckets[any ? box->mask + 1 : request->from & box->mask];
    request->order = box->order++;
    *bucket->last_posted = request;
    bucket->last_posted = &request->next;
}

/* ---- messages -------------------------------------------------------------------------------- */

/* Copies a message to where its receive wants it. */
static unsigned deliver(threads_request *receive, const void *data, int bytes)
{
    int copied = bytes < receive->room ? bytes : receive->room;
    halo_sync_step(); /* to copy takes a while */
    if (copied > 0) {
        memcpy(receive->data, data, (size_t)copied);
    }
    receive->bytes = bytes;
    return bytes > receive->room ? THREADS_TRUNCATED : THREADS_DONE;
}

/* With the lock held. Leaves a message for later; it is complete at once if it was copied. */
static bool leave(threads_end *end, threads_mailbox *box, const threads_message *head, bool matched,
                  halo_request *request)
{
    bool copies = head->bytes <= THREADS_EAGER && !matched;
    threads_message *message = halo_threads_message(end->self, copies ? head->bytes : 0);
    threads_request *mine = copies ? &complete_request : halo_threads_request(end->self);
    if (message == NULL || mine == NULL) {
        if (message != NULL) {
            halo_threads_message_free(message);
        }
        if (mine != NULL) {
            halo_threads_request_free(mine);
        }
        return false;
    }
    message->from = head->from;
    message->tag = head->tag;
    message->bytes = head->bytes;
    message->data = copies ? message->body : head->data;
    message->sender = NULL;
    if (!copies) {
        message->sender = mine;
        mine->box = box;
        mine->from = THREADS_SENDING;
        mine->rank = head->from;
    }
    if (copies && head->bytes > 0) {
        memcpy(message->body, head->data, (size_t)head->bytes);
    }
    append_message(box, message);
    *request = threads_handle(mine);
    return true;
}

halo_status halo_threads_isend(halo_endpoint *base, const void *data, int bytes, int to, int tag,
                               bool matched, halo_request *request)
{
    threads_end *end = (threads_end *)base;
    threads_mailbox *box = &end->group->boxes[to];
    const threads_message head = {.from = base->rank, .tag = tag, .bytes = bytes, .data = data};
    *request = HALO_NO_REQUEST;
    halo_threads_post(end->self);
    halo_threads_stock_messages(end->self);
    halo_sync_take(&box->lock);
    threads_request *receive = take_posted(box, base->rank, tag);
    bool good = receive != NULL || leave(end, box, &head, matched, request);
    halo_sync_release(&box->lock);
    if (receive != NULL) {
        halo_threads_finish(receive, deliver(receive, data, bytes));
        *request = threads_handle(&complete_request);
    }
    return good ? HALO_OK : halo_threads_fail_memory(end->self, "a message");
}

/* With the lock held. Receives of `list` up to the first of another mailbox find their messages, or
 * stay in the mailbox. Adds those that have found one to *found, and returns the rest. */
static threads_request *match_receives(threads_request *list, threads_request ***found)
{
    threads_mailbox *box = list->box;
    while (list != NULL && list->box == box) {
        threads_request *receive = list;
        list = receive->next;
        receive->next = NULL;
        receive->message = take_message(box, receive);
        if (receive->message == NULL) {
            append_receive(box, receive);
        } else {
            **found = receive;
            *found = &receive->next;
        }
    }
    return list;
}

static void receive_found(threads_request *receive)
{
    threads_message *message = receive->message;
    threads_request *sender = message->sender;
    unsigned state = deliver(receive, message->data, message->bytes);
    atomic_store_explicit(&receive->state, state, memory_order_relaxed);
    halo_threads_message_free(message);
    if (sender != NULL) {
        halo_threads_finish(sender, THREADS_DONE);
    }
}

void halo_threads_post_all(threads_rank *self)
{
    threads_request *list = self->beside, *found = NULL, **last = &found;
    self->beside = NULL;
    self->last_beside = &self->beside;
    while (list != NULL) {
        threads_mailbox *box = list->box;
        halo_sync_take(&box->lock);
        list = match_receives(list, &last);
        halo_sync_release(&box->lock);
    }
    for (threads_request *next; found != NULL; found = next) {
        next = found->next;
        receive_found(found);
    }
}

halo_status halo_threads_irecv(halo_endpoint *base, void *data, int room, int from, int tag,
                               halo_request *request)
{
    threads_end *end = (threads_end *)base;
    threads_rank *self = end->self;
    threads_request *receive = halo_threads_request(self);
    *request = threads_handle(receive);
    if (receive == NULL) {
        return halo_threads_fail_memory(self, "a message to be received");
    }
    receive->box = &end->group->boxes[base->rank];
    receive->data = data;
    receive->room = room;
    receive->from = from;
    receive->tag = tag;
    *self->last_beside = receive;
    self->last_beside = &receive->next;
    if (room > THREADS_EAGER) { /* its sender waits for it, and would make a copy of less */
        halo_threads_post(self);
    }
    return HALO_OK;
}

/* ---- taking back ----------------------------------------------------------------------------- */

static bool unpost(threads_mailbox *box, threads_request *receive)
{
    bool any = receive->from == HALO_ANY_SOURCE;
    threads_bucket *bucket = &box->buckets[any ? box->mask + 1 : receive->from & box->mask];
    threads_request **at = &bucket->posted;
    while (*at != NULL && *at != receive) {
        at = &(*at)->next;
    }
    bool found = *at != NULL;
    if (found) {
        unlink_posted(bucket, at);
    }
    return found;
}

static bool take_back(threads_mailbox *box, const threads_request *sender)
{
    threads_bucket *bucket = &box->buckets[sender->rank & box->mask];
    threads_message **at = &bucket->waiting;
    while (*at != NULL && (*at)->sender != sender) {
        at = &(*at)->next;
    }
    threads_message *message = *at;
    if (message != NULL) {
        unlink_message(bucket, at);
        halo_threads_message_free(message);
    }
    return message != NULL;
}

void halo_threads_withdraw(threads_request *request)
{
    threads_mailbox *box = request->box;
    halo_threads_post(request->owner); /* it may be beside its mailbox */
    if (SYNC_LOAD(&request->state, acquire) != THREADS_OPEN) {
        return;
    }
    halo_sync_take(&box->lock);
    bool found = request->from == THREADS_SENDING ? take_back(box, request) : unpost(box, request);
    halo_sync_release(&box->lock);
    if (found) {
        atomic_store_explicit(&request->state, THREADS_WITHDRAWN, memory_order_relaxed);
    }
    while (SYNC_LOAD(&request->state, acquire) == THREADS_OPEN) {
        halo_sync_yield();
    }
}

void halo_threads_cancel(halo_endpoint *end, halo_request *request)
{
    threads_request *receive = threads_of(*request);
    (void)end;
    if (receive != NULL) {
        if (receive->owner != NULL) {
            halo_threads_withdraw(receive);
        }
        halo_threads_request_free(receive);
        *request = HALO_NO_REQUEST;
    }
}
