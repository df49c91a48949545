#include "kernels/snake/snake_internal.h"

#include "core/world/collect.h"

#include <string.h>

/* ---- a beat -----------------------------------------------------------------------------------
 */

static void evaluate(halo_snake *snake, int turn)
{
    halo_stretch stretch = halo_clock_begin(snake->world);
    halo_row_cost_begin(snake->row_cost, 0, snake->hi - snake->lo, snake->progress.beats, 1);
    snake_evaluate(snake, turn);
    halo_row_cost_end(snake->row_cost);
    halo_clock_end(&snake->clock, HALO_PHASE_COMPUTE, stretch, snake->world);
}

static halo_status tell(halo_snake *snake)
{
    if (!snake->jacobi) {
        return snake_tell(snake, true, true);
    }
    HALO_TRY(snake_tell(snake, true, false));
    snake_commit(snake);
    return snake_tell(snake, false, true);
}

static halo_status take_turn(halo_snake *snake, int turn)
{
    halo_stretch stretch = halo_clock_begin(snake->world);
    snake_meet(snake);
    halo_clock_end(&snake->clock, HALO_PHASE_EXCHANGE, stretch, snake->world);
    evaluate(snake, turn);
    stretch = halo_clock_begin(snake->world);
    halo_status status = tell(snake);
    halo_clock_end(&snake->clock, HALO_PHASE_EXCHANGE, stretch, snake->world);
    return status;
}

static void measure(halo_snake *snake)
{
    halo_stretch stretch = halo_clock_begin(snake->world);
    halo_row_cost_begin(snake->row_cost, 0, snake->hi - snake->lo, snake->progress.beats, 1);
    snake_measure(snake);
    halo_row_cost_end(snake->row_cost);
    halo_clock_end(&snake->clock, HALO_PHASE_COMPUTE, stretch, snake->world);
}

static halo_status vote(halo_snake *snake)
{
    snake->packet[HALO_VOTE_STOP] = snake->stop;
    halo_stretch stretch = halo_clock_begin(snake->world);
    halo_status status = halo_vote_post(snake->vote, snake->packet);
    if (status == HALO_OK) {
        status = halo_vote_collect(snake->vote, snake->packet);
    }
    halo_clock_end(&snake->clock, HALO_PHASE_VOTE, stretch, snake->world);
    return status;
}

/* Spacing is taken of contours that have not rested in this beat, before it is seen which do from
 * now on: a contour none of whose points moves does so forever, as its spacing stays too. */
static void conclude(halo_snake *snake)
{
    halo_snake_progress *progress = &snake->progress;
    const int64_t *sums = snake->packet + HALO_VOTE_SUMS;
    const int64_t *moved = sums + SNAKE_SUM_CONTOURS + progress->contours;
    snake_take_means(snake);
    snake_rest(snake, moved);
    double points = (double)progress->points;
    progress->beats++;
    progress->moved = snake->packet[HALO_VOTE_CHANGED];
    progress->distance = (double)sums[SNAKE_SUM_DISTANCE] / (SNAKE_FRACTION * points);
    progress->settled = (double)progress->moved <= snake->options.settled_moved * points ||
                        progress->distance <= snake->options.settled_distance;
    progress->stopped = snake->packet[HALO_VOTE_STOP] > 0;
    snake->stop = snake->stop && !progress->stopped;
    halo_world_count_beats(snake->world, 1);
    if (snake->options.watch != NULL && snake->options.watch(snake->options.context, snake)) {
        snake->stop = true;
    }
}

static halo_status beat(halo_snake *snake)
{
    size_t numbers = HALO_VOTE_SUMS + SNAKE_SUM_CONTOURS + 2 * (size_t)snake->progress.contours;
    memset(snake->packet, 0, numbers * sizeof *snake->packet);
    halo_row_cost_begin_superstep(snake->row_cost, 1);
    for (int turn = 0; turn < snake->turns; turn++) {
        HALO_TRY(take_turn(snake, turn));
    }
    measure(snake);
    halo_row_cost_end_superstep(snake->row_cost, 0);
    HALO_TRY(vote(snake));
    conclude(snake);
    return HALO_OK;
}

halo_status halo_snake_run(halo_snake *snake, int64_t max)
{
    if (max < 0) {
        return halo_fail(HALO_ARGUMENT, "a run of %lld beats; use 0 (no limit) or more",
                         (long long)max);
    }
    snake->progress.stopped = snake->progress.settled = false;
    for (int64_t done = 0; max == 0 || done < max; done++) {
        HALO_TRY(snake_balance(snake, max > 0 ? max - done : -1));
        HALO_TRY(beat(snake));
        if (snake->progress.settled || snake->progress.stopped) {
            break;
        }
    }
    return HALO_OK;
}

void halo_snake_stop(halo_snake *snake)
{
    snake->stop = true;
}
