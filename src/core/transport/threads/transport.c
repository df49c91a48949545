#include "core/transport/threads/threads_internal.h"

#include <stdio.h>

/* The transport of ranks that are threads of one process. */

static void describe(char *text, size_t size)
{
    snprintf(text, size, "threads");
}

static bool allows_threads(void)
{
    return true;
}

static halo_status start(halo_endpoint *end, const halo_transport_message *m, halo_request *request)
{
    return m->sending ? halo_threads_isend(end, m->data, m->bytes, m->peer, m->tag, false, request)
                      : halo_threads_irecv(end, m->data, m->bytes, m->peer, m->tag, request);
}

/* Frees a request that is not open. */
static halo_status finish(threads_rank *self, threads_request *request, unsigned state, int *bytes)
{
    int received = request->bytes, room = request->room, from = request->from;
    if (bytes != NULL) {
        *bytes = received;
    }
    halo_threads_request_free(request);
    if (state == THREADS_TRUNCATED) {
        return halo_fail(HALO_TRANSPORT,
                         "a message of %d bytes came where %d were expected (from rank %d)",
                         received, room, from);
    }
    return state == THREADS_WITHDRAWN ? halo_threads_go_on(self) : HALO_OK;
}

static halo_status test(halo_endpoint *end, halo_request *request, bool *complete, int *bytes)
{
    threads_rank *self = ((threads_end *)end)->self;
    threads_request *mine = threads_of(*request);
    halo_threads_post(self);
    /* An acquiring load might be taken before the rank has announced that it sleeps. */
    unsigned state = SYNC_LOAD(&mine->state, seq_cst);
    if (state == THREADS_PART) {
        halo_threads_take_part(mine);
        state = SYNC_LOAD(&mine->state, acquire);
    }
    if (state == THREADS_OPEN && mine->shown != NULL && halo_threads_see(mine)) {
        state = THREADS_DONE;
    }
    *complete = state != THREADS_OPEN;
    if (*complete) {
        *request = HALO_NO_REQUEST;
        return finish(self, mine, state, bytes);
    }
    return halo_threads_go_on(self);
}

static halo_status progress(halo_endpoint *end)
{
    return halo_threads_go_on(((threads_end *)end)->self);
}

static void fail(halo_endpoint *end, halo_status status, const char *message)
{
    halo_threads_fail(((threads_end *)end)->self, status, message);
}

/* ---- sleeping -------------------------------------------------------------------------------- */

static unsigned announce(halo_endpoint *end)
{
    threads_rank *self = ((threads_end *)end)->self;
    unsigned seen = SYNC_LOAD(&self->events, seq_cst);
    SYNC_STORE(&self->parked, 1, seq_cst);
    return seen;
}

static void sleep_on(halo_endpoint *end, unsigned seen, long nanoseconds)
{
    halo_sync_sleep(&((threads_end *)end)->self->events, seen, nanoseconds);
}

static void stop_sleeping(halo_endpoint *end)
{
    SYNC_STORE(&((threads_end *)end)->self->parked, 0, relaxed);
}

static const halo_sleeping sleeping = {
    .announce = announce, .sleep = sleep_on, .end = stop_sleeping};

static const halo_common_memory common = {.create = halo_threads_create_common,
                                          .release = halo_threads_release_common,
                                          .wake = halo_threads_wake_rank};

const halo_transport halo_transport_threads = {.name = "threads",
                                               .in_process = true,
                                               .describe = describe,
                                               .allows_threads = allows_threads,
                                               .isend = halo_threads_isend,
                                               .irecv = halo_threads_irecv,
                                               .start = start,
                                               .test = test,
                                               .progress = progress,
                                               .cancel = halo_threads_cancel,
                                               .fail = fail,
                                               .sleeping = &sleeping,
                                               .common = &common,
                                               .iallreduce = halo_threads_iallreduce,
                                               .iexscan = halo_threads_iexscan,
                                               .ibcast = halo_threads_ibcast,
                                               .igather = halo_threads_igather,
                                               .iallgather = halo_threads_iallgather,
                                               .ialltoall = halo_threads_ialltoall,
                                               .end_size = sizeof(threads_end),
                                               .duplicate = halo_threads_duplicate,
                                               .split = halo_threads_split,
                                               .near = halo_threads_near,
                                               .rank_in = halo_threads_rank_in,
                                               .close = halo_threads_close};
