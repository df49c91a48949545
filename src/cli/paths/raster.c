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
    return halo_row_of_domain(view_strip(run), row);
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

/* ---- a picture of sources -------------------------------------------------------------------- */

typedef struct {
    const char *path;
    int64_t width;
    paths_source_take *take;
    void *context;
} mask_visit;

/* NaN stands for samples that are missing. */
static halo_status take_mask(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    const mask_visit *visit = context;
    int64_t width = visit->width;
    for (int64_t y = 0; y < rows; y++) {
        const double *samples = (const void *)((const char *)data + (size_t)y * pitch);
        for (int64_t x = 0; x < width; x++) {
            HALO_FAIL_IF(samples[x] > INT32_MAX, HALO_FORMAT,
                         "--from %s: the number of a source is %.17g, in row %" PRId64
                         ", column %" PRId64 " (from 0); the largest one is %d",
                         visit->path, samples[x], first + y, x, INT32_MAX);
            if (samples[x] > 0) {
                visit->take(visit->context, first + y, x, (int64_t)ceil(samples[x]));
            }
        }
    }
    return HALO_OK;
}

halo_status paths_visit_sources(app_run *run, paths_source_take *take, void *context)
{
    const paths_options *options = run->options;
    const paths_job *job = run->job;
    const int64_t *mine = run->cuts + halo_world_rank(run->world);
    for (int64_t i = 0; i < job->ends.source_count; i++) {
        const halo_paths_place *place = &paths_places_of(job->ends.sources)[i];
        if (place->row >= mine[0] && place->row < mine[1]) {
            take(context, place->row, place->column, i + 1);
        }
    }
    mask_visit visit = {options->from.path, run->domain.n[1], take, context};
    return paths_is_mask(&options->from)
               ? app_image_read_beside(run, &(app_image_beside){.path = options->from.path,
                                                                .option = "from",
                                                                .of = "costs",
                                                                .cuts = run->cuts,
                                                                .take = take_mask,
                                                                .context = &visit})
               : HALO_OK;
}

/* ---- the first distances --------------------------------------------------------------------- */

typedef struct {
    const app_run *run;
    int64_t count, blocked; /* on barriers */
    halo_paths_place first; /* of those */
} starting;

static void start_at(void *context, int64_t row, int64_t column, int64_t number)
{
    starting *s = context;
    halo_paths_cell *cell = paths_row(s->run, row) + column;
    (void)number;
    if (isinf(cell->cost)) {
        if (s->blocked++ == 0) {
            s->first = (halo_paths_place){.row = row, .column = column};
        }
        return;
    }
    s->count += !signbit(cell->distance);
    cell->distance = -0.0;
}

/* Pixels of a picture may lie on barriers, if there are others. */
static halo_status fill_sources(app_run *run)
{
    starting s = {.run = run};
    HALO_TRY(paths_visit_sources(run, start_at, &s));
    bool wrong = s.blocked > 0 && !paths_is_mask(&((const paths_options *)run->options)->from);
    HALO_TRY(halo_agree(run->world, HALO_REQUIRE(!wrong, HALO_ARGUMENT,
                                                 "the source %" PRId64 ",%" PRId64
                                                 " is on a barrier; use one beside it",
                                                 s.first.column, s.first.row)));
    HALO_TRY(halo_allreduce_sum(run->world, &s.count, 1));
    return HALO_REQUIRE(
        s.count > 0, HALO_ARGUMENT,
        "there is no source: no pixel of the picture of sources is more than 0 and on no barrier");
}

/* ---- costs ----------------------------------------------------------------------------------- */

/* Samples lie where the row's cells will be. Those that are missing have a grey, or are NaN. */
static halo_status take_row(app_run *run, int64_t row)
{
    paths_job *job = run->job;
    double sample = 0;
    int64_t column =
        halo_paths_take_costs(paths_row(run, row), run->domain.n[1], run->image->cell_bits,
                              &job->options, &job->barriers, &job->range, &sample);
    return HALO_REQUIRE(column < 0, HALO_FORMAT,
                        "%s: the cost in row %" PRId64 ", column %" PRId64
                        " (from 0) is %g; costs are numbers from 0 on: with --barrier negative "
                        "such cells are barriers",
                        run->image->path, row, column, sample);
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
    HALO_TRY(app_read_image(run, run->cuts, &samples, NULL, NULL));
    halo_stretch stretch = halo_clock_begin(run->world);
    halo_status status = take_costs(run);
    halo_clock_end(&run->clock, HALO_PHASE_COMPUTE, stretch, run->world);
    return status;
}

