#ifndef HALOBEAT_SNAKE_SNAKE_H
#define HALOBEAT_SNAKE_SNAKE_H

#include "core/balance/balancing.h"
#include "core/beat/beat.h"
#include "core/field/field.h"
#include "core/world/world.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Active contours by greedy minimisation of energy (D. J. Williams and M. Shah, A fast algorithm
 * for active contours and curvature estimation, CVGIP: Image Understanding 55, 1992).
 *
 * A contour is a closed ring of points on pixels. In each beat a point moves to the position of
 * minimum energy in a square window around it. The energy is the weighted sum of continuity (the
 * difference between its distance from the point before it and the mean spacing of the contour),
 * curvature (the second difference of three points) and the gradient of the image, each scaled by
 * its range in the window.
 *
 * A point is evaluated by the rank that owns its row, and is sent to another rank when its row is
 * there. Ranks notify each other of points that were moved next to theirs along a ring; besides
 * these messages there is one vote per beat. Results are the same bytes on any number of ranks,
 * with all cuts and instruction sets: energies are single-precision numbers with every operation
 * rounded, sums over ranks are integers. */
typedef struct halo_snake halo_snake;

/* The order in which points of a ring move, by the name a user gives. */
#define HALO_SNAKE_ORDER_LIST(X)                                          \
    X(two_colour, "two-colour",                                           \
      "every second point, then the others; with an odd number the last " \
      "one by itself")                                                    \
    X(jacobi, "jacobi",                                                   \
      "all at once, each seeing the others where they were: they may "    \
      "oscillate, which ends the beats")

/* Rings of points. Contour c has points first[c] to first[c + 1] - 1, at least 3. */
typedef struct {
    int64_t contours;
    const int64_t *first;  /* [contours + 1] */
    const int32_t *points; /* [2 * first[contours]]: row and column of each point, in pixels, or
                            * with `subpixel` in units of 1 / HALO_SNAKE_SUBPIXELS pixel */
} halo_snake_contours;

enum { HALO_SNAKE_SUBPIXELS = 16 };

/* Defaults of the options, for programs that show them to users. */
#define HALO_SNAKE_DEFAULT_ALPHA         1
#define HALO_SNAKE_DEFAULT_BETA          1
#define HALO_SNAKE_DEFAULT_GAMMA         2
#define HALO_SNAKE_DEFAULT_FLOOR         12
#define HALO_SNAKE_DEFAULT_WINDOW        5
#define HALO_SNAKE_DEFAULT_ORDER         "two-colour"
#define HALO_SNAKE_DEFAULT_MOVED_PERCENT 1

/* Options. Initialise it by halo_snake_defaults(). */
typedef struct {
    double alpha, beta, gamma; /* weights of continuity, curvature and gradient, 0 or more */
    double floor;              /* grey levels (of 255) per pixel: gradients of a window that
                                * differ by less count as equal, in proportion, so that noise has
                                * no effect */
    int window;                /* positions across the window: 3, 5 or 7 */
    bool subpixel;        /* points lie between pixels, in steps of 1 / HALO_SNAKE_SUBPIXELS pixel:
                           * contours that have settled continue with a window of half the size, and
                           * so on, at most 4 beats each. The gradient between pixels is
                           * interpolated (quadratic B-splines, rounded) */
    int step, refined;    /* with subpixel: the members of an earlier run's halo_snake_progress, to
                           * continue it; 0: a new run */
    int64_t hash;         /* with order jacobi: the same */
    const char *order;    /* a name of HALO_SNAKE_ORDER_LIST; NULL: the first */
    double settled_moved; /* settled when at most this share of all points moves in a beat */
    double settled_distance;   /* or when points move by at most this number of pixels on average */
    const char *instructions;  /* avx512, avx2 or plain; NULL: the best of this machine */
    const char *vote;          /* a method of HALO_VOTE_LIST; NULL: allreduce */
    halo_balancing *balancing; /* moves the cuts during the run; NULL: they do not move. Must
                                * outlive the snake */
    int64_t first_beat; /* beats done before by an earlier run; counting continues from here */

    /* Called on every rank after each beat. If it returns true on any rank, all ranks stop after
     * the next beat. */
    bool (*watch)(void *context, const halo_snake *snake);
    void *context;
} halo_snake_options;

/* Local, pure. Options that give good contours of objects with a clear edge, from a ring around
 * them with points about 6 pixels apart, on a gradient of HALO_SNAKE_DEFAULT_SIGMA: 200 points find
 * a disk and a star in 512 x 512 pixels, with noise of a tenth of white, with Dice coefficients of
 * .99 and more. A window of 3 does not follow concavities. Points closer together may never settle,
 * since they slide along the contour. */
