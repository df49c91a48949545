#include "core/async/async.h"

#include "base/memory.h"
#include "core/async/updates_internal.h"
#include "core/quiescence/quiescence.h"
#include "core/world/clock.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

static const double DEFAULT_SECONDS = .1;

struct halo_async {
    halo_world *world;
    double seconds;
    async_updates updates;
    halo_quiescence *quiescence;
    bool alone; /* no rank has neighbours */
    halo_async_report *report;
};

/* ---- making ---------------------------------------------------------------------------------- */

static halo_status create_local(halo_async *async, const halo_async_cells *cells,
                                const halo_async_options *options)
{
    async->seconds = options->seconds > 0 ? options->seconds : DEFAULT_SECONDS;
    async->report = cells->report;
    HALO_TRY(async_updates_create(&async->updates, async->world, cells));
    int64_t bytes = async_updates_max_bytes(&async->updates);
    return bytes <= INT_MAX / 2 ? HALO_OK
                                : halo_fail(HALO_ARGUMENT,
                                            "%" PRId64 " bytes of cells that other ranks read are "
                                            "too many for a message; use smaller parts, or rounds",
                                            bytes);
}

/* Collective. Room for the largest message of all ranks. */
static halo_status create_quiescence(halo_async *async, const halo_async_options *options)
{
    int64_t bytes = async_updates_max_bytes(&async->updates);
    HALO_TRY(halo_agree(async->world, halo_allreduce_max(async->world, &bytes, 1)));
    async->alone = bytes == 0;
    return halo_quiescence_create(&async->quiescence, async->world,
                                  &(halo_quiescence_options){.detector = options->detector,
                                                             .max_bytes = (size_t)bytes,
                                                             .until_received = true});
}

halo_status halo_async_create(halo_async **out, halo_world *world, const halo_async_cells *cells,
                              const halo_async_options *options)
{
    *out = NULL;
    halo_async *async;
    halo_status status = HALO_ALLOCATE(async, 1, "asynchronous computing");
    if (status == HALO_OK) {
        *async = (halo_async){.world = world};
        status = create_local(async, cells, options);
    }
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        status = create_quiescence(async, options);
    }
    if (status != HALO_OK) {
        halo_async_destroy(&async);
    }
    *out = async;
    return status;
}

void halo_async_destroy(halo_async **async)
{
    if (*async != NULL) {
        halo_quiescence_destroy(&(*async)->quiescence);
        async_updates_free(&(*async)->updates);
        free(*async);
        *async = NULL;
    }
}

/* ---- a phase --------------------------------------------------------------------------------- */

/* This rank's state in a phase. */
typedef struct {
    halo_async_work *work;
    void *context;
    double until;  /* when this rank ends it */
    bool has_work; /* work is to be called */
    bool unsent;   /* cells may have changed that could not be sent yet */
} phase;

/* Those that must wait for an earlier message to be received are tried again. */
static halo_status send_updates(halo_async *async, phase *at)
{
    at->unsent = false;
    for (int i = 0; i < async->updates.peer_count; i++) {
        async_peer *peer = &async->updates.peers[i];
        if (!peer->stale) {
            continue;
        }
        if (halo_quiescence_sending(async->quiescence, peer->rank) > 0) {
            at->unsent = true;
            continue;
        }
        size_t bytes = async_updates_collect(&async->updates, peer);
        if (bytes > 0) {
            async->report->mine++;
            async->report->mine_bytes += (int64_t)bytes;
            HALO_TRY(
                halo_quiescence_send(async->quiescence, peer->rank, async->updates.message, bytes));
        }
    }
    return HALO_OK;
}

/* All that has come, before more work is done on it; waits if there is nothing else to do. */
static halo_status receive_updates(halo_async *async, phase *at, bool *over)
{
    halo_quiescence_event event;
    halo_quiescence_wait wait = at->has_work ? HALO_QUIESCENCE_LOOK
                                : at->unsent ? HALO_QUIESCENCE_AWAIT
                                             : HALO_QUIESCENCE_REST;
    do {
        HALO_TRY(halo_quiescence_receive(async->quiescence, wait, &event));
        if (event.kind == HALO_QUIESCENCE_MESSAGE) {
            HALO_TRY(async_updates_take(&async->updates, event.from, event.data, event.bytes));
            at->has_work = true;
            wait = HALO_QUIESCENCE_LOOK;
        }
    } while (event.kind == HALO_QUIESCENCE_MESSAGE);
    *over = event.kind == HALO_QUIESCENCE_OVER;
    return HALO_OK;
}

static halo_status do_work(halo_async *async, phase *at)
{
    at->has_work = false;
    HALO_TRY(at->work(at->context, &at->has_work));
    async->report->turns++;
    async_updates_note_work(&async->updates);
    return HALO_OK;
}

/* Leaves it early, and with it all ranks, only with work left: the others end by themselves. */
static halo_status run_phase(halo_async *async, phase *at)
{
    bool over = false;
    do {
        if (at->has_work) {
            HALO_TRY(do_work(async, at));
        }
        HALO_TRY(send_updates(async, at));
        HALO_TRY(receive_updates(async, at, &over));
    } while (!over && !(at->has_work && halo_seconds() > at->until));
    return HALO_OK;
}

static halo_status run_alone(halo_async *async, phase *at)
{
    halo_status status;
    async->report->phases++;
    do {
        status = do_work(async, at);
    } while (status == HALO_OK && at->has_work && halo_seconds() <= at->until);
    async->report->ended += !at->has_work;
    return halo_agree(async->world, status);
}

static void count(halo_async *async)
{
    halo_quiescence_report report = halo_quiescence_get_report(async->quiescence);
    async->report->phases++;
    async->report->ended += report.ended;
    async->report->messages += report.messages;
    async->report->bytes += report.bytes;
    async->report->control += report.control + report.announcements;
    async->report->rounds += report.rounds;
}

static halo_status run_together(halo_async *async, phase *at)
{
    async_updates_begin(&async->updates);
    halo_status status = halo_quiescence_begin(async->quiescence);
    if (status == HALO_OK) {
        status = run_phase(async, at);
    }
    HALO_TRY(halo_quiescence_end(async->quiescence, status));
    count(async);
    return HALO_OK;
}

halo_status halo_async_run(halo_async *async, halo_async_work *work, void *context,
                           bool *unfinished)
{
    /* Not all at the same moment: the first one's message keeps the others from sending theirs. */
    int rank = halo_world_rank(async->world), ranks = halo_world_ranks(async->world);
    double seconds = async->seconds * (1 + (double)rank / ranks);
    phase at = {
        .work = work, .context = context, .until = halo_seconds() + seconds, .has_work = true};
    halo_status status = async->alone ? run_alone(async, &at) : run_together(async, &at);
    *unfinished = at.has_work;
    return status;
}
