#include "kernels/paths/paths_back.h"

#include "base/memory.h"
#include "core/world/collect.h"
#include "core/world/watch.h"
#include "kernels/paths/map.h"

#include <stdlib.h>
#include <string.h>

/* A path on its way back, one cell after the other; where it leaves a rank's part it goes to the
 * rank that has the next cell. */
typedef struct {
    int64_t target, steps; /* that it has gone */
    halo_paths_place at;
    bool waits; /* its cell is noted already: how it goes on there is not known yet */
} walker;

typedef struct {
    paths_look look;
    const halo_paths_map *map;
    halo_field *hops;   /* NULL until somebody needs them */
    halo_buffer here;   /* walkers on this rank */
    halo_buffer away;   /* walkers that leave it, with */
    halo_buffer owners; /* ... the ranks they go to, int each */
    halo_buffer stops;  /* halo_paths_stop; their steps count from the target */
    int64_t waiting;
} tracing;

static int owner_of(const tracing *t, const halo_paths_place *at)
{
    const halo_partition *p = t->map->partition;
    const paths_part *part = &t->look.part;
    int place[HALO_AXES] = {0}, axes = t->look.cells->axes;
    int64_t local[HALO_AXES];
    paths_find_local(part, at, local);
    for (int axis = 0; axis < axes; axis++) {
        int of = HALO_AXES - axes + axis;
        place[axis] = halo_cuts_find(p->cuts[axis], p->parts[axis], local[of] + part->lo[of]);
    }
    return halo_partition_at(p, place);
}

/* ---- on one rank ----------------------------------------------------------------------------- */

static int32_t hops_at(const tracing *t, int64_t z, int64_t y, int64_t x)
{
    const halo_view *hops = halo_field_view(t->hops);
    const void *row = hops->axes == HALO_AXES ? halo_row_of_plane(hops, z, y) : halo_row(hops, y);
    return ((const int32_t *)row)[x];
}

/* Within a plateau: the first tight neighbour of the same distance that is a step nearer to where
 * the plateau ends. */
static int step_in_plateau(const tracing *t, int64_t z, int64_t y, int64_t x)
{
    double distance = paths_cell_at(&t->look, z, y, x)->distance;
    int32_t mine = hops_at(t, z, y, x);
    for (int s = 0; s < t->look.step_count; s++) {
        const paths_step *step = &t->look.steps[s];
        int64_t to_z = z + step->dz, to_y = y + step->dy, to_x = x + step->dx;
        if (hops_at(t, to_z, to_y, to_x) == mine - 1 &&
            paths_is_same(paths_cell_at(&t->look, to_z, to_y, to_x)->distance, distance) &&
            paths_look_is_tight(&t->look, z, y, x, s)) {
            return s;
        }
    }
    return -1;
}

static halo_status note(tracing *t, const walker *w, double distance)
{
    const halo_paths_stop stop = {
        .target = w->target, .step = w->steps, .at = w->at, .distance = fabs(distance)};
    return halo_buffer_append(&t->stops, &stop, sizeof stop);
}

/* Until it has arrived, leaves, or has to wait; *w is then where it is. */
static halo_status walk(tracing *t, walker *w, bool *arrived)
{
    enum { STEPS = 4096 };
    for (*arrived = false;;) {
        if (w->steps % STEPS == 0) {
            HALO_TRY(halo_watch_work(t->map->world, 0, 0));
        }
        int64_t at[HALO_AXES];
        paths_find_local(&t->look.part, &w->at, at);
        if (!paths_is_owned(&t->look, at[0], at[1], at[2])) {
            return HALO_OK;
        }
        double distance = paths_cell_at(&t->look, at[0], at[1], at[2])->distance;
        HALO_TRY(w->waits ? HALO_OK : note(t, w, distance));
        w->waits = false;
        if (signbit(distance)) {
            *arrived = true;
            return HALO_OK;
        }
        int step = paths_look_back(&t->look, at[0], at[1], at[2]);
        if (step < 0 && t->hops == NULL) {
            w->waits = true;
            return HALO_OK;
        }
        step = step < 0 ? step_in_plateau(t, at[0], at[1], at[2]) : step;
        if (step < 0) {
            return halo_fail(HALO_FORMAT, "distances are not those of these costs: no path leads "
                                          "back from a cell; begin anew without the checkpoint");
        }
        paths_go(&t->look.part, &t->look.steps[step], &w->at);
        w->steps++;
    }
}

