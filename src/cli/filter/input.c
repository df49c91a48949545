#include "app/image/pull.h"
#include "app/image/samples.h"
#include "app/paths/planes.h"
#include "app/services/memory.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "cli/filter/job.h"
#include "core/world/collect.h"
#include "core/world/memory_ask.h"

/* The rows that filters read. */

/* How they come. */
typedef struct {
    bool pulls; /* from the file, when they are needed; otherwise they are in memory before */
    bool fused; /* what others look at twice is made twice; otherwise it is kept in memory */
    bool root;  /* rank 0 has all layers */
} way;

/* ---- ways ------------------------------------------------------------------------------------ */

/* The share of the file that is decoded again, since ranks read layers beside their strips, and
 * files have layers in chunks. */
static double share_again(const app_run *run)
{
    const filter_job *job = run->job;
    const halo_image_info *info = &run->image->info;
    int64_t depth = halo_filter_chain_depth(&job->chain, 0), unit = halo_max(1, info->layers);
    int64_t more = 0, layers = run->domain.n[0];
    for (int r = 1; r < halo_world_ranks(run->world); r++) {
        int64_t cut = job->strips.cuts[0][r], lo = halo_max(0, cut - depth);
        int64_t hi = halo_min(layers, cut + depth);
        more += cut < layers ? cut - lo / unit * unit + (hi + unit - 1) / unit * unit - cut : 0;
    }
    return info->in_place || layers == 0 ? 0 : (double)more / (double)layers;
}

/* Files of planes and of steps are written before all samples of the image, or of the result, were
 * seen, some of which may be missing. */
static bool must_see_all(const app_run *run)
{
    const filter_options *options = run->options;
    return run->image->info.nodata.missing != HALO_MISSING_NEVER &&
           (options->folder != NULL || app_planes_are_named(options->output));
}

/* The fastest way: `any` row can be asked for by all ranks. */
static way find_fast(const app_run *run, bool any)
{
    const double most_again = 1. / 16;
    const filter_job *job = run->job;
    bool in_order = halo_world_ranks(run->world) == 1 && !job->chain.segment[0].wraps;
    bool pulls = any ? share_again(run) <= most_again : in_order;
    return (way){.pulls = pulls && !must_see_all(run)};
}

/* The way that takes the least memory. */
static way find_lean(const app_run *run, bool any)
{
    const filter_job *job = run->job;
    bool again = any || run->image->info.file_bytes >= 0;
    bool pulls = (any || !job->chain.segment[0].wraps) && !must_see_all(run);
    return (way){.pulls = pulls,
                 .fused = pulls && again && halo_filter_chain_reduces(&job->chain),
                 .root = pulls && !any && halo_world_ranks(run->world) > 1};
}

/* Local. A halo is taken from one neighbour: strips are at least as thick. */
static halo_status use_way(app_run *run, const way *to)
{
    filter_job *job = run->job;
    job->chain.fused = to->fused;
    job->pulls = to->pulls;
    halo_partition_free(&job->strips);
    HALO_TRY(
        halo_filter_chain_resolve_domain(&job->chain, app_image_type(run->image), &run->domain));
    int64_t least = halo_min(halo_filter_run_thinnest(&job->chain, !to->pulls), run->domain.n[0]);
    HALO_TRY(app_image_strips(run->image, least, &job->strips));
    if (to->root) {
        halo_cuts_whole(run->domain.n[0], halo_world_ranks(run->world), job->strips.cuts[0]);
    }
    return HALO_OK;
}

/* Collective. HALO_MEMORY if a host has less than the run will take. */
static halo_status ask_for_memory(const app_run *run)
{
    const filter_job *job = run->job;
    const int64_t *mine = job->strips.cuts[0] + halo_world_rank(run->world);
    filter_run_bytes bytes = halo_filter_run_needs(&job->chain, mine[0], mine[1], !job->pulls);
    int64_t reading = (job->pulls ? app_image_decoding : app_image_later)(run->image);
    int64_t later = halo_max(bytes.computing, bytes.making) + reading;
    const halo_memory_demand demand = {.more = halo_max(0, halo_memory_held() + later),
                                       .what = "the image"};
    return halo_memory_ask(run->world, &demand);
}

/* Is the image so small that there is memory for it in any case? To look takes as long as to
 * filter a small one. */
static bool is_small(const app_run *run)
{
    const int64_t SMALL = (int64_t)8 << 20;
    const halo_image_info *info = &run->image->info;
    return info->rows * (int64_t)halo_image_row_bytes(info) <= SMALL;
}

/* Is the image in memory in any case? Each colour has a run of its own, and checkpoints have a
 * digest of all samples. */
static bool is_held(const app_run *run)
{
    const halo_image_info *info = &run->image->info;
    return info->pixel_bits > info->cell_bits || run->image->options.digest ||
           filter_gaps_apply(run);
}

