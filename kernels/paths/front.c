#include "kernels/paths/front_internal.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- neighbours ------------------------------------------------------------------------------ */

static int64_t index_of(const paths_front *front, int64_t z, int64_t y, int64_t x)
{
    const int64_t *halo = front->part.halo;
    return (z + halo[0]) * front->plane + (y + halo[1]) * front->pitch + x + halo[2];
}

/* Cell (z, y, x), local indices, has this distance in the part that owns it: updates its neighbours
 * here. */
static void offer(paths_front *front, int64_t z, int64_t y, int64_t x, double distance)
{
    int64_t index = index_of(front, z, y, x);
    double cost = fabs(front->cells[index].cost);
    for (int s = 0; s < front->step_count; s++) {
        const paths_step *step = &front->steps[s];
        if (!paths_part_owns(&front->part, z + step->dz, y + step->dy, x + step->dx)) {
            continue;
        }
        int64_t other = index + front->offsets[s];
        double reached = distance + paths_weigh(front, index, cost, s, front->volume);
        if (reached < front->cells[other].distance) {
            paths_improve(front, (int32_t)other, reached);
        }
    }
}

/* The first cell of an owned row, which are numbered through all planes. */
static halo_paths_cell *row_of(const paths_front *front, int64_t row)
{
    int64_t rows = front->part.size[1];
    return &front->cells[index_of(front, row / rows, row % rows, 0)];
}

/* Take all cells out of the queue. Rows *first to *last - 1 have the cells with a distance: a fresh
 * raster has few. */
static void find_reached(const paths_front *front, int64_t *first, int64_t *last)
{
    const int64_t *size = front->part.size, rows = size[0] * size[1];
    *first = rows;
    *last = 0;
    for (int64_t y = 0; y < rows; y++) {
        halo_paths_cell *row = row_of(front, y);
        bool reached = false;
        for (int64_t x = 0; x < size[2]; x++) {
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
    int64_t first, last, rows = front->part.size[1];
    find_reached(front, &first, &last);
    /* Those that are put into the queue meanwhile look when they are taken from it, in order. */
    for (int64_t y = first; y < last; y++) {
        const halo_paths_cell *row = row_of(front, y);
        for (int64_t x = 0; x < front->part.size[2]; x++) {
            if (row[x].distance < front->unreached && !signbit(row[x].cost)) {
                offer(front, y / rows, y % rows, x, row[x].distance);
            }
        }
    }
}

/* ---- the halo -------------------------------------------------------------------------------- */

/* Those in the domain are listed in front->halo, unless that is NULL: they are only counted
 * then. */
static void list_halo_cell(void *context, int64_t z, int64_t y, int64_t x)
{
    paths_front *front = context;
    if (!paths_part_is_inside(&front->part, z, y, x)) {
        return;
    }
    if (front->halo != NULL) {
        front->halo[front->halo_count] =
            (paths_halo_cell){.seen = front->unreached, .cell = (int32_t)index_of(front, z, y, x)};
    }
    front->halo_count++;
}

static void list_halo(paths_front *front)
{
    front->halo_count = 0;
    paths_part_visit_halo(&front->part, list_halo_cell, front);
}

static void offer_halo(paths_front *front, int64_t cell, double distance)
{
    const int64_t *halo = front->part.halo;
    int64_t z = cell / front->plane, in_plane = cell % front->plane;
    offer(front, z - halo[0], in_plane / front->pitch - halo[1], in_plane % front->pitch - halo[2],
          distance);
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
            offer_halo(front, halo->cell, distance);
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
    const int64_t *size = front->part.size;
    int64_t total = size[0] * size[1] * size[2], step = total / SAMPLES + 1, count = 0;
    double sum = 0;
    for (int64_t i = 0; i < total; i += step) {
        double cost = fabs(row_of(front, i / size[2])[i % size[2]].cost);
        if (isfinite(cost) && cost <= most) {
            *min = cost < *min ? cost : *min;
            sum += cost;
            count++;
        }
    }
    return count > 0 ? sum / (double)count : 0;
}

static double shortest_step(const paths_front *front)
{
    double shortest = HUGE_VAL;
    for (int s = 0; s < front->step_count; s++) {
        const paths_step *step = &front->steps[s];
        if (step->dz * step->dz + step->dy * step->dy + step->dx * step->dx == 1) {
            shortest = fmin(shortest, step->weight * 2);
        }
    }
    return shortest;
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
    width *= shortest_step(front);
    front->queue.buckets_a_unit = width > 0 && isfinite(1 / width) ? 1 / width : 1;
}

/* Puts the steps of a volume in the front's order. */
static void order_steps(paths_front *front)
{
    static const int planes[] = {0, -1, 1};
    enum { TURNS = 4 }; /* one for each plane, then those straight to the planes */
    paths_step all[PATHS_STEPS];
    int count = 0;
    memcpy(all, front->steps, sizeof all);
    for (int turn = 0; turn < TURNS; turn++) {
        for (int s = 0; s < front->step_count; s++) {
            bool straight = all[s].dy == 0 && all[s].dx == 0;
            if (turn == TURNS - 1 ? straight : !straight && all[s].dz == planes[turn]) {
                front->steps[count++] = all[s];
            }
        }
    }
}

static void find_offsets(paths_front *front, const halo_paths_options *options)
{
    front->step_count = paths_find_steps(options, front->steps);
    front->volume = paths_is_volume(options);
    if (front->volume) {
        order_steps(front);
    }
    for (int s = 0; s < front->step_count; s++) {
        const paths_step *step = &front->steps[s];
        front->offsets[s] = step->dz * front->plane + step->dy * front->pitch + step->dx;
        for (int p = 0; p < 2; p++) {
            front->passed[s][p] = step->passed[p][0] * front->pitch + step->passed[p][1];
        }
    }
}

static halo_status check_size(const paths_front *front)
{
    int64_t cells = (front->part.size[0] + 2 * front->part.halo[0]) * front->plane;
    return cells <= INT32_MAX
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "a rank's part has %" PRId64 " cells, halo included, and can have %d; "
                           "use more ranks",
                           cells, INT32_MAX);
}

/* Sets the cells from row to row and from plane to plane. */
static void find_pitches(paths_front *front, const halo_view *cells)
{
    const paths_part *part = &front->part;
    const ptrdiff_t bytes = sizeof(halo_paths_cell);
    front->pitch = part->stride[1] / bytes;
    front->plane = cells->axes == HALO_AXES ? part->stride[0] / bytes
                                            : (part->size[1] + 2 * part->halo[1]) * front->pitch;
}

halo_status paths_front_create(paths_front **out, const halo_view *cells, const halo_domain *domain,
                               const halo_paths_options *options)
{
    *out = NULL;
    paths_front *front;
    HALO_TRY(HALO_ALLOCATE(front, 1, "a front"));
    front->part = paths_part_of(cells, domain);
    front->unreached = halo_paths_unreached(options);
    find_pitches(front, cells);
    paths_queue_begin(&front->queue);
    *out = front;
    HALO_TRY(check_size(front));
    list_halo(front);
    HALO_TRY(HALO_ALLOCATE(front->halo, front->halo_count + 1, "cells of a halo"));
    list_halo(front);
    front->cells = (halo_paths_cell *)cells->origin - index_of(front, 0, 0, 0);
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
