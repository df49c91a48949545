/* Motion between frames, without reading PNGs or writing flow: nanoseconds a pixel and pair, those
 * of matching, and per beat of the last pair milliseconds, those predicted, and imbalance. `out`,
 * if given, gets the flow of the last pair: rows x columns pairs of floats. */

#include "kernels/motion/motion.h"
#include "base/memory.h"
#include "core/world/collect.h"
#include "tests/bench/bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *read_frames(const char *path, size_t bytes)
{
    FILE *file = fopen(path, "rb");
    unsigned char *pixels = bench_allocate(bytes);
    bool good = file != NULL && fread(pixels, 1, bytes, file) == bytes;
    bench_check(good ? HALO_OK : halo_fail(HALO_FILE, "there are not so many frames"), path);
    fclose(file);
    return pixels;
}

static void write_flow(const bench *b, const char *path, const halo_motion *motion, int64_t columns)
{
    size_t pitch = (size_t)columns * 2 * sizeof(float), total;
    int64_t rows = halo_motion_view(motion)->owned.n[0];
    float *mine = bench_allocate((size_t)rows * pitch);
    void *all;
    halo_motion_flow(motion, 0, rows, mine, pitch);
    bench_check(halo_gatherv(b->world, mine, (size_t)rows * pitch, &all, &total), "flow");
    bench_save(b, path, all, total);
    halo_memory_free(all);
    free(mine);
}

static void print(const bench *b, double pixels, int64_t pairs, const halo_motion *motion)
{
    enum { TEXT_SIZE = 1024 };
    const halo_motion_report *r = halo_motion_get_report(motion);
    double matching = 0;
    char beats[TEXT_SIZE] = "";
    for (int64_t i = 0; b->rank == 0 && i < r->last_beats; i++) { /* what rank 0 knows */
        const halo_motion_beat *beat = &r->last[i];
        size_t used = strlen(beats);
        matching += beat->seconds;
        snprintf(beats + used, sizeof beats - used, " %s=%.3f/%.3fms,%.2f", beat->name,
                 beat->seconds * 1e3, beat->predicted_seconds * 1e3, beat->imbalance);
    }
    bench_print_ns(b, pixels * (double)pairs,
                   "matching_ns=%.1f instructions=%s clustering_beats=%" PRId64 " imbalance=%.3f%s",
                   matching * 1e9 / pixels, r->instructions, r->clustering_beats, r->imbalance,
                   beats);
}

void bench_motion(bench *b)
{
    int64_t rows = bench_integer(b, "rows", 0), columns = bench_integer(b, "columns", 0);
    int64_t count = bench_integer(b, "count", 2);
    const char *out = bench_text(b, "out", NULL);
    halo_motion_options options = {.clusters = (int)bench_integer(b, "clusters", 0),
                                   .radius = (int)bench_integer(b, "radius", 0),
                                   .flow = bench_text(b, "flow", NULL),
                                   .balancer = bench_text(b, "balancer", NULL),
                                   .instructions = bench_text(b, "instructions", NULL),
                                   .engine = bench_text(b, "engine", NULL)};
    unsigned char *pixels =
        read_frames(bench_text(b, "frames", ""), (size_t)(rows * columns * count));
    halo_domain domain = {.axes = 2, .n = {rows, columns, 1}};
    halo_motion *motion;
    bench_check(halo_motion_create(&motion, b->world, &domain, 8, &options), "motion");
    for (int64_t f = 0; f < count; f++) {
        bench_fill_rows(halo_motion_view(motion), pixels + f * rows * columns);
        if (f == 1) { /* the first frame is only remembered */
            bench_begin(b);
        }
        bench_check(halo_motion_next(motion), "a frame");
    }
    bench_end(b);
    if (out != NULL) {
        write_flow(b, out, motion, columns);
    }
    print(b, (double)(rows * columns), count - 1, motion);
    halo_motion_destroy(&motion);
    free(pixels);
}
