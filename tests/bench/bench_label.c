/* Labelling in memory: 8-bit grey in, 32-bit labels out, on the ranks it is started with; OpenCV
 * in between on the same pixels where it was found when building. Writes one JSON object. */

#define _GNU_SOURCE /* sched_setaffinity */
#include "base/memory.h"
#include "core/world/collect.h"
#include "kernels/label/label.h"
#include "kernels/label/row_ops.h"
#include "kernels/label/threshold.h"
#include "partition/cuts.h"
#include "tests/bench/peer.h"
#include "tests/bench/pictures.h"

#include <inttypes.h>
#include <jansson.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WARM_UP = 2, MOST_REPEATS = 101, THRESHOLD = 128 };

typedef struct {
    halo_world *world;
    int64_t size;
    int repeats;
    cpu_set_t all_cores; /* before we pinned ourselves */
    halo_domain domain;
    halo_partition strips;
    halo_field *grey, *foreground;
    int32_t *labels;      /* our rows */
    uint8_t *picture;     /* rank 0: the whole picture */
    uint8_t *peer_lit;    /* rank 0 */
    int32_t *peer_labels; /* rank 0 */
} bench;

static void stop(const char *what)
{
    fprintf(stderr, "bench_label: %s: %s\n", what, halo_last_message());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void check(halo_status status, const char *what)
{
    if (status != HALO_OK) {
        stop(what);
    }
}

/* One core for each rank while we measure ourselves; all of them for a peer with threads. */
static void pin(const bench *b, bool to_one)
{
    cpu_set_t cores = b->all_cores;
    int rank = halo_world_rank(b->world), place = 0;
    if (to_one && CPU_COUNT(&b->all_cores) >= halo_world_ranks(b->world)) {
        CPU_ZERO(&cores);
        for (size_t c = 0; c < CPU_SETSIZE; c++) {
            if (CPU_ISSET(c, &b->all_cores) && place++ == rank) {
                CPU_SET(c, &cores);
            }
        }
    }
    sched_setaffinity(0, sizeof cores, &cores);
}

static void meet(const bench *b)
{
    check(halo_agree(b->world, HALO_OK), "meeting");
}

/* Wait for rank 0 without taking a core from the threads it runs. */
static void wait_quietly(const bench *b)
{
    int64_t token = 0;
    MPI_Request request;
    MPI_Ibcast(&token, 1, MPI_INT64_T, 0, halo_world_comm(b->world), &request);
    for (int complete = 0; !complete;) {
        check(halo_test(b->world, &request, &complete), "waiting");
        if (!complete) {
            nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
        }
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Nanoseconds per pixel, of several runs. */
typedef struct {
    double samples[MOST_REPEATS];
    int count;
} series;

static double quantile(series *of, double share)
{
    qsort(of->samples, (size_t)of->count, sizeof(double), compare);
    return of->samples[(int)(share * (of->count - 1) + 0.5)];
}

static void add_sample(series *to, const bench *b, double seconds)
{
    to->samples[to->count++] = seconds * 1e9 / (double)(b->size * b->size);
}

/* Threshold, label and paint once; the slowest rank's seconds. */
static double run_ours(const bench *b, halo_label *label, const char *instructions)
{
    const halo_view *grey = halo_field_view(b->grey), *foreground = halo_field_view(b->foreground);
    int64_t rows = grey->owned.n[0];
    meet(b);
    double begun = halo_seconds();
    halo_threshold(grey, THRESHOLD, false, 0, rows, foreground, instructions);
    check(halo_label_run(label, foreground, NULL), "labelling");
    check(halo_label_paint_rows(label, HALO_LABEL_I32, 0, rows, b->labels,
                                (size_t)b->size * sizeof(int32_t)),
          "painting");
    int64_t nanoseconds = (int64_t)((halo_seconds() - begun) * 1e9);
    check(halo_allreduce_max(b->world, &nanoseconds, 1), "timing");
    return (double)nanoseconds * 1e-9;
}

static double run_peer(const bench *b, int connectivity, int statistics, int64_t regions)
{
    double seconds = 0;
    if (halo_world_rank(b->world) == 0) {
        pin(b, false);
        double begun = halo_seconds();
        int64_t found = peer_label(b->peer_lit, b->size, connectivity, statistics,
                                   halo_world_ranks(b->world), b->peer_labels);
        seconds = halo_seconds() - begun;
        pin(b, true);
        if (found != regions) {
            fprintf(stderr, "bench_label: OpenCV finds %" PRId64 " regions, we %" PRId64 "\n",
                    found, regions);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    wait_quietly(b);
    return seconds;
}

/* Everybody takes its rows of the picture. */
static void load_picture(const bench *b, const picture *chosen)
{
    if (halo_world_rank(b->world) == 0) {
        chosen->make(b->picture, b->size, chosen->argument);
        for (int64_t i = 0; i < b->size * b->size; i++) {
            b->peer_lit[i] = b->picture[i] >= THRESHOLD;
        }
    }
    wait_quietly(b);
    check(halo_bcast(b->world, b->picture, (size_t)(b->size * b->size), 0), "sharing");
    const halo_view *grey = halo_field_view(b->grey);
    for (int64_t y = 0; y < grey->owned.n[0]; y++) {
        memcpy(halo_row(grey, y), b->picture + (grey->owned.lo[0] + y) * b->size, (size_t)b->size);
    }
}

typedef struct {
    series ours, plain_peer, statistics_peer;
} contest;

static json_t *json_of_series(series *of)
{
    return json_pack("{s:f, s:f, s:f, s:i}", "median_ns_per_pixel", quantile(of, 0.5),
                     "low_ns_per_pixel", quantile(of, 0.1), "high_ns_per_pixel", quantile(of, 0.9),
                     "runs", of->count);
}

static json_t *report(contest *c, const picture *chosen, int connectivity, const char *instructions,
                      int ranks, int64_t regions)
{
    double ours = quantile(&c->ours, 0.5);
    printf("%-9s %d  %-7s %d  %9" PRId64 " %7.3f", chosen->name, connectivity, instructions, ranks,
           regions, ours);
    json_t *row =
        json_pack("{s:s, s:i, s:s, s:i, s:I, s:o}", "picture", chosen->name, "connectivity",
                  connectivity, "instructions", instructions, "ranks", ranks, "regions",
                  (json_int_t)regions, "halobeat", json_of_series(&c->ours));
    if (c->plain_peer.count > 0) {
        double plain = quantile(&c->plain_peer, 0.5);
        double statistics = quantile(&c->statistics_peer, 0.5);
        printf(" %8.3f %8.3f %7.1f %7.1f", plain, statistics, plain / ours, statistics / ours);
        json_object_set_new(row, "opencv", json_of_series(&c->plain_peer));
        json_object_set_new(row, "opencv_with_stats", json_of_series(&c->statistics_peer));
    }
    printf("\n");
    fflush(stdout);
    return row;
}

static json_t *measure(const bench *b, const picture *chosen, int connectivity,
                       const char *instructions, bool with_peer)
{
    halo_label_options options = {.connectivity = connectivity, .instructions = instructions};
    halo_label *label;
    contest c = {0};
    check(halo_label_create(&label, b->world, &b->domain, &b->strips, &options), "label");
    for (int i = -WARM_UP; i < b->repeats; i++) {
        double ours = run_ours(b, label, instructions);
        if (i >= 0) {
            add_sample(&c.ours, b, ours);
        }
#ifdef BENCH_OPENCV
        int64_t regions = halo_label_total(label);
        if (with_peer && (i < 0 || i < b->repeats / 2 + 1)) {
            double plain = run_peer(b, connectivity, 0, regions);
            double statistics = run_peer(b, connectivity, 1, regions);
            if (i >= 0) {
                add_sample(&c.plain_peer, b, plain);
                add_sample(&c.statistics_peer, b, statistics);
            }
        }
#else
        (void)with_peer;
        (void)run_peer;
#endif
    }
    json_t *row = NULL;
    if (halo_world_rank(b->world) == 0) {
        row = report(&c, chosen, connectivity, instructions, halo_world_ranks(b->world),
                     halo_label_total(label));
    }
    halo_label_destroy(&label);
    return row;
}

static void *allocate(size_t bytes)
{
    void *memory;
    check(halo_memory_create(&memory, bytes, "the benchmark"), "memory");
    memset(memory, 1, bytes); /* touched once, before anything is measured */
    return memory;
}

static void create_bench(bench *b)
{
    size_t pixels = (size_t)(b->size * b->size);
    sched_getaffinity(0, sizeof b->all_cores, &b->all_cores);
    b->domain = (halo_domain){.axes = 2, .n = {b->size, b->size, 1}};
    check(halo_partition_strips(&b->strips, &b->domain, halo_world_ranks(b->world)), "strips");
    halo_box mine = halo_partition_box(&b->strips, halo_world_rank(b->world));
    check(halo_field_create(&b->grey, &b->domain, &mine, 8, 0), "grey");
    check(halo_field_create(&b->foreground, &b->domain, &mine, HALO_BIT, 0), "foreground");
    b->labels = allocate((size_t)halo_box_cells(&mine) * sizeof(int32_t) + 64);
    b->picture = allocate(pixels);
    if (halo_world_rank(b->world) == 0) {
        b->peer_lit = allocate(pixels);
        b->peer_labels = allocate(pixels * sizeof(int32_t));
    }
    pin(b, true);
}

static void free_bench(bench *b)
{
    halo_field_destroy(&b->grey);
    halo_field_destroy(&b->foreground);
    halo_partition_free(&b->strips);
    halo_memory_free(b->labels);
    halo_memory_free(b->picture);
    halo_memory_free(b->peer_lit);
    halo_memory_free(b->peer_labels);
}

static void print_head(const bench *b)
{
    printf("Labelling %" PRId64 " x %" PRId64 " in memory: 8-bit grey in, 32-bit labels out.\n"
           "ns a pixel, medians of %d runs in turn",
           b->size, b->size, b->repeats);
#ifdef BENCH_OPENCV
    printf("; OpenCV %s with a thread for each rank (threshold not counted)", peer_version());
#else
    printf("; OpenCV was not found when this was built");
#endif
    printf("\n\n%-9s %s  %-7s %s  %9s %7s", "picture", "c", "set", "r", "regions", "ours");
#ifdef BENCH_OPENCV
    printf(" %8s %8s %7s %7s", "OpenCV", "+stats", "times", "times");
#endif
    printf("\n");
}

/* All pictures with the best instructions; two of them with the others, alone. */
static json_t *measure_all(const bench *b)
{
    json_t *rows = json_array();
    bool speaks = halo_world_rank(b->world) == 0;
    if (speaks) {
        print_head(b);
    }
    for (int p = 0; p < picture_count; p++) {
        load_picture(b, &pictures[p]);
        bool usual =
            strcmp(pictures[p].name, "noise_50") == 0 || strcmp(pictures[p].name, "blur_6") == 0;
        for (const halo_isa_variant *v = label_row_variants; v != NULL; v = halo_isa_next(v)) {
            const char *name = halo_isa_name(v->isa);
            bool best = halo_isa_find(label_row_variants, NULL) == v;
            bool others = usual && halo_world_ranks(b->world) == 1;
            for (int c = 4; c <= 8 && halo_isa_supported(v->isa) && (best || others); c += 4) {
                json_t *row = measure(b, &pictures[p], c, name, best);
                if (speaks) {
                    json_array_append_new(rows, row);
                }
            }
        }
    }
    return rows;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    bench b = {.size = argc > 2 ? strtoll(argv[2], NULL, 10) : 4096,
               .repeats = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 15};
    if (argc < 2 || b.size < 1 || b.size > 46340 || b.repeats < 1 || b.repeats > MOST_REPEATS) {
        fprintf(stderr, "usage: bench_label RESULT.json [SIZE [REPEATS]]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    check(halo_world_create(&b.world, MPI_COMM_WORLD, NULL), "world");
    create_bench(&b);
    json_t *rows = measure_all(&b);
    int status = 0;
    if (halo_world_rank(b.world) == 0) {
        json_t *all = json_pack("{s:s, s:I, s:O}", "benchmark", "label_in_memory", "size_pixels",
                                (json_int_t)b.size, "rows", rows);
        status = json_dump_file(all, argv[1], JSON_INDENT(1) | JSON_REAL_PRECISION(5));
        json_decref(all);
    }
    json_decref(rows);
    free_bench(&b);
    halo_world_destroy(&b.world);
    MPI_Finalize();
    return status == 0 ? 0 : 1;
}