static inline halo_snake_options halo_snake_defaults(void)
{
    halo_snake_options options;
    memset(&options, 0, sizeof options);
    options.alpha = HALO_SNAKE_DEFAULT_ALPHA;
    options.beta = HALO_SNAKE_DEFAULT_BETA;
    options.gamma = HALO_SNAKE_DEFAULT_GAMMA;
    options.floor = HALO_SNAKE_DEFAULT_FLOOR;
    options.window = HALO_SNAKE_DEFAULT_WINDOW;
    options.order = HALO_SNAKE_DEFAULT_ORDER;
    options.settled_moved = HALO_SNAKE_DEFAULT_MOVED_PERCENT / 100.0;
    return options;
}

/* Local, pure. HALO_ARGUMENT, with the limit, for invalid options. */
halo_status halo_snake_check_sized(const halo_snake_options *options, size_t options_bytes);
#define halo_snake_check(...) halo_snake_check_sized(__VA_ARGS__, sizeof(halo_snake_options))

/* The progress of a run; the same on all ranks. */
typedef struct {
    int64_t beats; /* including first_beat */
    int64_t contours, points;
    int64_t moved;     /* points moved by the last beat; 0 before the first */
    double distance;   /* mean distance in pixels that it moved points, over all points */
    int64_t collapsed; /* contours that no edge has held: their points are less than a pixel
                        * apart on average, and do not move any more */
    int step;          /* step between positions of a window, in units of 1 /
                        * HALO_SNAKE_SUBPIXELS pixel */
    int refined;       /* beats done with that step, if it is less than a pixel */
    int64_t hash;      /* with order jacobi: a hash of the positions some beats ago */
    bool oscillates;   /* with order jacobi: all points are where they were at most 8 beats before,
                        * so that these beats would repeat for ever; found by a hash of 61 bits */
    bool settled;      /* by settled_moved or settled_distance, or it oscillates */
    bool stopped;      /* the last run ended because a rank requested it */
} halo_snake_progress;

/* Collective. Creates active contours. `contours` are read on rank 0 only (NULL is allowed on
 * others) and copied. *gradient is a field created by halo_snake_field_create, cut by `cuts` [ranks
 * + 1]; on success the snake owns it, and *gradient is set to NULL. The caller destroys the snake.
 * Each rank allocates about 12 bytes for each point of all contours, 20 with order jacobi.
 * HALO_ARGUMENT for invalid options, rings of fewer than 3 points, and points outside the image;
 * HALO_MEMORY, HALO_TRANSPORT; the same on all ranks. */
halo_status halo_snake_create_sized(halo_snake **out, halo_world *world, halo_field **gradient,
                                    const int64_t *cuts, const halo_snake_contours *contours,
                                    const halo_snake_options *options, size_t options_bytes);
#define halo_snake_create(...) halo_snake_create_sized(__VA_ARGS__, sizeof(halo_snake_options))

/* Local. Frees the snake and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_snake_destroy(halo_snake **snake);

/* Collective. Runs until the contours have settled, a watcher stops it, or `max` more beats are
 * done (0: no limit). After a failure all ranks return the same status and message. */
halo_status halo_snake_run(halo_snake *snake, int64_t max);

/* Local. The progress; the same on all ranks. */
void halo_snake_progressed_sized(const halo_snake *snake, halo_snake_progress *progress,
                                 size_t progress_bytes);
static inline halo_snake_progress halo_snake_progressed(const halo_snake *snake)
{
    halo_snake_progress halo_filled;
    halo_snake_progressed_sized(snake, &halo_filled, sizeof(halo_snake_progress));
    return halo_filled;
}

/* Collective, between runs. Writes the positions of all points to `points` [2 * points] on every
 * rank: row and column of each, in the order and unit in which they were given. Together with
 * `beats`, `step`, `refined` and `hash` of halo_snake_progressed this is all that a checkpoint
 * needs: a snake created with these points and options continues in the same way. */
halo_status halo_snake_collect(halo_snake *snake, int32_t *points);

/* Collective, between runs. Moves to other strips; see halo_beat_move. */
halo_status halo_snake_move(halo_snake *snake, const int64_t *cuts);

/* Local. The gradient in its present strips. Valid until the next run or move. */
const halo_view *halo_snake_gradient(const halo_snake *snake);

/* Local. The number of points that this rank owns at present. */
int64_t halo_snake_owned(const halo_snake *snake);

/* Local. The report of this rank; messages and bytes are those of points. */
void halo_snake_get_report_sized(const halo_snake *snake, halo_beat_report *report,
                                 size_t report_bytes);
static inline halo_beat_report halo_snake_get_report(const halo_snake *snake)
{
    halo_beat_report halo_filled;
    halo_snake_get_report_sized(snake, &halo_filled, sizeof(halo_beat_report));
    return halo_filled;
}

#endif
