/* Labelling in memory: 8-bit grey in, 32-bit labels out; OpenCV in between on the same pixels, with
 * a thread for each rank, where it was found when building. A line for each run of each program:
 * nanoseconds a pixel. */

#include "kernels/label/label.h"
#include "base/memory.h"
#include "core/world/collect.h"
#include "kernels/label/rows/row_ops.h"
#include "kernels/label/threshold/threshold.h"
#include "partition/cuts.h"
#include "tests/bench/bench.h"
#include "tests/bench/peer_opencv.h"
#include "tests/bench/pictures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WARM_UP = 2, THRESHOLD = 128 };

typedef struct {
    bench *b;
    int64_t size;
    int repeats;
    halo_domain domain;
    halo_partition strips;
    halo_field *grey, *foreground;
    int32_t *labels;          /* our rows */
    uint8_t *picture;         /* all of it */
    uint8_t *peer_foreground; /* rank 0 */
    int32_t *peer_labels;     /* rank 0 */
} scene;

/* An image to label, and the options. */
typedef struct {
    const picture *picture;
    int connectivity;
    const char *instructions;
    bool with_peer;
} job;

/* Wait for rank 0 without taking a core from the threads it runs. */
static void wait_quietly(const bench *b)
{
    int64_t token = 0, all;
    halo_request request;
    bool complete = false;
    bench_check(halo_iallreduce(b->world, &token, &all, 1, HALO_REDUCE_SUM, &request), "waiting");
    while (!complete) {
        bench_check(halo_test(b->world, &request, &complete), "waiting");
        if (!complete) {
            nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
        }
    }
}

static void print(const scene *s, const job *j, const char *program, double seconds,
                  double processor, int64_t regions)
{
    double pixels = (double)(s->size * s->size);
    bench_print(s->b,
                "key=%s-%d-%s program=%s instructions=%s ns=%.5f cpu_ns=%.5f regions=%" PRId64,
                j->picture->name, j->connectivity, program, program, j->instructions,
                seconds * 1e9 / pixels, processor * 1e9 / pixels, regions);
}

/* Threshold, label and paint once. */
static void run_ours(const scene *s, halo_label *label, const char *instructions)
{
    const halo_view *grey = halo_field_view(s->grey), *foreground = halo_field_view(s->foreground);
    int64_t rows = grey->owned.n[0];
    bench_begin(s->b);
    halo_threshold(grey, HALO_SAMPLE_U8, &(halo_key_range){.min = THRESHOLD, .max = UINT8_MAX},
                   foreground, instructions);
    bench_check(halo_label_run(label, foreground, NULL), "labelling");
    bench_check(halo_label_paint_rows(label, HALO_LABEL_I32, 0, rows, s->labels,
                                      (size_t)s->size * sizeof(int32_t)),
                "painting");
    bench_end(s->b);
}

#ifdef BENCH_OPENCV
static double run_peer(const scene *s, int connectivity, int statistics, int64_t regions)
{
    double seconds = 0;
    if (s->b->rank == 0) {
        bench_pin(s->b, false); /* all cores for a peer with threads */
        double begun = halo_seconds();
        int64_t found = peer_label(s->peer_foreground, s->size, connectivity, statistics,
                                   s->b->ranks, s->peer_labels);
        seconds = halo_seconds() - begun;
        bench_pin(s->b, true);
        bench_check(found == regions
                        ? HALO_OK
                        : halo_fail(HALO_FORMAT, "OpenCV finds %" PRId64 " regions, we %" PRId64,
                                    found, regions),
                    "comparing");
    }
    wait_quietly(s->b);
    return seconds;
}
#endif

/* Everybody takes its rows of the picture. */
static void load_picture(const scene *s, const picture *chosen)
{
    int64_t size = s->size;
    if (s->b->rank == 0) {
        chosen->make(s->picture, size, chosen->argument);
        for (int64_t i = 0; i < size * size; i++) {
            s->peer_foreground[i] = s->picture[i] >= THRESHOLD;
        }
    }
    wait_quietly(s->b);
    bench_check(halo_bcast(s->b->world, s->picture, (size_t)(size * size), 0), "sharing");
    bench_fill_rows(halo_field_view(s->grey), s->picture);
}

