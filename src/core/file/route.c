#include "core/file/route.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_TAG = 500, /* to 563 */
    TAGS = 64,
    PIECE = 1 << 20, /* bytes */
    BUFFERS = 2
};

/* What a message begins with. */
typedef struct {
    int64_t offset;
    int64_t bytes; /* of data behind it; -1: the sender has no more */
} head;

enum { END = -1, MESSAGE = (int)sizeof(head) + PIECE };

struct halo_route {
    halo_world *world;
    bool through;
    int tag;
    char *buffers; /* [BUFFERS][MESSAGE] */
    int next;      /* buffer to send from, or that is being received into */
    halo_request requests[BUFFERS];
    /* On rank 0: */
    int64_t senders; /* that have not ended */
    halo_route_write *write;
    void *context;
    halo_service service;
    halo_status status; /* of MPI */
};

static char *buffer(const halo_route *route, int number)
{
    return route->buffers + (size_t)number * MESSAGE;
}

/* ---- on rank 0 ------------------------------------------------------------------------------- */

static void receive(halo_route *route)
{
    route->status = halo_status_first(
        route->status, halo_irecv(route->world, buffer(route, route->next), MESSAGE,
                                  HALO_ANY_SOURCE, route->tag, &route->requests[route->next]));
}

/* A message has come: the next one comes while this one is written. */
static void take(halo_route *route)
{
    const char *came = buffer(route, route->next);
    head what;
    memcpy(&what, came, sizeof what);
    route->senders -= what.bytes == END;
    route->next = (route->next + 1) % BUFFERS;
    if (route->senders > 0) {
        receive(route);
    }
    if (what.bytes > 0) {
        /* A failure is noted there. */
        (void)route->write(route->context, what.offset, came + sizeof what, (size_t)what.bytes);
    }
}

static void serve(void *context)
{
    halo_route *route = context;
    bool complete = true;
    while (complete && route->senders > 0 && route->status == HALO_OK) {
        route->status =
            halo_test_in_service(route->world, &route->requests[route->next], &complete);
        if (route->status == HALO_OK && complete) {
            take(route);
        }
    }
}

static halo_status receive_rest(halo_route *route)
{
    halo_world_end_service(route->world, &route->service);
    while (route->senders > 0 && route->status == HALO_OK) {
        route->status = halo_wait(route->world, 1, &route->requests[route->next]);
        if (route->status == HALO_OK) {
            take(route);
        }
    }
    return route->status;
}

/* ---- on the others --------------------------------------------------------------------------- */

static halo_status send(halo_route *route, const head *what, const void *data)
{
    halo_request *request = &route->requests[route->next];
    char *message = buffer(route, route->next);
    size_t bytes = what->bytes > 0 ? (size_t)what->bytes : 0;
    HALO_TRY(halo_wait(route->world, 1, request));
    memcpy(message, what, sizeof *what);
    if (bytes > 0) {
        memcpy(message + sizeof *what, data, bytes);
    }
    HALO_TRY(
        halo_isend(route->world, message, (int)(sizeof *what + bytes), 0, route->tag, request));
    route->next = (route->next + 1) % BUFFERS;
    return HALO_OK;
}

halo_status halo_route_send(halo_route *route, int64_t offset, const void *data, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        const head what = {.offset = offset + (int64_t)done,
                           .bytes = halo_min((int64_t)(bytes - done), PIECE)};
        HALO_TRY(send(route, &what, (const char *)data + done));
        done += (size_t)what.bytes;
    }
    return HALO_OK;
}

static halo_status send_rest(halo_route *route)
{
    const head end = {.bytes = END};
    HALO_TRY(send(route, &end, NULL));
    return halo_wait(route->world, BUFFERS, route->requests);
}

/* ---- both ------------------------------------------------------------------------------------ */

static halo_status prepare(halo_route **out, bool takes_part)
{
    halo_route *route;
    HALO_TRY(HALO_ALLOCATE(route, 1, "a way to a file on another host"));
    *out = route;
    for (int i = 0; i < BUFFERS; i++) {
        route->requests[i] = HALO_NO_REQUEST;
    }
    return takes_part ? HALO_ALLOCATE_LARGE(route->buffers, BUFFERS * MESSAGE,
                                            "parts of a file on their way to another host")
                      : HALO_OK;
}

static void release(halo_route **route)
{
    if (*route != NULL) {
        halo_memory_free((*route)->buffers);
        free(*route);
        *route = NULL;
    }
}

halo_status halo_route_begin(halo_route **out, halo_world *world, bool through, int64_t number,
                             halo_route_write *write, void *context)
{
    bool first = halo_world_rank(world) == 0;
    int64_t senders = through ? 1 : 0;
    *out = NULL;
    halo_status status = halo_agree(world, prepare(out, through || first));
    if (status == HALO_OK) {
        status = halo_allreduce_sum(world, &senders, 1);
    }
    halo_route *route = *out;
    if (status != HALO_OK || route == NULL) {
        release(out);
        return status;
    }
    route->world = world;
    route->through = through;
    route->tag = FIRST_TAG + (int)(number % TAGS);
    route->write = write;
    route->context = context;
    if (first && senders > 0) {
        route->senders = senders;
        route->service = (halo_service){.serve = serve, .context = route};
        receive(route);
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
