#include "kernels/graph/mail.h"

#include <string.h>

halo_status graph_mail_send(graph_search *search, int to, int64_t count)
{
    size_t doubles = (size_t)count * sizeof(double), numbers = (size_t)count * sizeof(int32_t);
    memcpy(search->bytes, search->distances, doubles);
    memcpy(search->bytes + doubles, search->numbers, numbers);
    search->sent += count;
    return halo_quiescence_send(search->quiescence, to, search->bytes, doubles + numbers);
}

int64_t graph_mail_open(graph_search *search, const halo_quiescence_event *event)
{
    size_t count = event->bytes / GRAPH_OFFER_BYTES;
    memcpy(search->distances, event->data, count * sizeof(double));
    memcpy(search->numbers, (const char *)event->data + count * sizeof(double),
           count * sizeof(int32_t));
    return (int64_t)count;
}

bool graph_search_stops(graph_search *search)
{
    const halo_search_options *options = search->options;
    search->stopped =
        search->stopped || (options->stops != NULL && options->stops(options->context));
    return search->stopped;
}

halo_status graph_search_check(const graph_search *search)
{
    return search->front.failed
               ? halo_fail(HALO_MEMORY, "out of memory: the queue of vertices; use more hosts")
               : HALO_OK;
}
