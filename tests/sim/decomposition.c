#include "partition/decomposition.h"
#include "core/beat/beat.h"
#include "core/transport/mpi/world_mpi.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "kernels/heat/heat.h"
#include "partition/cuts.h"
#include "partition/model.h"

#include <math.h>
#include <stdio.h>

/* Does the model predict what a beat takes on a simulated cluster? Strips, blocks and more, of heat
 * on plates and in cubes, beside the prediction from the figures of the platform file: every one of
 * them must be within 15 %, and tell which shape is faster where they differ by as much. */

enum { CELL_BYTES = 8, SUPERSTEPS = 4 };

/* data/platforms/uniform-256.xml: 100 million flops a second; 125 million bytes a second in and as
 * many out; 25 us to the switch and 25 from it. A network like this one works by itself. */
static const double FLOPS = 1e8;
static const halo_machine CLUSTER = {
    .message_seconds = 50e-6, .byte_seconds = 1 / 125e6, .vote_seconds = 50e-6, .overlap = 1};

static const double TOLERANCE = .15;

typedef struct {
    const halo_kernel *kernel;
    int64_t n[HALO_AXES];
    int depth; /* beats an exchange */
} task;

static const task tasks[] = {
    {&halo_heat_kernel, {1024, 1024, 1}, 1},
    {&halo_heat_kernel, {1024, 1024, 1}, 4},
    {&halo_heat_kernel, {512, 4096, 1}, 1},
    {&halo_heat3d_kernel, {256, 64, 64}, 1},
};

/* The seconds of one decomposition. */
typedef struct {
    double measured, predicted;
} outcome;

static halo_domain domain_of(const task *todo)
{
    return (halo_domain){.axes = todo->kernel->axes, .n = {todo->n[0], todo->n[1], todo->n[2]}};
}

static halo_status fill(halo_beat *beat, const task *todo)
{
    halo_domain domain = domain_of(todo);
    void *state = NULL;
    halo_status status = todo->kernel->create(&state, &domain, NULL);
    if (status == HALO_OK) {
        status = todo->kernel->start(state, halo_beat_view(beat, 0));
    }
    todo->kernel->destroy(&state);
    return status;
}

/* Virtual seconds of a beat, of the rank that takes longest. */
static halo_status measure(halo_world *world, const task *todo, const int parts[HALO_AXES],
                           double *seconds)
{
    halo_domain domain = domain_of(todo);
    halo_partition partition;
    HALO_TRY(halo_agree(world, halo_partition_blocks(&partition, &domain, parts)));
    const halo_beat_options options = {.vote = "allreduce", .beats_per_exchange = todo->depth};
    halo_beat *beat;
    halo_status status =
        halo_beat_create(&beat, world, &domain, &partition, todo->kernel, &options);
    halo_partition_free(&partition);
    HALO_TRY(status);
    HALO_TRY_OR(done, halo_agree(world, fill(beat, todo)));
    HALO_TRY_OR(done, halo_beat_run(beat, todo->depth)); /* all begin together after this */
    double begun = halo_seconds();
    HALO_TRY_OR(done, halo_beat_run(beat, (int64_t)SUPERSTEPS * todo->depth));
    int64_t nanoseconds = (int64_t)(1e9 * (halo_seconds() - begun));
    HALO_TRY_OR(done, halo_allreduce_max(world, &nanoseconds, 1));
    *seconds = (double)nanoseconds / 1e9 / (SUPERSTEPS * todo->depth);
done:
    halo_beat_destroy(&beat);
    return status;
}

static halo_status compare(halo_world *world, const task *todo, const char *shape, outcome *out)
{
    const bool cut[HALO_AXES] = {true, true, todo->kernel->axes == 3};
    halo_domain domain = domain_of(todo);
    int parts[HALO_AXES];
    HALO_TRY(
        halo_decomposition_parse(shape, &domain, cut, halo_world_ranks(world), todo->depth, parts));
    halo_machine machine = CLUSTER;
    machine.cell_seconds = todo->kernel->flops / FLOPS;
    const halo_workload work = {.domain = domain,
                                .cell_bytes = CELL_BYTES,
                                .depth = todo->kernel->depth,
                                .beats = todo->depth};
    out->predicted = halo_model_predict(&machine, &work, parts).seconds;
    HALO_TRY(measure(world, todo, parts, &out->measured));
    if (halo_world_rank(world) == 0) {
        printf(
            "%-6s %4d ranks %5d x %4d x %2d, depth %d: %-6s %3d x %2d x %2d: %9.1f us, predicted "
            "%9.1f us: %+.1f %%\n",
            todo->kernel->name, halo_world_ranks(world), (int)todo->n[0], (int)todo->n[1],
            (int)todo->n[2], todo->depth, shape, parts[0], parts[1], parts[2], 1e6 * out->measured,
            1e6 * out->predicted, 100 * (out->predicted / out->measured - 1));
    }
    return HALO_OK;
}

static bool is_good(const outcome *strips, const outcome *blocks)
{
    double gain = strips->measured / blocks->measured;
    double predicted = strips->predicted / blocks->predicted;
    bool close = fabs(strips->predicted / strips->measured - 1) < TOLERANCE &&
                 fabs(blocks->predicted / blocks->measured - 1) < TOLERANCE;
    bool same_winner = fabs(gain - 1) < TOLERANCE || (gain > 1) == (predicted > 1);
    return close && same_winner;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    halo_world *world = NULL;
    halo_status status = halo_world_create_mpi(&world, MPI_COMM_WORLD, NULL);
    int good = 0, all = sizeof tasks / sizeof tasks[0];
    for (int i = 0; i < all && status == HALO_OK; i++) {
        outcome strips = {0}, blocks = {0};
        status = compare(world, &tasks[i], "strips", &strips);
        if (status == HALO_OK) {
            status = compare(world, &tasks[i], "blocks", &blocks);
        }
        good += status == HALO_OK && is_good(&strips, &blocks);
    }
    if (status != HALO_OK) {
        printf("failed: %s\n", halo_last_message());
    } else if (halo_world_rank(world) == 0) {
        printf("%d of %d predicted within %.0f %%\n", good, all, 100 * TOLERANCE);
    }
    halo_world_destroy(&world);
    MPI_Finalize();
    return status == HALO_OK ? 0 : 1;
}