static halo_status walk_all(tracing *t)
{
    halo_buffer walkers = t->here;
    t->here = (halo_buffer){0};
    t->waiting = 0;
    halo_status status = HALO_OK;
    for (size_t at = 0; at < walkers.size && status == HALO_OK; at += sizeof(walker)) {
        walker w;
        bool arrived;
        memcpy(&w, walkers.data + at, sizeof w);
        status = walk(t, &w, &arrived);
        if (status == HALO_OK && w.waits) {
            t->waiting++;
            status = halo_buffer_append(&t->here, &w, sizeof w);
        } else if (status == HALO_OK && !arrived) {
            int owner = owner_of(t, &w.at);
            status = halo_status_first(halo_buffer_append(&t->away, &w, sizeof w),
                                       halo_buffer_append(&t->owners, &owner, sizeof owner));
        }
    }
    halo_buffer_free(&walkers);
    return status;
}

/* ---- from rank to rank ----------------------------------------------------------------------- */

/* Walkers in the order of their ranks. */
static halo_status sort_away(const tracing *t, size_t *counts, walker **out)
{
    int64_t count = (int64_t)(t->away.size / sizeof(walker));
    int ranks = halo_world_ranks(t->map->world);
    const int *owners = (const int *)(const void *)t->owners.data;
    int64_t at = 0;
    HALO_TRY(HALO_ALLOCATE(*out, count + 1, "paths on their way"));
    for (int r = 0; r < ranks && count > 0; r++) {
        for (int64_t i = 0; i < count; i++) {
            if (owners[i] == r) {
                memcpy(*out + at++, t->away.data + (size_t)i * sizeof(walker), sizeof(walker));
                counts[r] += sizeof(walker);
            }
        }
    }
    return HALO_OK;
}

static halo_status send_away(tracing *t)
{
    halo_world *world = t->map->world;
    size_t ranks = (size_t)halo_world_ranks(world);
    size_t *counts = NULL;
    walker *sorted = NULL;
    void *came = NULL;
    halo_status status = HALO_ALLOCATE(counts, 2 * ranks, "counts of paths");
    status = status == HALO_OK ? sort_away(t, counts, &sorted) : status;
    HALO_TRY_OR(done, halo_agree(world, status));
    HALO_TRY_OR(done, halo_alltoallv(world, sorted, counts, &came, counts + ranks));
    size_t bytes = 0;
    for (size_t r = 0; r < ranks; r++) {
        bytes += counts[ranks + r];
    }
    status = bytes > 0 ? halo_buffer_append(&t->here, came, bytes) : HALO_OK;
done:
    halo_memory_free(came);
    free(sorted);
    free(counts);
    t->away.size = 0;
    t->owners.size = 0;
    return status;
}

static halo_status create_hops(tracing *t)
{
    const halo_paths_map *map = t->map;
    HALO_TRY(halo_agree(map->world, halo_field_create(&t->hops, map->domain, &map->cells->owned, 32,
                                                      map->cells->depth)));
    return paths_find_hops(map, t->hops);
}

/* A rank whose part ends where a path goes on sends it on; where many wait, all find out together
 * how plateaus are left. */
