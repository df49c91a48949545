/* Random walkers in a medium. ns: nanoseconds of processor time a walker-step, on one core;
 * make_ns: the same of preparing, a cell. */

#include "kernels/walk/walk.h"
#include "tests/bench/bench.h"
#include "tests/bench/pictures.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

enum { WORD = 64, FOREGROUND = 128, RECORDS = 64 };

/* Grey 128 and above is fluid; with a flow, the upper 15 rows are. */
static uint64_t *make_medium(const bench *b, int64_t size, int64_t planes)
{
    const picture *look = picture_find(bench_text(b, "picture", "blur_6"));
    int64_t words = (size + WORD - 1) / WORD, rows = size * planes;
    uint8_t *grey = bench_allocate((size_t)(size * size));
    uint64_t *fluid = bench_allocate((size_t)(words * rows) * sizeof *fluid);
    look->make(grey, size, look->argument);
    for (int64_t i = 0; i < size * rows; i++) {
        int64_t x = i % size, y = i / size % size, z = i / size / size;
        bool open = bench_real(b, "flow", 0) > 0 && y >= 1 && y < 16;
        bool inside = grey[(y + 7 * z) % size * size + (x + 3 * z) % size] >= FOREGROUND;
        fluid[i / size * words + x / WORD] |= (uint64_t)(open || inside) << (x % WORD);
    }
    free(grey);
    return fluid;
}

void bench_walk(bench *b)
{
    int64_t size = bench_integer(b, "size", 512), steps = bench_integer(b, "steps", 8192);
    int64_t walkers = bench_integer(b, "walkers", 16384), sums[RECORDS * HALO_WALK_SUMS] = {0};
    int axes = (int)bench_integer(b, "axes", 2);
    int64_t planes = axes == 3 ? size : 1;
    uint64_t *fluid = make_medium(b, size, planes);
    const halo_walk_options options = {.axes = axes,
                                       .n = {size, size, planes},
                                       .fluid = fluid,
                                       .flow = bench_real(b, "flow", 0),
                                       .conductivity = bench_real(b, "conductivity", 0),
                                       .seed = 1,
                                       .instructions = bench_text(b, "instructions", NULL)};
    halo_walk *walk;
    bench_begin(b);
    bench_check(halo_walk_create(&walk, &options), "a medium");
    bench_end(b);
    double making = b->own_processor;
    bench_begin(b);
    for (int64_t first = 0; first < walkers; first += HALO_WALK_TASK) {
        halo_walk_run(walk, first, HALO_WALK_TASK, steps, (steps + RECORDS - 1) / RECORDS, sums);
    }
    bench_end(b);
    int64_t kibibytes = halo_walk_describe(walk).table_bytes >> 10;
    bench_print(b, "ns=%.4f cpu_ns=%.4f make_ns=%.2f table_KiB=%" PRId64 " chosen=%s",
                1e9 * b->wall / (double)(walkers * steps),
                1e9 * b->own_processor / (double)(walkers * steps),
                1e9 * making / (double)(size * size * planes), kibibytes,
                halo_walk_describe(walk).instructions);
    halo_walk_destroy(&walk);
    free(fluid);
}
