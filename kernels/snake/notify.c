#include "kernels/snake/snake_internal.h"

#include "base/memory.h"
#include "core/world/collect.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

halo_status snake_mailbox_create(snake_mailbox *mailbox, int ranks)
{
    static const char what[] = "messages between ranks";
    *mailbox = (snake_mailbox){0};
    HALO_TRY(HALO_ALLOCATE(mailbox->out, ranks, what));
    HALO_TRY(HALO_ALLOCATE(mailbox->in, ranks, what));
    HALO_TRY(HALO_ALLOCATE(mailbox->partner, ranks, what));
    HALO_TRY(HALO_ALLOCATE(mailbox->open, ranks, what));
    HALO_TRY(HALO_ALLOCATE(mailbox->sent, ranks, what));
    return HALO_ALLOCATE(mailbox->received, ranks, what);
}

void snake_mailbox_free(snake_mailbox *mailbox)
{
    free(mailbox->out);
    free(mailbox->in);
    free(mailbox->partner);
    free(mailbox->open);
    free(mailbox->sent);
    free(mailbox->received);
    *mailbox = (snake_mailbox){0};
}

/* ---- partners -------------------------------------------------------------------------------- */

/* If one of two neighbouring points is this rank's, the owner of the other becomes a partner. */
static void meet(halo_snake *snake, int64_t a, int64_t b)
{
    bool mine = snake_is_mine(snake, a);
    if (mine != snake_is_mine(snake, b)) {
        snake->mailbox.partner[snake_owner(snake, snake->points[mine ? b : a])] = true;
    }
}

/* Make partners of all owners of points that are next to one of this rank's in a contour. */
static void meet_along(halo_snake *snake, int64_t contour)
{
    int64_t lo = snake->first[contour], hi = snake->first[contour + 1];
    for (int64_t word = lo / 64; 64 * word < hi; word++) {
        uint64_t mine = snake_word(snake, word, 0, hi);
        uint64_t next = 64 * (word + 1) < hi ? snake->mine[word + 1] : 0;
        uint64_t ends = mine ^ (mine >> 1 | next << 63);
        for (; ends != 0; ends &= ends - 1) {
            int64_t point = 64 * word + __builtin_ctzll(ends);
            if (point >= lo && point + 1 < hi) {
                meet(snake, point, point + 1);
            }
        }
    }
    meet(snake, hi - 1, lo);
}

/* Both sides come to the same: owners of neighbours in a ring know of each other, and so do ranks
 * whose strips are so near to each other that a point may go from one to the other in a beat. */
void snake_meet(halo_snake *snake)
{
    int ranks = halo_world_ranks(snake->world), me = halo_world_rank(snake->world);
    const int64_t *cuts = snake->partition.cuts[0];
    int reach = snake->options.window / 2;
    memset(snake->mailbox.partner, 0, (size_t)ranks * sizeof(bool));
    for (int64_t c = 0; c < snake->progress.contours; c++) {
        if (snake->held[c] > 0 && snake->held[c] < snake->first[c + 1] - snake->first[c]) {
            meet_along(snake, c);
        }
    }
    for (int r = 0; r < ranks; r++) {
        bool empty = cuts[r] == cuts[r + 1] || snake->lo == snake->hi;
        if (!empty && cuts[r] < snake->hi + reach && cuts[r + 1] > snake->lo - reach) {
            snake->mailbox.partner[r] = true;
        }
    }
    snake->mailbox.partner[me] = false;
}

/* ---- messages -------------------------------------------------------------------------------- */

/* Entries in one message: itself as news and as arrival, and both its neighbours. */
enum { MAX_ENTRIES_OF_POINT = 4 };

static void write_entry(halo_snake *snake, int to, int64_t point, uint32_t yours, snake_point at)
{
    if (to != halo_world_rank(snake->world)) {
        snake_message *message = &snake->mailbox.out[to];
        message->entries[message->count++] = (snake_entry){(uint32_t)point | yours, at};
    }
}

static bool has_room(const halo_snake *snake, int to)
{
    return snake->mailbox.out[to].count + MAX_ENTRIES_OF_POINT <= SNAKE_ENTRIES;
}

