#define _DEFAULT_SOURCE /* madvise */
#include "base/memory.h"
#include "cli/bench/kinds.h"
#include "cli/bench/machine.h"
#include "core/world/clock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* Far beyond what caches hold, and no trouble for the machine with a few dozen ranks. */
enum { BLOCK = 32 * 1024 * 1024, SMALL_PAGE = 4096, HUGE_PAGE = 2 * 1024 * 1024 };

/* name, bytes that are read or written for each byte of the block */
#define STREAM_LIST(X) \
    X(read, 1)         \
    X(write, 1)        \
    X(copy, 2)

typedef struct {
    uint64_t *from, *to;
    uint64_t sum;
} stream_probe;

static halo_status run_read(void *context, int64_t times, double *spent)
{
    (void)spent;
    stream_probe *probe = context;
    for (int64_t t = 0; t < times; t++) {
        uint64_t sum = probe->sum;
        for (size_t i = 0; i < BLOCK / sizeof *probe->from; i++) {
            sum += probe->from[i];
        }
        probe->sum = sum;
        probe->from[0] = sum; /* so that every time is done */
    }
    return HALO_OK;
}

static halo_status run_write(void *context, int64_t times, double *spent)
{
    (void)spent;
    stream_probe *probe = context;
    for (int64_t t = 0; t < times; t++) {
        memset(probe->to, (int)t, BLOCK);
    }
    return HALO_OK;
}

static halo_status run_copy(void *context, int64_t times, double *spent)
{
    (void)spent;
    stream_probe *probe = context;
    for (int64_t t = 0; t < times; t++) {
        memcpy(probe->to, probe->from, BLOCK);
        probe->from[0] = (uint64_t)t;
    }
    return HALO_OK;
}

static void close_stream(void *context, bool counts)
{
    (void)counts;
    stream_probe *probe = context;
    halo_memory_free(probe->from);
    halo_memory_free(probe->to);
    probe->from = probe->to = NULL;
}

static halo_status prepare_stream(stream_probe *probe)
{
    void *from, *to;
    HALO_TRY(halo_memory_create(&from, BLOCK, "a block to read"));
    probe->from = from;
    HALO_TRY(halo_memory_create(&to, BLOCK, "a block to write"));
    probe->to = to;
    memset(from, 1, BLOCK);
    memset(to, 1, BLOCK);
    return HALO_OK;
}

static halo_status open_stream(void *context, halo_world *world)
{
    stream_probe *probe = context;
    probe->from = probe->to = NULL;
    halo_status status = halo_agree(world, prepare_stream(probe));
    if (status != HALO_OK) {
        close_stream(probe, false);
    }
    return status;
}

/* Fresh memory, touched for the first time: what every run begins with. */
typedef struct {
    bool huge;
} touch_probe;

static halo_status touch(bool huge, double *spent)
{
    size_t size = (size_t)BLOCK + HUGE_PAGE;
    char *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) {
        return halo_fail(HALO_MEMORY, "out of memory: %zu fresh bytes: %s", size, strerror(errno));
    }
    size_t skip = (HUGE_PAGE - (size_t)block % HUGE_PAGE) % HUGE_PAGE;
    madvise(block, size, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE); /* a wish */
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
    const touch_probe *probe = context;
    *spent = 0;
    for (int64_t t = 0; t < times; t++) {
        HALO_TRY(touch(probe->huge, spent));
    }
    return HALO_OK;
}

static void add_touch(bench_list *list, int ranks, bool huge)
{
    bench_item item = {.run = run_touch, .ranks = ranks};
    bench_label label = {
        .measure = "first touch", .bytes = BLOCK, .amount = BLOCK, .unit = "B", .base = list->base};
    snprintf(label.way, sizeof label.way, "%s", huge ? "huge pages" : "4 KiB pages");
    touch_probe *probe = bench_list_add(list, &item, &label, sizeof *probe);
    if (probe != NULL) {
        probe->huge = huge;
    }
}

/* What kernels make of it, with nobody to wait for. */
static void add_kernels(bench_list *list, int ranks)
{
    static const int depths[] = {1, 4};
    for (const char *const *name = bench_subject_names(); *name != NULL; name++) {
        const bench_subject *subject = bench_subject_find(*name);
        const int64_t n[HALO_AXES] = {subject->usual, subject->usual, subject->usual};
        halo_domain domain = bench_subject_domain(subject, n);
        for (int i = 0; i < (subject->deep ? 2 : 1); i++) {
            bench_add_cost(list, subject, &domain, ranks, depths[i]);
        }
    }
}

void bench_list_memory(bench_list *list, int ranks)
{
#define STREAM_ENTRY(name, passes)                                                          \
    {                                                                                       \
        bench_item item = {                                                                 \
            .open = open_stream, .run = run_##name, .close = close_stream, .ranks = ranks}; \
        bench_label label = {.measure = "memory",                                           \
                             .way = #name,                                                  \
                             .bytes = BLOCK,                                                \
                             .amount = (double)(passes)*BLOCK,                              \
                             .unit = "B",                                                   \
                             .base = -1};                                                   \
        bench_list_add(list, &item, &label, sizeof(stream_probe));                          \
    }
    STREAM_LIST(STREAM_ENTRY)
#undef STREAM_ENTRY
    list->base = list->count;
    add_touch(list, ranks, false);
    add_touch(list, ranks, true);
    add_kernels(list, ranks);
}
