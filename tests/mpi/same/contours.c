/* Active contours, beside one point after another. */

#include "same.h"

#include "kernels/snake/snake_ops.h"
#include "partition/cuts.h"
#include "support/blocks.h"
#include "support/images.h"
#include "support/mpi_check.h"
#include "support/snake_case.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CONTOURS = 12, MAX_POINTS = 60 * MAX_CONTOURS, BEATS = 20, CYCLE = 8 };

typedef struct {
    const way *way;
    uint64_t *random;
    snake_picture picture;
    double sigma;
    uint16_t *gradient;
    halo_snake_options options;
    halo_snake_contours contours;
    int64_t first[MAX_CONTOURS + 1];
    int32_t points[2 * MAX_POINTS]; /* where they should be, */
    int32_t before[2 * MAX_POINTS]; /* and were after a beat that CYCLE divides */
    bool oscillates;
    int64_t done, moved; /* beats; points, by the last of them */
    halo_snake *snake;
    char text[480];
} snake_run;

/* ---- a case ---------------------------------------------------------------------------------- */

/* Rings of odd and even numbers of points, some of them beyond the picture's edges. */
static void draw_contours(snake_run *s)
{
    s->contours =
        (halo_snake_contours){1 + random_below(s->random, MAX_CONTOURS), s->first, s->points};
    for (int64_t i = 0; i < s->contours.contours; i++) {
        int64_t n = 3 + random_below(s->random, 58);
        double row = (double)random_below(s->random, s->picture.rows);
        double column = (double)random_below(s->random, s->picture.columns);
        double radius = (double)random_below(s->random, s->picture.rows);
        snake_circle(&s->picture, row, column, radius, n, s->points + 2 * s->first[i]);
        s->first[i + 1] = s->first[i] + n;
    }
}

static void make(snake_run *s, struct halo_balancing *balancing)
{
    static const double sigmas[] = {1, 0, .3, 1, 2, 3.3, 10, 16};
    uint64_t *random = s->random;
    int64_t rows = 1 + random_below(random, 90), columns = 1 + random_below(random, 160);
    s->picture = snake_picture_any(random, rows, columns, random_below(random, 3) == 0 ? 16 : 8);
    s->sigma = sigmas[random_below(random, 8)];
    s->gradient = snake_naive_gradient(&s->picture, s->sigma);
    s->options = halo_snake_defaults();
    s->options.window = 3 + 2 * (int)random_below(random, 3);
    s->options.order = random_below(random, 4) == 3 ? "jacobi" : "two-colour";
    s->options.alpha = random_below(random, 5) == 0 ? 1.3 : 1;
    s->options.floor = random_below(random, 2) == 0 ? 0 : 12;
    s->options.instructions = s->way->of[WAY_instructions];
    s->options.vote = s->way->of[WAY_vote];
    s->options.settled_moved = 0;
    s->options.balancing = balancing;
    draw_contours(s);
    snprintf(s->text, sizeof s->text,
             "%" PRId64 "x%" PRId64 " of %d bits, sigma %g, window %d, %s, %" PRId64
             " contours, %s",
             rows, columns, s->picture.bits, s->sigma, s->options.window, s->options.order,
             s->contours.contours, s->way->text);
}

/* ---- what must be so ------------------------------------------------------------------------- */

/* Rows of the halo too. */
static void check_gradient(const snake_run *s)
{
    const halo_view *view = halo_snake_gradient(s->snake);
    int64_t lo = view->owned.lo[0], rows = view->owned.n[0], columns = s->picture.columns,
            wrong = 0;
    for (int64_t y = -HALO_SNAKE_REACH; rows > 0 && y < rows + HALO_SNAKE_REACH; y++) {
        if (lo + y >= 0 && lo + y < s->picture.rows) {
            wrong += memcmp(halo_row(view, y), s->gradient + (lo + y) * columns,
                            (size_t)columns * sizeof *s->gradient) != 0;
        }
    }
    expect(wrong == 0, "%s: the gradient differs in %" PRId64 " rows", s->text, wrong);
}

