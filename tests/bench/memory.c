/* How fast all ranks at once read, write and copy memory, and touch fresh memory for the first
 * time: gbytes, 10^9 bytes a second of each rank. With cells=1: ns, nanoseconds that computing a
 * cell takes, where every rank has a domain of its own; heat-4 does 4 beats an exchange. */

#include "base/memory.h"
#include "core/beat/beat.h"
#include "core/world/clock.h"
#include "kernels/heat/heat.h"
#include "kernels/life/life.h"
#include "partition/cuts.h"
#include "tests/bench/bench.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* Far beyond what caches hold, and no trouble for the machine with a few dozen ranks. */
enum { BLOCK = 32 * 1024 * 1024, SMALL_PAGE = 4096, HUGE_PAGE = 2 * 1024 * 1024 };

/* ---- reading and writing --------------------------------------------------------------------- */

typedef struct {
    void *from, *to;
    void (*stream)(uint64_t *from, void *to, int64_t time);
} stream_probe;

/* Each time differs in its first word, so that every time is done. */
static void stream_read(uint64_t *from, void *to, int64_t time)
{
    (void)to;
    uint64_t sum = (uint64_t)time;
    for (size_t i = 0; i < BLOCK / sizeof *from; i++) {
        sum += from[i];
    }
    from[0] = sum;
}

static void stream_write(uint64_t *from, void *to, int64_t time)
{
    (void)from;
    memset(to, (int)time, BLOCK);
}

static void stream_copy(uint64_t *from, void *to, int64_t time)
{
    memcpy(to, from, BLOCK);
    from[0] = (uint64_t)time;
}

static halo_status run_stream(void *context, int64_t times)
{
    const stream_probe *probe = context;
    for (int64_t t = 0; t < times; t++) {
        probe->stream(probe->from, probe->to, t);
    }
    return HALO_OK;
}

/* `passes` is how many bytes are read or written for each byte of the block. */
static void print_rate(const bench *b, const char *way, int passes, int64_t times)
{
    bench_print(b, "key=%s gbytes=%.3f", way, 1e-9 * passes * BLOCK * (double)times / b->wall);
}

static void measure_streams(bench *b, double seconds)
{
    static const struct {
        const char *way;
        int passes;
        void (*stream)(uint64_t *from, void *to, int64_t time);
    } ways[] = {{"read", 1, stream_read}, {"write", 1, stream_write}, {"copy", 2, stream_copy}};
    stream_probe probe;
    bench_check(halo_memory_create(&probe.from, BLOCK, "a block to read"), "memory");
    bench_check(halo_memory_create(&probe.to, BLOCK, "a block to write"), "memory");
    memset(probe.from, 1, BLOCK);
    memset(probe.to, 1, BLOCK);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        probe.stream = ways[i].stream;
        int64_t times = bench_times(b, seconds, 1, run_stream, &probe);
        bench_run(b, run_stream, &probe, times);
        print_rate(b, ways[i].way, ways[i].passes, times);
    }
    halo_memory_free(probe.from);
    halo_memory_free(probe.to);
}

/* ---- first touch: what every run begins with ------------------------------------------------- */

typedef struct {
    bool huge;
    double seconds; /* of touching alone */
} touch_probe;

/* Fresh memory, touched for the first time. */
static halo_status touch(touch_probe *probe)
{
    size_t size = (size_t)BLOCK + HUGE_PAGE;
    char *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) {
        return halo_fail(HALO_MEMORY, "out of memory: %zu fresh bytes: %s", size, strerror(errno));
    }
    size_t skip = (HUGE_PAGE - (size_t)block % HUGE_PAGE) % HUGE_PAGE;
    madvise(block, size, probe->huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE); /* if it can */
    double begun = halo_seconds();
    for (size_t i = 0; i < BLOCK; i += SMALL_PAGE) {
        *(volatile char *)(block + skip + i) = 1;
    }
    probe->seconds += halo_seconds() - begun;
    munmap(block, size);
    return HALO_OK;
}

static halo_status run_touch(void *context, int64_t times)
{
    touch_probe *probe = context;
    probe->seconds = 0;
    for (int64_t t = 0; t < times; t++) {
        HALO_TRY(touch(probe));
    }
    return HALO_OK;
}

