/* k-means of pixels. ns: nanoseconds a pixel and beat of the whole run; later_ns: of its beats
 * after the first, which puts pixels into order; processor_ns: the same on rank 0's processor;
 * first_ns: of the first beat there. */

#include "kernels/cluster/cluster.h"
#include "core/balance/balancing.h"
#include "tests/bench/bench.h"
#include "tests/bench/pictures.h"

#include <inttypes.h>
#include <stdlib.h>

/* The beats are measured: b->wall and so on are those after the first. */
static void measure(bench *b, halo_beat *beat, int64_t beats, int64_t pixels)
{
    bench_begin(b);
    bench_check(halo_beat_run(beat, 1), "the first beat");
    bench_end(b);
    double first = b->wall, first_processor = b->own_processor;
    bench_begin(b);
    bench_check(halo_beat_run(beat, beats - 1), "beats");
    bench_end(b);
    int64_t done = halo_beat_get_report(beat).beats;
    double each = 1e9 / (double)pixels, later = (double)(done - 1);
    bench_print(b,
                "chosen=%s beats=%" PRId64 " ns=%.3f later_ns=%.3f first_ns=%.3f processor_ns=%.3f",
                halo_cluster_engine_name(beat), done, (first + b->wall) * each / (double)done,
                b->wall * each / later, first_processor * each, b->own_processor * each / later);
}

void bench_cluster(bench *b)
{
    int64_t height, width;
    uint8_t *greys = picture_read(bench_text(b, "picture", "data/camera.png"), &height, &width);
    halo_domain domain = {.axes = 2, .n = {height, width, 1}};
    double weight = bench_real(b, "weight", 4);
    halo_cluster_options options = {.clusters = (int)bench_integer(b, "clusters", 64),
                                    .weight = weight,
                                    .place_only = weight == 0,
                                    .engine = bench_text(b, "engine", "auto"),
                                    .instructions = bench_text(b, "instructions", NULL),
                                    .beats = bench_integer(b, "beats", 10)};
    halo_kernel kernel;
    halo_balancing *balancing = NULL;
    bench_check(halo_cluster_kernel(&kernel, &options, 8), "options");
    if (bench_integer(b, "moves", 0) != 0) {
        bench_check(halo_balancing_create(&balancing, b->world, NULL), "balancing");
    }
    halo_beat_options how = {.kernel_options = &options, .balancing = balancing};
    halo_beat *beat = bench_create_beat(b, &domain, &kernel, &how);
    bench_fill_rows(halo_beat_view(beat, 0), greys);
    bench_check(halo_cluster_begin(beat, b->world), "rectangles");
    measure(b, beat, options.beats, height * width);
    halo_beat_destroy(&beat);
    halo_balancing_destroy(&balancing);
    free(greys);
}
