/* Distances from one source in the middle of a raster of size x size costs. */

#include "kernels/paths/paths.h"
#include "tests/bench/bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- costs: 0 is a barrier ------------------------------------------------------------------- */

static uint64_t draw(uint64_t *state, uint64_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*state >> 33) % below;
}

static void make_noise(uint8_t *costs, int64_t size, uint64_t *state)
{
    for (int64_t i = 0; i < size * size; i++) {
        costs[i] = (uint8_t)(1 + draw(state, 255));
    }
}

/* Hills and valleys, 128 +- 120. */
static void make_smooth(uint8_t *costs, int64_t size, uint64_t *state)
{
    (void)state;
    for (int64_t i = 0; i < size * size; i++) {
        double x = (double)(i % size), y = (double)(i / size);
        costs[i] = (uint8_t)(128.5 + 60 * sin(x * .013) * cos(y * .017) + 60 * sin((x + y) * .005));
    }
}

/* Rectangles of one cost each, over and over. */
static void make_blocks(uint8_t *costs, int64_t size, uint64_t *state)
{
    enum { GROUND = 10, MIN_SIDE = 4, SIDES = 60 };
    memset(costs, GROUND, (size_t)(size * size));
    for (int64_t b = 0; b < 2 * size; b++) {
        int64_t width = MIN_SIDE + (int64_t)draw(state, SIDES);
        int64_t height = MIN_SIDE + (int64_t)draw(state, SIDES);
        int64_t left = (int64_t)draw(state, (uint64_t)size);
        int64_t top = (int64_t)draw(state, (uint64_t)size);
        int cost = 1 + (int)draw(state, 255);
        width = left + width > size ? size - left : width;
        for (int64_t y = top; y < top + height && y < size; y++) {
            memset(costs + y * size + left, cost, (size_t)width);
        }
    }
}

/* A wall falls between the room at `x`, `y` and a random one beside it that was not seen yet; -1 if
 * there is none, else the direction. */
static int open_wall(uint8_t *costs, int64_t size, int64_t x, int64_t y, uint64_t *state)
{
    static const int dx[] = {1, -1, 0, 0}, dy[] = {0, 0, 1, -1};
    int free_ways[4], count = 0;
    for (int way = 0; way < 4; way++) {
        int64_t to_x = x + 2 * dx[way], to_y = y + 2 * dy[way];
        if (to_x > 0 && to_x < size - 1 && to_y > 0 && to_y < size - 1 &&
            costs[to_y * size + to_x] == 0) {
            free_ways[count++] = way;
        }
    }
    if (count == 0) {
        return -1;
    }
    int way = free_ways[draw(state, (uint64_t)count)];
    costs[(y + dy[way]) * size + x + dx[way]] = 1;
    costs[(y + 2 * dy[way]) * size + x + 2 * dx[way]] = 1;
    return way;
}

/* One way between any two places: rooms at odd places, dug depth first. */
static void make_maze(uint8_t *costs, int64_t size, uint64_t *state)
{
    static const int dx[] = {1, -1, 0, 0}, dy[] = {0, 0, 1, -1};
    int64_t depth = 0, x = 1, y = 1;
    uint8_t *ways = bench_allocate((size_t)(size * size));
    memset(costs, 0, (size_t)(size * size));
    costs[size + 1] = 1;
    for (;;) {
        int way = open_wall(costs, size, x, y, state);
        if (way >= 0) {
            ways[depth++] = (uint8_t)way;
        } else if (depth == 0) {
            break;
        } else {
            way = ways[--depth] ^ 1; /* back */
        }
        x += 2 * dx[way];
        y += 2 * dy[way];
    }
    free(ways);
}

static const struct {
    const char *name;
    void (*make)(uint8_t *costs, int64_t size, uint64_t *state);
} generators[] = {
    {"smooth", make_smooth}, {"noise", make_noise}, {"maze", make_maze}, {"blocks", make_blocks}};

static uint8_t *make_costs(const char *name, int64_t size)
{
    uint8_t *costs = bench_allocate((size_t)(size * size));
    uint64_t state = 20;
    for (size_t i = 0; i < sizeof generators / sizeof generators[0]; i++) {
        if (strcmp(generators[i].name, name) == 0) {
            generators[i].make(costs, size, &state);
            return costs;
        }
    }
    bench_check(halo_fail(HALO_ARGUMENT, "no costs are called \"%s\"", name), "costs");
    return NULL;
}

/* ---------------------------------------------------------------------------------------------- */

static void fill(const halo_view *view, const uint8_t *costs, int64_t size)
{
    int64_t middle = (size / 2) | 1; /* a room of a maze */
    for (int64_t y = 0; y < view->owned.n[0]; y++) {
        const uint8_t *row = costs + (view->owned.lo[0] + y) * size;
        halo_paths_cell *cells = halo_row(view, y);
        for (int64_t x = 0; x < size; x++) {
            bool source = view->owned.lo[0] + y == middle && x == middle;
            cells[x] = (halo_paths_cell){.distance = source ? -0.0 : HUGE_VAL,
                                         .cost = row[x] > 0 ? row[x] : HUGE_VAL};
        }
    }
}

void bench_paths(bench *b)
{
    int64_t size = bench_integer(b, "size", 2048);
    halo_paths_options options = {.neighbours = (int)bench_integer(b, "neighbours", 8),
                                  .quota = bench_integer(b, "quota", HALO_PATHS_DEFAULT_QUOTA),
                                  .instructions = bench_text(b, "instructions", NULL)};
    halo_kernel kernel = halo_paths_kernel(&options);
    halo_domain domain = {.axes = 2, .n = {size, size, 1}};
    halo_beat_options how = {.kernel_options = &options};
    uint8_t *costs = make_costs(bench_text(b, "costs", "noise"), size);
    bench_save(b, bench_text(b, "save", NULL), costs, (size_t)(size * size));
    halo_beat *beat = bench_create_beat(b, &domain, &kernel, &how);
    fill(halo_beat_view(beat, 0), costs, size);
    free(costs);
    bench_begin(b);
    bench_check(halo_beat_run(beat, 0), "searching");
    bench_end(b);
    double cells = (double)(size * size);
    halo_paths_counts counts = halo_paths_count(halo_beat_state(beat));
    bench_print_ns(b, cells, "taken=%.4f bytes=%.2f beats=%" PRId64,
                   (double)counts.taken * b->ranks / cells,
                   (double)sizeof(halo_paths_cell) + (double)counts.queue_bytes * b->ranks / cells,
                   halo_beat_get_report(beat).beats);
    halo_beat_destroy(&beat);
}
