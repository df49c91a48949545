#include "kernels/synthetic/synthetic.h"

#include "base/memory.h"
#include "core/world/collect.h"
#include "kernels/synthetic/chains.h"
#include "kernels/synthetic/profile.h"

#include <inttypes.h>
#include <stdlib.h>

struct halo_synthetic {
    halo_world *world;
    synthetic_profile profile;
    int64_t columns;
    uint64_t digest; /* written by the kernel */
    halo_beat *beat;
};

static halo_status read_profile(const halo_synthetic_options *options, synthetic_profile *profile)
{
    HALO_TRY(synthetic_profile_read(profile, options->profile, options->rows,
                                    options->work != 0 ? options->work : HALO_SYNTHETIC_WORK));
    if (options->columns < 1 || options->columns > INT32_MAX) {
        return halo_fail(HALO_ARGUMENT, "rows of %" PRId64 " cells; use 1 to %d", options->columns,
                         INT32_MAX);
    }
    return HALO_OK;
}

halo_status halo_synthetic_describe(const halo_synthetic_options *options,
                                    halo_synthetic_facts *facts)
{
    synthetic_profile profile;
    HALO_TRY(read_profile(options, &profile));
    if (facts != NULL) {
        facts->work = profile.work;
        facts->steps = synthetic_profile_sum(&profile);
        synthetic_profile_write(&profile, facts->profile);
    }
    return HALO_OK;
}

halo_status halo_synthetic_row_steps(const halo_synthetic_options *options, int64_t row,
                                     int64_t beat, int64_t *steps)
{
    synthetic_profile profile;
    HALO_TRY(read_profile(options, &profile));
    if (row < 0 || row >= profile.rows || beat < 0) {
        return halo_fail(HALO_ARGUMENT,
                         "row %" PRId64 " at beat %" PRId64 "; use rows 0 to %" PRId64
                         " and beats from 0 on",
                         row, beat, profile.rows - 1);
    }
    *steps = synthetic_profile_steps(&profile, row, beat);
    return HALO_OK;
}

/* ---- a run ----------------------------------------------------------------------------------- */

static halo_status make(halo_synthetic **out, halo_world *world,
                        const halo_synthetic_options *options)
{
    synthetic_profile profile;
    HALO_TRY(read_profile(options, &profile));
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a synthetic run"));
    **out = (halo_synthetic){.world = world, .profile = profile, .columns = options->columns};
    return HALO_OK;
}

void halo_synthetic_fill(const halo_view *view)
{
    const halo_box *owned = &view->owned;
    for (int64_t y = 0; y < owned->n[0]; y++) {
        uint64_t *row = halo_row(view, y);
        for (int64_t x = 0; x < owned->n[1]; x++) {
            row[x] = halo_synthetic_cell(owned->lo[0] + y, owned->lo[1] + x, 0);
        }
    }
}

halo_status halo_synthetic_create(halo_synthetic **out, halo_world *world,
                                  const halo_synthetic_options *options,
                                  const halo_partition *partition,
                                  const halo_beat_options *beat_options)
{
    *out = NULL;
    halo_status status;
    halo_partition strips = {0};
    halo_domain domain = {.axes = 2, .n = {options->rows, options->columns, 1}};
    int ranks = halo_world_ranks(world);
    HALO_TRY_OR(done, halo_agree(world, make(out, world, options)));
    HALO_TRY_OR(done, halo_agree(world, halo_partition_strips(&strips, &domain, ranks)));
    halo_synthetic_options kernel_options = *options;
    kernel_options.digest = &(*out)->digest;
    halo_beat_options run = beat_options != NULL ? *beat_options : (halo_beat_options){0};
    run.kernel_options = &kernel_options;
    HALO_TRY_OR(done, halo_beat_create(&(*out)->beat, world, &domain,
                                       partition != NULL ? partition : &strips,
                                       &halo_synthetic_kernel, &run));
    halo_synthetic_fill(halo_synthetic_view(*out));
done:
    halo_partition_free(&strips);
    if (status != HALO_OK) {
        halo_synthetic_destroy(out);
    }
    return status;
}

void halo_synthetic_destroy(halo_synthetic **synthetic)
{
    if (*synthetic != NULL) {
        halo_beat_destroy(&(*synthetic)->beat);
        free(*synthetic);
        *synthetic = NULL;
    }
}

