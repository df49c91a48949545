#ifndef HALOBEAT_GRAPH_MAIL_H
#define HALOBEAT_GRAPH_MAIL_H

#include "kernels/graph/front.h"
#include "kernels/graph/graph_search.h"

/* Messages with distances, and common state of the methods. Internal to the graph kernel.
 *
 * A message of n distances is n doubles followed by n numbers of vertices, 32 bits each, in the
 * graph's numbering. All functions are local. */

enum {
    GRAPH_MESSAGE_BYTES = 64 << 10,
    GRAPH_OFFER_BYTES = (int)(sizeof(double) + sizeof(int32_t)),
    GRAPH_MOST_OFFERS = GRAPH_MESSAGE_BYTES / GRAPH_OFFER_BYTES
};

typedef struct {
    halo_world *world;
    int rank, ranks;
    const halo_digraph *graph;
    const int64_t *cuts; /* [ranks + 1], with HALO_SEARCH_PARTS */
    const halo_search_options *options;
    int64_t quota;
    graph_front front;
    halo_quiescence *quiescence;
    int64_t sent; /* distances sent by this rank */
    bool stopped; /* this rank was asked to stop */
    int32_t numbers[GRAPH_MOST_OFFERS];
    double distances[GRAPH_MOST_OFFERS];
    char bytes[GRAPH_MESSAGE_BYTES];
} graph_search;

/* Sends the first `count` of search->numbers and search->distances. */
halo_status graph_mail_send(graph_search *search, int to, int64_t count);

/* Copies a message to search->numbers and search->distances. Returns the number of distances. */
int64_t graph_mail_open(graph_search *search, const halo_quiescence_event *event);

/* True if this rank is asked to stop. */
bool graph_search_stops(graph_search *search);

/* HALO_MEMORY if the front had no memory. */
halo_status graph_search_check(const graph_search *search);

/* Collective. The methods, called between begin and end of a halo_quiescence. They return the
 * status of this rank. */
halo_status graph_run_central(graph_search *search);
halo_status graph_run_parts(graph_search *search);

#endif
