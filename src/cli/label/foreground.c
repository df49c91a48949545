#include "cli/label/job.h"
#include "core/world/collect.h"
#include "kernels/label/refine.h"
#include "kernels/label/threshold.h"

static halo_status find_threshold(app_run *run)
{
    const cli_threshold *asked = &((const label_options *)run->options)->threshold;
    label_job *job = run->job;
    int64_t levels = INT64_C(1) << run->image.cell_bits;
    if (asked->kind == THRESHOLD_OTSU) {
        HALO_TRY(halo_allreduce_sum(run->world, job->histogram, (int)levels));
    }
    job->peak = cli_threshold_peak(asked, run->image.maximum);
    return cli_threshold_find(asked, run->image.maximum, job->histogram, levels, &job->greys);
}

static halo_status find_local_foreground(app_run *run)
{
    const label_options *asked = run->options;
    label_job *job = run->job;
    halo_local_threshold local = asked->threshold.local;
    local.invert = asked->invert;
    return halo_threshold_local(run->world, &run->domain, &job->strips, job->grey, &local,
                                halo_field_view(job->foreground));
}

/* By labelling first. What --invert says holds for the pixels of hysteresis, not for its values. */
static halo_status refine(app_run *run)
{
    const label_options *asked = run->options;
    label_job *job = run->job;
    const halo_view *bits = halo_field_view(job->foreground);
    const char *set = run->arguments->common.instructions;
    if (asked->threshold.kind == THRESHOLD_HYSTERESIS) {
        HALO_TRY(halo_hysteresis(run->world, &run->domain, &job->strips, halo_field_view(job->grey),
                                 job->peak, asked->label.connectivity, bits, set));
        if (asked->invert) {
            halo_foreground_invert(bits, bits);
        }
    }
    return asked->fill_holes ? halo_fill_holes(run->world, &run->domain, &job->strips, bits, set)
                             : HALO_OK;
}

halo_status label_find_foreground(app_run *run)
{
    const label_options *asked = run->options;
    label_job *job = run->job;
    halo_stretch stretch = halo_clock_begin(run->world);
    HALO_TRY(find_threshold(run));
    const halo_view *grey = halo_field_view(job->grey), *to = halo_field_view(job->foreground);
    job->greys.invert = asked->invert && asked->threshold.kind != THRESHOLD_HYSTERESIS;
    if (asked->threshold.kind == THRESHOLD_LOCAL) {
        HALO_TRY(find_local_foreground(run));
    } else {
        int64_t rows = grey->owned.n[0] * (grey->axes == HALO_AXES ? grey->owned.n[1] : 1);
        halo_threshold(grey, &job->greys, 0, rows, to, run->arguments->common.instructions);
    }
    HALO_TRY(refine(run));
    job->foreground_pixels = halo_foreground_count(to);
    if (asked->regions == NULL) {
        halo_field_destroy(&job->grey); /* only what regions tell of it needs it still */
    }
    halo_status status = halo_allreduce_sum(run->world, &job->foreground_pixels, 1);
    halo_clock_end(&run->clock, HALO_PHASE_COMPUTE, stretch, run->world);
    return status;
}
