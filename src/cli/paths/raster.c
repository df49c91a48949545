#include "app/beats.h"
#include "app/image/image.h"
#include "app/services/memory.h"
#include "base/minmax.h"
#include "cli/paths/job.h"
#include "core/beat/beat.h"
#include "core/move/redistribute.h"
#include "core/world/collect.h"
#include "kernels/graph/raster_search.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Distances on a raster of costs. */

/* ---- cells, in the strips of files and where they are computed on ---------------------------- */

static bool is_direct(const app_run *run)
{
    const paths_job *job = run->job;
    return halo_partition_equal(halo_beat_partition(run->beat), &job->strips);
}

/* The cells of this rank's strip. */
static const halo_view *view_strip(const app_run *run)
{
    const paths_job *job = run->job;
    return job->cells != NULL ? halo_field_view(job->cells) : halo_beat_view(run->beat, 0);
}

halo_paths_cell *paths_row(const app_run *run, int64_t row)
{
    return app_image_place(run->image, view_strip(run), row);
}

static halo_status create_cells(app_run *run)
{
    paths_job *job = run->job;
    halo_box mine = halo_partition_box(&job->strips, halo_world_rank(run->world));
    return halo_agree(run->world, halo_field_create(&job->cells, &run->domain, &mine,
                                                    job->kernel.cell_bits[0], 0));
}

static halo_status spread(app_run *run)
{
    paths_job *job = run->job;
    halo_status status = HALO_OK;
    if (job->cells != NULL) {
        status = halo_redistribute(run->world, halo_field_view(job->cells), &job->strips,
                                   halo_beat_view(run->beat, 0), halo_beat_partition(run->beat),
                                   &run->clock);
    }
    paths_release(run);
    return status;
}

halo_status paths_collect(app_run *run)
{
    paths_job *job = run->job;
    if (is_direct(run)) {
        return HALO_OK;
    }
    HALO_TRY(create_cells(run));
    return halo_redistribute(run->world, halo_beat_view(run->beat, 0),
                             halo_beat_partition(run->beat), halo_field_view(job->cells),
                             &job->strips, &run->clock);
}

void paths_release(app_run *run)
{
    halo_field_destroy(&((paths_job *)run->job)->cells);
}

/* ---- costs ----------------------------------------------------------------------------------- */

/* Samples lie where the row's cells will be. Those that are missing have a grey, or are NaN. */
static halo_status take_row(app_run *run, int64_t row)
{
    paths_job *job = run->job;
    double sample = 0;
    int64_t column = halo_paths_take_costs(paths_row(run, row), run->domain.n[run->domain.axes - 1],
                                           run->image->cell_bits, &job->volume.options,
                                           &job->barriers, &job->range, &sample);
    return HALO_REQUIRE(column < 0, HALO_FORMAT,
                        "%s: the cost in row %" PRId64 ", column %" PRId64
                        " (from 0%s) is %g; costs are numbers from 0 on: with --barrier negative "
                        "such cells are barriers",
                        run->image->path, row, column,
                        run->domain.axes == HALO_AXES ? ", through all planes" : "", sample);
}

static halo_status take_costs(app_run *run)
{
    const int64_t *mine = run->cuts + halo_world_rank(run->world);
    const halo_image_nodata *nodata = &run->image->info.nodata;
    paths_job *job = run->job;
    halo_status status = HALO_OK;
    job->barriers = ((const paths_options *)run->options)->barriers;
    job->barriers.missing = nodata->missing == HALO_MISSING_CELL ? (double)nodata->cell : NAN;
    job->range = HALO_PATHS_NO_COSTS;
    paths_keep_samples(run);
    for (int64_t row = mine[0]; status == HALO_OK && row < mine[1]; row++) {
        status = take_row(run, row);
    }
    HALO_TRY(halo_agree(run->world, status));
    HALO_TRY(halo_paths_share_range(run->world, &job->range));
    paths_draw_costs(run);
    return HALO_OK;
}

