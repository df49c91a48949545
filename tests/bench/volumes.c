/* Labelling volumes in memory: 8-bit grey in, 32-bit labels out, painted plane by plane into one
 * buffer. A line for each run: nanoseconds a voxel. With dump=FILE the volume goes to a file for
 * the peers instead. */

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "kernels/label/label.h"
#include "kernels/label/rows/row_ops.h"
#include "kernels/label/threshold/threshold.h"
#include "partition/cuts.h"
#include "tests/bench/bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THRESHOLD = 128, LIT = 255, BOXES = 3 };

/* ---- what is labelled ------------------------------------------------------------------------ */

typedef void volume_maker(uint8_t *voxels, int64_t n, double argument);

static uint64_t next_random(uint64_t *s)
{
    *s ^= *s >> 12;
    *s ^= *s << 25;
    *s ^= *s >> 27;
    return *s * UINT64_C(2685821657736338717) >> 32;
}

/* Each voxel is foreground by itself, `percent` of them. */
static void make_noise(uint8_t *voxels, int64_t n, double percent)
{
    uint64_t random = 1;
    for (int64_t i = 0; i < n * n * n; i++) {
        voxels[i] = (double)(next_random(&random) % 100) < percent ? LIT : 0;
    }
}

/* The mean of 2 * radius + 1 voxels of a line that goes around, in place. */
static void blur_line(uint16_t *line, int64_t step, int64_t n, int64_t radius, uint16_t *copy)
{
    uint32_t sum = 0, size = (uint32_t)(2 * radius + 1);
    for (int64_t i = 0; i < n; i++) {
        copy[i] = line[i * step];
    }
    for (int64_t i = -radius; i <= radius; i++) {
        sum += copy[(i + n) % n];
    }
    for (int64_t i = 0; i < n; i++) {
        line[i * step] = (uint16_t)((sum + size / 2) / size);
        sum += copy[(i + radius + 1) % n];
        sum -= copy[(i - radius + n) % n];
    }
}

/* A box three times along each axis is close to a Gaussian of this deviation. */
static void blur(uint16_t *values, int64_t n, double sigma)
{
    int64_t radius = 1;
    while ((double)BOXES * (double)((2 * radius + 1) * (2 * radius + 1) - 1) / 12 < sigma * sigma) {
        radius++;
    }
    uint16_t *copy = bench_allocate((size_t)n * sizeof *copy);
    const int64_t steps[] = {1, n, n * n};
    for (int pass = 0; pass < BOXES * 3; pass++) {
        int64_t step = steps[pass % 3];
        for (int64_t i = 0; i < n * n; i++) {
            int64_t first = step == 1 ? i * n : step == n ? i / n * n * n + i % n : i;
            blur_line(values + first, step, n, radius, copy);
        }
    }
    free(copy);
}

/* The `percent` greatest values are foreground. */
static void cut_values(const uint16_t *values, int64_t count, double percent, uint8_t *voxels)
{
    int64_t *counts = calloc(UINT16_MAX + 1, sizeof *counts), above = 0;
    int limit = UINT16_MAX;
    for (int64_t i = 0; i < count && counts != NULL; i++) {
        counts[values[i]]++;
    }
    while (counts != NULL && limit > 0 && (double)above < percent / 100 * (double)count) {
        above += counts[limit--];
    }
    for (int64_t i = 0; i < count; i++) {
        voxels[i] = values[i] > limit ? LIT : 0;
    }
    free(counts);
}

static void make_blurred(uint8_t *voxels, int64_t n, double sigma, double percent)
{
    uint16_t *values = bench_allocate((size_t)(n * n * n) * sizeof *values);
    uint64_t random = 2;
    for (int64_t i = 0; i < n * n * n; i++) {
        values[i] = (uint16_t)next_random(&random);
    }
    blur(values, n, sigma);
    cut_values(values, n * n * n, percent, voxels);
    free(values);
}

static void make_blur(uint8_t *voxels, int64_t n, double sigma)
{
    make_blurred(voxels, n, sigma, 50);
}

/* The pores of a rock: blurred noise of which few voxels are foreground. */
static void make_porous(uint8_t *voxels, int64_t n, double percent)
{
    make_blurred(voxels, n, 4, percent);
}

/* Balls of all sizes up to `radius`, some of which touch, as many as fill a third of the volume. */
static void make_cells(uint8_t *voxels, int64_t n, double radius)
{
    uint64_t random = 3;
    double filled = 0, voxel_count = (double)n * (double)n * (double)n;
    memset(voxels, 0, (size_t)(n * n * n));
    while (filled < voxel_count / 3) {
        int64_t r =
            (int64_t)(radius / 2) + (int64_t)next_random(&random) % (int64_t)(radius / 2 + 1);
        int64_t at[3];
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = (int64_t)next_random(&random) % n;
        }
        for (int64_t z = halo_max(at[0] - r, 0); z <= halo_min(at[0] + r, n - 1); z++) {
            for (int64_t y = halo_max(at[1] - r, 0); y <= halo_min(at[1] + r, n - 1); y++) {
                int64_t rest = r * r - (z - at[0]) * (z - at[0]) - (y - at[1]) * (y - at[1]);
                for (int64_t x = halo_max(at[2] - r, 0); x <= halo_min(at[2] + r, n - 1); x++) {
                    if ((x - at[2]) * (x - at[2]) <= rest) {
                        voxels[(z * n + y) * n + x] = LIT;
                    }
                }
            }
        }
        filled += 4.19 * (double)(r * r * r);
    }
}

