#include "kernels/graph/mail.h"

#include "base/minmax.h"
#include "partition/cuts.h"

#include <stdlib.h>

/* Each rank has a range of vertices, their arcs and their distances. It takes vertices from its
 * queue and sends other ranks the smaller distances of their vertices, only the latest of each: a
 * message to a rank is sent when the one before it has left. A termination detector finds the end.
 */

/* Vertices whose distances a rank must be sent, local numbers: those from byte `first` on. */
typedef struct {
    halo_buffer vertices;
    size_t first;
} outbox;

typedef struct {
    graph_search *search;
    outbox *out; /* [ranks] */
} parts;

static int64_t number_of(const halo_digraph *graph, int64_t v)
{
    return graph->ghosts == NULL ? v
           : v < graph->count    ? graph->first + v
                                 : graph->ghosts[v - graph->count];
}

static int64_t local_of(const halo_digraph *graph, int64_t number)
{
    return graph->ghosts == NULL ? number : number - graph->first;
}

/* Outgoing distances, by the ranks that own the vertices. */
static halo_status sort_outgoing(parts *p)
{
    graph_search *search = p->search;
    halo_buffer *outgoing = &search->front.outgoing;
    const int32_t *vertices = (const int32_t *)(const void *)outgoing->data;
    for (size_t i = 0; i < outgoing->size / sizeof *vertices; i++) {
        int64_t number = number_of(search->graph, vertices[i]);
        int owner = halo_cuts_find(search->cuts, search->ranks, number);
        HALO_TRY(halo_buffer_append(&p->out[owner].vertices, &vertices[i], sizeof *vertices));
    }
    outgoing->size = 0;
    return HALO_OK;
}

static halo_status send_message(parts *p, int to)
{
    graph_search *search = p->search;
    graph_front *front = &search->front;
    outbox *out = &p->out[to];
    const int32_t *vertices = (const int32_t *)(const void *)(out->vertices.data + out->first);
    int64_t left = (int64_t)((out->vertices.size - out->first) / sizeof *vertices);
    int64_t count = halo_min(left, GRAPH_MOST_OFFERS);
    for (int64_t i = 0; i < count; i++) {
        int32_t v = vertices[i];
        front->distances[v] = fabs(front->distances[v]);
        search->numbers[i] = (int32_t)number_of(search->graph, v);
        search->distances[i] = front->distances[v];
    }
    out->first += (size_t)count * sizeof *vertices;
    if (out->first == out->vertices.size) {
        out->first = out->vertices.size = 0;
    }
    return graph_mail_send(search, to, count);
}

/* A rank that has no work left cannot improve these distances itself: all are sent. */
static halo_status send_messages(parts *p, bool all)
{
    for (int to = 0; to < p->search->ranks; to++) {
        bool free = halo_quiescence_sending(p->search->quiescence, to) == 0;
        while (p->out[to].vertices.size > 0 && (free || all)) {
            HALO_TRY(send_message(p, to));
            free = false;
        }
    }
    return HALO_OK;
}

static void take_message(graph_search *search, const halo_quiescence_event *event)
{
    int64_t count = graph_mail_open(search, event);
    for (int64_t i = 0; i < count; i++) {
        graph_front_offer(&search->front, local_of(search->graph, search->numbers[i]),
                          search->distances[i]);
    }
}

/* All messages that are here, or, for a rank without work, the next one and those behind it. */
static halo_status receive(graph_search *search, bool rests, halo_quiescence_event *event)
{
    do {
        HALO_TRY(halo_quiescence_receive(
            search->quiescence, rests ? HALO_QUIESCENCE_REST : HALO_QUIESCENCE_LOOK, event));
        if (event->kind == HALO_QUIESCENCE_MESSAGE) {
            take_message(search, event);
        }
        rests = false;
    } while (event->kind == HALO_QUIESCENCE_MESSAGE);
    return HALO_OK;
}

static halo_status run(parts *p)
{
    graph_search *search = p->search;
    halo_quiescence_event event = {.kind = HALO_QUIESCENCE_NOTHING};
    while (event.kind != HALO_QUIESCENCE_OVER && !graph_search_stops(search)) {
        graph_front_run(&search->front, search->quota);
        HALO_TRY(graph_search_check(search));
        HALO_TRY(sort_outgoing(p));
        bool rests = !graph_front_has_work(&search->front);
        HALO_TRY(send_messages(p, rests));
        HALO_TRY(receive(search, rests, &event));
    }
    return HALO_OK;
}

halo_status graph_run_parts(graph_search *search)
{
    parts p = {.search = search};
    HALO_TRY(HALO_ALLOCATE(p.out, search->ranks, "messages to ranks"));
    halo_status status = run(&p);
    for (int r = 0; r < search->ranks; r++) {
        halo_buffer_free(&p.out[r].vertices);
    }
    free(p.out);
    return status;
}
