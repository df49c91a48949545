#include "kernels/snake/seek.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"

#include <math.h>

enum {
    UNIT = HALO_SNAKE_SEEK_UNIT,
    DIRECTIONS = 32,
    COSINE = 1 << 14, /* of the directions: their unit */
    TOGETHER = 64     /* circles that are looked for between two sums over ranks */
};

/* Circles that are tried around one: (2 * reach + 1) middles in rows and in columns, by each of the
 * radii. Steps are in 1 / parts of the first radius. */
typedef struct {
    int reach, radii;
    int step, smallest, radius_step, parts;
} trial_grid;

/* Places first, then what is between the best one and those around it. */
static const trial_grid coarse = {6, 16, 16, 30, 6, 96}, fine = {3, 5, 4, -6, 3, 96};

typedef struct {
    const halo_view *gradient;
    const halo_domain *domain;
    int64_t margin;
    int64_t cosine[DIRECTIONS], sine[DIRECTIONS];
} search;

/* Return trial circle `index` around `best`; the steps are parts of the radius of `first`. */
static halo_snake_circle trial(const trial_grid *grid, const halo_snake_circle *first,
                               const halo_snake_circle *best, int index)
{
    int side = 2 * grid->reach + 1;
    int64_t x = index % side - grid->reach, y = index / side % side - grid->reach;
    int64_t r = grid->smallest + (int64_t)grid->radius_step * (index / (side * side));
    bool from_best = grid == &fine;
    return (halo_snake_circle){.x = best->x + x * grid->step * first->radius / grid->parts,
                               .y = best->y + y * grid->step * first->radius / grid->parts,
                               .radius = (from_best ? best->radius : 0) +
                                         r * first->radius / grid->parts};
}

static int trials(const trial_grid *grid)
{
    return (2 * grid->reach + 1) * (2 * grid->reach + 1) * grid->radii;
}

static bool fits(const search *s, const halo_snake_circle *c)
{
    int64_t radius = c->radius * (UNIT + s->margin) / UNIT;
    return c->radius > 0 && c->x >= radius && c->y >= radius &&
           c->x + radius <= (s->domain->n[1] - 1) * UNIT &&
           c->y + radius <= (s->domain->n[0] - 1) * UNIT;
}

/* The gradient along a circle, as far as this rank has it; 0 of circles that do not fit. */
static int64_t sum_along(const search *s, const halo_snake_circle *c)
{
    const halo_box *mine = &s->gradient->owned;
    int64_t sum = 0;
    if (!fits(s, c)) {
        return 0;
    }
    for (int i = 0; i < DIRECTIONS; i++) {
        int64_t y = (c->y * COSINE + c->radius * s->sine[i] + UNIT / 2 * COSINE) / UNIT / COSINE;
        int64_t x = (c->x * COSINE + c->radius * s->cosine[i] + UNIT / 2 * COSINE) / UNIT / COSINE;
        if (y >= mine->lo[0] && y < mine->lo[0] + mine->n[0]) {
            sum += ((const uint16_t *)halo_row(s->gradient, y - mine->lo[0]))[x];
        }
    }
    return sum;
}

/* Choose the circle with the largest sum over all ranks; the first one of equals. */
static halo_snake_circle choose(const search *s, const trial_grid *grid,
                                const halo_snake_circle *first, const halo_snake_circle *best,
                                const int64_t *sums)
{
    int64_t all = 0, fitting = 0;
    int chosen = -1;
    for (int i = 0; i < trials(grid); i++) {
        halo_snake_circle circle = trial(grid, first, best, i);
        fitting += fits(s, &circle);
        all += sums[i];
        chosen = sums[i] > 0 && (chosen < 0 || sums[i] > sums[chosen]) ? i : chosen;
    }
    bool is_better = chosen >= 0 && (grid == &fine || 2 * sums[chosen] * fitting > 3 * all);
    return is_better ? trial(grid, first, best, chosen) : *best;
}

/* One grid of trials, for up to TOGETHER circles. */
static halo_status look(const search *s, halo_world *world, const trial_grid *grid,
                        const halo_snake_circle *first, halo_snake_circle *best, int64_t count,
                        int64_t *sums)
{
    int each = trials(grid);
    for (int64_t c = 0; c < count; c++) {
        for (int i = 0; i < each; i++) {
            halo_snake_circle circle = trial(grid, &first[c], &best[c], i);
            sums[c * each + i] = sum_along(s, &circle);
        }
    }
    HALO_TRY(halo_allreduce_sum(world, sums, (int)count * each));
    for (int64_t c = 0; c < count; c++) {
        best[c] = choose(s, grid, &first[c], &best[c], sums + c * each);
    }
    return HALO_OK;
}

halo_status halo_snake_seek(halo_world *world, const halo_view *gradient, const halo_domain *domain,
                            int64_t margin, halo_snake_circle *circles, int64_t count)
{
    static const double turn = 2 * 3.14159265358979323846;
    search s = {.gradient = gradient, .domain = domain, .margin = margin};
    int64_t *sums;
    for (int i = 0; i < DIRECTIONS; i++) {
        s.cosine[i] = llrint(COSINE * cos(turn * i / DIRECTIONS));
        s.sine[i] = llrint(COSINE * sin(turn * i / DIRECTIONS));
    }
    halo_status status = halo_agree(
        world, HALO_ALLOCATE_LARGE(sums, TOGETHER * trials(&coarse), "circles that are tried"));
    for (int64_t c = 0; c < count && status == HALO_OK; c += TOGETHER) {
        halo_snake_circle first[TOGETHER];
        int64_t some = halo_min(TOGETHER, count - c);
        for (int64_t i = 0; i < some; i++) {
            first[i] = circles[c + i];
        }
        status = look(&s, world, &coarse, first, circles + c, some, sums);
        for (int64_t i = 0; i < some && status == HALO_OK; i++) {
            /* A circle that found nothing keeps its place. */
            bool found = circles[c + i].radius != first[i].radius ||
                         circles[c + i].x != first[i].x || circles[c + i].y != first[i].y;
            if (found) {
                status = look(&s, world, &fine, &first[i], &circles[c + i], 1, sums);
            }
        }
    }
    halo_memory_free(sums);
    return status;
}
