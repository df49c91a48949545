/* Measurements of clustering, on the ranks it is started with.
 *   bench_cluster PICTURE.png SIZE WEIGHT BEATS ROUNDS K ENGINE...
 * The picture, grey, is repeated to SIZE x SIZE pixels (0: as it is). ENGINEs (tiles, leaves,
 * brute, auto, each with :INSTRUCTIONS if wanted) take turns, ROUNDS times, each time from the
 * rectangles on for BEATS beats or until nothing changes. Prints a line of NAME=VALUE words for
 * each engine: nanoseconds a pixel and beat, of the whole run and of its beats after the first,
 * which puts pixels into order; medians. first_ns is the first beat, processor_ns the later ones'
 * mean by rank 0's processor. With a "+" behind SIZE boundaries move (balancer chain).
 */

#include "core/balance/balancing.h"
#include "core/world/collect.h"
#include "io/png/png_read.h"
#include "kernels/cluster/cluster.h"
#include "tests/bench/measure.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ENGINES = 8, MOST_ROUNDS = 64, FIRST_ARGUMENT = 7 };

typedef struct {
    halo_world *world;
    int64_t height, width; /* of the file */
    uint8_t *grey;
    halo_domain domain;
    bool moves, scales;
    double weight;
    int64_t beats;
    int clusters;
} bench;

typedef struct {
    char engine[16];
    const char *instructions;
    const char *chosen;
    int rounds;
    int64_t beats;
    double whole[MOST_ROUNDS], later[MOST_ROUNDS], first[MOST_ROUNDS], processor[MOST_ROUNDS];
} competitor;

