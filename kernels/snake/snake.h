#ifndef HALOBEAT_SNAKE_SNAKE_H
#define HALOBEAT_SNAKE_SNAKE_H

#include "core/balance/balancing.h"
#include "core/beat/beat.h"
#include "core/field/field.h"
#include "core/world/world.h"

#include <stdbool.h>
#include <stdint.h>

/* Active contours by greedy minimisation of energy (D. J. Williams and M. Shah, A fast algorithm
 * for active contours and curvature estimation, CVGIP: Image Understanding 55, 1992).
 *
 * A contour is a ring of points on pixels. At each beat a point looks at the positions in a square
 * window around it and takes the one of least energy: continuity (how far its distance from the
 * point before it is from the contour's mean spacing), curvature (the second difference of three
 * points), and the gradient of the picture, each in relation to its range in the window.
 *
 * A point is evaluated by the rank that owns its row, and goes to another one with its row. Ranks
 * notify each other of points that have moved next to theirs along a ring, and of those that have
 * come to them; nothing else travels but one vote a beat. Results are the same bytes on any number
 * of ranks, wherever boundaries are, and with any instructions: energies are single precision
 * numbers of which each operation is rounded, sums over ranks are integers. */
typedef struct halo_snake halo_snake;

/* When points of a ring move, by the name a user gives. */
#define HALO_SNAKE_ORDER_LIST(X)                                          \
    X(two_colour, "two-colour",                                           \
      "every second point, then the others; with an odd number the last " \
      "one by itself")                                                    \
    X(jacobi, "jacobi", "all at once, each seeing the others where they were: may oscillate")

/* Rings of points. Contour c's are points first[c] to first[c + 1] - 1, at least 3. */
typedef struct {
    int64_t contours;
    const int64_t *first;  /* [contours + 1] */
    const int32_t *points; /* [2 * first[contours]]: row and column of each, in pixels, or
                            * HALO_SNAKE_SUBPIXELS to a pixel where the options say so */
} halo_snake_contours;

enum { HALO_SNAKE_SUBPIXELS = 16 };

/* Defaults of the options, for those who show them to users as well. */
#define HALO_SNAKE_DEFAULT_ALPHA         1
#define HALO_SNAKE_DEFAULT_BETA          1
#define HALO_SNAKE_DEFAULT_GAMMA         2
#define HALO_SNAKE_DEFAULT_FLOOR         12
#define HALO_SNAKE_DEFAULT_WINDOW        5
#define HALO_SNAKE_DEFAULT_ORDER         "two-colour"
#define HALO_SNAKE_DEFAULT_MOVED_PERCENT 1

/* Begin with halo_snake_defaults(). */
typedef struct {
    double alpha, beta, gamma; /* weights of continuity, curvature and gradient, 0 or more */
    double floor;              /* grey levels (of 255) a pixel: a window whose gradients differ by
                                * less counts as flat, in proportion; noise stays below it */
    int window;                /* 3, 5 or 7: positions across */
    bool subpixel;     /* points lie between pixels, too, in steps of 1 / HALO_SNAKE_SUBPIXELS: once
                        * settled, contours go on with a window of half the size, and so on, at
                        * most 4 beats each; the
                        * gradient between pixels is interpolated (quadratic B-splines, rounded) */
    int step, refined; /* with subpixel: what halo_snake_progress said, to go on; 0: begin */
    const char *order; /* a name of HALO_SNAKE_ORDER_LIST; NULL: the first */
    double settled_moved;      /* settled when at most this share of all points moves in a beat, */
    double settled_distance;   /* or when they move this many pixels on average, or less */
    const char *instructions;  /* avx512, avx2 or plain; NULL: the best this machine has */
    const char *vote;          /* a method of HALO_VOTE_LIST; NULL: allreduce */
    halo_balancing *balancing; /* moves the boundaries while it runs; NULL: they stay. Must outlive
                                * the snake */
    int64_t first_beat; /* beats that were done before, by a run that this one goes on from */

    /* Called on every rank after each beat. If it returns true on any rank, all ranks stop after
     * the next beat. */
    bool (*watch)(void *context, const halo_snake *snake);
    void *context;
} halo_snake_options;

/* Local, pure. What gives good contours of things with a clear edge, from a ring around them whose
 * points are about 6 pixels apart, on a gradient of HALO_SNAKE_DEFAULT_SIGMA: 200 points find a
 * disk and a star on 512 x 512 pixels, with noise of a tenth of white, so well that Dice is .99 and
 * more. A window of 3 does not follow into concavities, and points nearer to each other may never
 * come to rest: they slide along the contour. */
halo_snake_options halo_snake_defaults(void);

/* Local, pure. HALO_ARGUMENT, with the limit, for options that make no sense. */
halo_status halo_snake_check(const halo_snake_options *options);

/* What all ranks know. */
typedef struct {
    int64_t beats; /* first_beat included */
    int64_t contours, points;
    int64_t moved;     /* points that the last beat moved; 0 before the first */
    double distance;   /* pixels that it moved points, the mean of all */
    int64_t collapsed; /* contours that nothing has held: their points are less than a pixel apart
                        * on average, and do not move any more */
    int step;          /* between positions of a window, HALO_SNAKE_SUBPIXELS to a pixel */
    int refined;       /* beats with that step, if it is less than a pixel */
    bool settled;      /* few moved, or not far */
    bool stopped;      /* the last run ended because a rank wished it */
} halo_snake_progress;

/* Collective. `contours` are rank 0's, and are not read elsewhere (may be NULL there); they are
 * copied. `*gradient` is a field as halo_snake_field_create makes it, cut by `cuts` ([ranks + 1]);
 * on success the snake owns it, and *gradient is NULL. Each rank takes about 12 bytes for each
 * point of all contours, 20 with order jacobi. HALO_ARGUMENT for options that make no sense, rings
 * of less than 3 points, points outside the picture; HALO_MEMORY, HALO_MPI; all ranks get the same.
 */
halo_status halo_snake_create(halo_snake **out, halo_world *world, halo_field **gradient,
                              const int64_t *cuts, const halo_snake_contours *contours,
                              const halo_snake_options *options);

/* Local. Accepts a pointer to NULL. */
void halo_snake_destroy(halo_snake **snake);

/* Collective. Beats until the contours have settled, until a watcher stops it, or for `max` more
 * beats (0: no limit). On a failure all ranks leave with the same status and message. */
halo_status halo_snake_run(halo_snake *snake, int64_t max);

/* Local, the same on all ranks. */
halo_snake_progress halo_snake_progressed(const halo_snake *snake);

/* Collective, between runs. Where all points are, on every rank: row and column of each in the
 * order they were given and in their unit, [2 * points]. With the number of beats (and the step)
 * this is all that a checkpoint needs: a snake that is created with these points and first_beat
 * goes on as this one would. */
halo_status halo_snake_collect(halo_snake *snake, int32_t *points);

/* Collective, between runs. Other strips from now on, as in halo_beat_move. */
halo_status halo_snake_move(halo_snake *snake, const int64_t *cuts);

/* Local. The gradient, as it is cut now. Valid until the next run or move. */
const halo_view *halo_snake_gradient(const halo_snake *snake);

/* Local. Points that this rank owns now. */
int64_t halo_snake_owned(const halo_snake *snake);

/* Local. What this rank has done. Messages and bytes are those about points. */
halo_beat_report halo_snake_get_report(const halo_snake *snake);

#endif
