#include "kernels/snake/snake_internal.h"

/* A beat as the loop does it. */

/* A turn; after the last one the spacing of contours. */
static void compute(halo_snake *snake, int turn)
{
    halo_stretch stretch = halo_clock_begin(snake->world);
    halo_row_cost_begin(snake->row_cost, 0, snake->hi - snake->lo, snake->report->beats, 1);
    if (turn < snake->turns) {
        snake_evaluate(snake, turn);
    } else {
        snake_measure(snake);
    }
    halo_row_cost_end(snake->row_cost);
    halo_clock_end(&snake->report->clock, HALO_PHASE_COMPUTE, stretch, snake->world);
}

static halo_status notify(halo_snake *snake)
{
    if (!snake->jacobi) {
        return snake_notify(snake, true, true);
    }
    halo_status status = snake_notify(snake, true, false);
    snake_commit(snake);
    return halo_status_first(status, snake_notify(snake, false, true));
}

static halo_status take_turn(halo_snake *snake, int turn)
{
    halo_stretch stretch = halo_clock_begin(snake->world);
    snake_meet(snake);
    halo_clock_end(&snake->report->clock, HALO_PHASE_EXCHANGE, stretch, snake->world);
    compute(snake, turn);
    stretch = halo_clock_begin(snake->world);
    halo_status status = notify(snake);
    halo_clock_end(&snake->report->clock, HALO_PHASE_EXCHANGE, stretch, snake->world);
    return status;
}

/* After a failure the other turns follow as well: neighbours wait for their messages, and the vote
 * informs all ranks of what has happened. */
static halo_status beat(void *context, halo_loop_superstep *superstep)
{
    halo_snake *snake = context;
    snake->moved = superstep->changed;
    snake->sums = superstep->sums;
    halo_status status = HALO_OK;
    halo_row_cost_begin_superstep(snake->row_cost, 1);
    for (int turn = 0; turn < snake->turns; turn++) {
        status = halo_status_first(status, take_turn(snake, turn));
    }
    compute(snake, snake->turns);
    halo_row_cost_end_superstep(snake->row_cost, 0);
    return status;
}

/* With Jacobi's order, points may oscillate for ever. What a beat does follows from where
 * the points are alone: once all are where they have been before, the beats since then are
 * repeated. */
static bool oscillates(halo_snake *snake)
{
    if (!snake->jacobi) {
        return false;
    }
    int64_t now = snake_hash(snake);
    bool again = now == snake->hash;
    snake->hash = snake->report->beats % SNAKE_CYCLE == 0 ? now : snake->hash;
    return again;
}

/* Spacing is taken of contours that have not been frozen in this beat, before it is seen which are
 * from now on: a contour none of whose points moves stays as it is, and so does its spacing. */
static bool has_settled(void *context, const halo_loop_superstep *superstep)
{
    halo_snake *snake = context;
    halo_snake_progress *progress = &snake->progress;
    double points = (double)progress->points;
    snake->sums = superstep->sums; /* of all ranks now */
    snake_take_means(snake);
    snake_freeze(snake, superstep->sums + SNAKE_SUM_CONTOURS + progress->contours);
    progress->moved = superstep->changed[0];
    progress->distance = (double)superstep->sums[SNAKE_SUM_DISTANCE] / (SNAKE_FRACTION * points);
    bool settled = (double)progress->moved <= snake->options.settled_moved * points ||
                   progress->distance <= snake->options.settled_distance;
    progress->oscillates = oscillates(snake) && progress->moved > 0;
    settled = settled || progress->oscillates;
    if (snake->shift > 0 && snake->step < HALO_SNAKE_SUBPIXELS) {
        settled = settled || ++snake->refined == SNAKE_REFINED;
    }
    if (!settled || snake->step == 1) {
        return settled;
    }
    /* On to a finer window, where contours that had come to rest move again. */
    snake_set_step(snake, snake->step / 2);
    snake->refined = 0;
    snake->hash = 0;
    snake_freeze(snake, NULL);
    return false;
}

static bool watch(void *context, int64_t beats, int64_t moved)
{
    const halo_snake *snake = context;
    (void)beats, (void)moved;
    return snake->options.watch != NULL && snake->options.watch(snake->options.context, snake);
}

halo_status halo_snake_run(halo_snake *snake, int64_t max)
{
    static const halo_loop_hooks hooks = {.balance = snake_balance,
                                          .overdue = snake_is_overdue,
                                          .superstep = beat,
                                          .agreed = has_settled,
                                          .watch = watch};
    if (max < 0) {
        return halo_fail(HALO_ARGUMENT, "a run of %lld beats; use 0 (no limit) or more",
                         (long long)max);
    }
    return halo_loop_run(snake->loop, &hooks, snake, max);
}
