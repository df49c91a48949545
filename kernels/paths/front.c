#include "kernels/paths/front_internal.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- neighbours ------------------------------------------------------------------------------ */

static int64_t index_of(const paths_front *front, int64_t y, int64_t x)
{
    return (y + front->depth) * front->pitch + x + front->side;
}

/* Cell (y, x), local indices, has this distance in the part that owns it: updates its neighbours
 * here. */
static void offer(paths_front *front, int64_t y, int64_t x, double distance)
{
    int64_t index = index_of(front, y, x);
    double cost = fabs(front->cells[index].cost);
    for (int s = 0; s < front->step_count; s++) {
        int64_t to_y = y + front->steps[s].dy, to_x = x + front->steps[s].dx;
        if (to_y < 0 || to_y >= front->rows || to_x < 0 || to_x >= front->columns) {
            continue;
        }
        int64_t other = index + front->offsets[s];
        double reached = distance + paths_weigh(front, index, cost, s);
        if (reached < front->cells[other].distance) {
            paths_improve(front, (int32_t)other, reached);
        }
    }
}

/* Take all cells out of the queue. Rows *first to *last - 1 have the cells with a distance: a fresh
 * raster has few. */
static void find_reached(const paths_front *front, int64_t *first, int64_t *last)
{
    *first = front->rows;
    *last = 0;
    for (int64_t y = 0; y < front->rows; y++) {
        halo_paths_cell *row = &front->cells[index_of(front, y, 0)];
        bool reached = false;
        for (int64_t x = 0; x < front->columns; x++) {
            reached |= row[x].distance < front->unreached;
            if (signbit(row[x].cost)) {
                row[x].cost = fabs(row[x].cost);
            }
        }
        *first = reached && y < *first ? y : *first;
        *last = reached ? y + 1 : *last;
    }
}

void paths_front_start(paths_front *front)
{
    int64_t first, last;
    find_reached(front, &first, &last);
    /* Those that are put into the queue meanwhile look when they are taken from it, in order. */
    for (int64_t y = first; y < last; y++) {
        const halo_paths_cell *row = &front->cells[index_of(front, y, 0)];
        for (int64_t x = 0; x < front->columns; x++) {
            if (row[x].distance < front->unreached && !signbit(row[x].cost)) {
                offer(front, y, x, row[x].distance);
            }
        }
    }
}

/* ---- the halo -------------------------------------------------------------------------------- */

static bool is_halo_cell(const paths_front *front, int64_t y, int64_t x)
{
    bool owned = y >= 0 && y < front->rows && x >= 0 && x < front->columns;
    int64_t row = front->lo[0] + y, column = front->lo[1] + x;
    return !owned && row >= 0 && row < front->n[0] && column >= 0 && column < front->n[1];
}

/* Those in the domain, into front->halo unless that is NULL; returns their number. */
static int64_t list_halo(paths_front *front)
{
    int64_t count = 0;
    for (int64_t y = -front->depth; y < front->rows + front->depth; y++) {
        bool owned = y >= 0 && y < front->rows;
        for (int64_t x = -front->side; x < front->columns + front->side; x++) {
            x = owned && x == 0 ? front->columns : x;
            if (!is_halo_cell(front, y, x)) {
                continue;
            }
            if (front->halo != NULL) {
                front->halo[count] = (paths_halo_cell){.seen = front->unreached,
                                                       .cell = (int32_t)index_of(front, y, x)};
            }
            count++;
        }
    }
    return count;
}

int64_t paths_front_close(paths_front *front)
{
    int64_t fresh = 0;
    for (int64_t i = 0; i < front->halo_count; i++) {
        paths_halo_cell *halo = &front->halo[i];
        halo_paths_cell *cell = &front->cells[halo->cell];
        double distance = cell->distance;
        cell->distance = 0;
        if (distance < halo->seen) {
            halo->seen = distance;
            offer(front, halo->cell / front->pitch - front->depth,
                  halo->cell % front->pitch - front->side, distance);
            fresh++;
        }
    }
    return fresh;
}

