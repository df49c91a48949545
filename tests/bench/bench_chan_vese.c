/* Measurements of morphological Chan-Vese, on the ranks it is started with.
 *   bench_chan_vese PICTURE SIZE BEATS ROUNDS [SMOOTHING [INSTRUCTIONS]]
 * PICTURE is a name of pictures.h or a grey PNG file of 8 bits, repeated to SIZE x SIZE pixels.
 * Each round begins anew with the checkerboard and does BEATS beats. Prints a line of NAME=VALUE
 * words for each round. */

#include "core/beat/beat.h"
#include "core/world/collect.h"
#include "io/png/png_read.h"
#include "kernels/chan_vese/chan_vese.h"
#include "kernels/chan_vese/level_set.h"
#include "tests/bench/measure.h"
#include "tests/bench/pictures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SQUARE = 5 };

typedef struct {
    halo_world *world;
    const char *picture;
    int64_t size, beats, rounds;
    halo_chan_vese_options options;
    halo_kernel kernel;
    uint8_t *greys; /* [size * size], on every rank */
    halo_beat *beat;
} bench;

static void *must_allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    measure_check(memory != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory"), "a picture");
    return memory;
}

static void repeat_file(bench *b)
{
    halo_png_reader *reader = NULL;
    measure_check(halo_png_reader_open(&reader, b->picture, NULL), "reading");
    halo_png_info info = *halo_png_reader_info(reader);
    measure_check(info.grey_bits == 8 ? HALO_OK : halo_fail(HALO_ARGUMENT, "not of 8 bits"),
                  b->picture);
    size_t width = (size_t)info.width;
    uint8_t *tile = must_allocate(width * (size_t)info.height);
    measure_check(halo_png_reader_rows(reader, info.height, tile, width), "reading");
    for (int64_t y = 0; y < b->size; y++) {
        for (int64_t x = 0; x < b->size; x++) {
            b->greys[y * b->size + x] = tile[y % info.height * info.width + x % info.width];
        }
    }
    free(tile);
    halo_png_reader_close(&reader);
}

static void draw(bench *b)
{
    const picture *chosen = picture_find(b->picture);
    b->greys = must_allocate((size_t)(b->size * b->size));
    if (chosen != NULL) {
        chosen->make(b->greys, b->size, chosen->argument);
    } else {
        repeat_file(b);
    }
}

static void begin(bench *b)
{
    halo_domain domain = {.axes = 2, .n = {b->size, b->size, 1}};
    halo_partition strips = {0};
    halo_beat_options how = {.kernel_options = &b->options};
    b->kernel = halo_chan_vese_kernel(&b->options);
    measure_check(halo_partition_strips(&strips, &domain, halo_world_ranks(b->world)), "cutting");
    measure_check(halo_beat_create(&b->beat, b->world, &domain, &strips, &b->kernel, &how),
                  "a run");
    halo_partition_free(&strips);
    const halo_view *view = halo_beat_view(b->beat, 1);
    for (int64_t y = 0; y < view->owned.n[0]; y++) {
        memcpy(halo_row(view, y), b->greys + (view->owned.lo[0] + y) * b->size, (size_t)b->size);
    }
}

static void measure(bench *b, int64_t round)
{
    halo_chan_vese_checkerboard(halo_beat_view(b->beat, 0), SQUARE);
    measure_check(halo_chan_vese_begin(b->beat, b->world), "beginning");
    int64_t first = halo_beat_get_report(b->beat).beats, changed = 0;
    double cpu = -measure_processor_seconds(), wall = -halo_seconds();
    while (halo_beat_get_report(b->beat).beats < first + b->beats) {
        /* A beat that changes nothing ends a run. */
        int64_t done = halo_beat_get_report(b->beat).beats - first;
        measure_check(halo_beat_run(b->beat, b->beats - done), "beating");
        changed = halo_chan_vese_get_report(b->beat).changed;
    }
    wall += halo_seconds();
    cpu += measure_processor_seconds();
    int64_t times[] = {(int64_t)(cpu * 1e9)}, longest[] = {(int64_t)(wall * 1e9)};
    measure_check(halo_allreduce_sum(b->world, times, 1), "adding up");
    measure_check(halo_allreduce_max(b->world, longest, 1), "comparing");
    if (halo_world_rank(b->world) == 0) {
        double pixels = (double)(b->size * b->size) * (double)b->beats;
        printf("picture=%s size=%" PRId64 " ranks=%d smoothing=%d instructions=%s round=%" PRId64
               " beats=%" PRId64 " ns=%.5f cpu_ns=%.5f changed=%" PRId64 " inside=%" PRId64 "\n",
               b->picture, b->size, halo_world_ranks(b->world), b->options.smoothing,
               b->options.instructions != NULL ? b->options.instructions : "best", round, b->beats,
               (double)longest[0] / pixels, (double)times[0] / pixels, changed,
               halo_chan_vese_get_report(b->beat).inside);
    }
}

int main(int argc, char **argv)
{
    if (argc < 5 || argc > 7) {
        fprintf(stderr, "usage: bench_chan_vese PICTURE SIZE BEATS ROUNDS [SMOOTHING "
                        "[INSTRUCTIONS]]\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    bench b = {.picture = argv[1],
               .size = strtoll(argv[2], NULL, 10),
               .beats = strtoll(argv[3], NULL, 10),
               .rounds = strtoll(argv[4], NULL, 10),
               .options = {.grey_bits = 8,
                           .smoothing = argc > 5 ? (int)strtol(argv[5], NULL, 10) : 1,
                           .lambda1 = 1,
                           .lambda2 = 1,
                           .instructions = argc > 6 ? argv[6] : NULL}};
    measure_check(halo_world_create(&b.world, MPI_COMM_WORLD, NULL), "starting");
    measure_pin(b.world);
    draw(&b);
    begin(&b);
    for (int64_t round = 0; round < b.rounds; round++) {
        measure(&b, round);
    }
    halo_beat_destroy(&b.beat);
    halo_world_destroy(&b.world);
    free(b.greys);
    MPI_Finalize();
    return 0;
}