/* Each voxel has the number, 4 bytes, of the nearest of points that lie anywhere in the cells of a
 * grid, one in each. */
static void make_voronoi(uint8_t *voxels, int64_t n, double spacing)
{
    int64_t side = (int64_t)spacing, cells = (n + side - 1) / side;
    int64_t(*points)[3] = bench_allocate((size_t)(cells * cells * cells) * sizeof *points);
    uint64_t random = 4;
    for (int64_t i = 0; i < cells * cells * cells; i++) {
        const int64_t cell[] = {i / cells / cells, i / cells % cells, i % cells};
        for (int axis = 0; axis < 3; axis++) {
            points[i][axis] = cell[axis] * side + (int64_t)next_random(&random) % side;
        }
    }
    for (int64_t v = 0; v < n * n * n; v++) {
        const int64_t at[] = {v / n / n, v / n % n, v % n};
        int64_t best = INT64_MAX;
        uint32_t number = 0;
        for (int64_t k = 0; k < 27; k++) {
            int64_t z = at[0] / side + k / 9 - 1, y = at[1] / side + k / 3 % 3 - 1,
                    x = at[2] / side + k % 3 - 1, i = (z * cells + y) * cells + x, far = 0;
            bool there = halo_min(z, halo_min(y, x)) >= 0 && halo_max(z, halo_max(y, x)) < cells;
            for (int axis = 0; axis < 3 && there; axis++) {
                far += (points[i][axis] - at[axis]) * (points[i][axis] - at[axis]);
            }
            if (there && far < best) {
                best = far;
                number = (uint32_t)i + 1;
            }
        }
        memcpy(voxels + v * (int64_t)sizeof number, &number, sizeof number);
    }
    free(points);
}

static const struct volume_kind {
    const char *name;
    volume_maker *make;
    double argument;
    halo_sample_type values; /* what neighbours must have in common; or HALO_LABEL_NONE */
} kinds[] = {
    {"noise_10", make_noise, 10, HALO_LABEL_NONE}, {"noise_30", make_noise, 30, HALO_LABEL_NONE},
    {"noise_50", make_noise, 50, HALO_LABEL_NONE}, {"blur_3", make_blur, 3, HALO_LABEL_NONE},
    {"blur_8", make_blur, 8, HALO_LABEL_NONE},     {"porous", make_porous, 25, HALO_LABEL_NONE},
    {"cells", make_cells, 24, HALO_LABEL_NONE},    {"voronoi", make_voronoi, 32, HALO_SAMPLE_U32},
};

/* Bytes of a voxel. */
static size_t bytes_of(const struct volume_kind *kind)
{
    return kind->values != HALO_LABEL_NONE ? halo_sample_types[kind->values].bytes : 1;
}

/* ---- memory -------------------------------------------------------------------------------- */

/* Return bytes of this process: its resident memory (VmRSS), or the maximum of it (VmHWM). 0:
 * unknown. */
static int64_t resident(const char *which)
{
    char line[256];
    long long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, which, strlen(which)) == 0) {
            kib = atoll(line + strlen(which) + 1);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return (int64_t)kib * 1024;
}

/* From now on VmHWM counts anew. */
static void forget_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file != NULL) {
        fputs("5", file);
        fclose(file);
    }
}

/* ---- measuring ------------------------------------------------------------------------------- */

typedef struct {
    bench *b;
    int64_t size;
    int repeats;
    const char *instructions;
    halo_domain domain;
    halo_partition slabs;
    halo_field *grey, *foreground;
    int32_t *plane; /* painted again and again */
} scene;

static void find_foreground(const scene *s, const struct volume_kind *kind)
{
    const halo_view *grey = halo_field_view(s->grey), *foreground = halo_field_view(s->foreground);
    const halo_key_range lit = {THRESHOLD, LIT, false};
    if (kind->values == HALO_LABEL_NONE) { /* else labelling does it */
        halo_threshold(grey, HALO_SAMPLE_U8, &lit, foreground, s->instructions);
    }
}

