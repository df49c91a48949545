#include "core/transport/transport.h"

/* A rank alone. Operations on all ranks are copies of its own numbers, which is what those who
 * begin them do themselves where there is one rank; so nothing is ever under way. */

static bool allows_threads(void)
{
    return true;
}

static halo_status test(halo_endpoint *end, halo_request *request, bool *complete, int *bytes)
{
    (void)end;
    (void)bytes;
    *request = HALO_NO_REQUEST;
    *complete = true;
    return HALO_OK;
}

static halo_status progress(halo_endpoint *end)
{
    (void)end;
    return HALO_OK;
}

static void cancel(halo_endpoint *end, halo_request *request)
{
    (void)end;
    *request = HALO_NO_REQUEST;
}

static void close_end(halo_endpoint *end)
{
    end->ranks = 0;
}

static int rank_in(const halo_endpoint *end, int rank, const halo_endpoint *other)
{
    (void)end;
    return rank < other->ranks ? rank : -1;
}

const halo_transport halo_transport_alone = {.name = "alone",
                                             .in_process = true,
                                             .allows_threads = allows_threads,
                                             .test = test,
                                             .progress = progress,
                                             .cancel = cancel,
                                             .end_size = sizeof(halo_endpoint),
                                             .rank_in = rank_in,
                                             .close = close_end};