static halo_status run_rounds(tracing *t)
{
    halo_world *world = t->map->world;
    for (;;) {
        HALO_TRY(halo_agree(world, walk_all(t)));
        int64_t left[] = {(int64_t)t->away.size, t->waiting};
        HALO_TRY(halo_allreduce_sum(world, left, 2));
        if (left[0] == 0 && left[1] == 0) {
            return HALO_OK;
        }
        if (left[0] > 0) {
            HALO_TRY(halo_agree(world, send_away(t)));
        }
        if (left[1] > 0 && t->hops == NULL) {
            HALO_TRY(create_hops(t));
        }
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

static halo_status begin(tracing *t, const halo_paths_place *targets, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t at[HALO_AXES];
        paths_find_local(&t->look.part, &targets[i], at);
        if (paths_is_owned(&t->look, at[0], at[1], at[2]) &&
            paths_cell_at(&t->look, at[0], at[1], at[2])->distance < t->look.unreached) {
            const walker w = {.target = i, .at = targets[i]};
            HALO_TRY(halo_buffer_append(&t->here, &w, sizeof w));
        }
    }
    return HALO_OK;
}

/* By target, from the source on. */
static int compare_stops(const void *x, const void *y)
{
    const halo_paths_stop *a = x, *b = y;
    int64_t order = a->target != b->target ? a->target - b->target : b->step - a->step;
    return order < 0 ? -1 : order > 0;
}

static void order_stops(halo_paths_trail *trail)
{
    qsort(trail->stops, (size_t)trail->count, sizeof *trail->stops, compare_stops);
    int64_t begin = 0;
    for (int64_t i = 0; i < trail->count; i++) {
        halo_paths_stop *stop = &trail->stops[i];
        begin = i == 0 || stop->target != stop[-1].target ? i : begin;
        stop->step = i - begin;
    }
}

/* All stops come to rank 0, which puts them in order for all. */
static halo_status gather(const tracing *t, halo_paths_trail *trail)
{
    halo_world *world = t->map->world;
    void *all;
    size_t total;
    halo_status status = halo_gatherv(world, t->stops.data, t->stops.size, &all, &total);
    int64_t bytes = (int64_t)total;
    HALO_TRY_OR(done, halo_agree(world, status));
    HALO_TRY_OR(done, halo_bcast(world, &bytes, sizeof bytes, 0));
    trail->count = bytes / (int64_t)sizeof *trail->stops;
    HALO_TRY_OR(done, halo_agree(world, HALO_ALLOCATE_LARGE(trail->stops, trail->count + 1,
                                                            "the cells of paths")));
    if (all != NULL) {
        memcpy(trail->stops, all, (size_t)bytes);
        order_stops(trail);
    }
    status = halo_bcast(world, trail->stops, (size_t)bytes, 0);
done:
    halo_memory_free(all);
    return status;
}

static halo_status trace(tracing *t, halo_paths_trail **out, const halo_paths_place *targets,
                         int64_t count)
{
    halo_world *world = t->map->world;
    HALO_TRY(halo_agree(world, begin(t, targets, count)));
    HALO_TRY(run_rounds(t));
    HALO_TRY(halo_agree(world, HALO_ALLOCATE(*out, 1, "a trail")));
    return gather(t, *out);
}

halo_status halo_paths_trace(halo_paths_trail **out, const halo_paths_map *map,
                             const halo_paths_place *targets, int64_t count)
{
    tracing t = {.look = paths_look_at(map), .map = map};
    *out = NULL;
    halo_status status = trace(&t, out, targets, count);
    halo_field_destroy(&t.hops);
    halo_buffer_free(&t.here);
    halo_buffer_free(&t.away);
    halo_buffer_free(&t.owners);
    halo_buffer_free(&t.stops);
    if (status != HALO_OK) {
        halo_paths_trail_destroy(out);
    }
    return status;
}

void halo_paths_trail_destroy(halo_paths_trail **trail)
{
    if (*trail != NULL) {
        halo_memory_free((*trail)->stops);
    }
    free(*trail);
    *trail = NULL;
}