/* Everybody takes its planes. Afterwards all memory that is not the labelling's own is resident. */
static void load(const scene *s, const struct volume_kind *kind)
{
    size_t bytes = bytes_of(kind), plane = (size_t)(s->size * s->size) * bytes;
    uint8_t *voxels = bench_allocate(plane * (size_t)s->size);
    if (s->b->rank == 0) {
        kind->make(voxels, s->size, kind->argument);
    }
    for (int64_t z = 0; z < s->size; z++) {
        bench_check(halo_bcast(s->b->world, voxels + (size_t)z * plane, plane, 0), "sharing");
    }
    const halo_view *grey = halo_field_view(s->grey);
    for (int64_t z = 0; z < grey->owned.n[0]; z++) {
        for (int64_t y = 0; y < s->size; y++) {
            size_t row = (size_t)((grey->owned.lo[0] + z) * s->size + y);
            memcpy(halo_row_of_plane(grey, z, y), voxels + row * (size_t)s->size * bytes,
                   (size_t)s->size * bytes);
        }
    }
    find_foreground(s, kind);
    if (kind->values != HALO_LABEL_NONE) {
        halo_foreground_of_values(grey, kind->values, NULL, halo_field_view(s->foreground),
                                  s->instructions);
    }
    memset(s->plane, 0, (size_t)(s->size * s->size) * sizeof *s->plane);
    bench_save(s->b, bench_text(s->b, "dump", NULL), voxels, plane * (size_t)s->size);
    free(voxels);
}

static void run(const scene *s, const struct volume_kind *kind, halo_label *label)
{
    const halo_view *grey = halo_field_view(s->grey), *foreground = halo_field_view(s->foreground);
    int64_t rows = s->size, planes = grey->owned.n[0];
    bench_begin(s->b);
    find_foreground(s, kind);
    bench_check(halo_label_run(label, foreground, kind->values != HALO_LABEL_NONE ? grey : NULL),
                "labelling");
    for (int64_t z = 0; z < planes; z++) {
        bench_check(halo_label_paint_rows(label, HALO_LABEL_I32, z * rows, rows, s->plane,
                                          (size_t)s->size * sizeof *s->plane),
                    "painting");
    }
    bench_end(s->b);
}

/* Return the resident memory before any rank goes on. */
static int64_t resident_now(const scene *s)
{
    bench_check(halo_agree(s->b->world, HALO_OK), "meeting");
    int64_t held = resident("VmRSS");
    bench_check(halo_agree(s->b->world, HALO_OK), "meeting");
    return held;
}

/* The bytes a voxel are what labelling makes resident at most, and the bits of the foreground. */
static void measure(const scene *s, const struct volume_kind *kind, int connectivity)
{
    halo_label_options options = {.connectivity = connectivity,
                                  .near = {.type = kind->values,
                                           .sets_foreground = kind->values != HALO_LABEL_NONE,
                                           .has_background = true},
                                  .instructions = s->instructions};
    halo_label *label;
    int64_t held = resident_now(s);
    double voxels = (double)s->size * (double)s->size * (double)s->size;
    bench_check(halo_label_create(&label, s->b->world, &s->domain, &s->slabs, &options), "label");
    for (int i = -1; i < s->repeats; i++) {
        forget_peak();
        run(s, kind, label);
        int64_t bytes = bench_sum_processes(s->b, resident("VmHWM") - held);
        if (i >= 0) {
            bench_print_ns(s->b, voxels, "key=%s-%d-ours bytes=%.3f regions=%" PRId64, kind->name,
                           connectivity, (double)bytes / voxels + 0.125, halo_label_total(label));
        }
    }
    halo_label_destroy(&label);
}

void bench_volumes(bench *b)
{
    static const int neighbours[] = {6, 18, 26};
    scene s = {.b = b,
               .size = bench_integer(b, "size", 512),
               .repeats = (int)bench_integer(b, "repeats", 3),
               .instructions = bench_text(b, "instructions", NULL)};
    const char *kind = bench_text(b, "kind", NULL);
    int64_t only = bench_integer(b, "neighbours", 0);
    s.domain = (halo_domain){.axes = 3, .n = {s.size, s.size, s.size}};
    bench_check(halo_partition_strips(&s.slabs, &s.domain, b->ranks), "slabs");
    halo_box mine = halo_partition_box(&s.slabs, b->rank);
    bench_check(halo_field_create(&s.foreground, &s.domain, &mine, HALO_BIT, 0), "foreground");
    bench_check(HALO_ALLOCATE_LARGE(s.plane, s.size * s.size + 16, "a plane"), "memory");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (kind != NULL && strcmp(kind, kinds[k].name) != 0) {
            continue;
        }
        bench_check(halo_field_create(&s.grey, &s.domain, &mine, 8 * (int)bytes_of(&kinds[k]), 0),
                    "grey");
        load(&s, &kinds[k]);
        for (int i = 0; i < 3; i++) {
            if (only == 0 || only == neighbours[i]) {
                measure(&s, &kinds[k], neighbours[i]);
            }
        }
        halo_field_destroy(&s.grey);
    }
    halo_field_destroy(&s.foreground);
    halo_partition_free(&s.slabs);
    halo_memory_free(s.plane);
}
