#include "kernels/snake/snake.h"

#include "core/collect.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

struct halo_snake {
    halo_world *world;
    halo_field *gradient;
    halo_snake_progress progress;
    halo_beat_report report;
    int64_t *first, *cuts;
    int32_t *points;
};

halo_snake_options halo_snake_defaults(void)
{
    return (halo_snake_options){.alpha = 1,
                                .beta = 1,
                                .gamma = 1.2,
                                .floor = 10,
                                .window = 5,
                                .order = "two-colour",
                                .settled_moved = .01};
}

halo_status halo_snake_check(const halo_snake_options *options)
{
    (void)options;
    return HALO_OK;
}

static halo_status create(halo_snake **out, halo_world *world, const int64_t *cuts,
                          const int64_t sizes[2])
{
    size_t ranks = (size_t)halo_world_ranks(world);
    halo_snake *snake = calloc(1, sizeof *snake);
    if (snake == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a snake");
    }
    *out = snake;
    snake->world = world;
    snake->progress.contours = sizes[0];
    snake->progress.points = sizes[1];
    snake->first = calloc((size_t)sizes[0] + 1, sizeof *snake->first);
    snake->points = calloc(2 * (size_t)sizes[1] + 1, sizeof *snake->points);
    snake->cuts = calloc(ranks + 1, sizeof *snake->cuts);
    if (snake->first == NULL || snake->points == NULL || snake->cuts == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a snake");
    }
    memcpy(snake->cuts, cuts, (ranks + 1) * sizeof *cuts);
    return HALO_OK;
}

halo_status halo_snake_create(halo_snake **out, halo_world *world, halo_field **gradient,
                              const int64_t *cuts, const halo_snake_contours *contours,
                              const halo_snake_options *options)
{
    *out = NULL;
    (void)options;
    int64_t sizes[2] = {0};
    if (halo_world_rank(world) == 0) {
        sizes[0] = contours->contours;
        sizes[1] = contours->first[contours->contours];
    }
    HALO_TRY(halo_share(world, sizes, sizeof sizes, 0));
    halo_status status = halo_agree(world, create(out, world, cuts, sizes));
    if (status == HALO_OK && halo_world_rank(world) == 0) {
        memcpy((*out)->first, contours->first, (size_t)(sizes[0] + 1) * sizeof(int64_t));
        memcpy((*out)->points, contours->points, (size_t)(2 * sizes[1]) * sizeof(int32_t));
    }
    if (status == HALO_OK) {
        status = halo_share(world, (*out)->first, (size_t)(sizes[0] + 1) * sizeof(int64_t), 0);
    }
    if (status == HALO_OK) {
        status = halo_share(world, (*out)->points, (size_t)(2 * sizes[1]) * sizeof(int32_t), 0);
    }
    if (status == HALO_OK) {
        (*out)->gradient = *gradient;
        *gradient = NULL;
    } else {
        halo_snake_destroy(out);
    }
    return status;
}

void halo_snake_destroy(halo_snake **snake)
{
    if (*snake != NULL) {
        halo_field_destroy(&(*snake)->gradient);
        free((*snake)->first);
        free((*snake)->points);
        free((*snake)->cuts);
        free(*snake);
        *snake = NULL;
    }
}

halo_status halo_snake_run(halo_snake *snake, int64_t most)
{
    (void)most;
    snake->progress.beats++;
    snake->progress.settled = true;
    return HALO_OK;
}

void halo_snake_stop(halo_snake *snake)
{
    (void)snake;
}

halo_snake_progress halo_snake_progressed(const halo_snake *snake)
{
    return snake->progress;
}

const int64_t *halo_snake_first(const halo_snake *snake)
{
    return snake->first;
}

halo_status halo_snake_collect(halo_snake *snake, int32_t *points)
{
    memcpy(points, snake->points, (size_t)(2 * snake->progress.points) * sizeof *points);
    return HALO_OK;
}

halo_status halo_snake_move(halo_snake *snake, const int64_t *cuts)
{
    (void)snake;
    (void)cuts;
    return HALO_OK;
}

const int64_t *halo_snake_cuts(const halo_snake *snake)
{
    return snake->cuts;
}

const halo_view *halo_snake_gradient(const halo_snake *snake)
{
    return halo_field_view(snake->gradient);
}

int64_t halo_snake_owned(const halo_snake *snake)
{
    return halo_world_rank(snake->world) == 0 ? snake->progress.points : 0;
}

halo_beat_report halo_snake_reported(const halo_snake *snake)
{
    return snake->report;
}