void paths_front_open(paths_front *front)
{
    for (int64_t i = 0; i < front->halo_count; i++) {
        front->cells[front->halo[i].cell].distance = front->halo[i].seen;
    }
}

/* ---- making one ------------------------------------------------------------------------------ */

enum { SAMPLES = 8192 }; /* of costs, at most */

/* The mean of those sampled costs that are not above `most`, and the smallest one. */
static double sample_costs(const paths_front *front, double most, double *min)
{
    int64_t total = front->rows * front->columns, step = total / SAMPLES + 1, count = 0;
    double sum = 0;
    for (int64_t i = 0; i < total; i += step) {
        int64_t cell = index_of(front, i / front->columns, i % front->columns);
        double cost = fabs(front->cells[cell].cost);
        if (isfinite(cost) && cost <= most) {
            *min = cost < *min ? cost : *min;
            sum += cost;
            count++;
        }
    }
    return count > 0 ? sum / (double)count : 0;
}

/* Buckets are as wide as the smallest cost, so that cells of one are final when they are taken, or
 * as an eighth of the mean cost, so that there are not too many. Few costs that are much larger
 * than the others do not count: with wide buckets cells would be taken many times. */
static void find_width(paths_front *front)
{
    enum { SHARE = 8, ROUNDS = 4 };
    double min = HUGE_VAL, mean = sample_costs(front, HUGE_VAL, &min);
    for (int i = 0; i < ROUNDS; i++) {
        mean = sample_costs(front, 2 * mean, &min);
    }
    double width = fmax(isfinite(min) ? min : 0, mean / SHARE);
    double shortest = fmin(front->steps[0].weight, front->steps[1].weight) * 2;
    width *= shortest;
    front->queue.buckets_a_unit = width > 0 && isfinite(1 / width) ? 1 / width : 1;
}

static void find_offsets(paths_front *front, const halo_paths_options *options)
{
    front->step_count = halo_paths_steps(options, front->steps);
    for (int s = 0; s < front->step_count; s++) {
        const halo_paths_step *step = &front->steps[s];
        front->offsets[s] = step->dy * front->pitch + step->dx;
        for (int p = 0; p < 2; p++) {
            front->passed[s][p] = step->passed[p][0] * front->pitch + step->passed[p][1];
        }
    }
}

static halo_status check_size(const paths_front *front)
{
    int64_t cells = (front->rows + 2 * front->depth) * front->pitch;
    return cells <= INT32_MAX
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "a rank's part has %" PRId64 " cells, halo included, and can have %d; "
                           "use more ranks",
                           cells, INT32_MAX);
}

halo_status paths_front_create(paths_front **out, const halo_view *cells, const halo_domain *domain,
                               const halo_paths_options *options)
{
    *out = NULL;
    paths_front *front;
    HALO_TRY(HALO_ALLOCATE(front, 1, "a front"));
    front->pitch = cells->stride[0] / (ptrdiff_t)sizeof(halo_paths_cell);
    front->rows = cells->owned.n[0];
    front->columns = cells->owned.n[1];
    front->depth = cells->depth;
    front->side = cells->side_depth;
    front->lo[0] = cells->owned.lo[0];
    front->lo[1] = cells->owned.lo[1];
    front->n[0] = domain->n[0];
    front->n[1] = domain->n[1];
    front->unreached = halo_paths_unreached(options);
    paths_queue_begin(&front->queue);
    *out = front;
    HALO_TRY(check_size(front));
    front->halo_count = list_halo(front);
    HALO_TRY(HALO_ALLOCATE(front->halo, front->halo_count + 1, "cells of a halo"));
    list_halo(front);
    front->cells = (halo_paths_cell *)cells->origin - index_of(front, 0, 0);
    find_offsets(front, options);
    find_width(front);
    return paths_front_find_reach(front, options);
}

void paths_front_destroy(paths_front **front)
{
    if (*front != NULL) {
        paths_queue_free(&(*front)->queue);
        free((*front)->halo);
    }
    free(*front);
    *front = NULL;
}
