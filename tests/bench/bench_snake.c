/* Measurements of active contours, on the ranks it is started with.
 *   bench_snake gradient SIDE BITS SIGMA ROUNDS      the gradient of SIDE x SIDE pixels
 *   bench_snake points SIDE CONTOURS POINTS WINDOW BEATS ROUNDS
 *       rings of POINTS points, CONTOURS x CONTOURS of them on SIDE x SIDE pixels, each around a
 * disk half as wide, to which they have not come after BEATS beats, if those are few: all move and
 * behind each of them, if wished, the name of the instructions. Prints a line of NAME=VALUE words
 * for each round, for tests/bench/snake.sh: ns is nanoseconds for a pixel, or for a point and beat,
 * on the slowest rank, were it alone: a rank's time by its pixels or points; wall is the same of
 * all pixels or points together. */

#include "base/random.h"
#include "core/world/collect.h"
#include "kernels/snake/snake.h"
#include "kernels/snake/snake_field.h"
#include "tests/bench/measure.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    halo_world *world;
    int64_t side;
    int64_t *cuts;
    halo_field *picture;
    halo_snake_field_options field;
} bench;

static void usage(void)
{
    fprintf(stderr, "bench_snake gradient SIDE BITS SIGMA ROUNDS [INSTRUCTIONS]\n"
                    "bench_snake points SIDE CONTOURS POINTS WINDOW BEATS ROUNDS [INSTRUCTIONS]\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
}

/* Disks on a grid of `across` x `across`, with noise. */
static int pixel_of(const bench *b, int64_t across, int64_t y, int64_t x)
{
    double cell = (double)b->side / (double)across;
    double dy = fmod((double)y, cell) - cell / 2, dx = fmod((double)x, cell) - cell / 2;
    int noise = (int)(halo_random_at(1, 0, y * b->side + x) % 40);
    return (dy * dy + dx * dx < cell * cell / 25 ? 180 : 40) + noise;
}

static void make_picture(bench *b, int bits, int64_t across)
{
    int rank = halo_world_rank(b->world), ranks = halo_world_ranks(b->world);
    halo_domain domain = {.axes = 2, .n = {b->side, b->side, 1}};
    b->cuts = malloc(((size_t)ranks + 1) * sizeof *b->cuts);
    if (b->cuts == NULL) {
        measure_check(halo_fail(HALO_MEMORY, "out of memory"), "cuts");
        return;
    }
    halo_cuts_even(b->side, ranks, b->cuts);
    halo_box owned = {.lo = {b->cuts[rank]}, .n = {b->cuts[rank + 1] - b->cuts[rank], b->side, 1}};
    measure_check(halo_field_create(&b->picture, &domain, &owned, bits, 0), "picture");
    const halo_view *view = halo_field_view(b->picture);
    for (int64_t y = 0; y < owned.n[0]; y++) {
        for (int64_t x = 0; x < b->side; x++) {
            int pixel = pixel_of(b, across, b->cuts[rank] + y, x);
            if (bits == 8) {
                ((uint8_t *)halo_row(view, y))[x] = (uint8_t)pixel;
            } else {
                ((uint16_t *)halo_row(view, y))[x] = (uint16_t)(pixel << 8);
            }
        }
    }
}

typedef struct {
    double wall, processor;
} seconds_taken;

static seconds_taken begin_round(void)
{
    return (seconds_taken){halo_seconds(), measure_processor_seconds()};
}

/* What was done by this rank, and by all, since `begun`, so many times. */
static void print_round(const bench *b, const char *what, seconds_taken begun, double times,
                        double mine, double all)
{
    double wall = (halo_seconds() - begun.wall) * 1e12 / times;
    double processor = (measure_processor_seconds() - begun.processor) * 1e12 / times;
    mine = mine > 0 ? mine : 1;
    int64_t numbers[] = {(int64_t)(wall / mine), (int64_t)wall, (int64_t)(processor / mine)};
    measure_check(halo_allreduce_max(b->world, numbers, 3), "times");
    if (halo_world_rank(b->world) == 0) {
        printf("%s ranks=%d ns=%.4g cpu=%.4g wall=%.4g\n", what, halo_world_ranks(b->world),
               (double)numbers[0] / 1e3, (double)numbers[2] / 1e3, (double)numbers[1] / 1e3 / all);
        fflush(stdout);
    }
}

static void measure_gradient(bench *b, int rounds)
{
    const halo_view *view = halo_field_view(b->picture);
    for (int round = 0; round < rounds; round++) {
        halo_field *gradient = NULL;
        halo_clock clock = {0};
        char what[96];
        seconds_taken begun = begin_round();
        measure_check(
            halo_snake_field_create(&gradient, b->world, b->picture, b->cuts, &b->field, &clock),
            "gradient");
        snprintf(what, sizeof what, "gradient bits=%d sigma=%g side=%" PRId64, view->cell_bits,
                 b->field.sigma, b->side);
        print_round(b, what, begun, 1, (double)halo_box_cells(&view->owned),
                    (double)b->side * (double)b->side);
        halo_field_destroy(&gradient);
    }
}

typedef struct {
    halo_snake_contours contours;
    int64_t *first;
    int32_t *points;
} rings;

static void make_rings(const bench *b, rings *r, int64_t across, int64_t points)
{
    const double pi = 3.14159265358979323846;
    double cell = (double)b->side / (double)across;
    int64_t count = across * across;
    r->first = malloc(((size_t)count + 1) * sizeof *r->first);
    r->points = malloc((size_t)(2 * count * points) * sizeof *r->points);
    if (r->first == NULL || r->points == NULL) {
        measure_check(halo_fail(HALO_MEMORY, "out of memory"), "rings");
        return;
    }
    for (int64_t c = 0; c <= count; c++) {
        r->first[c] = c * points;
    }
    for (int64_t i = 0; i < count * points; i++) {
        double angle = 2 * pi * (double)(i % points) / (double)points;
        double row = ((double)(i / points / across) + .5 + .4 * sin(angle)) * cell;
        double column = ((double)(i / points % across) + .5 + .4 * cos(angle)) * cell;
        r->points[2 * i] = (int32_t)row;
        r->points[2 * i + 1] = (int32_t)column;
    }
    r->contours = (halo_snake_contours){count, r->first, r->points};
}

static void measure_points(bench *b, const rings *r, int window, int64_t beats, int rounds)
{
    double all = (double)r->first[r->contours.contours];
    for (int round = 0; round < rounds; round++) {
        halo_field *gradient = NULL;
        halo_snake *snake = NULL;
        halo_clock clock = {0};
        char what[160];
        measure_check(
            halo_snake_field_create(&gradient, b->world, b->picture, b->cuts, &b->field, &clock),
            "gradient");
        halo_snake_options options = halo_snake_defaults();
        options.window = window;
        options.instructions = b->field.instructions;
        measure_check(
            halo_snake_create(&snake, b->world, &gradient, b->cuts, &r->contours, &options),
            "contours");
        double owned = (double)halo_snake_owned(snake);
        seconds_taken begun = begin_round();
        measure_check(halo_snake_run(snake, beats), "beats");
        halo_snake_progress done = halo_snake_progressed(snake);
        snprintf(what, sizeof what,
                 "points window=%d contours=%" PRId64 " points=%" PRId64 " beats=%" PRId64
                 " moved=%.3f",
                 window, done.contours, done.points, done.beats, (double)done.moved / all);
        print_round(b, what, begun, (double)beats, owned, all);
        halo_snake_destroy(&snake);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    bench b = {0};
    measure_check(halo_world_create(&b.world, MPI_COMM_WORLD, NULL), "world");
    bool gradient = argc >= 6 && strcmp(argv[1], "gradient") == 0;
    if (!gradient && (argc < 8 || strcmp(argv[1], "points") != 0)) {
        usage();
    }
    b.side = atoll(argv[2]);
    b.field.instructions = argc > (gradient ? 6 : 8) ? argv[gradient ? 6 : 8] : NULL;
    b.field.sigma = gradient ? atof(argv[4]) : 2;
    int64_t across = gradient ? 8 : atoll(argv[3]);
    make_picture(&b, gradient ? atoi(argv[3]) : 8, across);
    if (gradient) {
        measure_gradient(&b, atoi(argv[5]));
    } else {
        rings r;
        make_rings(&b, &r, across, atoll(argv[4]));
        measure_points(&b, &r, atoi(argv[5]), atoll(argv[6]), atoi(argv[7]));
        free(r.first);
        free(r.points);
    }
    halo_field_destroy(&b.picture);
    free(b.cuts);
    halo_world_destroy(&b.world);
    MPI_Finalize();
    return 0;
}
