#include "base/memory.h"
#include "cli/walk/job.h"
#include "core/move/scatter_gather.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

/* ---- before the image is read ---------------------------------------------------------------- */

/* Rank 0 has all rows: they become bits, which all ranks need whole. */
static halo_status make_rows(app_run *run)
{
    walk_job *job = run->job;
    const int64_t *n = job->options.n;
    job->row_words = (n[0] + 63) / 64;
    HALO_TRY(HALO_ALLOCATE(job->fluid, n[1] * n[2] * job->row_words, "a medium"));
    HALO_TRY(HALO_ALLOCATE(job->missing, job->row_words, "a row of a medium"));
    job->options.fluid = job->fluid;
    const walk_options *asked = run->options;
    return cli_threshold_keeps(run, &asked->threshold)
               ? app_image_create_field(run->image, run->cuts, &run->samples)
               : HALO_OK;
}

static halo_status check_edges(const app_run *run)
{
    const walk_options *asked = run->options;
    int axes = run->domain.axes;
    return asked->edges.count <= axes
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "--edges has %d words, and the medium %d axes; give one for each, or "
                           "one for all",
                           asked->edges.count, axes);
}

halo_status walk_medium_create(app_run *run)
{
    const walk_options *asked = run->options;
    walk_job *job = run->job;
    int axes = run->domain.axes;
    job->options = (halo_walk_options){.axes = axes,
                                       .n = {1, 1, 1},
                                       .conductivity = asked->conductivity,
                                       .flow = asked->flow,
                                       .seed = (uint64_t)asked->seed,
                                       .instructions = asked->all.common.instructions};
    for (int axis = 0; axis < axes; axis++) { /* x is the last one of a domain */
        job->options.n[axis] = run->domain.n[axes - 1 - axis];
        job->options.edges[axis] = asked->edges.along[axis];
    }
    HALO_TRY(halo_agree(run->world, check_edges(run)));
    HALO_TRY(halo_agree(run->world, halo_walk_check(&job->options)));
    return halo_agree(run->world, make_rows(run));
}

/* ---- from samples to bits, on rank 0 --------------------------------------------------------- */

/* Pixels that are missing are solid. */
static void clear_missing(const app_run *run, const void *row, uint64_t *bits)
{
    const walk_job *job = run->job;
    if (run->image->info.nodata.missing == HALO_MISSING_NEVER) {
        return;
    }
    halo_image_find_missing(&run->image->info, row, job->missing);
    for (int64_t i = 0; i < job->row_words; i++) {
        bits[i] &= ~job->missing[i];
    }
}

static halo_status divide_band(void *context, int64_t first, int64_t rows, const void *data,
                               size_t pitch)
{
    const app_run *run = context;
    walk_job *job = run->job;
    const halo_view from = app_image_band(run->image, data, pitch, rows);
    size_t bytes = halo_image_row_bytes(&run->image->info);
    halo_view to = from;
    to.cell_bits = HALO_BIT;
    to.origin = job->fluid + first * job->row_words;
    to.stride[0] = job->row_words * (ptrdiff_t)sizeof *job->fluid;
    halo_threshold(&from, job->threshold.of.type, &job->threshold.within, &to,
                   run->arguments->common.instructions);
    for (int64_t i = 0; i < rows; i++) {
        const char *row = (const char *)data + (size_t)i * pitch;
        job->signature = XXH3_64bits_withSeed(row, bytes, job->signature);
        clear_missing(run, row, job->fluid + (first + i) * job->row_words);
    }
    return HALO_OK;
}

/* Collective. */
static halo_status make_fluid(app_run *run)
{
    const walk_options *asked = run->options;
    walk_job *job = run->job;
    const halo_image_nodata *nodata = &run->image->info.nodata;
    app_samples samples = {.image = run->image, .cuts = run->cuts, .kept = run->samples};
    HALO_TRY(cli_threshold_find(run, &asked->threshold, &samples, "-t 1 takes all but 0 as fluid",
                                &job->threshold));
    job->threshold.within.invert = asked->invert;
    if (nodata->missing == HALO_MISSING_CELL) {
        job->signature = XXH3_64bits(&nodata->cell, sizeof nodata->cell);
    }
    HALO_TRY(app_samples_each(&samples, divide_band, run));
    halo_field_destroy(&run->samples);
    return HALO_OK;
}

/* ---- on all ranks ---------------------------------------------------------------------------- */

static halo_status share_medium(app_run *run)
{
    walk_job *job = run->job;
    const int64_t *n = job->options.n;
    size_t words = (size_t)(n[1] * n[2] * job->row_words);
    HALO_TRY(halo_bcast(run->world, job->fluid, words * sizeof *job->fluid, 0));
    HALO_TRY(halo_bcast(run->world, job->digest, sizeof job->digest, 0));
    progress_phase(&run->progress, "preparing");
    HALO_TRY(halo_agree(run->world, halo_walk_create(&job->walk, &job->options)));
    job->facts = halo_walk_describe(job->walk);
    return HALO_OK;
}

halo_status walk_medium_read(app_run *run)
{
    walk_job *job = run->job;
    HALO_TRY(make_fluid(run));
    snprintf(job->digest, sizeof job->digest, "%016" PRIx64, job->signature);
    return share_medium(run);
}
