#include "tests/bench/bench.h"
#include "core/transport/mpi/world_mpi.h"
#include "core/transport/threads/run.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "partition/cuts.h"
#include "tests/bench/pictures.h"

#include <math.h>
#include <mpi.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    const char *name, *keys, *help;
    bool pins;
    void (*run)(bench *b);
} benchmark;

static const benchmark benchmarks[] = {
#define BENCHMARK_ENTRY(name, keys, pins, help) {#name, keys, help, pins, bench_##name},
    BENCH_LIST(BENCHMARK_ENTRY)
#undef BENCHMARK_ENTRY
};
enum { BENCHMARKS = sizeof benchmarks / sizeof benchmarks[0] };

/* ---- the command line ------------------------------------------------------------------------ */

static void usage(void)
{
    fprintf(stderr, "usage: bench NAME [threads=N] [KEY=VALUE ...]\n");
    for (int i = 0; i < BENCHMARKS; i++) {
        fprintf(stderr, "  %-10s %s\n  %10s %s\n", benchmarks[i].name, benchmarks[i].help, "",
                benchmarks[i].keys);
    }
    fprintf(stderr, "pictures:");
    for (int i = 0; i < picture_count; i++) {
        fprintf(stderr, " %s", pictures[i].name);
    }
    fprintf(stderr, "\n");
}

/* Is the key of this word one of those in the list, with blanks between them? */
static bool is_key(const char *word, const char *keys)
{
    size_t length = strcspn(word, "=");
    for (const char *key = keys; word[length] == '=' && *key != '\0'; key += *key == ' ') {
        size_t end = strcspn(key, " ");
        if (end == length && strncmp(key, word, length) == 0) {
            return true;
        }
        key += end;
    }
    return false;
}

static const benchmark *find(int argc, char **argv)
{
    const benchmark *found = NULL;
    for (int i = 0; i < BENCHMARKS && argc > 1; i++) {
        found = strcmp(benchmarks[i].name, argv[1]) == 0 ? &benchmarks[i] : found;
    }
    for (int i = 2; i < argc && found != NULL; i++) {
        found = is_key(argv[i], found->keys) || is_key(argv[i], "threads") ? found : NULL;
    }
    return found;
}

const char *bench_text(const bench *b, const char *key, const char *otherwise)
{
    for (int i = 0; i < b->count; i++) {
        if (is_key(b->words[i], key)) {
            return b->words[i] + strlen(key) + 1;
        }
    }
    return otherwise;
}

int64_t bench_integer(const bench *b, const char *key, int64_t otherwise)
{
    const char *text = bench_text(b, key, NULL);
    return text != NULL ? strtoll(text, NULL, 10) : otherwise;
}

double bench_real(const bench *b, const char *key, double otherwise)
{
    const char *text = bench_text(b, key, NULL);
    return text != NULL ? strtod(text, NULL) : otherwise;
}

/* ---- measuring ------------------------------------------------------------------------------- */

void bench_check(halo_status status, const char *what)
{
    if (status != HALO_OK) {
        fprintf(stderr, "bench: %s: %s\n", what, halo_last_message());
        int with_mpi = 0;
        MPI_Initialized(&with_mpi);
        if (with_mpi) {
            MPI_Abort(MPI_COMM_WORLD, 1); /* it does not come back */
        }
        exit(1);
    }
}

int64_t bench_sum_processes(const bench *b, int64_t value)
{
    int64_t sum = b->threads && b->rank > 0 ? 0 : value;
    bench_check(halo_allreduce_sum(b->world, &sum, 1), "adding up");
    return sum;
}

void *bench_allocate(size_t bytes)
{
    void *memory = calloc(bytes + 1, 1);
    if (memory == NULL) {
        bench_check(halo_fail(HALO_MEMORY, "out of memory: %zu bytes", bytes), "memory");
    }
    return memory;
}

/* A launcher may start all ranks on one core. */
void bench_pin(const bench *b, bool to_one)
{
    cpu_set_t cores = b->cores;
    int place = 0;
    if (to_one && CPU_COUNT(&b->cores) >= b->ranks) {
        CPU_ZERO(&cores);
        for (size_t c = 0; c < CPU_SETSIZE; c++) {
            if (CPU_ISSET(c, &b->cores) && place++ == b->rank) {
                CPU_SET(c, &cores);
            }
        }
    }
    sched_setaffinity(0, sizeof cores, &cores);
}

