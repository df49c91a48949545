/* Active contours: the gradient of side x side pixels, and the points of rings on them, each around
 * a disk half as wide, to which they have not come after so many beats, if those are few: all move.
 * ns is nanoseconds for a pixel, or for a point and beat, on the slowest rank, were it alone: a
 * rank's time by its pixels or points; cpu the same on its processor; wall that of all pixels or
 * points together. */

#include "kernels/snake/snake.h"
#include "base/random.h"
#include "core/world/collect.h"
#include "kernels/snake/snake_field.h"
#include "tests/bench/bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int64_t side;
    int64_t *cuts;
    halo_field *picture;
    halo_snake_field_options field;
} scene;

/* Disks on a grid of `across` x `across`, with noise. */
static int pixel_of(const scene *s, int64_t across, int64_t y, int64_t x)
{
    double cell = (double)s->side / (double)across;
    double dy = fmod((double)y, cell) - cell / 2, dx = fmod((double)x, cell) - cell / 2;
    int noise = (int)(halo_random_at(1, 0, y * s->side + x) % 40);
    return (dy * dy + dx * dx < cell * cell / 25 ? 180 : 40) + noise;
}

static void make_picture(const bench *b, scene *s, int bits, int64_t across)
{
    int rank = b->rank, ranks = b->ranks;
    halo_domain domain = {.axes = 2, .n = {s->side, s->side, 1}};
    s->cuts = bench_allocate(((size_t)ranks + 1) * sizeof *s->cuts);
    halo_cuts_even(s->side, ranks, s->cuts);
    halo_box owned = {.lo = {s->cuts[rank]}, .n = {s->cuts[rank + 1] - s->cuts[rank], s->side, 1}};
    bench_check(halo_field_create(&s->picture, &domain, &owned, bits, 0), "picture");
    const halo_view *view = halo_field_view(s->picture);
    for (int64_t y = 0; y < owned.n[0]; y++) {
        for (int64_t x = 0; x < s->side; x++) {
            int pixel = pixel_of(s, across, s->cuts[rank] + y, x);
            if (bits == 8) {
                ((uint8_t *)halo_row(view, y))[x] = (uint8_t)pixel;
            } else {
                ((uint16_t *)halo_row(view, y))[x] = (uint16_t)(pixel << 8);
            }
        }
    }
}

static halo_field *make_gradient(const bench *b, scene *s)
{
    halo_field *gradient = NULL;
    halo_clock clock = {0};
    bench_check(
        halo_snake_field_create(&gradient, b->world, s->picture, s->cuts, &s->field, &clock),
        "gradient");
    return gradient;
}

static void free_scene(scene *s)
{
    halo_field_destroy(&s->picture);
    free(s->cuts);
}

/* Print the time of an operation that was done `times` times; `mine` of its units are this rank's,
 * `all` are those of all ranks. */
static void print(const bench *b, const char *what, double times, double mine, double all)
{
    double wall = b->own_wall * 1e12 / times, processor = b->own_processor * 1e12 / times;
    mine = mine > 0 ? mine : 1;
    int64_t numbers[] = {(int64_t)(wall / mine), (int64_t)wall, (int64_t)(processor / mine)};
    bench_check(halo_allreduce_max(b->world, numbers, 3), "times");
    bench_print(b, "%s ns=%.4g cpu=%.4g wall=%.4g", what, (double)numbers[0] / 1e3,
                (double)numbers[2] / 1e3, (double)numbers[1] / 1e3 / all);
}

/* The first gradient is a user's, who makes one: nearly all of its memory, two bytes a pixel, is
 * the field itself, which a virtual machine may have to get from its host. Later ones take memory
 * that the machine has already. */
void bench_gradient(bench *b)
{
    enum { DISKS = 8 };
    scene s = {.side = bench_integer(b, "side", 1024),
               .field = {.sigma = bench_real(b, "sigma", 2),
                         .instructions = bench_text(b, "instructions", NULL)}};
    char what[96];
    make_picture(b, &s, (int)bench_integer(b, "bits", 8), DISKS);
    const halo_view *view = halo_field_view(s.picture);
    for (int64_t i = 0; i < bench_integer(b, "repeats", 4); i++) {
        bench_begin(b);
        halo_field *gradient = make_gradient(b, &s);
        bench_end(b);
        snprintf(what, sizeof what, "key=%s bits=%d sigma=%g", i == 0 ? "first" : "later",
                 view->cell_bits, s.field.sigma);
        print(b, what, 1, (double)halo_box_cells(&view->owned), (double)s.side * (double)s.side);
        halo_field_destroy(&gradient);
    }
    free_scene(&s);
}

typedef struct {
    halo_snake_contours contours;
    int64_t *first;
    int32_t *points;
} rings;

static void make_rings(const scene *s, rings *r, int64_t across, int64_t points)
{
    const double pi = 3.14159265358979323846;
    double cell = (double)s->side / (double)across;
    int64_t count = across * across;
    r->first = bench_allocate(((size_t)count + 1) * sizeof *r->first);
    r->points = bench_allocate((size_t)(2 * count * points) * sizeof *r->points);
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

void bench_points(bench *b)
{
    scene s = {.side = bench_integer(b, "side", 1024),
               .field = {.sigma = 2, .instructions = bench_text(b, "instructions", NULL)}};
    int64_t across = bench_integer(b, "contours", 8), beats = bench_integer(b, "beats", 20);
    rings r;
    char what[160];
    make_picture(b, &s, 8, across);
    make_rings(&s, &r, across, bench_integer(b, "points", 64));
    halo_snake_options options = halo_snake_defaults();
    options.window = (int)bench_integer(b, "window", 3);
    options.instructions = s.field.instructions;
    halo_field *gradient = make_gradient(b, &s);
    halo_snake *snake = NULL;
    bench_check(halo_snake_create(&snake, b->world, &gradient, s.cuts, &r.contours, &options),
                "contours");
    double owned = (double)halo_snake_owned(snake), all = (double)r.first[r.contours.contours];
    bench_begin(b);
    bench_check(halo_snake_run(snake, beats), "beats");
    bench_end(b);
    halo_snake_progress done = halo_snake_progressed(snake);
    snprintf(what, sizeof what,
             "window=%d contours=%" PRId64 " points=%" PRId64 " beats=%" PRId64 " moved=%.3f",
             options.window, done.contours, done.points, done.beats, (double)done.moved / all);
    print(b, what, (double)beats, owned, all);
    halo_snake_destroy(&snake);
    free(r.first);
    free(r.points);
    free_scene(&s);
}
