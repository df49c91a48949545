#include "base/memory.h"
#include "cli/label/job.h"

#include <stdlib.h>

/* What measures need of pixels that are read once more, after labelling. */

/* ---- colours --------------------------------------------------------------------------------- */

halo_status label_find_cuts(const app_run *run, const int64_t *rows, int64_t **cuts)
{
    int ranks = halo_world_ranks(run->world);
    int64_t lines = run->domain.axes == HALO_AXES ? run->domain.n[1] : 1;
    HALO_TRY(HALO_ALLOCATE(*cuts, ranks + 1, "cuts of an image"));
    for (int rank = 0; rank <= ranks; rank++) {
        (*cuts)[rank] = rows[rank] / lines;
    }
    return HALO_OK;
}

halo_status label_find_channels(app_run *run, halo_channels **out, int64_t *count)
{
    const label_job *job = run->job;
    halo_label_channels *channels = NULL;
    int64_t *cuts = NULL;
    app_image colours;
    halo_status status = app_image_open_colours(&colours, &run->image);
    if (status == HALO_OK) {
        status = app_image_check_unchanged(&colours.info, &run->image);
    }
    if (status == HALO_OK) {
        status =
            halo_label_channels_create(&channels, job->label, colours.cell_bits / HALO_CHANNELS);
    }
    if (status == HALO_OK) {
        status =
            halo_agree(run->world, label_find_cuts(run, halo_label_channels_cuts(channels), &cuts));
    }
    if (status == HALO_OK) {
        status = app_image_stream(&colours, cuts, &run->progress, halo_label_channels_take,
                                  channels, &run->clock);
    }
    if (status == HALO_OK) {
        status = halo_label_channels_finish(channels, out, count);
    }
    app_image_close(&colours);
    halo_label_channels_destroy(&channels);
    free(cuts);
    return status;
}
