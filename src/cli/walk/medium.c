#include "base/memory.h"
#include "cli/walk/job.h"
#include "core/world/collect.h"
#include "kernels/label/threshold.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- before the image is read ---------------------------------------------------------------- */

/* Rank 0 has all rows: they become bits, which all ranks need whole. */
static halo_status make_rows(app_run *run)
{
    walk_job *job = run->job;
    int ranks = halo_world_ranks(run->world);
    HALO_TRY(HALO_ALLOCATE(job->cuts, ranks + 1, "the cuts of an image"));
    for (int i = 1; i <= ranks; i++) {
        job->cuts[i] = run->domain.n[0];
    }
    run->cuts = job->cuts;
    job->row_words = (run->domain.n[1] + 63) / 64;
    HALO_TRY(HALO_ALLOCATE(job->fluid, run->domain.n[0] * job->row_words, "a medium"));
    return app_image_create_field(&run->image, job->cuts, &run->picture);
}

halo_status walk_medium_create(app_run *run)
{
    const walk_options *asked = run->options;
    walk_job *job = run->job;
    job->options = (halo_walk_options){.axes = 2,
                                       .n = {run->domain.n[1], run->domain.n[0], 1},
                                       .conductivity = asked->conductivity,
                                       .flow = asked->flow,
                                       .seed = (uint64_t)asked->seed,
                                       .instructions = asked->all.common.instructions};
    memcpy(job->options.edges, asked->edges.along, sizeof job->options.edges);
    HALO_TRY(halo_agree(run->world, halo_walk_check(&job->options)));
    return halo_agree(run->world, make_rows(run));
}

/* ---- from greys to bits, on rank 0 ----------------------------------------------------------- */

static halo_status find_threshold(app_run *run)
{
    const walk_options *asked = run->options;
    walk_job *job = run->job;
    const halo_view *grey = halo_field_view(run->picture);
    int64_t levels = INT64_C(1) << run->image.cell_bits, *histogram;
    HALO_TRY(HALO_ALLOCATE(histogram, levels, "a histogram"));
    if (asked->threshold.kind == THRESHOLD_OTSU) {
        halo_histogram_add(grey, 0, grey->owned.n[0], histogram);
    }
    halo_status status = cli_threshold_find(&asked->threshold, run->image.maximum, histogram,
                                            levels, &job->threshold);
    free(histogram);
    return status;
}

static halo_status find_fluid(app_run *run)
{
    const walk_options *asked = run->options;
    walk_job *job = run->job;
    const halo_view *grey = halo_field_view(run->picture);
    halo_field *bits = NULL;
    HALO_TRY(find_threshold(run));
    HALO_TRY(halo_field_create(&bits, &run->domain, &grey->owned, HALO_BIT, 0));
    const halo_view *fluid = halo_field_view(bits);
    halo_threshold(grey, job->threshold, asked->invert, 0, grey->owned.n[0], fluid,
                   run->arguments->common.instructions);
    for (int64_t y = 0; y < grey->owned.n[0]; y++) {
        memcpy(job->fluid + y * job->row_words, halo_row(fluid, y),
               (size_t)job->row_words * sizeof *job->fluid);
    }
    halo_field_destroy(&bits);
    return HALO_OK;
}

/* ---- on all ranks ---------------------------------------------------------------------------- */

halo_status walk_medium_read(app_run *run)
{
    walk_job *job = run->job;
    bool first = halo_world_rank(run->world) == 0;
    HALO_TRY(app_read_image(run, job->cuts, halo_field_view(run->picture), NULL, NULL));
    HALO_TRY(halo_agree(run->world, first ? find_fluid(run) : HALO_OK));
    size_t words = (size_t)(run->domain.n[0] * job->row_words);
    HALO_TRY(halo_bcast(run->world, job->fluid, words * sizeof *job->fluid, 0));
    snprintf(job->digest, sizeof job->digest, "%016" PRIx64, run->image.digest);
    job->options.fluid = job->fluid;
    progress_phase(&run->progress, "preparing");
    HALO_TRY(halo_agree(run->world, halo_walk_create(&job->walk, &job->options)));
    job->facts = halo_walk_describe(job->walk);
    return HALO_OK;
}
