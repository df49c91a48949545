/* Morphological Chan-Vese: `beats` beats on size x size pixels. */

#include "kernels/chan_vese/chan_vese.h"
#include "kernels/chan_vese/level_set.h"
#include "tests/bench/bench.h"
#include "tests/bench/pictures.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SQUARE = 5 };

/* A picture by its name, or that of a file, again and again. */
static uint8_t *draw(const char *name, int64_t size)
{
    const picture *chosen = picture_find(name);
    uint8_t *greys = bench_allocate((size_t)(size * size));
    if (chosen != NULL) {
        chosen->make(greys, size, chosen->argument);
        return greys;
    }
    int64_t height, width;
    uint8_t *tile = picture_read(name, &height, &width);
    for (int64_t y = 0; y < size; y++) {
        for (int64_t x = 0; x < size; x++) {
            greys[y * size + x] = tile[y % height * width + x % width];
        }
    }
    free(tile);
    return greys;
}

void bench_chan_vese(bench *b)
{
    const char *name = bench_text(b, "picture", "noise_50");
    int64_t size = bench_integer(b, "size", 512), beats = bench_integer(b, "beats", 20);
    halo_chan_vese_options options = {.grey_bits = 8,
                                      .smoothing = (int)bench_integer(b, "smoothing", 1),
                                      .lambda1 = 1,
                                      .lambda2 = 1,
                                      .instructions = bench_text(b, "instructions", NULL)};
    halo_kernel kernel = halo_chan_vese_kernel(&options);
    halo_domain domain = {.axes = 2, .n = {size, size, 1}};
    halo_beat_options how = {.kernel_options = &options};
    uint8_t *greys = draw(name, size);
    halo_beat *beat = bench_create_beat(b, &domain, &kernel, &how);
    bench_fill_rows(halo_beat_view(beat, 1), greys);
    free(greys);
    halo_chan_vese_checkerboard(halo_beat_view(beat, 0), SQUARE);
    bench_check(halo_chan_vese_begin(beat, b->world), "beginning");
    bench_begin(b);
    while (halo_beat_get_report(beat).beats < beats) { /* one that changes nothing ends a run */
        bench_check(halo_beat_run(beat, beats - halo_beat_get_report(beat).beats), "beating");
    }
    bench_end(b);
    bench_print_ns(b, (double)(size * size * beats), "changed=%" PRId64 " inside=%" PRId64,
                   halo_chan_vese_get_report(beat).changed, halo_chan_vese_get_report(beat).inside);
    halo_beat_destroy(&beat);
}
