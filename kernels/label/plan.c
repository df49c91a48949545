#include "kernels/label/plan.h"

#include "core/meter.h"
#include "core/numbers.h"
#include "kernels/label/costs.h"
#include "kernels/label/rows.h"

#include <stdlib.h>

enum { PASSES = 2 }; /* a balancer wants to see a rank twice */

/* Seconds a row in each block of a strip, on a machine that counts as fast as the one that the
 * costs were measured on. Returns those of the whole strip. */
static double predict(const label_rows *rows, const halo_view *lit, halo_measured *measured)
{
    int64_t words = (lit->owned.n[1] + 63) / 64, height = lit->owned.n[0];
    double all = 0;
    for (int block = 0; block < measured->blocks; block++) {
        int64_t first = block * measured->block_rows, runs = 0;
        int64_t end = halo_smaller(first + measured->block_rows, height);
        for (int64_t y = first; y < end; y++) {
            runs += rows->count_runs(halo_row(lit, y), words);
        }
        double seconds = label_cost((end - first) * words, runs);
        measured->row_cost[block] = (float)(seconds / (double)(end - first));
        all += seconds;
    }
    return all;
}

/* Time the counting of runs, block by block. */
static void time_counting(halo_meter *meter, const label_rows *rows, const halo_view *lit,
                          halo_measured *measured)
{
    int64_t words = (lit->owned.n[1] + 63) / 64, height = lit->owned.n[0];
    halo_meter_begin_sweep(meter, 1);
    halo_meter_begin(meter, 0, height, 0, 1);
    volatile int64_t runs = 0; /* nobody asks for them: the time is what counts */
    for (int64_t y = 0; y < height; y++) {
        runs += rows->count_runs(halo_row(lit, y), words);
    }
    (void)runs;
    halo_meter_end(meter);
    halo_meter_end_sweep(meter, 0);
    halo_meter_take(meter, measured);
}

/* From what counting took and what labelling takes in comparison. */
static void look_ahead(halo_meter *meter, const label_rows *rows, const halo_view *lit,
                       halo_measured *measured)
{
    time_counting(meter, rows, lit, measured);
    int64_t words = (lit->owned.n[1] + 63) / 64 * lit->owned.n[0];
    double usual = label_cost_of_counting(words);
    double slowness = usual > 0 ? measured->compute_seconds / usual : 1;
    double seconds = predict(rows, lit, measured);
    for (int block = 0; block < measured->blocks; block++) {
        measured->row_cost[block] *= (float)slowness;
    }
    measured->compute_seconds = seconds * slowness;
    measured->noise_seconds = 0;
}

static halo_status plan(halo_world *world, halo_balancing *balancing, halo_meter *meter,
                        const label_rows *rows, const halo_view *lit,
                        halo_balance_question *question, int64_t *planned, bool *moves,
                        halo_clock *clock)
{
    halo_measured measured;
    halo_stretch stretch = halo_clock_begin(world);
    look_ahead(meter, rows, lit, &measured);
    halo_clock_end(clock, HALO_PHASE_COMPUTE, stretch, world);
    question->measured = &measured;
    stretch = halo_clock_begin(world);
    halo_status status = halo_balancing_plan(balancing, question, planned, moves);
    halo_clock_end(clock, HALO_PHASE_BALANCE, stretch, world);
    return status;
}

halo_status halo_label_plan(halo_world *world, halo_balancing *balancing, const int64_t *cuts,
                            const halo_view *lit, const char *instructions, int64_t *planned,
                            bool *moves, halo_clock *clock)
{
    const label_rows *rows = label_rows_find(instructions);
    halo_meter *meter = NULL;
    halo_status status =
        rows == NULL
            ? halo_fail(HALO_ARGUMENT, "this machine has no \"%s\" instructions", instructions)
            : halo_meter_create(&meter, world);
    HALO_TRY_OR(done, halo_agree(world, status));
    halo_meter_set_rows(meter, lit->owned.n[0]);
    halo_balance_question question = {.beats_left = 1, .cuts = cuts};
    *moves = false;
    for (int pass = 0; pass < PASSES && !*moves && status == HALO_OK; pass++) {
        status = plan(world, balancing, meter, rows, lit, &question, planned, moves, clock);
    }
done:
    halo_meter_destroy(&meter);
    return status;
}
