#include "base/random.h"
#include "core/beat/beat.h"
#include "core/transport/mpi/world_mpi.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "partition/cuts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* This compares the cost of votes that all ranks wait for with that of votes whose result they
 * hear later. Strips of equal work that varies from rank to rank and from beat to beat: where a
 * vote is waited for, each beat takes as long as that of the slowest rank; where it is not, delays
 * of different ranks pass at the same time. */

enum { ROWS_EACH = 4, COLUMNS = 64, PERCENT = 100 };

/* On a machine of 100 megaflops: 2 ms a beat. */
static const double ROW_FLOPS = 5e4;

/* How beats vary, as operating systems make them: beats of 2 in 100 take three times as long, as
 * when another process gets a slice of time; or each takes up to a fifth longer. */
static double interrupts(double share)
{
    return share < .02 ? 3 : 1;
}

static double jitter(double share)
{
    return 1 + .2 * share;
}

static double (*noise)(double share);
static int64_t beats;

static halo_status step(halo_step *step)
{
    for (int64_t y = step->todo.lo[0]; y < step->todo.lo[0] + step->todo.n[0]; y++) {
        memcpy(halo_row(step->out, y), halo_row(step->in, y), COLUMNS * sizeof(int64_t));
    }
    step->changed = step->beat < beats - 1;
    return HALO_OK;
}

static double row_flops(const void *state, int64_t row, int64_t beat)
{
    (void)state;
    return ROW_FLOPS * noise(halo_random_at(3, (uint64_t)(row / ROWS_EACH), beat) / 4294967296.);
}

static halo_status run(halo_world *world, bool settles, const char *vote, double *seconds)
{
    const halo_kernel kernel = {.name = "noisy",
                                .help = "",
                                .axes = 2,
                                .cell_bits = {64},
                                .depth = 1,
                                .converges = settles,
                                .step = step,
                                .row_flops = row_flops};
    const halo_domain domain = {.axes = 2,
                                .n = {(int64_t)ROWS_EACH * halo_world_ranks(world), COLUMNS, 1}};
    const halo_beat_options options = {.vote = vote};
    halo_partition partition;
    halo_beat *beat = NULL;
    HALO_TRY(
        halo_agree(world, halo_partition_strips(&partition, &domain, halo_world_ranks(world))));
    halo_status status = halo_beat_create(&beat, world, &domain, &partition, &kernel, &options);
    double begun = halo_seconds();
    if (status == HALO_OK) {
        status = halo_beat_run(beat, settles ? 0 : beats);
    }
    int64_t nanoseconds = (int64_t)(1e9 * (halo_seconds() - begun));
    if (status == HALO_OK && halo_beat_get_report(beat).beats != beats) {
        status = halo_fail(HALO_ARGUMENT, "%" PRId64 " beats, not %" PRId64,
                           halo_beat_get_report(beat).beats, beats);
    }
    halo_beat_destroy(&beat);
    halo_partition_free(&partition);
    HALO_TRY(halo_agree(world, status));
    HALO_TRY(halo_allreduce_max(world, &nanoseconds, 1));
    *seconds = 1e-9 * (double)nanoseconds;
    return HALO_OK;
}

static halo_status compare(halo_world *world)
{
    for (int settles = 0; settles < 2; settles++) {
        double now, later;
        HALO_TRY(run(world, settles, "allreduce", &now));
        HALO_TRY(run(world, settles, "pipeline", &later));
        if (halo_world_rank(world) == 0) {
            printf("%s %d ranks: microseconds a beat %.1f at once, %.1f later, ratio %.3f\n",
                   settles ? "settles" : "fixed", halo_world_ranks(world),
                   1e6 * now / (double)beats, 1e6 * later / (double)beats, later / now);
        }
    }
    return HALO_OK;
}

/* NOISE BEATS */
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    halo_world *world = NULL;
    halo_status status = halo_world_create_mpi(&world, MPI_COMM_WORLD, NULL);
    noise = argc > 1 && strcmp(argv[1], "jitter") == 0 ? jitter : interrupts;
    beats = argc > 2 ? strtol(argv[2], NULL, 10) : PERCENT;
    if (status == HALO_OK) {
        status = compare(world);
    }
    if (status != HALO_OK) {
        printf("failed: %s\n", halo_last_message());
    } else if (halo_world_rank(world) == 0) {
        printf("compared\n");
    }
    halo_world_destroy(&world);
    MPI_Finalize();
    return status == HALO_OK ? 0 : 1;
}
