#include "kernels/snake/snake_internal.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/option.h"
#include "core/world/collect.h"
#include "kernels/snake/snake_field.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- making one ------------------------------------------------------------------------------ */

/* Ranks need these sizes before they allocate: the numbers of contours and points. */
enum { SIZE_CONTOURS, SIZE_POINTS, SIZES };

static halo_status check_contours(const halo_snake_contours *contours)
{
    if (contours->contours < 1 || contours->contours > INT_MAX / 4) {
        return halo_fail(HALO_ARGUMENT, "%" PRId64 " contours; use 1 to %d", contours->contours,
                         INT_MAX / 4);
    }
    for (int64_t c = 0; c < contours->contours; c++) {
        int64_t points = contours->first[c + 1] - contours->first[c];
        if (points < 3) {
            return halo_fail(HALO_ARGUMENT,
                             "contour %" PRId64 " has %" PRId64 " points; a ring takes 3 or more",
                             c, points);
        }
    }
    if (contours->first[0] != 0 || contours->first[contours->contours] > INT32_MAX) {
        return halo_fail(HALO_ARGUMENT, "%" PRId64 " points from %" PRId64 "; use up to %d from 0",
                         contours->first[contours->contours], contours->first[0], INT32_MAX);
    }
    return HALO_OK;
}

static halo_status check_places(const halo_snake_contours *contours, const halo_domain *domain,
                                int64_t unit)
{
    for (int64_t i = 0; i < contours->first[contours->contours]; i++) {
        int32_t y = contours->points[2 * i], x = contours->points[2 * i + 1];
        if (y < 0 || y > (domain->n[0] - 1) * unit || x < 0 || x > (domain->n[1] - 1) * unit) {
            return halo_fail(HALO_ARGUMENT,
                             "point %" PRId64 " of the contours is at row %d and column %d, outside"
                             " the picture of %" PRId64 " rows and %" PRId64 " columns",
                             i, (int)(y / unit), (int)(x / unit), domain->n[0], domain->n[1]);
        }
    }
    return HALO_OK;
}

static halo_status check(const halo_field *gradient, const halo_snake_options *options,
                         const halo_snake_contours *contours, int rank)
{
    const halo_view *view = halo_field_view(gradient);
    HALO_TRY(halo_snake_check(options));
    if (view->axes != 2 || view->cell_bits != 16 || view->depth < options->window / 2) {
        return halo_fail(HALO_ARGUMENT,
                         "a gradient of %d axes, %d bits and a halo of %d rows; make"
                         " it by halo_snake_field_create",
                         view->axes, view->cell_bits, view->depth);
    }
    if (rank == 0) {
        HALO_TRY(check_contours(contours));
        HALO_TRY(check_places(contours, halo_field_domain(gradient),
                              options->subpixel ? HALO_SNAKE_SUBPIXELS : 1));
    }
    return HALO_OK;
}

static halo_status make_arrays(halo_snake *snake)
{
    size_t contours = (size_t)snake->progress.contours, points = (size_t)snake->progress.points;
    HALO_TRY(HALO_ALLOCATE(snake->first, contours + 1, "contours"));
    HALO_TRY(HALO_ALLOCATE(snake->held, contours, "contours"));
    HALO_TRY(HALO_ALLOCATE(snake->frozen, contours, "contours"));
    HALO_TRY(HALO_ALLOCATE(snake->mean, contours, "contours"));
    HALO_TRY(HALO_ALLOCATE(snake->points, points, "points of contours"));
    if (snake->jacobi) {
        HALO_TRY(HALO_ALLOCATE(snake->next, points, "points of contours"));
    }
    HALO_TRY(HALO_ALLOCATE(snake->mine, points / 64 + 1, "points of contours"));
    HALO_TRY(HALO_ALLOCATE(snake->news, points, "points of contours"));
    return HALO_ALLOCATE(snake->scratch, SNAKE_PIECE + contours, "sums of contours");
}

