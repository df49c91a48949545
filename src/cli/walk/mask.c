#include "app/image/image.h"
#include "cli/walk/job.h"
#include "core/world/collect.h"
#include "kernels/filter/run.h"

/* --mask-filter: the fluid cells of the medium, which rank 0 has read, are filtered there. */

/* All rows of the medium, on rank 0; others have none. */
static halo_view view_of_fluid(const app_run *run)
{
    const walk_job *job = run->job;
    const int64_t *n = run->domain.n;
    int axes = run->domain.axes;
    ptrdiff_t row = (ptrdiff_t)(job->row_words * (int64_t)sizeof *job->fluid);
    halo_view view = {
        .axes = axes, .cell_bits = HALO_BIT, .origin = job->fluid, .owned.n = {1, 1, 1}};
    for (int axis = 0; axis < axes; axis++) {
        view.owned.n[axis] = n[axis];
        view.stride[axis] = axis == axes - 2 ? row : axis == 0 ? row * (ptrdiff_t)n[1] : 0;
    }
    view.owned.n[0] = app_is_root(run) ? n[0] : 0;
    return view;
}

halo_status walk_filter_fluid(app_run *run)
{
    const walk_job *job = run->job;
    const filter_pipeline_options how = {.instructions = run->arguments->common.instructions};
    const halo_view view = view_of_fluid(run);
    halo_partition strips = {0};
    halo_status status = halo_agree(run->world, app_image_strips(run->image, 1, &strips));
    if (status == HALO_OK) {
        halo_cuts_whole(run->domain.n[0], halo_world_ranks(run->world), strips.cuts[0]);
        status = halo_filter_run_bits(run->world, job->mask_filter, &strips, &view, &how);
    }
    halo_partition_free(&strips);
    int64_t words = job->options.n[1] * job->options.n[2] * job->row_words;
    for (int64_t i = 0; job->gaps != NULL && i < words; i++) {
        job->fluid[i] &= ~job->gaps[i];
    }
    return status;
}
