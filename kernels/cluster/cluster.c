#include "kernels/cluster/cluster.h"

#include "base/memory.h"
#include "base/names.h"
#include "core/world/collect.h"
#include "kernels/cluster/lab.h"
#include "kernels/cluster/pyramid_ops.h"
#include "kernels/cluster/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const halo_isa_variant pyramid_variants[] = HALO_ISA_VARIANTS(pyramid_ops, AVX512);

static int axes_of(const halo_cluster_options *options)
{
    return options->colour ? CLUSTER_AXES : 3;
}

/* Numbers a cluster brings to the vote: pixels, and a sum for each axis. */
static int numbers_of(const halo_cluster_options *options)
{
    return 1 + axes_of(options);
}

/* ---- options --------------------------------------------------------------------------------- */

/* The one that is asked for. Putting pixels into order pays after a few beats, of many clusters in
 * the first one, unless brightness does not count. */
static halo_status find_engine(const cluster_engine **out, const halo_cluster_options *options)
{
    enum { FEW = 2, MANY = 256 };
#define ENGINE_ENTRY(name, help) &cluster_##name,
    static const cluster_engine *const engines[] = {NULL, HALO_CLUSTER_ENGINE_LIST(ENGINE_ENTRY)};
    static const char *const names[] = {"auto", HALO_CLUSTER_ENGINE_LIST(HALO_NAME)};
#undef ENGINE_ENTRY
    int engine;
    HALO_TRY(halo_names_find("engine", names, HALO_NAMES_COUNT(names), options->engine, &engine));
    bool few = options->beats > 0 && options->beats <= FEW && options->clusters < MANY;
    *out = engine > 0                   ? engines[engine]
           : few || options->place_only ? &cluster_tiles
                                        : &cluster_leaves;
    return HALO_OK;
}

static halo_status check_options(const halo_cluster_options *options)
{
    if (options->clusters < 1 || options->clusters > HALO_CLUSTER_MAX) {
        return halo_fail(HALO_ARGUMENT, "%d clusters; use 1 to %d", options->clusters,
                         HALO_CLUSTER_MAX);
    }
    const double max = 1e6;
    if (!(options->weight >= 0 && options->weight <= max)) {
        return halo_fail(HALO_ARGUMENT, "weight %g; use 0 to %g", options->weight, max);
    }
    const cluster_engine *engine;
    HALO_TRY(find_engine(&engine, options));
    const halo_isa_variant *variant;
    return halo_isa_pick(&variant, pyramid_variants, options->instructions);
}

static halo_status check_domain(const halo_cluster_options *options, const halo_domain *domain)
{
    if (domain->n[0] > HALO_CLUSTER_SIDE || domain->n[1] > HALO_CLUSTER_SIDE) {
        return halo_fail(HALO_ARGUMENT,
                         "a picture of %lld x %lld pixels; clusters' sums fit up to %d each way",
                         (long long)domain->n[1], (long long)domain->n[0], HALO_CLUSTER_SIDE);
    }
    if (options->clusters > domain->n[0] * domain->n[1]) {
        return halo_fail(HALO_ARGUMENT,
                         "%d clusters of a picture of %lld pixels; use at most as many",
                         options->clusters, (long long)(domain->n[0] * domain->n[1]));
    }
    return HALO_OK;
}

enum { BYTE_MAX = 255 };

double halo_cluster_weight(double compactness, const halo_domain *domain, int clusters, bool colour)
{
    double pixels = (double)(domain->n[0] * domain->n[1]);
    return sqrt(pixels / (double)clusters) / (colour ? 1 : BYTE_MAX) / compactness;
}

double halo_cluster_cell_weight(double weight, bool colour, int64_t maximum)
{
    return colour ? weight / HALO_LAB_STEPS : weight * BYTE_MAX / (double)maximum;
}

/* ---- the kernel's table ---------------------------------------------------------------------- */

static void cluster_destroy(void **out)
{
    cluster_state *state = *out;
    if (state == NULL) {
        return;
    }
    if (state->engine != NULL) {
        state->engine->destroy(&state->finds);
    }
    cluster_centres_free(&state->job.before);
    cluster_centres_free(&state->job.now);
    free(state->job.changes);
    free(state->job.moved);
    free(state->records);
    free(state->records_before);
    cluster_shown_free(&state->shown);
    free(state);
    *out = NULL;
}