/* ---- before the first beat ------------------------------------------------------------------- */

static void use_image(const app_run *run, app_image_options *use)
{
    (void)run;
    use->want = HALO_IMAGE_NUMBERS;
}

/* The method by its name: what was asked for, or the default. */
const char *paths_method_of(const app_run *run)
{
    const char *requested = ((const paths_options *)run->options)->method;
    return requested != NULL ? requested : halo_world_ranks(run->world) == 1 ? "bucket" : "async";
}

static bool has_trait(const app_run *run, unsigned trait)
{
    return (paths_method_traits(paths_method_of(run)) & trait) != 0;
}

static halo_status check_method(const app_run *run)
{
    int ranks = halo_world_ranks(run->world);
    HALO_FAIL_IF(run->arguments->decomposition.detector != NULL && !has_trait(run, PATHS_DETECTS),
                 HALO_ARGUMENT, "--detector needs --method async or decentral, not %s",
                 paths_method_of(run));
    return HALO_REQUIRE(!has_trait(run, PATHS_ALONE) || ranks == 1, HALO_ARGUMENT,
                        "--method %s is for one rank, and there are %d; use async or settle",
                        paths_method_of(run), ranks);
}

static int64_t choose_quota(const app_run *run)
{
    const paths_options *options = run->options;
    int64_t cells = run->domain.n[0] * run->domain.n[1] / halo_world_ranks(run->world);
    bool given = app_was_given(run, &options->kernel.quota) && !has_trait(run, PATHS_POOL);
    return given                          ? options->kernel.quota
           : has_trait(run, PATHS_QUEUES) ? halo_paths_async_quota(cells)
                                          : HALO_PATHS_DEFAULT_QUOTA;
}

static halo_status open_inputs(app_run *run)
{
    enum { DECIMAL = 10 };
    const paths_options *options = run->options;
    paths_job *job = run->job;
    job->options = options->kernel;
    job->options.neighbours = (int)strtol(options->neighbours, NULL, DECIMAL);
    job->options.instructions = run->arguments->common.instructions;
    if (!app_was_given(run, &options->all.beats)) {
        run->last_beat = INT64_MAX / 2;
    }
    HALO_TRY(check_method(run));
    HALO_TRY(paths_ends_open(run));
    return paths_check_restored(run);
}

/* Strips are as high as halos are deep, so that ranks may be left without any. */
static halo_status create_beat(app_run *run)
{
    paths_job *job = run->job;
    const decomposition_arguments *decomposition = &run->arguments->decomposition;
    const halo_async_options async = {.detector = decomposition->detector};
    const halo_beat_options options = {.kernel_options = &job->options,
                                       .async = has_trait(run, PATHS_QUEUES) ? &async : NULL};
    return decomposition->parts == NULL || strcmp(decomposition->parts, "strips") == 0
               ? app_create_strips(run, &job->kernel, &options)
               : app_create_blocks(run, &job->kernel, &options);
}

static halo_status create(app_run *run)
{
    paths_job *job = run->job;
    job->options.quota = choose_quota(run);
    job->kernel = halo_paths_kernel(&job->options);
    HALO_TRY(halo_agree(run->world, halo_partition_strips(&job->strips, &run->domain,
                                                          halo_world_ranks(run->world))));
    run->cuts = job->strips.cuts[0];
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
                            .options = &job->options};
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
    if (has_trait(run, PATHS_POOL) && !job->has_pooled) {
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
                                          .image_use = use_image,
                                          .read = read_costs,
                                          .open = open_inputs,
                                          .create = create,
                                          .needs = find_needs,
                                          .fill = fill_sources,
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
