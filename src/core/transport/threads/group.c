#include "core/transport/threads/threads_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BUCKETS = 64 };

/* ---- making ---------------------------------------------------------------------------------- */

/* The number of buckets of a mailbox, besides that of receives from any source. */
static int count_buckets(int ranks)
{
    int buckets = 1;
    while (buckets < ranks && buckets < MOST_BUCKETS) {
        buckets *= 2;
    }
    return buckets;
}

static void set_mailboxes(threads_group *group, int buckets)
{
    threads_bucket *next = group->buckets;
    memset(group->boxes, 0, (size_t)group->ranks * sizeof *group->boxes);
    for (int r = 0; r < group->ranks; r++) {
        threads_mailbox *box = &group->boxes[r];
        box->mask = buckets - 1;
        box->buckets = buckets < THREADS_FEW ? box->few : next;
        for (int b = 0; b <= buckets; b++, next++) {
            box->buckets[b].last_posted = &box->buckets[b].posted;
            box->buckets[b].last_waiting = &box->buckets[b].waiting;
        }
    }
}

static void free_group(threads_group *group)
{
    free((void *)group->members);
    free(group->boxes);
    free(group->buckets);
    free(group->entries);
    free(group->shown);
    free(group->complete);
    free(group);
}

/* A core for each rank: otherwise a rank would wake others that can do nothing yet. */
static bool shows_numbers(int ranks, const threads_rank *member)
{
#ifdef HALO_SYNC_STEPPED
    (void)member;
    return ranks > 1 && ranks <= THREADS_SHOWING;
#else
    return ranks > 1 && ranks <= THREADS_SHOWING && ranks <= member->team->cores;
#endif
}

static void *make_lines(size_t count, size_t bytes)
{
    void *lines = aligned_alloc(SYNC_LINE, count * bytes);
    if (lines != NULL) {
        memset(lines, 0, count * bytes);
    }
    return lines;
}

static bool make_shown(threads_group *group)
{
    size_t ranks = (size_t)group->ranks;
    if (!shows_numbers(group->ranks, group->members[0])) {
        return true;
    }
    group->shown = make_lines(ranks * THREADS_RING, sizeof *group->shown);
    group->complete = make_lines(ranks, sizeof *group->complete);
    return group->shown != NULL && group->complete != NULL;
}

threads_group *halo_threads_group_create(int ranks, threads_rank *const *members)
{
    size_t count = (size_t)ranks;
    size_t buckets = (size_t)count_buckets(ranks);
    threads_group *group = aligned_alloc(SYNC_LINE, sizeof *group);
    if (group == NULL) {
        return NULL;
    }
    memset(group, 0, sizeof *group);
    group->ranks = ranks;
    atomic_init(&group->users, ranks);
    group->members = calloc(count, sizeof(threads_rank *));
    group->boxes = aligned_alloc(SYNC_LINE, count * sizeof *group->boxes);
    group->buckets = calloc(count * (buckets + 1), sizeof *group->buckets);
    group->entries = calloc(count * THREADS_RING, sizeof *group->entries);
    if (group->members == NULL || group->boxes == NULL || group->buckets == NULL ||
        group->entries == NULL) {
        free_group(group);
        return NULL;
    }
    memcpy((void *)group->members, (const void *)members, count * sizeof *members);
    if (!make_shown(group)) {
        free_group(group);
        return NULL;
    }
    set_mailboxes(group, (int)buckets);
    for (int i = 0; i < THREADS_RING; i++) {
        group->slots[i].group = group;
        group->slots[i].entries = group->entries + count * (size_t)i;
    }
    return group;
}

/* Messages that nobody has received. */
static void drop_messages(threads_group *group)
{
    for (int r = 0; r < group->ranks; r++) {
        for (int b = 0; b <= group->boxes[r].mask; b++) {
            threads_message *message = group->boxes[r].buckets[b].waiting;
            for (threads_message *next; message != NULL; message = next) {
                next = message->next;
                halo_threads_message_free(message);
            }
        }
    }
}

void halo_threads_group_leave(threads_group *group)
{
    if (SYNC_ADD(&group->users, -1, acq_rel) == 1) {
        drop_messages(group);
        free_group(group);
    }
}

void halo_threads_fill_end(threads_end *end, threads_group *group, int rank)
{
    end->base.transport = &halo_transport_threads;
    end->base.rank = rank;
    end->base.ranks = group->ranks;
    end->group = group;
    end->self = group->members[rank];
    end->collectives = end->shown = end->complete = end->ahead = end->read_by_all = 0;
}

/* ---- from another group ---------------------------------------------------------------------- */

/* A rank's place in a division of its group: the colour that it gives, and what it gets. */
typedef struct {
    int colour;           /* below 0: of no group */
    int rank;             /* in the new group */
    threads_group *group; /* NULL: there is none, or there was no memory */
} place;

