/* Generations of a dense soup on a torus: 10^9 cells a second, and a second of the processors of
 * all ranks together; peak memory in bits a cell; shares of all ranks' time. Without instructions
 * and depth (beats an exchange) the library chooses them. */

#include "kernels/life/life.h"
#include "core/world/collect.h"
#include "tests/bench/bench.h"

#include <sys/resource.h>

static halo_status run(void *context, int64_t generations)
{
    return halo_life_run(context, generations);
}

static double peak_bits(const bench *b)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)bench_sum_processes(b, usage.ru_maxrss) * 8192; /* of KiB */
}

/* The phase's percentage of all ranks' time, in the timed part and the warming up. */
static double percent(const bench *b, const halo_beat_report *beats, halo_phase phase)
{
    int64_t nanoseconds[] = {(int64_t)(beats->clock.seconds[phase] * 1e9), 0};
    for (int p = 0; p < HALO_PHASES; p++) {
        nanoseconds[1] += (int64_t)(beats->clock.seconds[p] * 1e9);
    }
    bench_check(halo_allreduce_sum(b->world, nanoseconds, 2), "adding up time");
    return 100 * (double)nanoseconds[0] / (double)(nanoseconds[1] > 0 ? nanoseconds[1] : 1);
}

void bench_life(bench *b)
{
    int64_t size = bench_integer(b, "size", 4096);
    halo_life_options options = {.edges = {HALO_LIFE_WRAP, HALO_LIFE_WRAP},
                                 .box = {.n = {size, size}},
                                 .instructions = bench_text(b, "instructions", NULL),
                                 .beats_per_exchange = (int)bench_integer(b, "depth", 0)};
    halo_life *life;
    bench_check(halo_life_rule_parse(bench_text(b, "rule", "B3/S23"), &options.rule, NULL), "rule");
    bench_check(halo_life_create(&life, b->world, &options), "grid");
    bench_check(halo_life_soup(life, 0.35, 1), "soup");
    int64_t depth = halo_life_get_report(life).beats_per_exchange;
    int64_t generations = bench_times(b, bench_real(b, "seconds", .5), depth, run, life);
    bench_run(b, run, life, generations);
    double cells = (double)size * (double)size, updates = cells * (double)generations * 1e-9;
    halo_life_report report = halo_life_get_report(life);
    halo_beat_report beats = halo_life_get_beat_report(life);
    double bits = peak_bits(b) / cells, exchange = percent(b, &beats, HALO_PHASE_EXCHANGE),
           vote = percent(b, &beats, HALO_PHASE_VOTE), wait = percent(b, &beats, HALO_PHASE_WAIT);
    bench_print(b,
                "gcells=%.4f cpu_gcells=%.4f bits=%.4f depth=%d instructions=%s engine=%s "
                "exchange=%.3f vote=%.3f wait=%.3f",
                updates / b->wall, updates / b->processor, bits, report.beats_per_exchange,
                report.instructions, report.engine, exchange, vote, wait);
    halo_life_destroy(&life);
}
