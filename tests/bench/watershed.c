/* Watersheds in memory: 8-bit grey and markers in, 32-bit labels out into one buffer. With
 * save=FILE image and markers go to FILE.grey and FILE.markers, for the peers. */

#include "kernels/watershed/watershed.h"
#include "base/memory.h"
#include "partition/cuts.h"
#include "tests/bench/bench.h"
#include "tests/bench/pictures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The image that is flooded, which all ranks have whole. */
typedef struct {
    halo_domain domain;
    int64_t cells, rows, columns; /* rows of all planes */
    uint8_t *grey;
    int32_t *markers;
    int neighbours, steps; /* steps: away along axes */
} scene;

/* ---- images ---------------------------------------------------------------------------------- */

/* Means of 2 * radius + 1 cells along one axis, around its ends. */
static void blur_along(uint16_t *values, int64_t cells, int64_t stride, int64_t n, int64_t radius)
{
    uint16_t *line = bench_allocate((size_t)n * sizeof *line);
    for (int64_t cell = 0; cell < cells; cell++) {
        if (cell / stride % n == 0) {
            uint32_t sum = 0;
            for (int64_t i = 0; i < n; i++) {
                line[i] = values[cell + i * stride];
                sum += i < 2 * radius + 1 ? line[i] : 0;
            }
            for (int64_t i = 0; i < n; i++) {
                values[cell + (i + radius) % n * stride] =
                    (uint16_t)(sum / (uint32_t)(2 * radius + 1));
                sum += line[(i + 2 * radius + 1) % n];
                sum -= line[i];
            }
        }
    }
    free(line);
}

/* Noise that was blurred three times, from 0 to 255. */
static void draw_volume(scene *s, int64_t size, int64_t radius)
{
    enum { TIMES = 3, MOST = 255 };
    uint16_t *values = bench_allocate((size_t)s->cells * sizeof *values);
    uint64_t random = 88172645463325252u;
    for (int64_t i = 0; i < s->cells; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        values[i] = (uint16_t)(random >> 48);
    }
    for (int time = 0; time < TIMES; time++) {
        for (int64_t stride = 1; stride < s->cells; stride *= size) {
            blur_along(values, s->cells, stride, size, radius);
        }
    }
    uint16_t low = UINT16_MAX, high = 0;
    for (int64_t i = 0; i < s->cells; i++) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
    }
    for (int64_t i = 0; i < s->cells; i++) {
        s->grey[i] = (uint8_t)((values[i] - low) * MOST / (high - low));
    }
    free(values);
}

/* The neighbours of a cell. */
static int around(const scene *s, int64_t cell, int64_t out[26])
{
    const int64_t *n = s->domain.n;
    bool volume = s->domain.axes == HALO_AXES;
    int64_t rows = volume ? n[1] : s->rows;
    int64_t at[] = {cell / s->columns / rows, cell / s->columns % rows, cell % s->columns};
    int count = 0;
    for (int code = 0; code < 27; code++) {
        int64_t to[] = {at[0] + code / 9 - 1, at[1] + code / 3 % 3 - 1, at[2] + code % 3 - 1};
        int away = abs(code / 9 - 1) + abs(code / 3 % 3 - 1) + abs(code % 3 - 1);
        if (away > 0 && away <= s->steps && to[0] >= 0 && to[0] < (volume ? n[0] : 1) &&
            to[1] >= 0 && to[1] < rows && to[2] >= 0 && to[2] < s->columns) {
            out[count++] = (to[0] * rows + to[1]) * s->columns + to[2];
        }
    }
    return count;
}

/* Marks the level of a cell, and then removes the mark if it has a lower neighbour. */
static bool mark_level(scene *s, int64_t first, int32_t label, int64_t *list)
{
    int64_t count = 0, near[26];
    bool lower = false;
    list[count++] = first;
    s->markers[first] = label;
    for (int64_t i = 0; i < count; i++) {
        int found = around(s, list[i], near);
        for (int k = 0; k < found; k++) {
            lower = lower || s->grey[near[k]] < s->grey[first];
            if (s->grey[near[k]] == s->grey[first] && s->markers[near[k]] == 0) {
                s->markers[near[k]] = label;
                list[count++] = near[k];
            }
        }
    }
    for (int64_t i = 0; i < count && lower; i++) {
        s->markers[list[i]] = -1;
    }
    return !lower;
}

