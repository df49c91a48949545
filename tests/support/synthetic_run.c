#include "support/synthetic_run.h"

#include "support/mpi_check.h"

halo_status synthetic_run_create(synthetic_run *run, halo_world *world,
                                 const halo_partition *partition, const halo_beat_options *how)
{
    halo_domain domain = {.axes = 2, .n = {run->options.rows, run->options.columns, 1}};
    halo_partition strips = {0};
    halo_beat_options options = how != NULL ? *how : (halo_beat_options){0};
    run->world = world;
    run->options.digest = &run->digest;
    options.kernel_options = &run->options;
    halo_status status = HALO_OK;
    if (partition == NULL) {
        status = halo_partition_strips(&strips, &domain, halo_world_ranks(world));
        partition = &strips;
    }
    if (status == HALO_OK) {
        status = halo_beat_create(&run->beat, world, &domain, partition, &halo_synthetic_kernel,
                                  &options);
    }
    if (status == HALO_OK) {
        halo_synthetic_fill(halo_beat_view(run->beat, 0));
    }
    halo_partition_free(&strips);
    return status;
}

void synthetic_run_beats(synthetic_run *run, const char *text, int64_t beats)
{
    expect(halo_beat_run(run->beat, beats) == HALO_OK, "%s: %s", text, halo_last_message());
}

halo_synthetic_verdict synthetic_run_check(const synthetic_run *run)
{
    halo_synthetic_verdict verdict = {0};
    expect(halo_synthetic_check(run->world, run->beat, &run->options, &verdict) == HALO_OK, "%s",
           halo_last_message());
    return verdict;
}

void synthetic_run_end(synthetic_run *run)
{
    halo_beat_destroy(&run->beat);
}