static void measure(const scene *s, const job *j)
{
    halo_label_options options = {.connectivity = j->connectivity, .instructions = j->instructions};
    halo_label *label;
    bench_check(halo_label_create(&label, s->b->world, &s->domain, &s->strips, &options), "label");
    for (int i = -WARM_UP; i < s->repeats; i++) {
        run_ours(s, label, j->instructions);
        int64_t regions = halo_label_total(label);
        if (i >= 0) {
            print(s, j, j->with_peer ? "ours" : j->instructions, s->b->wall, s->b->processor,
                  regions);
        }
#ifdef BENCH_OPENCV
        for (int statistics = 0; statistics < 2 && j->with_peer && i <= s->repeats / 2;
             statistics++) {
            double seconds = run_peer(s, j->connectivity, statistics, regions);
            if (i >= 0) {
                print(s, j, statistics ? "opencv_stats" : "opencv", seconds, 0, regions);
            }
        }
#endif
    }
    halo_label_destroy(&label);
}

static void *allocate(size_t bytes)
{
    void *memory;
    bench_check(halo_memory_create(&memory, bytes, "the benchmark"), "memory");
    memset(memory, 1, bytes); /* touched once, before anything is measured */
    return memory;
}

static void create_scene(scene *s)
{
    size_t pixels = (size_t)(s->size * s->size);
    s->domain = (halo_domain){.axes = 2, .n = {s->size, s->size, 1}};
    bench_check(halo_partition_strips(&s->strips, &s->domain, s->b->ranks), "strips");
    halo_box mine = halo_partition_box(&s->strips, s->b->rank);
    bench_check(halo_field_create(&s->grey, &s->domain, &mine, 8, 0), "grey");
    bench_check(halo_field_create(&s->foreground, &s->domain, &mine, HALO_BIT, 0), "foreground");
    s->labels = allocate((size_t)halo_box_cells(&mine) * sizeof(int32_t) + 64);
    s->picture = allocate(pixels);
    if (s->b->rank == 0) {
        s->peer_foreground = allocate(pixels);
        s->peer_labels = allocate(pixels * sizeof(int32_t));
    }
}

static void free_scene(scene *s)
{
    halo_field_destroy(&s->grey);
    halo_field_destroy(&s->foreground);
    halo_partition_free(&s->strips);
    halo_memory_free(s->labels);
    halo_memory_free(s->picture);
    halo_memory_free(s->peer_foreground);
    halo_memory_free(s->peer_labels);
}

/* All pictures with the best instructions; two of them with the others, alone. */
void bench_label(bench *b)
{
    scene s = {.b = b,
               .size = bench_integer(b, "size", 4096),
               .repeats = (int)bench_integer(b, "repeats", 15)};
    const char *kind = bench_text(b, "kind", NULL), *only = bench_text(b, "instructions", NULL);
    create_scene(&s);
    for (int p = 0; p < picture_count; p++) {
        const char *name = pictures[p].name;
        bool with_others =
            b->ranks == 1 && (strcmp(name, "noise_50") == 0 || strcmp(name, "blur_6") == 0);
        if (kind != NULL && strcmp(kind, name) != 0) {
            continue;
        }
        load_picture(&s, &pictures[p]);
        for (const halo_isa_variant *v = label_row_variants; v != NULL; v = halo_isa_next(v)) {
            bool best = halo_isa_find(label_row_variants, NULL) == v;
            for (int c = 4; c <= 8 && halo_isa_supported(v->isa) && (best || with_others); c += 4) {
                if (only != NULL && strcmp(only, halo_isa_name(v->isa)) != 0) {
                    continue;
                }
                const job j = {&pictures[p], c, halo_isa_name(v->isa), best};
                measure(&s, &j);
            }
        }
    }
#ifdef BENCH_OPENCV
    bench_print(b, "key=opencv version=%s", peer_version());
#endif
    free_scene(&s);
}