/* Markers at all minima, or `seeds` anywhere. */
static void mark(scene *s, int64_t seeds)
{
    int64_t *list = bench_allocate((size_t)s->cells * sizeof *list);
    int32_t label = 1;
    memset(s->markers, 0, (size_t)s->cells * sizeof *s->markers);
    for (int64_t i = 0; i < seeds; i++) {
        s->markers[(i * 2654435761u + 12345) % s->cells] = (int32_t)i + 1;
    }
    for (int64_t cell = 0; cell < s->cells && seeds == 0; cell++) {
        if (s->markers[cell] == 0) {
            label += mark_level(s, cell, label, list);
        }
    }
    for (int64_t cell = 0; cell < s->cells; cell++) {
        s->markers[cell] = s->markers[cell] > 0 ? s->markers[cell] : 0;
    }
    free(list);
}

static void save_bytes(const char *path, const char *ending, const void *data, size_t bytes)
{
    enum { PATH = 4096 };
    char name[PATH];
    snprintf(name, sizeof name, "%s.%s", path, ending);
    FILE *file = fopen(name, "wb");
    if (file == NULL || fwrite(data, 1, bytes, file) != bytes || fclose(file) != 0) {
        bench_check(halo_fail(HALO_FILE, "%s cannot be written", name), "saving");
    }
}

static scene draw(const bench *b)
{
    enum { FACES = 6, EDGES = 18 };
    const char *kind = bench_text(b, "kind", "blur_6"), *path = bench_text(b, "save", NULL);
    const picture *chosen = picture_find(kind);
    int64_t size = bench_integer(b, "size", 512);
    scene s = {.neighbours = (int)bench_integer(b, "neighbours", chosen != NULL ? 4 : FACES)};
    s.steps = s.neighbours == 4 || s.neighbours == FACES   ? 1
              : s.neighbours == 8 || s.neighbours == EDGES ? 2
                                                           : 3;
    s.domain = (halo_domain){.axes = chosen != NULL ? 2 : HALO_AXES,
                             .n = {size, size, chosen != NULL ? 1 : size}};
    s.rows = chosen != NULL ? size : size * size;
    s.columns = size;
    s.cells = s.rows * size;
    s.grey = bench_allocate((size_t)s.cells);
    s.markers = bench_allocate((size_t)s.cells * sizeof *s.markers);
    if (chosen != NULL) {
        chosen->make(s.grey, size, chosen->argument);
    } else {
        draw_volume(&s, size, bench_integer(b, "radius", 3));
    }
    mark(&s, bench_integer(b, "seeds", 0));
    if (path != NULL && b->rank == 0) {
        save_bytes(path, "grey", s.grey, (size_t)s.cells);
        save_bytes(path, "markers", s.markers, (size_t)s.cells * sizeof *s.markers);
    }
    return s;
}

/* ---- what is measured ------------------------------------------------------------------------ */

typedef struct {
    bench *b;
    const scene *s;
    halo_partition strips;
    halo_watershed_options options;
    int32_t *labels; /* of this rank */
    int64_t reached;
} flooding;

static halo_status flood(void *context, int64_t times)
{
    flooding *f = context;
    const scene *s = f->s;
    halo_box own = halo_partition_box(&f->strips, f->b->rank);
    int64_t unit = s->rows / s->domain.n[0], rows = own.n[0] * unit, first = own.lo[0] * unit;
    for (int64_t time = 0; time < times; time++) {
        halo_watershed *w;
        HALO_TRY(halo_watershed_create(&w, f->b->world, &s->domain, &f->strips, &f->options));
        for (int64_t row = 0; row < rows; row++) {
            int64_t cell = (first + row) * s->columns;
            HALO_TRY(halo_watershed_put_image(w, row, s->grey + cell));
            HALO_TRY(halo_watershed_put_markers(w, row, HALO_SAMPLE_I32, s->markers + cell));
        }
        HALO_TRY(halo_watershed_run(w));
        halo_watershed_rows(w, 0, rows, f->labels, (size_t)s->columns * sizeof *f->labels);
        f->reached = halo_watershed_get_report(w).reached;
        halo_watershed_destroy(&w);
    }
    return HALO_OK;
}

void bench_watershed(bench *b)
{
    scene s = draw(b);
    flooding f = {.b = b, .s = &s};
    f.options = (halo_watershed_options){.type = HALO_SAMPLE_U8,
                                         .connectivity = s.neighbours,
                                         .instructions = bench_text(b, "instructions", NULL)};
    bench_check(halo_partition_strips(&f.strips, &s.domain, b->ranks), "strips");
    halo_box own = halo_partition_box(&f.strips, b->rank);
    size_t bytes = (size_t)(own.n[0] * (s.rows / s.domain.n[0]) * s.columns) * sizeof *f.labels;
    f.labels = bench_allocate(bytes);
    memset(f.labels, 0, bytes);
    bench_run(b, flood, &f, 1);
    bench_print_ns(b, (double)s.cells, "reached=%" PRId64, f.reached);
    halo_partition_free(&f.strips);
    free(f.labels);
    free(s.grey);
    free(s.markers);
}