static halo_status read_costs(app_run *run)
{
    halo_view samples = *view_strip(run);
    samples.cell_bits = run->image->cell_bits;
    const paths_job *job = run->job;
    HALO_TRY(app_read_image(run, job->strips.cuts[0], &samples, NULL, NULL));
    halo_stretch stretch = halo_clock_begin(run->world);
    halo_status status = take_costs(run);
    halo_clock_end(&run->clock, HALO_PHASE_COMPUTE, stretch, run->world);
    return status;
}

/* ---- before the first beat ------------------------------------------------------------------- */

int64_t paths_cells(const app_run *run)
{
    const int64_t *n = run->domain.n;
    return n[0] * n[1] * (run->domain.axes == HALO_AXES ? n[2] : 1);
}

static int64_t choose_quota(const app_run *run)
{
    const paths_options *options = run->options;
    int64_t cells = paths_cells(run) / halo_world_ranks(run->world);
    bool given = app_was_given(run, &options->kernel.quota) && !paths_has_trait(run, PATHS_POOL);
    return given                                ? options->kernel.quota
           : paths_has_trait(run, PATHS_QUEUES) ? halo_paths_async_quota(cells)
                                                : HALO_PATHS_DEFAULT_QUOTA;
}

/* Strips are as high as halos are deep, so that ranks may be left without any. */
static halo_status create_beat(app_run *run)
{
    paths_job *job = run->job;
    const decomposition_arguments *decomposition = &run->arguments->decomposition;
    const halo_async_options async = {.detector = decomposition->detector};
    const halo_beat_options options = {.kernel_options = &job->volume.options,
                                       .async = paths_has_trait(run, PATHS_QUEUES) ? &async : NULL};
    return decomposition->parts == NULL || strcmp(decomposition->parts, "strips") == 0
               ? app_create_strips(run, &job->kernel, &options)
               : app_create_blocks(run, &job->kernel, &options);
}

static halo_status create(app_run *run)
{
    paths_job *job = run->job;
    job->volume.options.quota = choose_quota(run);
    job->kernel = halo_paths_kernel(&job->volume.options);
    HALO_TRY(halo_agree(run->world, halo_partition_strips(&job->strips, &run->domain,
                                                          halo_world_ranks(run->world))));
    HALO_TRY(halo_agree(run->world,
                        app_image_row_cuts(run->image, job->strips.cuts[0], &job->row_cuts)));
    run->cuts = job->row_cuts;
    HALO_TRY(create_beat(run));
    HALO_TRY(halo_agree(run->world, paths_create_picture(run)));
    return is_direct(run) ? HALO_OK : create_cells(run);
}

/* The queue has the cells of a front, of which nobody knows the length: an eighth of all. */
static void find_needs(const app_run *run, app_needs *needs)
{
    enum { SHARE = 8 };
    const paths_job *job = run->job;
    int64_t cells = halo_box_cells(&halo_beat_view(run->beat, 0)->owned);
    int64_t strip = job->cells == NULL ? 0 : cells * (int64_t)sizeof(halo_paths_cell);
    needs->computing = cells * (int64_t)sizeof(int32_t) / SHARE - strip;
    needs->writing += needs->computing + strip;
}

/* ---- beats ----------------------------------------------------------------------------------- */

halo_paths_map paths_map(const app_run *run)
{
    const paths_job *job = run->job;
    return (halo_paths_map){.world = run->world,
                            .domain = &run->domain,
                            .partition = halo_beat_partition(run->beat),
                            .cells = halo_beat_view(run->beat, 0),
                            .options = &job->volume.options};
}

static const char *ending(const app_run *run)
{
    (void)run;
    return "all distances are final";
}

static halo_status search_by_pool(app_run *run)
{
    const paths_options *given = run->options;
    paths_job *job = run->job;
    const halo_paths_map map = paths_map(run);
    const halo_search_options options = {.method = given->method,
                                         .detector = run->arguments->decomposition.detector,
                                         .max_distance = given->kernel.max_distance,
                                         .quota = given->kernel.quota};
    job->has_pooled = true;
    return halo_search_raster(&map, &options, &job->pooled);
}