/* Return the processor time of this rank: other processes of the machine are not in it. */
static double processor_seconds(const bench *b)
{
    struct timespec now;
    clock_gettime(b->threads ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void bench_begin(bench *b)
{
    bench_check(halo_agree(b->world, HALO_OK), "meeting");
    b->own_processor = -processor_seconds(b);
    b->own_wall = -halo_seconds();
}

void bench_end(bench *b)
{
    double wall = b->own_wall + halo_seconds();
    b->own_processor += processor_seconds(b);
    int64_t processor = (int64_t)(b->own_processor * 1e9);
    bench_check(halo_allreduce_sum(b->world, &processor, 1), "timing");
    b->processor = (double)processor * 1e-9;
    bench_spent(b, wall);
}

void bench_spent(bench *b, double seconds)
{
    int64_t wall = (int64_t)(seconds * 1e9);
    b->own_wall = seconds;
    bench_check(halo_allreduce_max(b->world, &wall, 1), "timing");
    b->wall = (double)wall * 1e-9;
}

void bench_run(bench *b, bench_work *work, void *context, int64_t times)
{
    bench_begin(b);
    bench_check(work(context, times), "running");
    bench_end(b);
}

int64_t bench_times(bench *b, double seconds, int64_t multiple, bench_work *work, void *context)
{
    enum { MAX_TIMES = 1 << 28 };
    int64_t times = multiple;
    bench_run(b, work, context, times);
    double each = b->wall / (double)times; /* the least: a disturbance only adds to it */
    while (each * (double)times < seconds / 4 && times < MAX_TIMES) {
        times *= 2;
        bench_run(b, work, context, times);
        each = fmin(each, b->wall / (double)times);
    }
    int64_t wanted = (int64_t)(seconds / each / (double)multiple) * multiple;
    return wanted > 0 ? wanted : multiple;
}

static void print_words(const bench *b, const char *format, va_list values)
{
    if (b->rank == 0) {
        vprintf(format, values);
        printf(" ranks=%d\n", b->ranks);
        fflush(stdout);
    }
}

void bench_print(const bench *b, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    print_words(b, format, values);
    va_end(values);
}

void bench_print_ns(const bench *b, double units, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (b->rank == 0) {
        printf("ns=%.5f cpu_ns=%.5f ", 1e9 * b->wall / units, 1e9 * b->processor / units);
    }
    print_words(b, format, values);
    va_end(values);
}

/* ---- what programs share --------------------------------------------------------------------- */

halo_beat *bench_create_beat(bench *b, const halo_domain *domain, const halo_kernel *kernel,
                             const halo_beat_options *options)
{
    halo_partition strips = {0};
    halo_beat *beat;
    bench_check(halo_partition_strips(&strips, domain, b->ranks), "cutting");
    bench_check(halo_beat_create(&beat, b->world, domain, &strips, kernel, options), kernel->name);
    halo_partition_free(&strips);
    return beat;
}

void bench_fill_rows(const halo_view *view, const void *cells)
{
    size_t bytes = (size_t)view->owned.n[1] * (size_t)view->cell_bits / 8;
    for (int64_t y = 0; y < view->owned.n[0]; y++) {
        memcpy(halo_row(view, y), (const char *)cells + (size_t)(view->owned.lo[0] + y) * bytes,
               bytes);
    }
}

void bench_save(const bench *b, const char *path, const void *data, size_t bytes)
{
    if (b->rank == 0 && path != NULL) {
        FILE *file = fopen(path, "wb");
        bool good = file != NULL && fwrite(data, 1, bytes, file) == bytes;
        good = file != NULL && fclose(file) == 0 && good;
        bench_check(good ? HALO_OK : halo_fail(HALO_FILE, "cannot be written"), path);
    }
}

/* ---- starting ranks -------------------------------------------------------------------------- */

typedef struct {
    const benchmark *chosen;
    bench b; /* without a world */
} job;

static halo_status run_rank(halo_world *world, void *context)
{
    const job *all = context;
    bench b = all->b;
    b.world = world;
    b.rank = halo_world_rank(world);
    b.ranks = halo_world_ranks(world);
    if (all->chosen->pins) {
        bench_pin(&b, true);
    }
    all->chosen->run(&b);
    return HALO_OK;
}

int main(int argc, char **argv)
{
    job all = {.chosen = find(argc, argv)};
    if (all.chosen == NULL) {
        usage();
        return 2;
    }
    all.b = (bench){.count = argc - 2, .words = argv + 2};
    sched_getaffinity(0, sizeof all.b.cores, &all.b.cores);
    int threads = (int)bench_integer(&all.b, "threads", 0);
    all.b.threads = threads > 0;
    if (threads > 0) {
        bench_check(halo_run(threads, NULL, run_rank, &all), "threads");
        return 0;
    }
    halo_world *world;
    MPI_Init(&argc, &argv);
    bench_check(halo_world_create_mpi(&world, MPI_COMM_WORLD, NULL), "starting");
    run_rank(world, &all);
    halo_world_destroy(&world);
    MPI_Finalize();
    return 0;
}
