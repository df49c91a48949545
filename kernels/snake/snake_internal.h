#ifndef HALOBEAT_KERNELS_SNAKE_SNAKE_INTERNAL_H
#define HALOBEAT_KERNELS_SNAKE_SNAKE_INTERNAL_H

#include "core/balance/row_cost.h"
#include "core/beat/loop.h"
#include "core/world/collect.h"
#include "kernels/snake/snake.h"
#include "kernels/snake/snake_ops.h"
#include "partition/cuts.h"

/* What the files of active contours share. Internal to them.
 *
 * Every rank has room for all points, by their number, and knows where those are that it owns and
 * their neighbours in the ring. Whoever knows where a point is knows who owns it: the owner of that
 * row. So both owners of neighbours know of each other, and exchange a message at each turn. */

typedef struct {
    int32_t y, x;
} snake_point;

/* Sums that ride on the vote, before those of each contour. */
enum {
    SNAKE_SUM_DISTANCE, /* that points have moved, in SNAKE_FRACTION of a pixel */
    SNAKE_SUM_CONTOURS  /* for each contour: the lengths between its points, in SNAKE_FRACTION of a
                         * pixel, then for each contour: points moved */
};

/* Beats with each of the smaller steps: enough to find the edge, and too few to slide along it. */
enum { SNAKE_REFINED = 4 };

enum { SNAKE_FRACTION = 256, SNAKE_SHIFT = 4 /* of HALO_SNAKE_SUBPIXELS */ };

/* A point in a message. */
typedef struct {
    uint32_t point; /* its number; SNAKE_YOURS is added if it is the receiver's from now on */
    snake_point at;
} snake_entry;

#define SNAKE_YOURS (UINT32_C(1) << 31)

enum { SNAKE_ENTRIES = 1000 }; /* of a message; more follow in another one */

typedef struct {
    int32_t count, more; /* is there another one to come? */
    snake_entry entries[SNAKE_ENTRIES];
} snake_message;

/* Messages to and from ranks, [ranks] each. */
typedef struct {
    snake_message *out, *in;
    bool *partner; /* ranks that hear from this one, whether there is news or not */
    bool *open;    /* those of them that have more to send, or to receive */
    halo_message *sent, *received;
} snake_mailbox;

struct halo_snake {
    halo_world *world;
    halo_snake_options options;
    halo_snake_progress progress;
    const snake_ops *ops;
    snake_weights weights;
    bool jacobi;
    int shift;   /* points are in 2^-shift of a pixel */
    int step;    /* of windows, in that */
    int refined; /* beats with this step, if it is less than a pixel */
    int turns;   /* of a beat: 2 colours, 3 where rings have odd numbers of points; 1 of Jacobi's */

    halo_field *gradient;
    halo_partition partition;
    int64_t lo, hi; /* rows of this rank */

    int64_t *first;      /* [contours + 1] */
    int64_t *held;       /* [contours] points of it that this rank owns */
    bool *frozen;        /* [contours] none of its points will move any more */
    float *mean;         /* [contours] spacing at the beginning of a beat, pixels */
    snake_point *points; /* [points] */
    snake_point *next;   /* [points] where Jacobi's order will have them; NULL in others */
    uint64_t *mine;      /* a bit for each point: this rank owns it */
    uint32_t *news;      /* [points] numbers of points that have moved and that others care about */
    int64_t news_count;
    int64_t lengths[SNAKE_SIDE][SNAKE_SIDE]; /* of moves by [rows][columns], in
                                              * SNAKE_FRACTION of a pixel */
    int64_t *moved;                          /* points, in this beat */
    int64_t *sums;                           /* that ride on its vote */
    int64_t *scratch;                        /* [SNAKE_PIECE + contours] */

    snake_mailbox mailbox;
    halo_row_cost *row_cost;
    halo_loop *loop;
    halo_beat_report *report; /* the loop's */
};