/* One of the news; false, and nothing is written, if a message is full. */
static bool write_news(halo_snake *snake, int64_t point, bool moves, bool arrivals)
{
    int64_t contour = snake_contour_of(snake, point);
    int64_t before = snake_before(snake, contour, point),
            after = snake_after(snake, contour, point);
    snake_point to = moves && snake->jacobi ? snake->next[point] : snake->points[point];
    int owners[] = {snake_owner(snake, snake->points[before]),
                    snake_owner(snake, snake->points[after]), snake_owner(snake, to)};
    if (!has_room(snake, owners[0]) || !has_room(snake, owners[1]) || !has_room(snake, owners[2])) {
        return false;
    }
    for (int i = 0; moves && i < 2; i++) {
        if (i == 0 || owners[1] != owners[0]) {
            write_entry(snake, owners[i], point, 0, to);
        }
    }
    if (arrivals && owners[2] != halo_world_rank(snake->world)) {
        write_entry(snake, owners[2], before, 0, snake->points[before]);
        write_entry(snake, owners[2], after, 0, snake->points[after]);
        write_entry(snake, owners[2], point, SNAKE_YOURS, to);
        snake_leave(snake, point);
    }
    return true;
}

static void read_message(halo_snake *snake, const snake_message *message, bool moves)
{
    for (int32_t i = 0; i < message->count; i++) {
        const snake_entry *entry = &message->entries[i];
        int64_t point = entry->point & ~SNAKE_YOURS;
        if (snake->jacobi) {
            snake->next[point] = entry->at;
        }
        if (!snake->jacobi || !moves) {
            snake->points[point] = entry->at;
        }
        if ((entry->point & SNAKE_YOURS) != 0) {
            snake_take(snake, point);
        }
    }
}

static size_t size_of(const snake_message *message)
{
    return offsetof(snake_message, entries) + (size_t)message->count * sizeof(snake_entry);
}

static halo_status sendrecv_messages(halo_snake *snake)
{
    snake_mailbox *mailbox = &snake->mailbox;
    int count = 0, ranks = halo_world_ranks(snake->world);
    for (int r = 0; r < ranks; r++) {
        if (mailbox->open[r]) {
            size_t bytes = size_of(&mailbox->out[r]);
            mailbox->sent[count] =
                (halo_message){.rank = r, .data = &mailbox->out[r], .bytes = bytes};
            mailbox->received[count] =
                (halo_message){.rank = r, .data = &mailbox->in[r], .bytes = sizeof(snake_message)};
            snake->report->messages++;
            snake->report->bytes += (int64_t)bytes;
            mailbox->in[r].count = mailbox->in[r].more = 0; /* of a message that never comes */
            count++;
        }
    }
    return halo_sendrecv(snake->world, mailbox->sent, count, mailbox->received, count);
}

/* Reading messages does not change what is still to be written: neighbours of points that have news
 * do not move in the same turn, and with Jacobi's order not before the commit. */
static halo_status swap_round(halo_snake *snake, int64_t *done, bool moves, bool arrivals,
                              bool *more)
{
    snake_mailbox *mailbox = &snake->mailbox;
    int ranks = halo_world_ranks(snake->world);
    for (int r = 0; r < ranks; r++) {
        mailbox->out[r].count = 0;
    }
    while (*done < snake->news_count && write_news(snake, snake->news[*done], moves, arrivals)) {
        ++*done;
    }
    for (int r = 0; r < ranks; r++) {
        mailbox->out[r].more = *done < snake->news_count;
    }
    halo_status status = sendrecv_messages(snake);
    *more = *done < snake->news_count;
    for (int r = 0; r < ranks; r++) {
        if (mailbox->open[r]) {
            read_message(snake, &mailbox->in[r], moves);
            mailbox->open[r] = mailbox->out[r].more || mailbox->in[r].more;
            *more = *more || mailbox->open[r];
        }
    }
    return status;
}

halo_status snake_notify(halo_snake *snake, bool moves, bool arrivals)
{
    int64_t done = 0;
    bool more = true;
    halo_status status = HALO_OK;
    if (halo_world_ranks(snake->world) == 1) {
        return HALO_OK;
    }
    memcpy(snake->mailbox.open, snake->mailbox.partner,
           (size_t)halo_world_ranks(snake->world) * sizeof(bool));
    /* After a failure too: partners wait for the other rounds. */
    while (more) {
        status = halo_status_first(status, swap_round(snake, &done, moves, arrivals, &more));
    }
    return status;
}
