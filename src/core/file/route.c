#include "core/file/route.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/mailbox/mailbox.h"
#include "core/world/collect.h"

#include <math.h>
#include <stdlib.h>

enum {
    FIRST_TAG = 500, /* to 563 */
    TAGS = 64,
    PIECE = 1 << 20, /* bytes */
    BUFFERS = 2
};

/* Kinds of messages: data of the file, and the news that a sender has no more. */
enum { ROUTE_DATA, ROUTE_END };

typedef struct {
    halo_mail_head mail;
    int64_t offset; /* of the data in the file */
} route_head;

struct halo_route {
    halo_world *world;
    bool through;
    halo_mailbox *mailbox;
    int slot; /* to send from next */
    /* On rank 0: */
    int64_t senders; /* that have not ended */
    halo_route_write *write;
    void *context;
    halo_service service;
    halo_status status; /* of the messages */
};

/* ---- on rank 0 ------------------------------------------------------------------------------- */

/* Writes a message that has come, if one has; the next one comes meanwhile. */
static void take(halo_route *route, const halo_mail *mail)
{
    const route_head *head = mail->head;
    if (head == NULL) {
        return;
    }
    route->senders -= head->mail.kind == ROUTE_END;
    if (head->mail.kind == ROUTE_DATA) {
        /* The function notes its failures itself. */
        (void)route->write(route->context, head->offset, mail->data, (size_t)head->mail.bytes);
    }
}

static void serve(void *context)
{
    halo_route *route = context;
    halo_mail mail;
    do {
        mail.head = NULL;
        if (route->senders > 0 && route->status == HALO_OK) {
            route->status = halo_mailbox_receive_in_service(route->mailbox, &mail);
            take(route, &mail);
        }
    } while (mail.head != NULL);
}

static halo_status receive_rest(halo_route *route)
{
    halo_world_end_service(route->world, &route->service);
    while (route->senders > 0 && route->status == HALO_OK) {
        halo_mail mail;
        route->status = halo_mailbox_receive(route->mailbox, HUGE_VAL, &mail);
        take(route, &mail);
    }
    return route->status;
}

/* ---- on the others --------------------------------------------------------------------------- */

static halo_status send(halo_route *route, const route_head *head, const void *data)
{
    int slot = route->slot;
    route->slot = (slot + 1) % BUFFERS;
    return halo_mailbox_send_reserved(route->mailbox, slot, 0, head, data);
}

halo_status halo_route_send(halo_route *route, int64_t offset, const void *data, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        const route_head head = {
            .mail = {.kind = ROUTE_DATA, .bytes = halo_min((int64_t)(bytes - done), PIECE)},
            .offset = offset + (int64_t)done};
        HALO_TRY(send(route, &head, (const char *)data + done));
        done += (size_t)head.mail.bytes;
    }
    return HALO_OK;
}

static halo_status send_rest(halo_route *route)
{
    const route_head end = {.mail.kind = ROUTE_END};
    HALO_TRY(send(route, &end, NULL));
    return halo_mailbox_end(route->mailbox);
}

/* ---- both ------------------------------------------------------------------------------------ */

static halo_status prepare(halo_route **out, halo_world *world, bool through, int64_t number)
{
    halo_route *route;
    bool first = halo_world_rank(world) == 0;
    const halo_mailbox_options mail = {.what = "parts of a file on their way to another host",
                                       .tag = FIRST_TAG + (int)(number % TAGS),
                                       .head_bytes = sizeof(route_head),
                                       .data_bytes = PIECE,
                                       .receive_buffers = first ? BUFFERS : 0,
                                       .slots = through ? BUFFERS : 0,
                                       .slot_bytes = PIECE};
    HALO_TRY(HALO_ALLOCATE(route, 1, "a way to a file on another host"));
    *out = route;
    *route = (halo_route){.world = world, .through = through};
    return through || first ? halo_mailbox_create(&route->mailbox, world, &mail) : HALO_OK;
}

static void release(halo_route **route)
{
    if (*route != NULL) {
        halo_mailbox_destroy(&(*route)->mailbox);
        free(*route);
        *route = NULL;
    }
}

halo_status halo_route_begin(halo_route **out, halo_world *world, bool through, int64_t number,
                             halo_route_write *write, void *context)
{
    int64_t senders = through ? 1 : 0;
    *out = NULL;
    halo_status status = halo_agree(world, prepare(out, world, through, number));
    if (status == HALO_OK) {
        status = halo_allreduce_sum(world, &senders, 1);
    }
    halo_route *route = *out;
    if (status != HALO_OK || route == NULL) {
        release(out);
        return status;
    }
    route->write = write;
    route->context = context;
    if (halo_world_rank(world) == 0 && senders > 0) {
        route->senders = senders;
        route->service = (halo_service){.serve = serve, .context = route};
        halo_world_begin_service(world, &route->service);
    }
    return HALO_OK;
}

halo_status halo_route_end(halo_route **route)
{
    halo_status status = HALO_OK;
    if (*route != NULL) {
        bool first = halo_world_rank((*route)->world) == 0;
        status = first ? receive_rest(*route) : (*route)->through ? send_rest(*route) : HALO_OK;
        release(route);
    }
    return status;
}