static halo_status make_state(cluster_state *state, const halo_domain *domain,
                              const halo_cluster_options *options)
{
    cluster_job *job = &state->job;
    size_t clusters = (size_t)options->clusters;
    double weight = options->place_only ? 0 : options->weight > 0 ? options->weight : 1;
    *job = (cluster_job){.domain = *domain,
                         .rectangles =
                             cluster_rectangles_of(domain->n[0], domain->n[1], options->clusters),
                         .clusters = options->clusters,
                         .axes = axes_of(options),
                         .scale = weight * weight};
    HALO_TRY(halo_isa_pick(&job->variant, pyramid_variants, options->instructions));
    HALO_TRY(cluster_centres_create(&job->before, options->clusters, job->axes));
    HALO_TRY(cluster_centres_create(&job->now, options->clusters, job->axes));
    HALO_TRY(
        HALO_ALLOCATE(job->changes, clusters * (size_t)numbers_of(options), "sums of clusters"));
    HALO_TRY(HALO_ALLOCATE(job->moved, clusters, "clusters"));
    HALO_TRY(HALO_ALLOCATE(state->records, clusters, "sums of clusters"));
    HALO_TRY(HALO_ALLOCATE(state->records_before, clusters, "sums of clusters"));
    HALO_TRY(find_engine(&state->engine, options));
    return state->engine->create(&state->finds, job);
}

static halo_status cluster_create(void **out, const halo_domain *domain, const void *options)
{
    const halo_cluster_options *given = options;
    if (given == NULL) {
        return halo_fail(HALO_ARGUMENT, "kernel \"cluster\" needs its options");
    }
    HALO_TRY(check_options(given));
    HALO_TRY(check_domain(given, domain));
    cluster_state *state;
    HALO_TRY(HALO_ALLOCATE(state, 1, "the state of clustering"));
    void *made = state;
    halo_status status = make_state(state, domain, given);
    if (status != HALO_OK) {
        cluster_destroy(&made);
    }
    *out = made;
    return status;
}

static halo_status cluster_step(halo_step *step)
{
    cluster_state *state = step->state;
    return state->engine->beat(state->finds, &state->job, step->in, step->row_cost, &step->changed);
}

/* Rows that have come are put into order here: it is the move that costs this, and balancers should
 * not take it for the rows' own cost. A part without rows takes no steps: what it keeps of them is
 * of beats before, should they come back. */
static halo_status cluster_moved(void *state, const halo_view *fields)
{
    cluster_state *s = state;
    cluster_shown_free(&s->shown);
    if (halo_box_cells(&fields[0].owned) == 0) {
        s->engine->forget(s->finds);
        return HALO_OK;
    }
    return s->engine->labels(s->finds, &s->job, &fields[0], 0, 0, NULL, 0);
}

/* Centres of a beat that has begun, from records. */
static void set_centres(cluster_job *job, const halo_cluster_record *records)
{
    cluster_centres_set(&job->now, records);
    for (int k = 0; k < job->clusters; k++) {
        job->moved[k] = false;
        for (int a = 0; a < job->axes; a++) {
            job->moved[k] = job->moved[k] || job->now.axis[a][k] != job->before.axis[a][k];
        }
    }
}

static size_t numbers(const cluster_state *state)
{
    return (size_t)state->job.clusters * (size_t)(1 + state->job.axes);
}

/* Only what has changed rides on the vote: the rest is known everywhere. */
static halo_status cluster_beat(void *state, int64_t *sums, bool agreed)
{
    cluster_state *s = state;
    cluster_job *job = &s->job;
    if (!agreed) {
        memcpy(sums, job->changes, numbers(s) * sizeof *sums);
        return HALO_OK;
    }
    cluster_shown_free(&s->shown);
    memcpy(s->records_before, s->records, (size_t)job->clusters * sizeof *s->records);
    cluster_records_add(s->records, job->clusters, job->axes, sums);
    memset(job->changes, 0, numbers(s) * sizeof *job->changes);
    cluster_centres before = job->before;
    job->before = job->now;
    job->now = before;
    set_centres(job, s->records);
    job->begun = true;
    return HALO_OK;
}

halo_status halo_cluster_kernel(halo_kernel *out, const halo_cluster_options *options,
                                int cell_bits)
{
    HALO_TRY(check_options(options));
    if (options->colour ? cell_bits != 48 : cell_bits != 8 && cell_bits != 16) {
        return halo_fail(HALO_ARGUMENT,
                         "cells of %d bits cannot be clustered%s; use 8 or 16, or 48 in colour",
                         cell_bits, options->colour ? " in colour" : "");
    }
    *out = (halo_kernel){.name = "cluster",
                         .help = "exact k-means of pixels by place and brightness",
                         .axes = 2,
                         .cell_bits = {cell_bits},
                         .cell_kind = {HALO_UNSIGNED},
                         .depth = 0,
                         .whole = true,
                         .in_place = true,
                         .converges = true,
                         .sums = options->clusters * numbers_of(options),
                         .step = cluster_step,
                         .moved = cluster_moved,
                         .create = cluster_create,
                         .destroy = cluster_destroy,
                         .beat = cluster_beat,
                         .flops = 8 * (1 + options->clusters / 16.)};
    return HALO_OK;
}

int64_t halo_cluster_bytes(const halo_cluster_options *options, const halo_box *owned,
                           int cell_bits)
{
    const cluster_engine *engine;
    return find_engine(&engine, options) == HALO_OK ? engine->bytes(owned, cell_bits) : 0;
}

/* ---- beginning ------------------------------------------------------------------------------- */

