#include "kernels/snake/snake_internal.h"

#include "base/minmax.h"
#include "core/world/collect.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

halo_status snake_post_create(snake_post *post, int ranks)
{
    size_t n = (size_t)ranks, messages = ranks > 1 ? n : 1;
    *post = (snake_post){.out = malloc(messages * sizeof(snake_message)),
                         .in = malloc(messages * sizeof(snake_message)),
                         .partner = calloc(n, sizeof(bool)),
                         .open = calloc(n, sizeof(bool)),
                         .sent = calloc(n, sizeof(halo_message)),
                         .received = calloc(n, sizeof(halo_message))};
    bool good = post->out != NULL && post->in != NULL && post->partner != NULL &&
                post->open != NULL && post->sent != NULL && post->received != NULL;
    return good ? HALO_OK
                : halo_fail(HALO_MEMORY, "out of memory: messages between %d ranks", ranks);
}

void snake_post_free(snake_post *post)
{
    free(post->out);
    free(post->in);
    free(post->partner);
    free(post->open);
    free(post->sent);
    free(post->received);
    *post = (snake_post){0};
}

/* ---- partners ---------------------------------------------------------------------------------
 */

/* Of a ring with an end here, the owner of the point beyond it. */
static void meet(halo_snake *snake, int64_t a, int64_t b)
{
    bool mine = snake_is_mine(snake, a);
    if (mine != snake_is_mine(snake, b)) {
        snake->post.partner[snake_owner(snake, snake->points[mine ? b : a])] = true;
    }
}

/* Where a point of this rank is next to another one's. */
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
    memset(snake->post.partner, 0, (size_t)ranks * sizeof(bool));
    for (int64_t c = 0; c < snake->progress.contours; c++) {
        if (snake->held[c] > 0 && snake->held[c] < snake->first[c + 1] - snake->first[c]) {
            meet_along(snake, c);
        }
    }
    for (int r = 0; r < ranks; r++) {
        bool empty = cuts[r] == cuts[r + 1] || snake->lo == snake->hi;
        if (!empty && cuts[r] < snake->hi + reach && cuts[r + 1] > snake->lo - reach) {
            snake->post.partner[r] = true;
        }
    }
    snake->post.partner[me] = false;
}

/* ---- messages ----------------------------------------------------------------------------------
 */

enum {
    MAX_ENTRIES_OF_POINT = 4
}; /* entries in one message: itself as news and as arrival, and both its
    * neighbours */

static void write_entry(halo_snake *snake, int to, int64_t point, uint32_t yours, snake_point at)
{
    if (to != halo_world_rank(snake->world)) {
        snake_message *message = &snake->post.out[to];
        message->entries[message->count++] = (snake_entry){(uint32_t)point | yours, at};
    }
}

static bool has_room(const halo_snake *snake, int to)
{
    return snake->post.out[to].count + MAX_ENTRIES_OF_POINT <= SNAKE_ENTRIES;
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
    snake_post *post = &snake->post;
    int count = 0, ranks = halo_world_ranks(snake->world);
    for (int r = 0; r < ranks; r++) {
        if (post->open[r]) {
            size_t bytes = size_of(&post->out[r]);
            post->sent[count] = (halo_message){.rank = r, .data = &post->out[r], .bytes = bytes};
            post->received[count] =
                (halo_message){.rank = r, .data = &post->in[r], .bytes = sizeof(snake_message)};
            snake->messages++;
            snake->bytes += (int64_t)bytes;
            count++;
        }
    }
    return halo_sendrecv(snake->world, post->sent, count, post->received, count);
}

/* What is read does not change what is still to be written: neighbours of points that have news do
 * not move at the same turn, and with Jacobi's order not before the commit. */
static halo_status swap_round(halo_snake *snake, int64_t *done, bool moves, bool arrivals,
                              bool *more)
{
    snake_post *post = &snake->post;
    int ranks = halo_world_ranks(snake->world);
    for (int r = 0; r < ranks; r++) {
        post->out[r].count = 0;
    }
    while (*done < snake->news_count && write_news(snake, snake->news[*done], moves, arrivals)) {
        ++*done;
    }
    for (int r = 0; r < ranks; r++) {
        post->out[r].more = *done < snake->news_count;
    }
    HALO_TRY(sendrecv_messages(snake));
    *more = *done < snake->news_count;
    for (int r = 0; r < ranks; r++) {
        if (post->open[r]) {
            read_message(snake, &post->in[r], moves);
            post->open[r] = post->out[r].more || post->in[r].more;
            *more = *more || post->open[r];
        }
    }
    return HALO_OK;
}

halo_status snake_tell(halo_snake *snake, bool moves, bool arrivals)
{
    int64_t done = 0;
    bool more = true;
    if (halo_world_ranks(snake->world) == 1) {
        return HALO_OK;
    }
    memcpy(snake->post.open, snake->post.partner,
           (size_t)halo_world_ranks(snake->world) * sizeof(bool));
    while (more) {
        HALO_TRY(swap_round(snake, &done, moves, arrivals, &more));
    }
    return HALO_OK;
}