/* Everything this rank can make alone. */
static halo_status create_local(halo_snake **out, halo_world *world, const halo_field *gradient,
                                const int64_t *cuts, const int64_t *sizes,
                                const halo_snake_options *options)
{
    int rank = halo_world_rank(world), ranks = halo_world_ranks(world);
    halo_snake *snake;
    HALO_TRY(HALO_ALLOCATE(snake, 1, "active contours"));
    *out = snake;
    snake->world = world;
    snake->options = *options;
    snake->progress =
        (halo_snake_progress){.contours = sizes[SIZE_CONTOURS], .points = sizes[SIZE_POINTS]};
    snake->weights = (snake_weights){.alpha = (float)options->alpha,
                                     .beta = (float)options->beta,
                                     .gamma = (float)options->gamma,
                                     .window = options->window};
    snake->jacobi = options->order != NULL && strcmp(options->order, "jacobi") == 0;
    snake->shift = options->subpixel ? SNAKE_SHIFT : 0;
    snake_set_step(snake, options->subpixel && options->step == 0 ? HALO_SNAKE_SUBPIXELS
                          : options->subpixel                     ? options->step
                                                                  : 1);
    snake->refined = options->refined;
    snake->hash = options->hash;
    snake->lo = cuts[rank];
    snake->hi = cuts[rank + 1];
    const halo_isa_variant *variant;
    HALO_TRY(halo_isa_pick(&variant, snake_variants, options->instructions));
    snake->ops = variant->ops;
    HALO_TRY(halo_partition_with_cuts(&snake->partition, halo_field_domain(gradient), ranks, cuts));
    HALO_TRY(make_arrays(snake));
    HALO_TRY(snake_mailbox_create(&snake->mailbox, ranks));
    HALO_TRY(halo_row_cost_create(&snake->row_cost, world));
    halo_row_cost_set_rows(snake->row_cost, snake->hi - snake->lo);
    halo_row_cost_ignore_blocks(snake->row_cost);
    return HALO_OK;
}

/* Rank 0's contours to all. */
static halo_status share_contours(halo_snake *snake, const halo_snake_contours *contours)
{
    size_t starts = ((size_t)snake->progress.contours + 1) * sizeof(int64_t);
    size_t points = (size_t)snake->progress.points;
    if (halo_world_rank(snake->world) == 0) {
        memcpy(snake->first, contours->first, starts);
        for (size_t i = 0; i < points; i++) {
            snake->points[i] = (snake_point){contours->points[2 * i], contours->points[2 * i + 1]};
        }
    }
    HALO_TRY(halo_bcast(snake->world, snake->first, starts, 0));
    return halo_bcast(snake->world, snake->points, points * sizeof(snake_point), 0);
}

/* Who owns what, how many turns there are, and the first spacing. */
static halo_status begin(halo_snake *snake)
{
    snake->turns = snake->jacobi ? 1 : 2;
    for (int y = 0; y < SNAKE_SIDE; y++) {
        for (int x = 0; x < SNAKE_SIDE; x++) {
            snake->lengths[y][x] = snake_length(snake, (snake_point){0, 0}, (snake_point){y, x});
        }
    }
    for (int64_t c = 0; c < snake->progress.contours; c++) {
        bool odd = (snake->first[c + 1] - snake->first[c]) % 2 == 1;
        snake->turns = odd && !snake->jacobi ? 3 : snake->turns;
    }
    for (int64_t i = 0; i < snake->progress.points; i++) {
        if (snake->jacobi) {
            snake->next[i] = snake->points[i];
        }
        if (snake_is_here(snake, snake->points[i])) {
            snake_take(snake, i);
        }
    }
    snake->sums = snake->scratch;
    snake_measure(snake);
    HALO_TRY(halo_allreduce_sum(snake->world, snake->sums + SNAKE_SUM_CONTOURS,
                                (int)snake->progress.contours));
    snake_take_means(snake);
    snake_freeze(snake, NULL);
    return HALO_OK;
}

