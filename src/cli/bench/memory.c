#define _DEFAULT_SOURCE /* madvise */
#include "base/memory.h"
#include "cli/bench/bench.h"
#include "core/world/clock.h"

#include <errno.h>
#include <stdio.h>
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

static halo_status run_stream(void *context, int64_t times, double *spent)
{
    (void)spent;
    const stream_probe *probe = context;
    for (int64_t t = 0; t < times; t++) {
        probe->stream(probe->from, probe->to, t);
    }
    return HALO_OK;
}

static void close_stream(void *context)
{
    stream_probe *probe = context;
    halo_memory_free(probe->from);
    halo_memory_free(probe->to);
    probe->from = probe->to = NULL;
}

static halo_status prepare_stream(stream_probe *probe)
{
    HALO_TRY(halo_memory_create(&probe->from, BLOCK, "a block to read"));
    HALO_TRY(halo_memory_create(&probe->to, BLOCK, "a block to write"));
    memset(probe->from, 1, BLOCK);
    memset(probe->to, 1, BLOCK);
    return HALO_OK;
}

static halo_status open_stream(void *context, halo_world *world)
{
    return halo_agree(world, prepare_stream(context));
}

/* `passes` is how many bytes are read or written for each byte of the block. */
static void add_stream(bench_list *list, int ranks, const char *way, int passes,
                       void (*stream)(uint64_t *from, void *to, int64_t time))
{
    static const bench_operations operations = {sizeof(stream_probe), open_stream, run_stream, NULL,
                                                close_stream};
    stream_probe probe = {.stream = stream};
    bench_item item = bench_item_of(&operations, &probe, ranks, -1, BLOCK, (double)passes * BLOCK);
    bench_list_add(list, "memory", way, &item);
}

/* ---- first touch: what every run begins with ------------------------------------------------- */

/* Fresh memory, touched for the first time. */
static halo_status touch(bool huge, double *spent)
{
    size_t size = (size_t)BLOCK + HUGE_PAGE;
    char *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) {
        return halo_fail(HALO_MEMORY, "out of memory: %zu fresh bytes: %s", size, strerror(errno));
    }
    size_t skip = (HUGE_PAGE - (size_t)block % HUGE_PAGE) % HUGE_PAGE;
    madvise(block, size, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE); /* if it can */
    double begun = halo_seconds();
    for (size_t i = 0; i < BLOCK; i += SMALL_PAGE) {
        *(volatile char *)(block + skip + i) = 1;
    }
    *spent += halo_seconds() - begun;
    munmap(block, size);
    return HALO_OK;
}

static halo_status run_touch(void *context, int64_t times, double *spent)
{
    const bool *huge = context;
    *spent = 0;
    for (int64_t t = 0; t < times; t++) {
        HALO_TRY(touch(*huge, spent));
    }
    return HALO_OK;
}

static void add_touch(bench_list *list, int ranks, bool huge, int base)
{
    static const bench_operations operations = {.context_bytes = sizeof(bool), .run = run_touch};
    bench_item item = bench_item_of(&operations, &huge, ranks, base, BLOCK, BLOCK);
    bench_list_add(list, "first touch", huge ? "huge pages" : "4 KiB pages", &item);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Adds the speed of kernels on memory alone, without other ranks. */
static void add_kernels(bench_list *list, int ranks)
{
    enum { DEEP = 4 };
    for (const bench_kernel *kernel = bench_kernels; kernel->name != NULL; kernel++) {
        const int64_t n[HALO_AXES] = {kernel->size, kernel->size, kernel->size};
        bench_setting setting = {.domain = bench_kernel_domain(kernel, n),
                                 .parts = {1, 1, 1},
                                 .depth = 1,
                                 .mode = "p2p"};
        bench_add_kernel(list, kernel, &setting, ranks, true, 0);
        setting.depth = DEEP;
        if (kernel->deep) {
            bench_add_kernel(list, kernel, &setting, ranks, true, 0);
        }
    }
}

void bench_add_memory(bench_list *list, int ranks)
{
    add_stream(list, ranks, "read", 1, stream_read);
    add_stream(list, ranks, "write", 1, stream_write);
    add_stream(list, ranks, "copy", 2, stream_copy);
    int base = list->count;
    add_touch(list, ranks, false, base);
    add_touch(list, ranks, true, base);
    add_kernels(list, ranks);
}
