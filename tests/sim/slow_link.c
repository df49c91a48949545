#include "core/balance/balancing.h"
#include "core/beat/beat.h"
#include "core/master/repeated_work.h"
#include "core/transport/mpi/world_mpi.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "core/world/simulated_compute.h"
#include "partition/balance/share_planner.h"
#include "partition/cuts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* LB1 and LB2 on four equal machines, of which the last one has a slow link: LB2 must be ahead by
 * what the paper's equations predict from the platform's figures. LB1 comes to the same shares, but
 * plan by plan, since it takes a transfer that does not depend on its units to be proportional to
 * them. Both are replayed with times from the equations, and run on the simulated machines: for
 * strips, whose halos are the constant part, and for a master that rests and its workers. */

/* The platform file that check.sh writes has these flops, bytes and delays a second. */
static const double FLOPS = 1e9, FAST = 125e6, SLOW = 5e5, LATENCY = 1e-4;

enum { RANKS = 4, BEATS = 40, ROWS = 400, COLUMNS = 8192, EVERY = 4, UNITS = 300 };
enum { CONSTANT = 100000, UNIT_OUT = 64, UNIT_BACK = 64 };

/* A row, and a unit: a millisecond. */
static const double WORK = 1e6;

static double bandwidth_of(int rank)
{
    return rank == RANKS - 1 ? SLOW : FAST;
}

/* ---- strips ---------------------------------------------------------------------------------- */

static halo_status step(halo_step *step)
{
    for (int64_t y = step->todo.lo[0]; y < step->todo.lo[0] + step->todo.n[0]; y++) {
        memcpy(halo_row(step->out, y), halo_row(step->in, y), COLUMNS * sizeof(int64_t));
    }
    return HALO_OK;
}

static double row_flops(const void *state, int64_t row, int64_t beat)
{
    (void)state;
    (void)row;
    (void)beat;
    return WORK;
}

/* One that waits for its halos before it computes anything. */
static const halo_kernel kernel = {.name = "slow-link",
                                   .help = "",
                                   .axes = 2,
                                   .cell_bits = {64},
                                   .depth = 1,
                                   .whole = true,
                                   .step = step,
                                   .row_flops = row_flops};

/* Seconds that a rank's halos take: those of the slower of its links. */
static double halo_seconds_of(int rank)
{
    double bytes = COLUMNS * sizeof(int64_t);
    double slower =
        rank >= RANKS - 2 ? SLOW : FAST; /* the last one's link is its neighbour's too */
    return LATENCY + bytes / slower;
}

/* Returns the seconds of the last rank to finish a beat. */
static double fill_loads(halo_load *loads, const int64_t *cuts)
{
    double last = 0;
    for (int r = 0; r < RANKS; r++) {
        int64_t rows = cuts[r + 1] - cuts[r];
        loads[r] = (halo_load){.compute_seconds = (double)rows * WORK / FLOPS,
                               .transfer_seconds = halo_seconds_of(r),
                               .rows = rows};
        last = fmax(last, loads[r].compute_seconds + loads[r].transfer_seconds);
    }
    return last;
}

/* Predict the time of the beats by the equations, except those before which there is a plan. */
static halo_status predict_strips(const char *name, double *seconds)
{
    const halo_balancer *balancer;
    const char *options;
    void *state;
    halo_load loads[RANKS];
    int64_t cuts[RANKS + 1], planned[RANKS + 1];
    HALO_TRY(halo_balancer_parse(&balancer, &options, name));
    HALO_TRY(balancer->create(&state, options));
    halo_status status = HALO_OK;
    for (int r = 0; r <= RANKS; r++) {
        cuts[r] = ROWS * r / RANKS;
    }
    *seconds = 0;
    for (int beat = 0; beat < BEATS && status == HALO_OK; beat++) {
        double last = fill_loads(loads, cuts);
        if (beat % EVERY > 0) {
            *seconds += last;
        } else if (beat > 0) {
            const halo_balance_input input = {
                .loads = loads, .ranks = RANKS, .min_rows = 1, .beats_left = -1, .cuts = cuts};
            halo_decision decision;
            status = balancer->plan(state, &input, planned, &decision);
            memcpy(cuts, planned, sizeof cuts);
        }
    }
    balancer->destroy(&state);
    return status;
}

/* Those beats before which there is no plan, so that what planning and moving take is left out. */
static halo_status run_beats(halo_beat *beat, halo_world *world, double *seconds)
{
    *seconds = 0;
    for (int i = 0; i < BEATS; i++) {
        double begun = halo_seconds();
        HALO_TRY(halo_beat_run(beat, 1));
        *seconds += i % EVERY == 0 ? 0 : halo_seconds() - begun;
    }
    int64_t nanoseconds = (int64_t)(1e9 * *seconds);
    HALO_TRY(halo_allreduce_max(world, &nanoseconds, 1));
    *seconds = 1e-9 * (double)nanoseconds;
    return HALO_OK;
}

static halo_status run_strips(halo_world *world, const char *name, double *seconds)
{
    const halo_domain domain = {.axes = 2, .n = {ROWS, COLUMNS, 1}};
    const halo_balance_options how = {.balancer = name, .every = EVERY};
    halo_partition partition;
    halo_balancing *balancing;
    HALO_TRY(halo_agree(world, halo_partition_strips(&partition, &domain, RANKS)));
    HALO_TRY(halo_balancing_create(&balancing, world, &how));
    const halo_beat_options options = {.balancing = balancing};
    halo_beat *beat = NULL;
    halo_status status = halo_beat_create(&beat, world, &domain, &partition, &kernel, &options);
    if (status == HALO_OK) {
        status = run_beats(beat, world, seconds);
    }
    halo_beat_destroy(&beat);
    halo_balancing_destroy(&balancing);
    halo_partition_free(&partition);
    return status;
}