halo_status halo_snake_create_sized(halo_snake **out, halo_world *world, halo_field **gradient,
                                    const int64_t *cuts, const halo_snake_contours *contours,
                                    const halo_snake_options *given, size_t given_bytes)
{
    halo_snake_options options;
    int rank = halo_world_rank(world);
    int64_t sizes[SIZES] = {0};
    *out = NULL;
    halo_status status =
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_snake_options");
    HALO_IF_OK(status, check(*gradient, &options, contours, rank));
    HALO_TRY(halo_agree(world, status));
    if (rank == 0) {
        sizes[SIZE_CONTOURS] = contours->contours;
        sizes[SIZE_POINTS] = contours->first[contours->contours];
    }
    HALO_TRY(halo_bcast(world, sizes, sizeof sizes, 0));
    status = halo_agree(world, create_local(out, world, *gradient, cuts, sizes, &options));
    halo_snake *snake = *out;
    if (status == HALO_OK) {
        const halo_loop_options loop = {.vote = options.vote,
                                        .sums = SNAKE_SUM_CONTOURS + 2 * (int)sizes[SIZE_CONTOURS],
                                        .first_beat = options.first_beat};
        status = halo_loop_create(&snake->loop, world, &loop);
    }
    if (status == HALO_OK) {
        snake->report = halo_loop_get_report(snake->loop);
        status = share_contours(snake, contours);
    }
    if (status == HALO_OK) {
        status = begin(snake);
    }
    if (status == HALO_OK) {
        snake->gradient = *gradient;
        *gradient = NULL;
    } else {
        halo_snake_destroy(out);
    }
    return status;
}

void halo_snake_destroy(halo_snake **out)
{
    halo_snake *snake = *out;
    if (snake == NULL) {
        return;
    }
    halo_row_cost_destroy(&snake->row_cost);
    halo_loop_destroy(&snake->loop);
    snake_mailbox_free(&snake->mailbox);
    halo_partition_free(&snake->partition);
    halo_field_destroy(&snake->gradient);
    free(snake->first);
    free(snake->held);
    free(snake->frozen);
    free(snake->mean);
    free(snake->points);
    free(snake->next);
    free(snake->mine);
    free(snake->news);
    free(snake->scratch);
    free(snake);
    *out = NULL;
}

/* ---- looking at it --------------------------------------------------------------------------- */

void halo_snake_progressed_sized(const halo_snake *snake, halo_snake_progress *progress,
                                 size_t progress_bytes)
{
    halo_snake_progress own = snake->progress;
    own.beats = snake->report->beats;
    own.step = snake->step << (SNAKE_SHIFT - snake->shift);
    own.refined = snake->refined;
    own.hash = snake->hash;
    own.settled = snake->report->converged;
    own.stopped = snake->report->stopped;
    halo_report_give(progress, progress_bytes, &own, sizeof own);
}

const halo_view *halo_snake_gradient(const halo_snake *snake)
{
    return halo_field_view(snake->gradient);
}

int64_t halo_snake_owned(const halo_snake *snake)
{
    int64_t owned = 0;
    for (int64_t c = 0; c < snake->progress.contours; c++) {
        owned += snake->held[c];
    }
    return owned;
}

/* Each point is one rank's and 0 elsewhere: row and column, in one number, add up to themselves. */
halo_status halo_snake_collect(halo_snake *snake, int32_t *points)
{
    for (int64_t lo = 0; lo < snake->progress.points; lo += SNAKE_PIECE) {
        int64_t count = halo_min(SNAKE_PIECE, snake->progress.points - lo);
        for (int64_t i = 0; i < count; i++) {
            snake_point at = snake->points[lo + i];
            snake->scratch[i] =
                snake_is_mine(snake, lo + i) ? (int64_t)at.y << 32 | (int64_t)at.x : 0;
        }
        HALO_TRY(halo_allreduce_sum(snake->world, snake->scratch, (int)count));
        for (int64_t i = 0; i < count; i++) {
            points[2 * (lo + i)] = (int32_t)(snake->scratch[i] >> 32);
            points[2 * (lo + i) + 1] = (int32_t)(snake->scratch[i] & INT32_MAX);
        }
    }
    return HALO_OK;
}

void halo_snake_get_report_sized(const halo_snake *snake, halo_beat_report *report,
                                 size_t report_bytes)
{
    halo_report_give(report, report_bytes, snake->report, sizeof *snake->report);
}
