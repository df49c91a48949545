/* Filters on noise in memory: rows in, rows out, those of a tile into the same buffer. A line for
 * each run: nanoseconds a pixel. With dump=FILE the image goes to a file for the peers. */

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "kernels/filter/pipeline.h"
#include "partition/cuts.h"
#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIXELS_OF_NOISE = 251, MOST_BACKGROUND = 10 /* bits are set from this value on */ };

typedef struct {
    bench *b;
    filter_chain *chain;
    halo_domain domain;
    halo_partition strips;
    int64_t n[HALO_AXES]; /* planes, rows, columns */
    size_t row_bytes;
    halo_sample_type type;
    char *image; /* all of it, the same on each rank */
    char *made;  /* rows of a tile, and where they are */
    void **row;
    const char *instructions;
    int repeats;
} scene;

/* Numbers from 0 to 250, whatever the type. */
static void make_noise(scene *s)
{
    int64_t pixels = s->n[0] * s->n[1] * s->n[2];
    uint64_t random = 1;
    bench_check(HALO_ALLOCATE_LARGE(s->image, (size_t)s->n[0] * (size_t)s->n[1] * s->row_bytes + 64,
                                    "an image"),
                "memory");
    for (int64_t i = 0; i < pixels; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        unsigned value = (unsigned)(random >> 40) % PIXELS_OF_NOISE;
        if (s->type == HALO_SAMPLE_BIT) {
            int64_t x = i % s->n[2];
            ((uint64_t *)(void *)(s->image + (size_t)(i / s->n[2]) * s->row_bytes))[x / 64] |=
                (uint64_t)(value >= MOST_BACKGROUND) << (x % 64);
        } else if (s->type == HALO_SAMPLE_U8) {
            ((uint8_t *)s->image)[i] = (uint8_t)value;
        } else if (s->type == HALO_SAMPLE_U16) {
            ((uint16_t *)(void *)s->image)[i] = (uint16_t)(value * PIXELS_OF_NOISE);
        } else {
            ((float *)(void *)s->image)[i] = (float)value;
        }
    }
}

static halo_status read_row(void *context, int64_t z, int64_t y, void *out)
{
    const scene *s = context;
    memcpy(out, s->image + (size_t)(z * s->n[1] + y) * s->row_bytes, s->row_bytes);
    return HALO_OK;
}

/* ---- what is measured ------------------------------------------------------------------------ */

static void create_rows(scene *s, int64_t rows, size_t bytes)
{
    bench_check(HALO_ALLOCATE_LARGE(s->made, (size_t)rows * bytes, "rows"), "memory");
    bench_check(HALO_ALLOCATE(s->row, rows, "rows"), "memory");
    for (int64_t i = 0; i < rows; i++) {
        s->row[i] = s->made + (size_t)i * bytes;
    }
}

/* One run over this rank's strip. */
static void run(scene *s)
{
    int64_t lo = s->strips.cuts[0][s->b->rank], hi = s->strips.cuts[0][s->b->rank + 1];
    int64_t unit = s->domain.axes == HALO_AXES ? s->n[1] : 1;
    const filter_source source = {.row = read_row, .context = s};
    const filter_pipeline_options options = {.instructions = s->instructions};
    filter_pipeline *pipeline;
    bench_begin(s->b);
    bench_check(halo_filter_pipeline_create(&pipeline, s->chain, &s->chain->segment[0], lo, hi,
                                            &source, &options),
                "filters");
    int64_t tile = halo_filter_pipeline_tile(pipeline);
    if (s->row == NULL) {
        create_rows(s, tile * unit, filter_row_bytes(halo_filter_chain_type(s->chain), s->n[2]));
    }
    for (int64_t at = lo; at < hi; at += tile) {
        bench_check(halo_filter_pipeline_make(pipeline, halo_min(tile, hi - at), s->row),
                    "filters");
    }
    halo_filter_pipeline_destroy(&pipeline);
    bench_end(s->b);
}

static void measure(scene *s, const char *steps)
{
    double pixels = (double)s->n[0] * (double)s->n[1] * (double)s->n[2];
    const char *type = halo_sample_types[s->type].name;
    for (int i = -1; i < s->repeats; i++) {
        run(s);
        if (i >= 0) {
            bench_print_ns(s->b, pixels, "key=%s-%d-%s-ours", type, s->domain.axes, steps);
        }
    }
}

void bench_filters(bench *b)
{
    const char *steps = bench_text(b, "steps", "gaussian:2"), *dump = bench_text(b, "dump", NULL);
    int axes = (int)bench_integer(b, "axes", 2);
    int64_t size = bench_integer(b, "size", axes == 2 ? 4096 : 256);
    scene s = {.b = b,
               .n = {axes == 2 ? 1 : size, size, size},
               .domain = {.axes = axes, .n = {size, size, axes == 2 ? 1 : size}},
               .instructions = bench_text(b, "instructions", NULL),
               .repeats = (int)bench_integer(b, "repeats", 3)};
    bool known = halo_sample_find_type(bench_text(b, "type", "uint8"), &s.type);
    bench_check(known && (s.type == HALO_SAMPLE_BIT || s.type == HALO_SAMPLE_U8 ||
                          s.type == HALO_SAMPLE_U16 || s.type == HALO_SAMPLE_F32)
                    ? HALO_OK
                    : halo_fail(HALO_ARGUMENT, "type takes bit, uint8, uint16 or float32"),
                "filters");
    s.row_bytes = filter_row_bytes(s.type, size);
    bench_check(HALO_ALLOCATE(s.chain, 1, "filters"), "memory");
    bench_check(halo_filter_chain_read(s.chain, steps), "filters");
    bench_check(halo_filter_chain_resolve(s.chain, s.type, axes, s.n), "filters");
    bench_check(halo_partition_strips(&s.strips, &s.domain, b->ranks), "strips");
    make_noise(&s);
    bench_save(b, dump, s.image, (size_t)(s.n[0] * s.n[1]) * s.row_bytes);
    measure(&s, steps);
    halo_filter_chain_free(s.chain);
    free(s.chain);
    halo_partition_free(&s.strips);
    halo_memory_free(s.image);
    halo_memory_free(s.made);
    free(s.row);
}