/* A pool searches at once; the beat after it sees that nothing changes. */
static halo_status advance(app_run *run, int64_t count)
{
    paths_job *job = run->job;
    if (paths_has_trait(run, PATHS_POOL) && !job->has_pooled) {
        HALO_TRY(search_by_pool(run));
    }
    return halo_beat_run(run->beat, count);
}

static const app_beats beats = {.phase = "searching",
                                .advance = advance,
                                .counted = "at beat",
                                .shares = APP_EXCHANGING,
                                .endless = true,
                                .ending = ending};

/* How far targets are, and the paths to them. */
static halo_status find_trail(app_run *run)
{
    paths_job *job = run->job;
    const halo_paths_map map = paths_map(run);
    int64_t count = job->ends.target_count;
    const halo_paths_place *targets = paths_places_of(job->ends.targets);
    halo_stretch stretch = halo_clock_begin(run->world);
    halo_paths_bar_edges(&map);
    halo_status status = HALO_OK;
    if (count > 0) {
        HALO_TRY_OR(done, halo_agree(run->world, HALO_ALLOCATE(job->ends.distances, count + 1,
                                                               "distances of targets")));
        HALO_TRY_OR(done, halo_paths_distances(&map, targets, count, job->ends.distances));
        status = halo_paths_trace(&job->trail, &map, targets, count);
    }
done:
    halo_clock_end(&run->clock, HALO_PHASE_MERGE, stretch, run->world);
    return status;
}

static halo_status end(app_run *run)
{
    paths_job *job = run->job;
    const halo_paths_map map = paths_map(run);
    const halo_paths_counts mine = halo_paths_count(halo_beat_state(run->beat));
    int64_t sums[] = {mine.taken, mine.improved}, queue = mine.queue_bytes;
    job->settled = run->loop->ending == APP_STEADY;
    HALO_TRY(halo_paths_reach(&map, &job->reached, &job->farthest));
    HALO_TRY(halo_allreduce_sum(run->world, sums, 2));
    HALO_TRY(halo_allreduce_max(run->world, &queue, 1));
    job->done = (halo_paths_counts){.taken = sums[0] + job->pooled.taken,
                                    .improved = sums[1] + job->pooled.improved,
                                    .queue_bytes = halo_max(queue, job->pooled.queue_bytes)};
    return job->settled ? find_trail(run) : HALO_OK;
}

static void destroy(app_run *run)
{
    paths_job *job = run->job;
    paths_release(run);
    halo_partition_free(&job->strips);
    free(job->row_cuts);
    halo_field_destroy(&job->numbers);
    halo_paths_trail_destroy(&job->trail);
    paths_ends_free(&job->ends);
}

/* ---- the command ----------------------------------------------------------------------------- */

static const app_phase phases[] = {
    {"read", HALO_PHASE_DECODE},     {"distribute", HALO_PHASE_DISTRIBUTE},
    {"compute", HALO_PHASE_COMPUTE}, {"exchange", HALO_PHASE_EXCHANGE},
    {"vote", HALO_PHASE_VOTE},       {"trace", HALO_PHASE_MERGE},
    {"write", HALO_PHASE_ENCODE},    {0}};

static const char speed[] = "{nanoseconds%.4g} ns a cell";

const app_command paths_raster_command = {.syntax = &paths_syntax,
                                          .job_bytes = sizeof(paths_job),
                                          .image = true,
                                          .takes_nodata = true,
                                          .image_use = paths_use_image,
                                          .read = read_costs,
                                          .open = paths_open,
                                          .create = create,
                                          .needs = find_needs,
                                          .fill = paths_fill_sources,
                                          .begin = spread,
                                          .beats = &beats,
                                          .end = end,
                                          .outputs = paths_outputs,
                                          .lines = paths_lines,
                                          .speed = speed,
                                          .phases = phases,
                                          .facts = paths_facts,
                                          .verdict = paths_ends_verdict,
                                          .destroy = destroy};