/* ---- master and workers ---------------------------------------------------------------------- */

static halo_status work(void *context, const halo_work_part *part)
{
    (void)context;
    memset(part->units_back, 1, (size_t)(part->hi - part->lo) * UNIT_BACK);
    halo_simulated_compute((double)(part->hi - part->lo) * WORK);
    return HALO_OK;
}

static halo_status predict_workers(const char *name, double *seconds)
{
    enum { WORKERS = RANKS - 1 };
    halo_share_options options = {.ranks = WORKERS, .kinds = 1};
    const halo_share_beat beat = {.units = UNITS,
                                  .constant_out = CONSTANT,
                                  .unit_out = UNIT_OUT,
                                  .unit_back = UNIT_BACK,
                                  .min_units = 1};
    halo_share_planner *planner;
    HALO_TRY(halo_share_method_find(&options.method, name));
    HALO_TRY(halo_share_planner_create(&planner, &options));
    *seconds = 0;
    for (int i = 0; i < BEATS; i++) {
        double shares[WORKERS], last = 0;
        halo_share_time times[WORKERS];
        halo_share_planner_plan(planner, &beat, shares);
        for (int r = 0; r < WORKERS; r++) {
            double out = CONSTANT + UNIT_OUT * shares[r], back = UNIT_BACK * shares[r];
            double speed = bandwidth_of(r + 1), delays = 2 * LATENCY;
            times[r] = (halo_share_time){.units = shares[r],
                                         .bytes_out = out,
                                         .bytes_back = back,
                                         .acknowledged = delays + out / speed,
                                         .transfer = delays + (out + back) / speed,
                                         .computing = shares[r] * WORK / FLOPS};
            last = fmax(last, times[r].transfer + times[r].computing);
        }
        *seconds += last;
        halo_share_planner_learn(planner, &beat, times);
    }
    halo_share_planner_destroy(&planner);
    return HALO_OK;
}

static halo_status run_workers(halo_world *world, const char *name, double *seconds)
{
    static char constant[CONSTANT], units[UNITS * UNIT_OUT], back[UNITS * UNIT_BACK];
    const halo_repeated_work_options options = {.units = UNITS,
                                                .constant_out = CONSTANT,
                                                .unit_out = UNIT_OUT,
                                                .unit_back = UNIT_BACK,
                                                .work = work,
                                                .balancer = name,
                                                .workers = {.master_rests = true}};
    const halo_repeated_work_beat beat = {.constant = constant, .units = units, .units_back = back};
    halo_repeated_work *repeated;
    HALO_TRY(halo_repeated_work_create(&repeated, world, &options));
    halo_status status = HALO_OK;
    *seconds = 0;
    for (int i = 0; i < BEATS && status == HALO_OK; i++) {
        status = halo_repeated_work_run(repeated, &beat, NULL);
        *seconds += halo_repeated_work_get_report(repeated).seconds;
    }
    halo_repeated_work_destroy(&repeated);
    return status;
}

/* ---- both ------------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    halo_status (*predict)(const char *balancer, double *seconds);
    halo_status (*run)(halo_world *world, const char *balancer, double *seconds);
} cases[] = {{"strips", predict_strips, run_strips},
             {"master and workers", predict_workers, run_workers}};

static halo_status compare(halo_world *world, int *good)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        enum { NONE = HALO_SHARE_NONE, LB1 = HALO_SHARE_LB1, LB2 = HALO_SHARE_LB2 };
        double predicted[HALO_SHARE_METHODS], taken[HALO_SHARE_METHODS];
        for (halo_share_method b = 0; b < HALO_SHARE_METHODS; b++) {
            HALO_TRY(cases[i].predict(halo_share_method_name(b), &predicted[b]));
            HALO_TRY(cases[i].run(world, halo_share_method_name(b), &taken[b]));
        }
        double ahead = taken[LB1] - taken[LB2], expected = predicted[LB1] - predicted[LB2];
        bool near = fabs(taken[LB2] / predicted[LB2] - 1) < .02 && expected > 0 &&
                    fabs(ahead / expected - 1) < .15;
        *good += near;
        if (halo_world_rank(world) == 0) {
            printf("%s: virtual seconds none %.3f, lb1 %.3f, lb2 %.3f; predicted %.3f, %.3f, "
                   "%.3f; lb2 ahead of lb1 by %.3f, predicted %.3f%s\n",
                   cases[i].name, taken[NONE], taken[LB1], taken[LB2], predicted[NONE],
                   predicted[LB1], predicted[LB2], ahead, expected, near ? "" : ": NOT NEAR");
        }
    }
    return HALO_OK;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    halo_world *world = NULL;
    int good = 0;
    halo_status status = halo_world_create_mpi(&world, MPI_COMM_WORLD, NULL);
    if (status == HALO_OK && halo_world_ranks(world) != RANKS) {
        status = halo_fail(HALO_RANKS, "%d ranks; use %d", halo_world_ranks(world), RANKS);
    }
    if (status == HALO_OK) {
        status = compare(world, &good);
    }
    if (status != HALO_OK) {
        printf("failed: %s\n", halo_last_message());
    } else if (halo_world_rank(world) == 0) {
        printf("%d of 2 as predicted\n", good);
    }
    halo_world_destroy(&world);
    MPI_Finalize();
    return status == HALO_OK ? 0 : 1;
}
