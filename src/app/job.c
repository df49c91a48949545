#include "app/job.h"

#include "app/signals.h"
#include "core/world/clock.h"
#include "core/world/collect.h"

halo_status work_run(work_steps *steps, void *job, progress *shown, double *seconds)
{
    double begun = halo_seconds();
    halo_status status = steps(job);
    *seconds = halo_seconds() - begun;
    progress_end(shown);
    return status;
}

halo_status work_run_until_signal(halo_world *world, work_steps *steps, void *job, progress *shown,
                                  double *seconds)
{
    HALO_TRY(halo_agree(world, halo_signals_catch()));
    halo_status status = work_run(steps, job, shown, seconds);
    halo_signals_release();
    return status;
}
