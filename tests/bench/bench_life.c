/* One measurement of Life: a dense soup on a torus, on the ranks it is started with. Prints one
 * line of NAME=VALUE words for tests/bench/life.sh.
 *   bench_life ROWS COLUMNS RULE INSTRUCTIONS HALO_DEPTH SECONDS
 * INSTRUCTIONS "best" and HALO_DEPTH 0 leave the choice to the library. */

#include "core/world/collect.h"
#include "kernels/life/life.h"
#include "tests/bench/measure.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { WARM_UP = 32 }; /* generations: pages are touched, clocks are up, speed is known */

typedef struct {
    halo_world *world;
    halo_life *life;
    int64_t cells;
    double least_seconds;
    int64_t generations;
    double seconds;     /* of the slowest rank */
    double cpu_seconds; /* of all ranks: what else the machine does counts less */
} bench;

static double run(bench *b, int64_t generations)
{
    measure_check(halo_agree(b->world, HALO_OK), "meeting");
    double begun = halo_seconds(), begun_processor = measure_processor_seconds();
    measure_check(halo_life_run(b->life, generations), "running");
    int64_t processor = (int64_t)((measure_processor_seconds() - begun_processor) * 1e9);
    int64_t nanoseconds = (int64_t)((halo_seconds() - begun) * 1e9);
    measure_check(halo_allreduce_max(b->world, &nanoseconds, 1), "timing");
    measure_check(halo_allreduce_sum(b->world, &processor, 1), "timing");
    b->cpu_seconds = (double)processor * 1e-9;
    return (double)nanoseconds * 1e-9;
}

/* As many generations as take the time asked for, by the speed of the warming up; whole supersteps.
 */
static void measure(bench *b)
{
    int64_t depth = halo_life_get_report(b->life).beats_per_exchange;
    int64_t warm_up = (WARM_UP + depth - 1) / depth * depth;
    double warm_seconds = run(b, warm_up);
    int64_t supersteps = (int64_t)(b->least_seconds / warm_seconds * (double)(warm_up / depth));
    b->generations = (supersteps > 0 ? supersteps : 1) * depth;
    measure_check(halo_bcast(b->world, &b->generations, sizeof b->generations, 0), "sharing");
    b->seconds = run(b, b->generations);
}

static double peak_bits(const bench *b)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    int64_t kibibytes = usage.ru_maxrss;
    measure_check(halo_allreduce_sum(b->world, &kibibytes, 1), "adding up memory");
    return (double)kibibytes * 8192 / (double)b->cells;
}

/* This phase's share of all ranks' time, in the timed part and the warming up. */
static double share(const bench *b, halo_phase phase)
{
    const halo_life_report report = halo_life_get_report(b->life);
    int64_t nanoseconds[] = {0, 0};
    for (int p = 0; p < HALO_PHASES; p++) {
        int64_t more = (int64_t)(report.beats.clock.seconds[p] * 1e9);
        nanoseconds[0] += p == (int)phase ? more : 0;
        nanoseconds[1] += more;
    }
    measure_check(halo_allreduce_sum(b->world, nanoseconds, 2), "adding up time");
    return (double)nanoseconds[0] / (double)(nanoseconds[1] > 0 ? nanoseconds[1] : 1);
}

static void print(const bench *b)
{
    double updates = (double)b->cells * (double)b->generations * 1e-9;
    double bits = peak_bits(b), exchange = share(b, HALO_PHASE_EXCHANGE),
           vote = share(b, HALO_PHASE_VOTE), wait = share(b, HALO_PHASE_WAIT);
    const halo_life_report report = halo_life_get_report(b->life);
    if (halo_world_rank(b->world) == 0) {
        printf("gcells=%.4f cpu_gcells=%.4f seconds=%.4f generations=%" PRId64
               " bits=%.4f depth=%d "
               "instructions=%s engine=%s exchange=%.5f vote=%.5f wait=%.5f\n",
               updates / b->seconds, updates / b->cpu_seconds, b->seconds, b->generations, bits,
               report.beats_per_exchange, report.instructions, report.engine, exchange, vote, wait);
    }
}

static halo_life_options read_options(char **argv)
{
    halo_life_options options = {.edges = {HALO_LIFE_WRAP, HALO_LIFE_WRAP}};
    options.box.n[HALO_LIFE_ROWS] = strtoll(argv[1], NULL, 10);
    options.box.n[HALO_LIFE_COLUMNS] = strtoll(argv[2], NULL, 10);
    measure_check(halo_life_rule_parse(argv[3], &options.rule, NULL), "rule");
    options.instructions = strcmp(argv[4], "best") == 0 ? NULL : argv[4];
    options.beats_per_exchange = (int)strtol(argv[5], NULL, 10);
    return options;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    bench b = {0};
    if (argc != 7) {
        fprintf(stderr, "usage: bench_life ROWS COLUMNS RULE INSTRUCTIONS HALO_DEPTH SECONDS\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    halo_life_options options = read_options(argv);
    b.cells = options.box.n[0] * options.box.n[1];
    b.least_seconds = strtod(argv[6], NULL);
    measure_check(halo_world_create(&b.world, MPI_COMM_WORLD, NULL), "world");
    measure_pin(b.world);
    measure_check(halo_life_create(&b.life, b.world, &options), "grid");
    measure_check(halo_life_soup(b.life, 0.35, 1), "soup");
    measure(&b);
    print(&b);
    halo_life_destroy(&b.life);
    halo_world_destroy(&b.world);
    MPI_Finalize();
    return 0;
}
