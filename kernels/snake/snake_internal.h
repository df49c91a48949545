#ifndef HALOBEAT_KERNELS_SNAKE_SNAKE_INTERNAL_H
#define HALOBEAT_KERNELS_SNAKE_SNAKE_INTERNAL_H

#include "core/balance/row_cost.h"
#include "core/beat/loop.h"
#include "core/world/collect.h"
#include "kernels/snake/snake.h"
#include "kernels/snake/snake_ops.h"
#include "partition/cuts.h"

/* Internals of active contours.
 *
 * Every rank has memory for all points, by their number, and knows the positions of the points it
 * owns and of their neighbours in the ring. The position of a point gives its owner: the owner of
 * its row. So the owners of two neighbouring points know each other, and exchange a message in each
 * turn. */

typedef struct {
    int32_t y, x;
} snake_point;

/* Sums in the vote, before those of each contour. */
enum {
    SNAKE_SUM_DISTANCE, /* distance moved by points, in SNAKE_FRACTION of a pixel */
    SNAKE_SUM_HASH,     /* two sums over hashes of all positions, for jacobi only */
    /* For each contour the sum of lengths between its points, in SNAKE_FRACTION of a pixel; then
     * for each contour the number of points moved. */
    SNAKE_SUM_CONTOURS = SNAKE_SUM_HASH + 2
};

/* Beats with each of the smaller steps: enough to find the edge, and too few for points to slide
 * along it. */
enum { SNAKE_REFINED = 4 };

/* The longest cycle of positions, in beats, that is detected for jacobi. */
enum { SNAKE_CYCLE = 8 };

enum { SNAKE_FRACTION = 256, SNAKE_SHIFT = 4 /* log2 of HALO_SNAKE_SUBPIXELS */ };

/* A point in a message. */
typedef struct {
    uint32_t point; /* its number, plus SNAKE_YOURS if the receiver now owns it */
    snake_point at;
} snake_entry;

#define SNAKE_YOURS (UINT32_C(1) << 31)

enum { SNAKE_ENTRIES = 1000 }; /* entries per message; further ones follow in another message */

typedef struct {
    int32_t count, more; /* another message follows */
    snake_entry entries[SNAKE_ENTRIES];
} snake_message;

/* Messages to and from ranks, [ranks] each. */
typedef struct {
    snake_message *out, *in;
    bool *partner; /* ranks that always get a message from this one */
    bool *open;    /* ranks with more messages to send or to receive */
    halo_message *sent, *received;
} snake_mailbox;

struct halo_snake {
    halo_world *world;
    halo_snake_options options;
    halo_snake_progress progress;
    const snake_ops *ops;
    snake_weights weights;
    bool jacobi;
    int shift;    /* points are in units of 2^-shift pixel */
    int step;     /* step of windows, in these units */
    int refined;  /* beats done with this step, if it is less than a pixel */
    int64_t hash; /* for jacobi: of the positions after the last beat whose number is a multiple of
                   * SNAKE_CYCLE; 0: there was none with this step */
    int turns;    /* turns of a beat: 2 colours, 3 if rings have odd numbers of points; 1 for
                   * jacobi */

    halo_field *gradient;
    halo_partition partition;
    int64_t lo, hi; /* rows of this rank */

    int64_t *first;      /* [contours + 1] */
    int64_t *held;       /* [contours] number of its points that this rank owns */
    bool *frozen;        /* [contours] its points do not move any more */
    float *mean;         /* [contours] spacing in pixels at the beginning of a beat */
    snake_point *points; /* [points] */
    snake_point *next;   /* [points] new positions for the order jacobi; otherwise NULL */
    uint64_t *mine;      /* a bit per point: this rank owns it */
    uint32_t *news;      /* [points] numbers of moved points that other ranks must know */
    int64_t news_count;
    int64_t lengths[SNAKE_SIDE][SNAKE_SIDE]; /* lengths of moves by [rows][columns], in
                                              * SNAKE_FRACTION of a pixel */
    int64_t *moved;                          /* number of points moved in this beat */
    int64_t *sums;                           /* sums of its vote */
    int64_t *scratch;                        /* [SNAKE_PIECE + contours] */