static void read_picture(bench *b, const char *path)
{
    halo_png_reader *reader;
    measure_check(halo_png_reader_open(&reader, path, NULL), path);
    const halo_png_info *info = halo_png_reader_info(reader);
    b->height = info->height;
    b->width = info->width;
    b->grey = calloc((size_t)info->height, (size_t)info->width);
    if (info->grey_bits != 8 || b->grey == NULL) {
        fprintf(stderr, "bench_cluster: use a picture of 8 bits\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    measure_check(halo_png_reader_rows(reader, info->height, b->grey, (size_t)info->width), path);
    halo_png_reader_close(&reader);
}

/* Of the file's picture made larger: between four of its pixels. */
static uint8_t scaled(const bench *b, int64_t y, int64_t x)
{
    enum { FRACTION = 8, ONE = 1 << FRACTION };
    int64_t at_y = y * ONE * (b->height - 1) / b->domain.n[0];
    int64_t at_x = x * ONE * (b->width - 1) / b->domain.n[1], fy = at_y % ONE, fx = at_x % ONE;
    const uint8_t *above = b->grey + (at_y >> FRACTION) * b->width + (at_x >> FRACTION);
    const uint8_t *below = above + b->width;
    return (uint8_t)(((above[0] * (ONE - fx) + above[1] * fx) * (ONE - fy) +
                      (below[0] * (ONE - fx) + below[1] * fx) * fy) >>
                     (2 * FRACTION));
}

static void fill(const bench *b, const halo_view *view)
{
    for (int64_t y = 0; y < view->owned.n[0]; y++) {
        const uint8_t *from = b->grey + (view->owned.lo[0] + y) % b->height * b->width;
        uint8_t *row = halo_row(view, y);
        for (int64_t x = 0; x < view->owned.n[1]; x++) {
            row[x] = b->scales ? scaled(b, view->owned.lo[0] + y, x) : from[x % b->width];
        }
    }
}

/* Seconds of the slowest rank. */
static double since(const bench *b, double begun)
{
    const double nano = 1e9;
    int64_t spent = (int64_t)((halo_seconds() - begun) * nano);
    measure_check(halo_allreduce_max(b->world, &spent, 1), "the slowest rank");
    return (double)spent / nano;
}

static void run(const bench *b, competitor *c)
{
    halo_cluster_options options = {.clusters = b->clusters,
                                    .weight = b->weight,
                                    .place_only = b->weight == 0,
                                    .engine = c->engine,
                                    .instructions = c->instructions,
                                    .beats = b->beats};
    halo_kernel kernel;
    halo_partition strips;
    halo_beat *beat;
    halo_balancing *balancing = NULL;
    measure_check(halo_cluster_kernel(&kernel, &options, 8), "options");
    measure_check(halo_partition_strips(&strips, &b->domain, halo_world_ranks(b->world)), "strips");
    if (b->moves) {
        measure_check(halo_balancing_create(&balancing, b->world, NULL), "balancing");
    }
    halo_beat_options on = {.kernel_options = &options, .balancing = balancing};
    measure_check(halo_beat_create(&beat, b->world, &b->domain, &strips, &kernel, &on), "beats");
    fill(b, halo_beat_view(beat, 0));
    measure_check(halo_cluster_begin(beat, b->world), "rectangles");
    double begun = halo_seconds(), begun_processor = measure_processor_seconds();
    measure_check(halo_beat_run(beat, 1), "the first beat");
    double first_processor = measure_processor_seconds() - begun_processor;
    double first = since(b, begun);
    begun = halo_seconds();
    begun_processor = measure_processor_seconds();
    measure_check(halo_beat_run(beat, b->beats - 1), "beats");
    double later = since(b, begun), processor = measure_processor_seconds() - begun_processor;
    const double nano = 1e9;
    double pixels = (double)(b->domain.n[0] * b->domain.n[1]);
    c->beats = halo_beat_get_report(beat).beats;
    c->chosen = halo_cluster_engine_name(beat);
    c->whole[c->rounds] = (first + later) * nano / pixels / (double)c->beats;
    c->first[c->rounds] = first_processor * nano / pixels;
    c->processor[c->rounds] = processor * nano / pixels / (double)(c->beats - 1);
    c->later[c->rounds++] = later * nano / pixels / (double)(c->beats - 1);
    halo_beat_destroy(&beat);
    halo_balancing_destroy(&balancing);
    halo_partition_free(&strips);
}

static void print(const bench *b, competitor *c)
{
    double whole = measure_median(c->whole, c->rounds), later = measure_median(c->later, c->rounds);
    printf(
        "k=%d size=%" PRId64 "x%" PRId64 " weight=%g ranks=%d engine=%s chosen=%s "
        "instructions=%s beats=%" PRId64 " ns=%.3f later_ns=%.3f first_ns=%.3f processor_ns=%.3f\n",
        b->clusters, b->domain.n[0], b->domain.n[1], b->weight, halo_world_ranks(b->world),
        c->engine, c->chosen, c->instructions != NULL ? c->instructions : "best", c->beats, whole,
        later, measure_median(c->first, c->rounds), measure_median(c->processor, c->rounds));
}

static int read_competitors(competitor *competitors, int argc, char **argv)
{
    int count = 0;
    for (int i = FIRST_ARGUMENT; i < argc && count < MOST_ENGINES; i++, count++) {
        const char *colon = strchr(argv[i], ':');
        size_t length = colon != NULL ? (size_t)(colon - argv[i]) : strlen(argv[i]);
        snprintf(competitors[count].engine, sizeof competitors[count].engine, "%.*s", (int)length,
                 argv[i]);
        competitors[count].instructions = colon != NULL ? colon + 1 : NULL;
    }
    return count;
}

int main(int argc, char **argv)
{
    static competitor competitors[MOST_ENGINES];
    const int decimal = 10;
    MPI_Init(&argc, &argv);
    if (argc <= FIRST_ARGUMENT) {
        fprintf(stderr, "bench_cluster PICTURE.png SIZE[+] WEIGHT BEATS ROUNDS K ENGINE...\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    bench b = {.weight = strtod(argv[3], NULL),
               .beats = strtoll(argv[4], NULL, decimal),
               .clusters = (int)strtol(argv[6], NULL, decimal),
               .moves = strchr(argv[2], '+') != NULL,
               .scales = strchr(argv[2], 's') != NULL};
    int rounds = (int)strtol(argv[5], NULL, decimal);
    measure_check(halo_world_create(&b.world, MPI_COMM_WORLD, NULL), "world");
    read_picture(&b, argv[1]);
    int64_t size = strtoll(argv[2], NULL, decimal);
    b.domain =
        (halo_domain){.axes = 2, .n = {size > 0 ? size : b.height, size > 0 ? size : b.width, 1}};
    int count = read_competitors(competitors, argc, argv);
    for (int round = 0; round < rounds && round < MOST_ROUNDS; round++) {
        for (int i = 0; i < count; i++) {
            run(&b, &competitors[i]);
        }
    }
    for (int i = 0; i < count && halo_world_rank(b.world) == 0; i++) {
        print(&b, &competitors[i]);
    }
    free(b.grey);
    halo_world_destroy(&b.world);
    MPI_Finalize();
    return 0;
}