#define DEFINE_SUM_VALUES(type)                                                          \
    static int64_t sum_##type(const void *row, int64_t first, int64_t end, int64_t step) \
    {                                                                                    \
        const type *values = row;                                                        \
        int64_t sum = 0;                                                                 \
        for (int64_t i = first; i < end; i++) {                                          \
            sum += values[i * step];                                                     \
        }                                                                                \
        return sum;                                                                      \
    }
DEFINE_SUM_VALUES(uint8_t)
DEFINE_SUM_VALUES(uint16_t)
DEFINE_SUM_VALUES(int16_t)

/* The sum of value `a` of columns first to end - 1 of a row. */
static int64_t sum_values(const halo_view *picture, const void *row, int64_t first, int64_t end,
                          int a)
{
    return picture->cell_bits == 8 ? sum_uint8_t(row, first, end, 1)
           : picture->cell_bits == 16
               ? sum_uint16_t(row, first, end, 1)
               : sum_int16_t((const int16_t *)row + a, first, end, HALO_CLUSTER_CHANNELS);
}

/* Sums of this rank's pixels of the rectangles: a stretch of a row in one at a time. */
static void sum_rectangles(const cluster_state *state, const halo_view *picture, uint16_t *labels,
                           int64_t *sums)
{
    const cluster_job *job = &state->job;
    int64_t lo = picture->owned.lo[1], columns = picture->owned.n[1];
    for (int64_t y = 0; y < picture->owned.n[0]; y++) {
        const void *row = halo_row(picture, y);
        cluster_rectangles_row(&job->rectangles, picture->owned.lo[0] + y, lo, lo + columns,
                               labels);
        for (int64_t x = 0, end; x < columns; x = end) {
            int64_t *sum = sums + (size_t)labels[x] * (size_t)(1 + job->axes);
            for (end = x + 1; end < columns && labels[end] == labels[x];) {
                end++;
            }
            sum[0] += end - x;
            sum[1] += (end - x) * (2 * lo + x + end - 1) / 2;
            sum[2] += (end - x) * (picture->owned.lo[0] + y);
            for (int a = 2; a < job->axes; a++) {
                sum[1 + a] += sum_values(picture, row, x, end, a - 2);
            }
        }
    }
}

/* Labels, if there are any, are other ones from now on. */
static void begin_with(cluster_state *state)
{
    cluster_shown_free(&state->shown);
    set_centres(&state->job, state->records);
    state->engine->forget(state->finds);
}

halo_status halo_cluster_begin(halo_beat *beat, halo_world *world)
{
    cluster_state *state = halo_beat_state(beat);
    const halo_view *picture = halo_beat_view(beat, 0);
    void *labels = NULL;
    state->job.world = world;
    halo_status status = halo_agree(
        world, halo_memory_create(&labels, (size_t)picture->owned.n[1] * sizeof(uint16_t) + 1,
                                  "a row of labels"));
    if (status == HALO_OK) {
        int64_t *sums = state->job.changes;
        memset(sums, 0, numbers(state) * sizeof *sums);
        sum_rectangles(state, picture, labels, sums);
        status = halo_allreduce_sum(world, sums, (int)numbers(state));
        memset(state->records, 0, (size_t)state->job.clusters * sizeof *state->records);
        cluster_records_add(state->records, state->job.clusters, state->job.axes, sums);
        memset(sums, 0, numbers(state) * sizeof *sums);
        state->job.begun = false;
        begin_with(state);
    }
    halo_memory_free(labels);
    return status;
}

static halo_status check_records(const cluster_state *state, const halo_cluster_record *records)
{
    int64_t pixels = 0;
    for (int k = 0; k < state->job.clusters; k++) {
        const halo_cluster_record *r = &records[k];
        if (!halo_cluster_record_fits(r, &state->job.domain) ||
            (r->pixels > 0 && r->pixels != r->of)) {
            return halo_fail(HALO_ARGUMENT,
                             "cluster %d cannot have %lld pixels, and sums of %lld that are not "
                             "places in the picture or not its greys",
                             k, (long long)r->pixels, (long long)r->of);
        }
        pixels += r->pixels;
    }
    int64_t all = state->job.domain.n[0] * state->job.domain.n[1];
    if (pixels != all) {
        return halo_fail(HALO_ARGUMENT,
                         "clusters of %lld pixels in all are not of a picture of "
                         "%lld",
                         (long long)pixels, (long long)all);
    }
    return HALO_OK;
}

halo_status halo_cluster_restore(halo_beat *beat, const halo_cluster_record *before,
                                 const halo_cluster_record *now)
{
    cluster_state *state = halo_beat_state(beat);
    size_t bytes = (size_t)state->job.clusters * sizeof *now;
    HALO_TRY(check_records(state, now));
    if (before != NULL) {
        HALO_TRY(check_records(state, before));
        memcpy(state->records_before, before, bytes);
        cluster_centres_set(&state->job.before, before);
    }
    memcpy(state->records, now, bytes);
    state->job.begun = before != NULL;
    begin_with(state);
    return HALO_OK;
}
