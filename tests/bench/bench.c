#define _GNU_SOURCE /* sched_setaffinity */
#include "tests/bench/bench.h"
#include "core/transport/mpi/world_mpi.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "tests/bench/pictures.h"

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
    fprintf(stderr, "usage: bench NAME [KEY=VALUE ...]\n");
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
        found = is_key(argv[i], found->keys) ? found : NULL;
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
        MPI_Abort(MPI_COMM_WORLD, 1);
        exit(1); /* it does not come back */
    }
}

void *bench_allocate(size_t bytes)
{
    void *memory = calloc(bytes + 1, 1);
    if (memory == NULL) {
        bench_check(halo_fail(HALO_MEMORY, "out of memory: %zu bytes", bytes), "memory");
    }
    return memory;
}

/* A core for each rank, if there are enough: a launcher may start all of them on one. */
static void pin(const bench *b)
{
    cpu_set_t all, one;
    int place = 0;
    if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < b->ranks) {
        return;
    }
    CPU_ZERO(&one);
    for (size_t c = 0; c < CPU_SETSIZE; c++) {
        if (CPU_ISSET(c, &all) && place++ == b->rank) {
            CPU_SET(c, &one);
        }
    }
    sched_setaffinity(0, sizeof one, &one);
}

/* Return the processor time of this process: other processes of the machine are not in it. */
static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void bench_begin(bench *b)
{
    bench_check(halo_agree(b->world, HALO_OK), "meeting");
    b->own_processor = -processor_seconds();
    b->own_wall = -halo_seconds();
}

void bench_end(bench *b)
{
    b->own_wall += halo_seconds();
    b->own_processor += processor_seconds();
    int64_t wall = (int64_t)(b->own_wall * 1e9), processor = (int64_t)(b->own_processor * 1e9);
    bench_check(halo_allreduce_max(b->world, &wall, 1), "timing");
    bench_check(halo_allreduce_sum(b->world, &processor, 1), "timing");
    b->wall = (double)wall * 1e-9;
    b->processor = (double)processor * 1e-9;
}

void bench_print(const bench *b, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (b->rank == 0) {
        vprintf(format, values);
        printf(" ranks=%d\n", b->ranks);
        fflush(stdout);
    }
    va_end(values);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const benchmark *chosen = find(argc, argv);
    if (chosen == NULL) {
        usage();
        MPI_Abort(MPI_COMM_WORLD, 2);
        return 2;
    }
    bench b = {.count = argc - 2, .words = argv + 2};
    bench_check(halo_world_create_mpi(&b.world, MPI_COMM_WORLD, NULL), "starting");
    b.rank = halo_world_rank(b.world);
    b.ranks = halo_world_ranks(b.world);
    if (chosen->pins) {
        pin(&b);
    }
    chosen->run(&b);
    halo_world_destroy(&b.world);
    MPI_Finalize();
    return 0;
}
