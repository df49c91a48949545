#include "kernels/graph/mail.h"

#include "base/minmax.h"

#include <stdlib.h>

/* The central pool: rank 0 has the distances and the queue, and gives each worker that asks the
 * next vertices of it with their distances. A worker looks at their arcs, returns the distances
 * that become smaller as far as it knows, and so asks for more. All is done when the queue is empty
 * and all workers have asked.
 *
 * In the lectures a worker gets all distances with each vertex. Here it remembers those that it has
 * seen, and returns some that rank 0 has already improved. */

/* ---- workers --------------------------------------------------------------------------------- */

/* Send rank 0 the distances that became smaller, in as many messages as are needed: the last one
 * is not full. */
static halo_status answer(graph_search *search)
{
    graph_front *front = &search->front;
    const int32_t *outgoing = (const int32_t *)(const void *)front->outgoing.data;
    int64_t left = (int64_t)(front->outgoing.size / sizeof *outgoing), count;
    do {
        count = halo_min(left, GRAPH_MOST_OFFERS);
        for (int64_t i = 0; i < count; i++) {
            int32_t v = *outgoing++;
            front->distances[v] = fabs(front->distances[v]);
            search->numbers[i] = v;
            search->distances[i] = front->distances[v];
        }
        left -= count;
        HALO_TRY(graph_mail_send(search, 0, count));
    } while (count == GRAPH_MOST_OFFERS);
    front->outgoing.size = 0;
    return graph_search_check(search);
}

/* A vertex of the list of outgoing distances may be taken now: it stays in the list. */
static halo_status work(graph_search *search, const halo_quiescence_event *event)
{
    graph_front *front = &search->front;
    int64_t count = graph_mail_open(search, event);
    for (int64_t i = 0; i < count; i++) {
        int32_t v = search->numbers[i];
        if (search->distances[i] < fabs(front->distances[v])) {
            front->distances[v] = search->distances[i];
        }
    }
    for (int64_t i = 0; i < count; i++) {
        graph_front_relax(front, search->numbers[i]);
    }
    return answer(search);
}

static halo_status run_worker(graph_search *search)
{
    halo_quiescence_event event = {.kind = HALO_QUIESCENCE_NOTHING};
    HALO_TRY(answer(search)); /* which asks for the first vertices */
    for (;;) {
        HALO_TRY(halo_quiescence_receive(search->quiescence, HALO_QUIESCENCE_AWAIT, &event));
        if (event.kind == HALO_QUIESCENCE_OVER || graph_search_stops(search)) {
            return HALO_OK;
        }
        if (event.kind == HALO_QUIESCENCE_MESSAGE) {
            HALO_TRY(work(search, &event));
        }
    }
}

/* ---- rank 0 ---------------------------------------------------------------------------------- */

typedef struct {
    int *idle; /* [idle_count] workers that have asked, in that order */
    int idle_count, workers;
} pool;

/* A share of the queue, so that others get some, too. */
static halo_status hand_out(graph_search *search, const pool *p, int to)
{
    graph_front *front = &search->front;
    int64_t share = (front->ring_count + p->workers - 1) / p->workers;
    int64_t count = halo_min(halo_min(share, search->quota), GRAPH_MOST_OFFERS);
    for (int64_t i = 0; i < count; i++) {
        int32_t v = graph_front_take(front);
        search->numbers[i] = v;
        search->distances[i] = front->distances[v];
    }
    return graph_mail_send(search, to, count);
}

static halo_status hand_out_all(graph_search *search, pool *p)
{
    int served = 0;
    halo_status status = HALO_OK;
    while (status == HALO_OK && served < p->idle_count && search->front.ring_count > 0) {
        status = hand_out(search, p, p->idle[served++]);
    }
    for (int i = served; i < p->idle_count; i++) {
        p->idle[i - served] = p->idle[i];
    }
    p->idle_count -= served;
    return status;
}

static void take_answer(graph_search *search, pool *p, const halo_quiescence_event *event)
{
    int64_t count = graph_mail_open(search, event);
    for (int64_t i = 0; i < count; i++) {
        graph_front_offer(&search->front, search->numbers[i], search->distances[i]);
    }
    if (count < GRAPH_MOST_OFFERS) {
        p->idle[p->idle_count++] = event->from;
    }
}

static halo_status run_pool(graph_search *search, pool *p)
{
    graph_front *front = &search->front;
    halo_quiescence_event event = {.kind = HALO_QUIESCENCE_NOTHING};
    while (front->ring_count > 0 || p->idle_count < p->workers) {
        HALO_TRY(hand_out_all(search, p));
        HALO_TRY(halo_quiescence_receive(search->quiescence, HALO_QUIESCENCE_AWAIT, &event));
        if (event.kind == HALO_QUIESCENCE_OVER || graph_search_stops(search)) {
            search->stopped = true;
            return HALO_OK;
        }
        if (event.kind == HALO_QUIESCENCE_MESSAGE) {
            take_answer(search, p, &event);
        }
    }
    return HALO_OK;
}

/* Without workers rank 0 does it all: Moore's algorithm as it is. */
static halo_status run_alone(graph_search *search)
{
    while (graph_front_has_work(&search->front) && !graph_search_stops(search)) {
        graph_front_run(&search->front, search->quota);
        HALO_TRY(graph_search_check(search));
    }
    return HALO_OK;
}

halo_status graph_run_central(graph_search *search)
{
    if (search->ranks == 1) {
        return run_alone(search);
    }
    if (search->rank > 0) {
        return run_worker(search);
    }
    pool p = {.workers = search->ranks - 1};
    HALO_TRY(HALO_ALLOCATE(p.idle, p.workers, "workers of a pool"));
    halo_status status = run_pool(search, &p);
    free(p.idle);
    return status;
}