enum { SNAKE_PIECE = 1 << 15 };

/* Local. */
static inline bool snake_is_mine(const halo_snake *snake, int64_t point)
{
    return snake->mine[point / 64] >> (point % 64) & 1;
}

/* The row of pixels that a point is on, or the one above it. */
static inline int64_t snake_row(const halo_snake *snake, snake_point at)
{
    return at.y >> snake->shift;
}

static inline bool snake_is_here(const halo_snake *snake, snake_point at)
{
    return snake_row(snake, at) >= snake->lo && snake_row(snake, at) < snake->hi;
}

static inline int snake_owner(const halo_snake *snake, snake_point at)
{
    return halo_cuts_find(snake->partition.cuts[0], halo_world_ranks(snake->world),
                          snake_row(snake, at));
}

/* Local. The numbers of the points beside one in its ring; `contour` is that point's. */
static inline int64_t snake_before(const halo_snake *snake, int64_t contour, int64_t point)
{
    return point > snake->first[contour] ? point - 1 : snake->first[contour + 1] - 1;
}

static inline int64_t snake_after(const halo_snake *snake, int64_t contour, int64_t point)
{
    return point + 1 < snake->first[contour + 1] ? point + 1 : snake->first[contour];
}

/* Local. Between two points, in SNAKE_FRACTION of a pixel. */
int64_t snake_length(const halo_snake *snake, snake_point a, snake_point b);

/* Local. Windows have this step from now on. */
void snake_set_step(halo_snake *snake, int step);

/* Local. The contour of a point. */
int64_t snake_contour_of(const halo_snake *snake, int64_t point);

/* Local. A point is this rank's from now on, or is not. */
void snake_take(halo_snake *snake, int64_t point);
void snake_leave(halo_snake *snake, int64_t point);

/* Local. Bits of the 64 points from 64 * word on that this rank owns, of points lo to hi - 1. */
static inline uint64_t snake_word(const halo_snake *snake, int64_t word, int64_t lo, int64_t hi)
{
    uint64_t bits = snake->mine[word];
    bits &= lo > 64 * word ? ~UINT64_C(0) << (lo - 64 * word) : ~UINT64_C(0);
    bits &= hi < 64 * (word + 1) ? ~(~UINT64_C(0) << (hi - 64 * word)) : ~UINT64_C(0);
    return bits;
}

/* Local. Moves this rank's points of one turn to where their energy is least (with Jacobi's order:
 * notes where that is), counts them for the vote, and notes those that others care about. */
void snake_evaluate(halo_snake *snake, int turn);

/* Local. With Jacobi's order: points go where they were noted, neighbours too. */
void snake_commit(halo_snake *snake);

/* Local. Adds up the lengths of contours between this rank's points and those before them. */
void snake_measure(halo_snake *snake);

/* Local, before points move. Finds this rank's partners at a turn. */
void snake_meet(halo_snake *snake);

/* Collective. Tells partners of news: of points that have moved next to theirs (`moves`), and of
 * those that have come to them (`arrivals`), which are theirs from now on. */
halo_status snake_notify(halo_snake *snake, bool moves, bool arrivals);

/* Local. Room for messages, and giving it back. HALO_MEMORY. */
halo_status snake_mailbox_create(snake_mailbox *mailbox, int ranks);
void snake_mailbox_free(snake_mailbox *mailbox);

/* A hook of the loop, whose context is a halo_snake: plans and moves boundaries. */
halo_status snake_balance(void *context, int64_t left, bool overdue);
bool snake_is_overdue(void *context);

/* Local. Agreed sums become means, of contours that are not frozen. */
void snake_take_means(halo_snake *snake);

/* Local. Contours of which no point has moved (`moved`, [contours]; NULL: not known yet), and those
 * that have collapsed, are frozen from now on. */
void snake_freeze(halo_snake *snake, const int64_t *moved);

#endif