typedef struct {
    int colour, rank;
} member;

static int by_colour(const void *a, const void *b)
{
    const member *x = a, *y = b;
    return x->colour != y->colour ? (x->colour > y->colour) - (x->colour < y->colour)
                                  : (x->rank > y->rank) - (x->rank < y->rank);
}

static void drop_groups(const threads_slot *slot)
{
    for (int r = 0; r < slot->group->ranks; r++) {
        place *at = slot->entries[r].out;
        if (at->group != NULL && at->rank == 0) {
            free_group(at->group);
        }
    }
    for (int r = 0; r < slot->group->ranks; r++) {
        ((place *)slot->entries[r].out)->group = NULL;
    }
}

/* Makes the groups of all colours. */
static bool make_groups(const threads_slot *slot, const member *order, threads_rank **members)
{
    int ranks = slot->group->ranks;
    for (int first = 0, end; first < ranks; first = end) {
        for (end = first; end < ranks && order[end].colour == order[first].colour; end++) {
            members[end - first] = slot->group->members[order[end].rank];
        }
        threads_group *group =
            order[first].colour >= 0 ? halo_threads_group_create(end - first, members) : NULL;
        if (group == NULL && order[first].colour >= 0) {
            return false;
        }
        for (int i = first; i < end; i++) {
            place *at = slot->entries[order[i].rank].out;
            at->group = group;
            at->rank = i - first;
        }
    }
    return true;
}

static void split_group(threads_slot *slot, int rank)
{
    size_t ranks = (size_t)slot->group->ranks;
    if (rank > 0) { /* rank 0's part is all of it */
        return;
    }
    member *order = calloc(ranks, sizeof *order);
    threads_rank **members = calloc(ranks, sizeof(threads_rank *));
    for (int r = 0; order != NULL && r < slot->group->ranks; r++) {
        place *at = slot->entries[r].out;
        order[r] = (member){.colour = at->colour, .rank = r};
    }
    if (order != NULL && members != NULL) {
        qsort(order, ranks, sizeof *order, by_colour);
        if (!make_groups(slot, order, members)) {
            drop_groups(slot);
        }
    }
    free(order);
    free((void *)members);
}

halo_status halo_threads_await(halo_endpoint *end, halo_request *request)
{
    enum { LOOKS = 50 };
    const halo_sleeping *sleeping = end->transport->sleeping;
    unsigned seen = 0;
    bool complete = false, announced = false;
    halo_status status = end->transport->test(end, request, &complete, NULL);
    for (int looks = 1; !complete && status == HALO_OK; looks++) {
        if (looks < LOOKS) {
            sync_relax();
        } else {
            looks = LOOKS;
            if (announced) {
                sleeping->sleep(end, seen, -1);
            }
            seen = sleeping->announce(end);
            announced = true;
        }
        status = end->transport->test(end, request, &complete, NULL);
    }
    sleeping->end(end);
    return status;
}

halo_status halo_threads_split(halo_endpoint *end, int colour, halo_endpoint *out)
{
    place mine = {.colour = colour};
    halo_request request;
    HALO_TRY(halo_threads_begin(end, &mine, &mine, split_group, &request));
    halo_status status = halo_threads_await(end, &request);
    if (status != HALO_OK && mine.group != NULL) { /* it was made before the team broke */
        halo_threads_group_leave(mine.group);
    }
    HALO_TRY(status);
    if (mine.group != NULL) {
        halo_threads_fill_end((threads_end *)out, mine.group, mine.rank);
        return HALO_OK;
    }
    return colour < 0 ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: a group of ranks");
}

halo_status halo_threads_duplicate(halo_endpoint *end, halo_endpoint *out)
{
    return halo_threads_split(end, 0, out);
}

/* All ranks are in this process. The end has messages of its own, as one of another group. */
halo_status halo_threads_near(halo_endpoint *end, halo_endpoint *out)
{
    return halo_threads_split(end, 0, out);
}

/* Members are in the order of their numbers in the team. */
int halo_threads_rank_in(const halo_endpoint *end, int rank, const halo_endpoint *other)
{
    const threads_rank *wanted = ((const threads_end *)end)->group->members[rank];
    const threads_group *group = ((const threads_end *)other)->group;
    int low = 0, high = group->ranks;
    while (low < high) {
        int middle = (low + high) / 2;
        if (group->members[middle]->number < wanted->number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < group->ranks && group->members[low] == wanted ? low : -1;
}

void halo_threads_close(halo_endpoint *end)
{
    threads_end *mine = (threads_end *)end;
    if (end->ranks > 0) {
        halo_threads_post(mine->self); /* while the mailboxes are there */
        halo_threads_stop_showing(mine);
        if (mine->group == mine->self->team->group) {
            halo_threads_end_rank(mine->self);
        }
        halo_threads_group_leave(mine->group);
        end->ranks = 0;
    }
}
