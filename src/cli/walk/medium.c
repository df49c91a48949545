#include "base/memory.h"
#include "cli/walk/job.h"
#include "core/world/collect.h"
#include "kernels/label/threshold.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- before the image is read ---------------------------------------------------------------- */

/* Rank 0 has all rows of an image: they become bits, which all ranks need whole. */
static halo_status make_rows(app_run *run)
{
    walk_job *job = run->job;
    int ranks = halo_world_ranks(run->world);
    const int64_t *n = job->options.n;
    job->row_words = (n[0] + 63) / 64;
    HALO_TRY(HALO_ALLOCATE(job->fluid, n[1] * n[2] * job->row_words, "a medium"));
    job->options.fluid = job->fluid;
    if (!run->command->image) {
        return HALO_OK;
    }
    HALO_TRY(HALO_ALLOCATE(job->cuts, ranks + 1, "the cuts of an image"));
    for (int i = 1; i <= ranks; i++) {
        job->cuts[i] = run->domain.n[0];
    }
    run->cuts = job->cuts;
    return app_image_create_field(&run->image, job->cuts, &run->picture);
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
                                            levels, &job->fluid_greys);
    job->fluid_greys.invert = asked->invert;
    free(histogram);
    return status;
}

static halo_status find_fluid(app_run *run)
{
    walk_job *job = run->job;
    const halo_view *grey = halo_field_view(run->picture);
    halo_field *bits = NULL;
    HALO_TRY(find_threshold(run));
    HALO_TRY(halo_field_create(&bits, &run->domain, &grey->owned, HALO_BIT, 0));
    const halo_view *fluid = halo_field_view(bits);
    halo_threshold(grey, &job->fluid_greys, 0, grey->owned.n[0], fluid,
                   run->arguments->common.instructions);
    for (int64_t y = 0; y < grey->owned.n[0]; y++) {
        memcpy(job->fluid + y * job->row_words, halo_row(fluid, y),
               (size_t)job->row_words * sizeof *job->fluid);
    }
    halo_field_destroy(&bits);
    return HALO_OK;
}

/* ---- on all ranks ---------------------------------------------------------------------------- */

halo_status walk_medium_share(app_run *run)
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
    bool first = halo_world_rank(run->world) == 0;
    HALO_TRY(app_read_image(run, job->cuts, halo_field_view(run->picture), NULL, NULL));
    snprintf(job->digest, sizeof job->digest, "%016" PRIx64, run->image.digest);
    HALO_TRY(halo_agree(run->world, first ? find_fluid(run) : HALO_OK));
    halo_field_destroy(&run->picture);
    return walk_medium_share(run);
}