halo_status halo_synthetic_run(halo_synthetic *synthetic, int64_t beats)
{
    return halo_beat_run(synthetic->beat, beats);
}

halo_status halo_synthetic_move(halo_synthetic *synthetic, const int64_t *cuts)
{
    return halo_beat_move(synthetic->beat, cuts);
}

halo_status halo_synthetic_repartition(halo_synthetic *synthetic, const halo_partition *partition)
{
    return halo_beat_repartition(synthetic->beat, partition);
}

const halo_view *halo_synthetic_view(const halo_synthetic *synthetic)
{
    return halo_beat_view(synthetic->beat, 0);
}

uint64_t halo_synthetic_digest(const halo_synthetic *synthetic)
{
    return synthetic->digest;
}

halo_beat_report halo_synthetic_get_report(const halo_synthetic *synthetic)
{
    return halo_beat_get_report(synthetic->beat);
}

/* ---- is it right? ---------------------------------------------------------------------------- */

enum { WRONG, LOW_HALF, HIGH_HALF, SUMS };

/* The place of the first wrong cell in the domain, row by row; INT64_MAX if there is none. */
static int64_t count_wrong(const halo_synthetic *synthetic, int64_t beats, int64_t *wrong)
{
    const halo_view *view = halo_synthetic_view(synthetic);
    const halo_box *owned = &view->owned;
    int64_t first = INT64_MAX;
    for (int64_t y = 0; y < owned->n[0]; y++) {
        const uint64_t *cells = halo_row(view, y);
        int64_t row = owned->lo[0] + y;
        for (int64_t x = 0; x < owned->n[1]; x++) {
            int64_t column = owned->lo[1] + x;
            if (cells[x] != halo_synthetic_cell(row, column, beats)) {
                first = *wrong == 0 ? row * synthetic->columns + column : first;
                ++*wrong;
            }
        }
    }
    return first;
}

/* This rank's share of all rows, whoever has computed them. */
static uint64_t expected_digest(const halo_synthetic *synthetic, int64_t beats)
{
    const synthetic_profile *profile = &synthetic->profile;
    int rank = halo_world_rank(synthetic->world), ranks = halo_world_ranks(synthetic->world);
    uint64_t digest = 0;
    for (int64_t row = rank; row < profile->rows; row += ranks) {
        for (int64_t beat = 0; beat < beats; beat++) {
            int64_t steps = synthetic_profile_steps(profile, row, beat);
            digest += synthetic_chains_jump(row, beat, steps);
        }
    }
    return digest;
}

halo_status halo_synthetic_check(const halo_synthetic *synthetic, halo_synthetic_verdict *verdict)
{
    int64_t beats = halo_synthetic_get_report(synthetic).beats, sums[SUMS] = {0};
    int64_t before_first = -count_wrong(synthetic, beats, &sums[WRONG]);
    uint64_t digest = expected_digest(synthetic, beats);
    sums[LOW_HALF] = (int64_t)(digest & UINT32_MAX);
    sums[HIGH_HALF] = (int64_t)(digest >> 32);
    HALO_TRY(halo_allreduce_sum(synthetic->world, sums, SUMS));
    HALO_TRY(halo_allreduce_max(synthetic->world, &before_first, 1));
    *verdict = (halo_synthetic_verdict){
        .wrong_cells = sums[WRONG],
        .row = sums[WRONG] > 0 ? -before_first / synthetic->columns : -1,
        .column = sums[WRONG] > 0 ? -before_first % synthetic->columns : -1,
        .digest = synthetic->digest,
        .expected = (uint64_t)sums[LOW_HALF] + ((uint64_t)sums[HIGH_HALF] << 32)};
    verdict->holds = verdict->wrong_cells == 0 && verdict->digest == verdict->expected;
    return HALO_OK;
}

halo_status halo_synthetic_check_beat(halo_world *world, halo_beat *beat,
                                      const halo_synthetic_options *options,
                                      halo_synthetic_verdict *verdict)
{
    if (options->digest == NULL) {
        return halo_fail(HALO_ARGUMENT, "a check of the synthetic kernel needs its digest");
    }
    halo_synthetic synthetic = {
        .world = world, .columns = options->columns, .digest = *options->digest, .beat = beat};
    HALO_TRY(read_profile(options, &synthetic.profile));
    return halo_synthetic_check(&synthetic, verdict);
}
