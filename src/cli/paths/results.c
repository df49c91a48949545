#include "base/memory.h"
#include "cli/paths/job.h"
#include "core/beat/beat.h"
#include "core/move/redistribute.h"
#include "core/world/collect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Results that follow from final distances. */

static halo_paths_map map_of(const app_run *run)
{
    const paths_job *job = run->job;
    return (halo_paths_map){.world = run->world,
                            .domain = &run->domain,
                            .partition = halo_beat_partition(run->beat),
                            .cells = halo_beat_view(run->beat, 0),
                            .options = &job->options};
}

/* ---- targets --------------------------------------------------------------------------------- */

/* Distances are in the order of their bits, as whole numbers from 0 on. */
static halo_status find_distances(app_run *run)
{
    paths_job *job = run->job;
    const halo_view *view = halo_beat_view(run->beat, 0);
    double unreached = halo_paths_unreached(&job->options);
    int64_t *bits;
    HALO_TRY(halo_agree(run->world, HALO_ALLOCATE(job->target_distances, job->target_count + 1,
                                                  "distances of targets")));
    HALO_TRY(
        halo_agree(run->world, HALO_ALLOCATE(bits, job->target_count + 1, "distances of targets")));
    for (int64_t i = 0; i < job->target_count; i++) {
        int64_t y = job->targets[i].row - view->owned.lo[0];
        int64_t x = job->targets[i].column - view->owned.lo[1];
        if (y >= 0 && y < view->owned.n[0] && x >= 0 && x < view->owned.n[1]) {
            double distance = ((const halo_paths_cell *)halo_row(view, y))[x].distance;
            distance = distance < unreached ? fabs(distance) : HUGE_VAL;
            memcpy(&bits[i], &distance, sizeof distance);
        }
    }
    halo_status status = HALO_OK;
    enum { AT_ONCE = 1 << 20 };
    for (int64_t i = 0; i < job->target_count && status == HALO_OK; i += AT_ONCE) {
        int64_t left = job->target_count - i;
        status = halo_allreduce_max(run->world, bits + i, (int)(left < AT_ONCE ? left : AT_ONCE));
    }
    memcpy(job->target_distances, bits, (size_t)job->target_count * sizeof *bits);
    free(bits);
    return status;
}

halo_status paths_find_trail(app_run *run)
{
    paths_job *job = run->job;
    const halo_paths_map map = map_of(run);
    halo_stretch stretch = halo_clock_begin(run->world);
    halo_paths_bar_edges(&map);
    halo_status status = HALO_OK;
    if (job->target_count > 0) {
        status = find_distances(run);
        if (status == HALO_OK) {
            status = halo_paths_trace(&job->trail, &map, job->targets, job->target_count);
        }
    }
    halo_clock_end(&run->clock, HALO_PHASE_MERGE, stretch, run->world);
    return status;
}

/* ---- nearest sources ------------------------------------------------------------------------- */

enum { NUMBER_BITS = 32 };

static halo_status create_numbers(app_run *run, const halo_partition *partition, int depth,
                                  halo_field **out)
{
    halo_box mine = halo_partition_box(partition, halo_world_rank(run->world));
    return halo_agree(run->world, halo_field_create(out, &run->domain, &mine, NUMBER_BITS, depth));
}

/* The smallest number, where two are at one place. */
static void take_source(void *context, int64_t row, int64_t column, int64_t number)
{
    const halo_view *numbers = context;
    int32_t *at = (int32_t *)halo_row(numbers, row - numbers->owned.lo[0]) + column;
    if (*at == 0 || number < *at) {
        *at = (int32_t)number;
    }
}

static halo_status spread_numbers(app_run *run, const halo_paths_map *map, halo_field *numbers)
{
    const paths_job *job = run->job;
    const halo_view *strips = halo_field_view(job->numbers);
    const halo_view *parts = halo_field_view(numbers);
    HALO_TRY(
        halo_redistribute(run->world, strips, &job->strips, parts, map->partition, &run->clock));
    HALO_TRY(halo_paths_nearest(map, numbers));
    return halo_redistribute(run->world, parts, map->partition, strips, &job->strips, &run->clock);
}

halo_status paths_find_nearest(app_run *run)
{
    paths_job *job = run->job;
    const halo_paths_map map = map_of(run);
    halo_field *numbers = NULL;
    HALO_TRY(create_numbers(run, &job->strips, 0, &job->numbers));
    HALO_TRY(paths_visit_sources(run, take_source, (void *)halo_field_view(job->numbers)));
    HALO_TRY(create_numbers(run, map.partition, map.cells->depth, &numbers));
    halo_status status = spread_numbers(run, &map, numbers);
    halo_field_destroy(&numbers);
    return status;
}

void paths_release_numbers(app_run *run)
{
    halo_field_destroy(&((paths_job *)run->job)->numbers);
}