static void check(const snake_run *s)
{
    static PER_RANK int32_t points[2 * MAX_POINTS];
    int64_t wrong = 0;
    halo_snake_progress progress = halo_snake_progressed(s->snake);
    expect_case_ok(s->text, halo_snake_collect(s->snake, points));
    for (int64_t i = 0; i < 2 * s->first[s->contours.contours]; i++) {
        wrong += points[i] != s->points[i];
    }
    expect(wrong == 0, "%s: %" PRId64 " rows and columns of points differ after beat %" PRId64,
           s->text, wrong, s->done);
    expect(progress.moved == s->moved && progress.beats == s->done &&
               progress.settled == (s->moved == 0 || s->oscillates) &&
               progress.oscillates == (s->moved > 0 && s->oscillates),
           "%s: %" PRId64 " points moved in beat %" PRId64 ", settled %d, not %" PRId64
           " in beat %" PRId64,
           s->text, progress.moved, progress.beats, progress.settled, s->moved, s->done);
    check_gradient(s);
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* Make the snake, or another one that goes on from its points. */
static bool start(snake_run *s)
{
    int64_t cuts[BALANCE_WATCH_RANKS + 1];
    halo_field *gradient = NULL;
    s->options.first_beat = s->done;
    s->options.hash = s->snake != NULL ? halo_snake_progressed(s->snake).hash : 0;
    halo_snake_destroy(&s->snake);
    way_cuts(s->way, s->random, s->picture.rows, all_ranks(), 1, cuts);
    halo_status status =
        snake_gradient(&gradient, &s->picture, cuts, s->sigma, s->options.instructions);
    if (status == HALO_OK) {
        status = halo_snake_create(&s->snake, mpi_check_world(), &gradient, cuts,
                                   my_rank() == 0 ? &s->contours : NULL, &s->options);
    }
    expect_case_ok(s->text, status);
    halo_field_destroy(&gradient);
    return status == HALO_OK;
}

static bool has_ended(const snake_run *s)
{
    return s->done > 0 && (s->moved == 0 || s->oscillates);
}

static void beat(snake_run *s)
{
    size_t bytes = 2 * (size_t)s->first[s->contours.contours] * sizeof *s->points;
    s->moved = snake_naive_beat(&s->picture, s->gradient, &s->options, s->first,
                                s->contours.contours, s->points);
    s->done++;
    s->oscillates = strcmp(s->options.order, "jacobi") == 0 && s->done > CYCLE &&
                    memcmp(s->points, s->before, bytes) == 0;
    if (s->done % CYCLE == 0) {
        memcpy(s->before, s->points, bytes);
    }
}

static void run(snake_run *s, int64_t beats)
{
    int64_t cuts[BALANCE_WATCH_RANKS + 1];
    if (has_ended(s)) {
        return;
    }
    if (way_moves(s->way)) {
        random_cuts(s->random, s->picture.rows, all_ranks(), 1, cuts);
        expect_case_ok(s->text, halo_snake_move(s->snake, cuts));
    }
    expect_case_ok(s->text, halo_snake_run(s->snake, beats));
    do {
        beat(s);
    } while (--beats > 0 && !has_ended(s));
    check(s);
}

void same_snake(const way *w, uint64_t *random, way_tally *all)
{
    snake_run *s = need_zeroed(1, sizeof *s);
    way how = *w;
    how.strips = true;
    balance_watch watch = {.text = w->text};
    *s = (snake_run){.way = w, .random = random};
    make(s, way_balance(&how, &watch, 1));
    const char *pieces = w->of[WAY_pieces];
    int64_t some = pieces == NULL || strcmp(pieces, "one run") == 0 ? BEATS
                   : strcmp(pieces, "beat by beat") == 0            ? 1
                                                                    : BEATS / 2;
    bool made = start(s);
    while (made && s->done < BEATS && !has_ended(s)) {
        run(s, some);
        if (pieces != NULL && strcmp(pieces, "restored") == 0) {
            made = start(s);
            memset(watch.planned, 0, sizeof watch.planned);
        }
    }
    halo_snake_destroy(&s->snake);
    free(s->gradient);
    snake_picture_free(&s->picture);
    free(s);
    way_balance_end(&how, &watch, all);
}
