#include "core/transport/threads/threads_internal.h"

#include <string.h>

/* Reductions of few numbers. Each rank shows its numbers in a line of memory of its own, and
 * reduces those of all for itself as soon as it sees them: what one rank writes and another reads
 * passes between two cores once, where an operation that the last rank does for all passes four
 * times. Each rank wakes all others, so that it is for ranks that have a core each.
 *
 * A line is written again THREADS_RING reductions later, when all ranks have read it, which they
 * count. A rank completes reductions whenever it waits for anything, so that nobody waits in vain
 * for a line. */

static threads_shown *line_of(const threads_end *end, unsigned number, int rank)
{
    const threads_group *group = end->group;
    return &group->shown[number % THREADS_RING * (unsigned)group->ranks + (unsigned)rank];
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Reductions may be completed in another order than they were begun. */
static void count_complete(threads_end *end, unsigned number)
{
    unsigned before = end->complete;
    end->ahead |= 1U << (number - end->complete);
    while ((end->ahead & 1) != 0) {
        end->ahead >>= 1;
        end->complete++;
    }
    if (end->complete != before) {
        SYNC_STORE(&end->group->complete[end->base.rank].number, end->complete, release);
    }
}

/* The results may take the place of what this rank has shown a copy of. */
static void reduce_shown(const threads_request *request)
{
    int64_t total[THREADS_NUMBERS];
    threads_end *end = request->shown;
    size_t bytes = (size_t)request->room * sizeof *total;
    memcpy(total, line_of(end, request->number, 0)->values, bytes);
    for (int r = 1; r < end->base.ranks; r++) {
        halo_threads_combine(total, line_of(end, request->number, r)->values, request->room,
                             request->reduction);
    }
    memcpy(request->data, total, bytes);
}

bool halo_threads_see(threads_request *request)
{
    threads_end *end = request->shown;
    while (request->seen < end->base.ranks) {
        threads_shown *line = line_of(end, request->number, request->seen);
        /* An acquiring load might be taken before the rank has announced that it sleeps. */
        if (SYNC_LOAD(&line->number, seq_cst) != request->number + 1) {
            return false;
        }
        request->seen++;
    }
    reduce_shown(request);
    count_complete(end, request->number);
    end->self->showing--;
    atomic_store_explicit(&request->state, THREADS_DONE, memory_order_relaxed);
    return true;
}

void halo_threads_see_all(threads_rank *self)
{
    for (threads_request *r = self->requests; r != NULL; r = r->link.after) {
        if (r->shown != NULL &&
            atomic_load_explicit(&r->state, memory_order_relaxed) == THREADS_OPEN) {
            halo_threads_see(r);
        }
    }
}

/* Nobody else uses memory of the request. */
void halo_threads_see_no_more(threads_request *request)
{
    if (atomic_load_explicit(&request->state, memory_order_relaxed) == THREADS_OPEN) {
        request->owner->showing--;
        atomic_store_explicit(&request->state, THREADS_WITHDRAWN, memory_order_relaxed);
    }
}

void halo_threads_stop_showing(const threads_end *end)
{
    for (threads_request *r = end->self->requests; r != NULL; r = r->link.after) {
        if (r->shown == end) {
            halo_threads_see_no_more(r);
        }
    }
}

/* ---- showing --------------------------------------------------------------------------------- */

/* Has every rank read what this rank has shown THREADS_RING reductions ago? */
static bool is_read(threads_end *end)
{
    if (end->shown - end->read_by_all < THREADS_RING) {
        return true;
    }
    unsigned most = 0; /* reductions that are not complete on a rank */
    for (int r = 0; r < end->base.ranks; r++) {
        unsigned open = end->shown - SYNC_LOAD(&end->group->complete[r].number, acquire);
        most = open > most ? open : most;
    }
    end->read_by_all = end->shown - most;
    return most < THREADS_RING;
}

static halo_status await_line(threads_end *end)
{
    while (!is_read(end)) {
        HALO_TRY(halo_threads_go_on(end->self));
        halo_sync_yield();
    }
    return HALO_OK;
}

static void show(const threads_end *end, unsigned number, const int64_t *mine, int count)
{
    threads_shown *line = line_of(end, number, end->base.rank);
    memcpy(line->values, mine, (size_t)count * sizeof *mine);
    SYNC_STORE(&line->number, number + 1, seq_cst);
    for (int r = 0; r < end->base.ranks; r++) {
        if (r != end->base.rank) {
            halo_threads_wake(end->group->members[r]);
        }
    }
}

halo_status halo_threads_show(threads_end *end, const int64_t *mine, int64_t *all, int count,
                              halo_reduction reduction, halo_request *request)
{
    *request = HALO_NO_REQUEST;
    HALO_TRY(await_line(end));
    threads_request *reducing = halo_threads_request(end->self);
    if (reducing == NULL) {
        return halo_threads_fail_memory(end->self, "an operation of all ranks");
    }
    reducing->shown = end;
    reducing->number = end->shown++;
    reducing->seen = 0;
    reducing->data = all;
    reducing->room = count;
    reducing->reduction = reduction;
    end->self->showing++;
    show(end, reducing->number, mine, count);
    *request = threads_handle(reducing);
    return HALO_OK;
}