static void measure_touch(bench *b, double seconds)
{
    for (int huge = 0; huge < 2; huge++) {
        touch_probe probe = {.huge = huge};
        int64_t times = bench_times(b, seconds, 1, run_touch, &probe);
        bench_run(b, run_touch, &probe, times);
        bench_spent(b, probe.seconds);
        print_rate(b, huge ? "touch-huge" : "touch-4K", 1, times);
    }
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* A kernel on one rank alone. */
typedef struct {
    halo_beat *beat; /* or */
    halo_life *life;
} alone;

static halo_beat_report get_report(const alone *run)
{
    return run->life != NULL ? halo_life_get_beat_report(run->life)
                             : halo_beat_get_report(run->beat);
}

static halo_status run_cells(void *context, int64_t times)
{
    const alone *run = context;
    return run->life != NULL ? halo_life_run(run->life, times) : halo_beat_run(run->beat, times);
}

static halo_status create_heat(alone *run, halo_world *world, const halo_kernel *kernel, int64_t n,
                               int depth)
{
    halo_domain domain = {.axes = kernel->axes, .n = {n, n, kernel->axes == 3 ? n : 1}};
    const halo_beat_options options = {.vote = "allreduce", .beats_per_exchange = depth};
    halo_partition whole;
    HALO_TRY(halo_partition_strips(&whole, &domain, 1));
    halo_status status = halo_beat_create(&run->beat, world, &domain, &whole, kernel, &options);
    halo_partition_free(&whole);
    HALO_TRY(status);
    return kernel->start(halo_beat_state(run->beat), halo_beat_view(run->beat, 0));
}

static halo_status create_life(alone *run, halo_world *world, int64_t n, int depth)
{
    halo_life_options options = {.box = {.n = {n, n}},
                                 .edges = {HALO_LIFE_DEAD, HALO_LIFE_DEAD},
                                 .beats_per_exchange = depth};
    HALO_TRY(halo_life_rule_parse("B3/S23", &options.rule, NULL));
    HALO_TRY(halo_life_create(&run->life, world, &options));
    return halo_life_soup(run->life, .35, 1);
}

static void measure_cells(bench *b, double seconds)
{
    static const struct {
        const char *name;
        const halo_kernel *kernel; /* NULL: Life */
        int64_t n;
    } kernels[] = {{"heat", &halo_heat_kernel, 2048},
                   {"heat3d", &halo_heat3d_kernel, 128},
                   {"life", NULL, 4096}};
    enum { KERNELS = sizeof kernels / sizeof kernels[0], DEEP = 4 };
    halo_world *world;
    bench_check(halo_world_create_alone(&world, b->world), "a rank alone");
    for (int i = 0; i < 2 * KERNELS; i++) {
        const halo_kernel *kernel = kernels[i / 2].kernel;
        int64_t n = kernels[i / 2].n;
        int depth = i % 2 == 0 ? 1 : DEEP;
        double cells =
            (double)n * (double)n * (kernel != NULL && kernel->axes == 3 ? (double)n : 1);
        alone run = {.life = NULL};
        bench_check(kernel != NULL ? create_heat(&run, world, kernel, n, depth)
                                   : create_life(&run, world, n, depth),
                    kernels[i / 2].name);
        int64_t times = bench_times(b, seconds, depth, run_cells, &run);
        double before = get_report(&run).clock.seconds[HALO_PHASE_COMPUTE];
        bench_run(b, run_cells, &run, times);
        bench_spent(b, get_report(&run).clock.seconds[HALO_PHASE_COMPUTE] - before);
        bench_print(b, "key=%s-%d ns=%.5f", kernels[i / 2].name, depth,
                    1e9 * b->wall / cells / (double)times);
        halo_beat_destroy(&run.beat);
        halo_life_destroy(&run.life);
    }
    halo_world_destroy(&world);
}

void bench_memory(bench *b)
{
    double seconds = bench_real(b, "seconds", .05);
    if (bench_integer(b, "cells", 0) != 0) {
        measure_cells(b, seconds);
    } else {
        measure_streams(b, seconds);
        measure_touch(b, seconds);
    }
}