halo_status filter_input_choose(app_run *run)
{
    bool any;
    HALO_TRY(app_image_pull_any(run->image, &any));
    const way held = {0};
    HALO_TRY(halo_agree(run->world, use_way(run, &held)));
    if (is_held(run)) {
        return HALO_OK;
    }
    const way fast = find_fast(run, any), lean = find_lean(run, any);
    HALO_TRY(halo_agree(run->world, use_way(run, &fast)));
    if (is_small(run) ||
        (lean.pulls == fast.pulls && lean.fused == fast.fused && lean.root == fast.root)) {
        return HALO_OK;
    }
    halo_status status = ask_for_memory(run);
    return status == HALO_MEMORY ? halo_agree(run->world, use_way(run, &lean)) : status;
}

/* ---- reading --------------------------------------------------------------------------------- */

static halo_status begin(app_run *run)
{
    filter_job *job = run->job;
    const int64_t *mine = job->strips.cuts[0] + halo_world_rank(run->world);
    int64_t unit = run->domain.axes == HALO_AXES ? run->domain.n[1] : 1;
    int64_t layers = run->domain.n[0], depth = halo_filter_chain_depth(&job->chain, 0);
    bool all = job->chain.segment[0].wraps;
    const int64_t strip[2] = {mine[0] * unit, mine[1] * unit};
    const int64_t asks[2] = {(all ? 0 : halo_max(0, mine[0] - depth)) * unit,
                             (all ? layers : halo_min(layers, mine[1] + depth)) * unit};
    return app_image_pull_begin(&job->pull, run->image, strip, asks, &run->clock);
}

static halo_status read_image(app_run *run)
{
    const filter_job *job = run->job;
    if (job->gaps != NULL) {
        return filter_gaps_read(run);
    }
    if (job->colours != NULL) {
        return app_image_stream(run->image, job->strips.cuts[0], &run->progress,
                                halo_filter_colours_take, job->colours, &run->clock);
    }
    return job->pulls ? begin(run)
                      : app_read_image(run, job->strips.cuts[0], halo_field_view(job->samples),
                                       NULL, NULL);
}

halo_status filter_input_read(app_run *run)
{
    const filter_job *job = run->job;
    HALO_TRY(read_image(run));
    return job->gaps == NULL ? filter_begin_told(run) : HALO_OK;
}

/* The strip's rows are reported of when they come for the first time. */
static halo_status pull_row(void *context, int64_t z, int64_t y, void *out)
{
    app_run *run = context;
    filter_job *job = run->job;
    int64_t unit = run->domain.axes == HALO_AXES ? run->domain.n[1] : 1, row = z * unit + y;
    HALO_TRY(app_image_pull_row(&job->pull, z, y, out));
    if (job->told.survey != NULL && row == job->next_told && row < job->pull.hi) {
        halo_filter_survey_add_row(job->told.survey[0], row / unit, row % unit, out);
        job->next_told++;
    }
    return HALO_OK;
}

static halo_status pull_again(void *context)
{
    return app_image_pull_again(&((filter_job *)((app_run *)context)->job)->pull);
}

filter_image filter_input_image(app_run *run)
{
    filter_job *job = run->job;
    job->next_told = job->pull.lo;
    return job->pulls
               ? (filter_image){.rows = {.row = pull_row, .context = run, .again = pull_again}}
               : (filter_image){.segment = job->start, .field = &job->samples};
}

halo_status filter_input_end(app_run *run, halo_status status)
{
    filter_job *job = run->job;
    return job->pulls ? app_image_pull_end(&job->pull, status, run->command->syntax->name) : status;
}

void filter_input_clock(app_run *run, halo_stretch stretch, double read)
{
    double *seconds = run->clock.seconds;
    halo_clock_end(&run->clock, HALO_PHASE_COMPUTE, stretch, run->world);
    seconds[HALO_PHASE_COMPUTE] -= seconds[HALO_PHASE_DECODE] - read;
}

/* ---- reports --------------------------------------------------------------------------------- */

int filter_input_passes(const filter_job *job)
{
    return job->run != NULL ? job->start + halo_filter_run_passes(job->run) : job->chain.segments;
}

int filter_input_readings(const filter_job *job)
{
    return job->pulls && job->run != NULL ? halo_filter_run_readings(job->run) : 1;
}

json_t *filter_input_again(const filter_job *job)
{
    int readings = filter_input_readings(job);
    return readings > 1 ? json_integer(readings) : json_null();
}

const char *filter_input_manner(const app_run *run)
{
    const filter_job *job = run->job;
    bool root = job->strips.cuts[0][1] == run->domain.n[0] && halo_world_ranks(run->world) > 1;
    return !job->pulls ? "of the whole image in memory"
           : root ? "by rank 0 alone, from the file as they are needed: others cannot read it, and "
                    "there is no memory for all"
                  : "from the file as they are needed";
}