    snake_mailbox mailbox;
    halo_row_cost *row_cost;
    halo_loop *loop;
    halo_beat_report *report; /* the loop's report */
};

enum { SNAKE_PIECE = 1 << 15 };

/* Local. */
static inline bool snake_is_mine(const halo_snake *snake, int64_t point)
{
    return snake->mine[point / 64] >> (point % 64) & 1;
}

/* The row of pixels of a point; between pixels, the row above it. */
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

/* Local. The numbers of the points before and after a point in its ring; `contour` is its
 * contour. */
static inline int64_t snake_before(const halo_snake *snake, int64_t contour, int64_t point)
{
    return point > snake->first[contour] ? point - 1 : snake->first[contour + 1] - 1;
}

static inline int64_t snake_after(const halo_snake *snake, int64_t contour, int64_t point)
{
    return point + 1 < snake->first[contour + 1] ? point + 1 : snake->first[contour];
}

/* Local. The distance of two points, in SNAKE_FRACTION of a pixel. */
int64_t snake_length(const halo_snake *snake, snake_point a, snake_point b);

/* Local. Sets the step of windows. */
void snake_set_step(halo_snake *snake, int step);

/* Local. The contour of a point. */
int64_t snake_contour_of(const halo_snake *snake, int64_t point);

/* Local. Marks a point as owned, or not owned, by this rank. */
void snake_take(halo_snake *snake, int64_t point);
void snake_leave(halo_snake *snake, int64_t point);

/* Local. Bits of the 64 points from 64 * word on that this rank owns, limited to points lo to hi -
 * 1. */
static inline uint64_t snake_word(const halo_snake *snake, int64_t word, int64_t lo, int64_t hi)
{
    uint64_t bits = snake->mine[word];
    bits &= lo > 64 * word ? ~UINT64_C(0) << (lo - 64 * word) : ~UINT64_C(0);
    bits &= hi < 64 * (word + 1) ? ~(~UINT64_C(0) << (hi - 64 * word)) : ~UINT64_C(0);
    return bits;
}

/* Local. Moves this rank's points of one turn to their minimum energy (for the order jacobi, stores
 * the new positions), counts them for the vote, and lists those that other ranks must know. */
void snake_evaluate(halo_snake *snake, int turn);

/* Local. For the order jacobi: moves points to their stored positions, including neighbours. */
void snake_commit(halo_snake *snake);

/* Local. Adds up the lengths between this rank's points and the points before them, and for
 * jacobi the hashes of their positions. */
void snake_measure(halo_snake *snake);

/* Local, for jacobi only. A hash, above 0, of all positions, from sums that all ranks have agreed
 * on. */
int64_t snake_hash(const halo_snake *snake);

/* Local, before points move. Finds the ranks to exchange messages with in a turn. */
void snake_meet(halo_snake *snake);

/* Collective. Notifies partners of points that were moved next to theirs (`moves`), and of points
 * they now own (`arrivals`). */
halo_status snake_notify(halo_snake *snake, bool moves, bool arrivals);

/* Local. Allocates and frees messages. HALO_MEMORY. */
halo_status snake_mailbox_create(snake_mailbox *mailbox, int ranks);
void snake_mailbox_free(snake_mailbox *mailbox);

/* Hooks of the loop, whose context is a halo_snake: planning and moving cuts. */
halo_status snake_balance(void *context, int64_t left, bool overdue);
bool snake_is_overdue(void *context);

/* Local. Sets means from the agreed sums, for contours that are not frozen. */
void snake_take_means(halo_snake *snake);

/* Local. Freezes contours of which no point has moved (`moved` [contours]; NULL: unknown), and
 * those that have collapsed. */
void snake_freeze(halo_snake *snake, const int64_t *moved);

#endif
