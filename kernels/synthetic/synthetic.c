#include "kernels/synthetic/synthetic.h"

#include "base/option.h"
#include "core/world/collect.h"
#include "kernels/synthetic/chains.h"
#include "kernels/synthetic/profile.h"

halo_status halo_synthetic_describe_sized(const halo_synthetic_options *options,
                                          halo_synthetic_facts *facts, size_t facts_bytes)
{
    synthetic_profile profile;
    HALO_TRY(synthetic_profile_of(&profile, options));
    halo_synthetic_facts own = {.work = profile.work};
    if (facts != NULL) {
        own.steps = synthetic_profile_sum(&profile);
        synthetic_profile_write(&profile, own.profile);
        halo_report_give(facts, facts_bytes, &own, sizeof own);
    }
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

/* ---- is it right? ---------------------------------------------------------------------------- */

enum { WRONG, LOW_HALF, HIGH_HALF, SUMS };

/* The place of the first wrong cell in the domain, row by row; INT64_MAX if there is none. */
static int64_t count_wrong(const halo_view *view, int64_t columns, int64_t beats, int64_t *wrong)
{
    const halo_box *owned = &view->owned;
    int64_t first = INT64_MAX;
    for (int64_t y = 0; y < owned->n[0]; y++) {
        const uint64_t *cells = halo_row(view, y);
        int64_t row = owned->lo[0] + y;
        for (int64_t x = 0; x < owned->n[1]; x++) {
            int64_t column = owned->lo[1] + x;
            if (cells[x] != halo_synthetic_cell(row, column, beats)) {
                first = *wrong == 0 ? row * columns + column : first;
                ++*wrong;
            }
        }
    }
    return first;
}

/* This rank's share of all rows, whoever has computed them. */
static uint64_t expected_digest(const halo_world *world, const synthetic_profile *profile,
                                int64_t beats)
{
    int rank = halo_world_rank(world), ranks = halo_world_ranks(world);
    uint64_t digest = 0;
    for (int64_t row = rank; row < profile->rows; row += ranks) {
        for (int64_t beat = 0; beat < beats; beat++) {
            int64_t steps = synthetic_profile_steps(profile, row, beat);
            digest += synthetic_chains_share(row, beat, 0, steps, true);
        }
    }
    return digest;
}

halo_status halo_synthetic_check_sized(halo_world *world, const halo_beat *beat,
                                       const halo_synthetic_options *options,
                                       halo_synthetic_verdict *verdict, size_t verdict_bytes)
{
    synthetic_profile profile;
    if (options->digest == NULL) {
        return halo_fail(HALO_ARGUMENT, "a check of the synthetic kernel needs its digest");
    }
    HALO_TRY(synthetic_profile_of(&profile, options));
    int64_t beats = halo_beat_get_report(beat).beats, columns = options->columns, sums[SUMS] = {0};
    int64_t before_first = -count_wrong(halo_beat_view(beat, 0), columns, beats, &sums[WRONG]);
    uint64_t digest = expected_digest(world, &profile, beats);
    sums[LOW_HALF] = (int64_t)(digest & UINT32_MAX);
    sums[HIGH_HALF] = (int64_t)(digest >> 32);
    HALO_TRY(halo_allreduce_sum(world, sums, SUMS));
    HALO_TRY(halo_allreduce_max(world, &before_first, 1));
    halo_synthetic_verdict own = {.wrong_cells = sums[WRONG],
                                  .row = sums[WRONG] > 0 ? -before_first / columns : -1,
                                  .column = sums[WRONG] > 0 ? -before_first % columns : -1,
                                  .digest = *options->digest,
                                  .expected =
                                      (uint64_t)sums[LOW_HALF] + ((uint64_t)sums[HIGH_HALF] << 32)};
    own.holds = own.wrong_cells == 0 && own.digest == own.expected;
    halo_report_give(verdict, verdict_bytes, &own, sizeof own);
    return HALO_OK;
}
