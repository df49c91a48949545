/* Shortest paths as a kernel of the library: known rasters, and random ones against a plain search,
 * to the last bit, cut in any way, with boundaries that move at random, in rounds and without, with
 * all instructions and quotas. */

#include "core/beat/beat.h"
#include "kernels/graph/raster_search.h"
#include "kernels/paths/paths_costs.h"
#include "support/blocks.h"
#include "support/images.h"
#include "support/mpi_check.h"
#include "support/ways.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A raster, the same on all ranks. */
typedef struct {
    halo_domain domain;
    const double *costs; /* infinite: a barrier */
    const bool *sources;
    halo_paths_volume volume;
} raster;

/* ---- a plain search -------------------------------------------------------------------------- */

/* Sets n[] to the planes, rows and columns: an image has one plane. */
static void find_sizes(const raster *r, int64_t n[3])
{
    int before = 3 - r->domain.axes;
    n[0] = 1;
    memcpy(n + before, r->domain.n, (size_t)r->domain.axes * sizeof *n);
}

/* The cost of cell `from` moved by a step; infinite: it leads outside. */
static double cost_at(const raster *r, int64_t from, int64_t dz, int64_t dy, int64_t dx)
{
    int64_t n[3];
    find_sizes(r, n);
    int64_t z = from / (n[1] * n[2]) + dz, y = from / n[2] % n[1] + dy, x = from % n[2] + dx;
    bool inside = z >= 0 && z < n[0] && y >= 0 && y < n[1] && x >= 0 && x < n[2];
    return inside ? r->costs[(z * n[1] + y) * n[2] + x] : HUGE_VAL;
}

static bool is_step(const raster *r, int64_t dz, int64_t dy, int64_t dx)
{
    int64_t square = dz * dz + dy * dy + dx * dx;
    int neighbours = r->volume.options.neighbours > 0 ? r->volume.options.neighbours : 8;
    if (r->domain.axes == 3) {
        return square == 1 || (square == 2 && neighbours >= 18) ||
               (square == 3 && neighbours == 26);
    }
    return dz == 0 &&
           (square == 1 || (neighbours >= 8 && square == 2) || (neighbours == 16 && square == 5));
}

/* Return the weight of a step: its length times the mean of the cells that it touches. */
static double weigh(const raster *r, int64_t at, int64_t dz, int64_t dy, int64_t dx)
{
    const double *size = r->volume.options.cell_size, plane = r->volume.plane_distance;
    double deep = (double)dz * (plane > 0 ? plane : 1);
    double high = (double)dy * (size[0] > 0 ? size[0] : 1);
    double wide = (double)dx * (size[1] > 0 ? size[1] : 1);
    double length = sqrt(deep * deep + high * high + wide * wide);
    double from = cost_at(r, at, 0, 0, 0), to = cost_at(r, at, dz, dy, dx);
    if (dy * dy + dx * dx < 5) {
        return (from + to) * (length * 0.5);
    }
    double first = cost_at(r, at, 0, dy / 2, dx / 2);
    double second = cost_at(r, at, 0, dy - dy / 2, dx - dx / 2);
    return (first + second + to + from) * (length * 0.25);
}

/* Updates the neighbours of a cell that is final. */
static void update_around(const raster *r, int64_t at, double *distances)
{
    int64_t n[3];
    find_sizes(r, n);
    double limit = r->volume.options.max_distance > 0 ? r->volume.options.max_distance : HUGE_VAL;
    for (int64_t i = 0; i < 125; i++) {
        int64_t dz = i / 25 - 2, dy = i / 5 % 5 - 2, dx = i % 5 - 2;
        if (is_step(r, dz, dy, dx) && isfinite(cost_at(r, at, dz, dy, dx))) {
            double reached = distances[at] + weigh(r, at, dz, dy, dx);
            double *there = &distances[at + (dz * n[1] + dy) * n[2] + dx];
            *there = reached <= limit && reached < *there ? reached : *there;
        }
    }
}

/* E. W. Dijkstra, 1959: the nearest cell that is not final becomes final, and tells its neighbours.
 */
static double *search(const raster *r)
{
    int64_t n[3];
    find_sizes(r, n);
    int64_t cells = n[0] * n[1] * n[2];
    double *distances = malloc((size_t)cells * sizeof *distances);
    bool *final = calloc((size_t)cells, sizeof *final);
    for (int64_t i = 0; i < cells; i++) {
        distances[i] = r->sources[i] ? 0 : HUGE_VAL;
    }
    for (;;) {
        int64_t next = -1;
        for (int64_t i = 0; i < cells; i++) {
            bool nearer = next < 0 || distances[i] < distances[next];
            next = !final[i] && isfinite(distances[i]) && nearer ? i : next;
        }
        if (next < 0) {
            break;
        }
        final[next] = true;
        update_around(r, next, distances);
    }
    free(final);
    return distances;
}

/* ---- the kernel ------------------------------------------------------------------------------ */

/* The first cell of an owned row of a view in the raster. */
static int64_t first_of_row(const halo_view *view, const raster *r, int64_t row)
{
    const halo_box *own = &view->owned;
    return view->axes == 2
               ? (own->lo[0] + row) * r->domain.n[1] + own->lo[1]
               : ((own->lo[0] + row / own->n[1]) * r->domain.n[1] + own->lo[1] + row % own->n[1]) *
                         r->domain.n[2] +
                     own->lo[2];
}

static void fill(const halo_view *view, const raster *r)
{
    for (int64_t y = 0; y < halo_view_rows(view); y++) {
        halo_paths_cell *cells = halo_view_row(view, y);
        for (int64_t x = 0; x < view->owned.n[view->axes - 1]; x++) {
            int64_t i = first_of_row(view, r, y) + x;
            cells[x] = (halo_paths_cell){
                .distance = r->sources[i] ? -0.0 : halo_paths_unreached(&r->volume.options),
                .cost = r->costs[i]};
        }
    }
}

/* Cells of this rank whose bits differ; unreached ones are infinite. */
static int64_t count_wrong(const halo_view *view, const raster *r, const double *distances)
{
    int64_t wrong = 0;
    for (int64_t y = 0; y < halo_view_rows(view); y++) {
        const halo_paths_cell *cells = halo_view_row(view, y);
        for (int64_t x = 0; x < view->owned.n[view->axes - 1]; x++) {
            int64_t i = first_of_row(view, r, y) + x;
            bool reached = cells[x].distance < halo_paths_unreached(&r->volume.options);
            double distance = reached ? fabs(cells[x].distance) : HUGE_VAL;
            wrong += memcmp(&distance, &distances[i], sizeof distance) != 0;
        }
    }
    return wrong;
}

static void check(const char *text, const raster *r, const halo_partition *partition,
                  const halo_beat_options *options, const double *distances)
{
    halo_kernel kernel = halo_paths_kernel(&r->volume.options);
    halo_beat_options how = *options;
    halo_beat *beat = NULL;
    how.kernel_options = &r->volume.options;
    expect_case_ok(
        text, halo_beat_create(&beat, mpi_check_world(), &r->domain, partition, &kernel, &how));
    if (beat == NULL) {
        return;
    }
    fill(halo_beat_view(beat, 0), r);
    expect_case_ok(text, halo_beat_run(beat, 0));
    int64_t wrong = count_wrong(halo_beat_view(beat, 0), r, distances);
    expect(wrong == 0,
           "%s, %" PRId64 " x %" PRId64 " x %" PRId64 ", %d neighbours, quota %" PRId64
           ", %s: %" PRId64 " distances",
           text, r->domain.n[0], r->domain.n[1], r->domain.n[2], r->volume.options.neighbours,
           r->volume.options.quota, how.async != NULL ? "without rounds" : "in rounds", wrong);
    expect(halo_beat_get_report(beat).converged, "%s: it has not come to an end", text);
    halo_beat_destroy(&beat);
}

/* ---- known rasters --------------------------------------------------------------------------- */

#define WALL HUGE_VAL
static const double known_costs[] = {1, 3, 1, 2, 9, 1,    7,    3,    WALL, 9, 9, 2, 1, 7, 5,
                                     5, 3, 1, 2, 3, WALL, WALL, WALL, 5,    1, 1, 6, 1, 7, 2};
static const bool known_sources[sizeof known_costs / sizeof *known_costs] = {true};

/* Does the plain search find what is known? Does the kernel? */
static void check_known(int neighbours, int64_t cell, double distance)
{
    raster r = {.domain = {.axes = 2, .n = {5, 6, 1}},
                .costs = known_costs,
                .sources = known_sources,
                .volume = {.options = {.neighbours = neighbours}}};
    halo_partition strips = even_strips(&r.domain);
    double *distances = search(&r), sum = 0;
    for (int i = 0; i < 30; i++) {
        sum += isfinite(distances[i]) ? distances[i] : 0;
    }
    expect(fabs(distances[cell] - distance) < 1e-6, "%d neighbours: %.17g, not %.17g", neighbours,
           distances[cell], distance);
    expect(neighbours != 4 || fabs(sum - 337.5) < 1e-9, "a sum of %.17g", sum);
    check("known", &r, &strips, &(halo_beat_options){0}, distances);
    halo_partition_free(&strips);
    free(distances);
}

static void test_known(void)
{
    check_known(4, 29, 25.5);
    check_known(8, 29, 0x1.8c736733bbc8ep+4);
    check_known(8, 14, 8.485281);
    EXPECT_AGREED();
}

/* ---- every way ------------------------------------------------------------------------------- */

/* Costs of one to 255, of a few kinds, over 9 powers of ten, or nothing but ones. */
static double random_cost(uint64_t *random, int kind)
{
    switch (kind) {
    case 0:
        return (double)(1 + random_below(random, 255));
    case 1:
        return (double)random_below(random, 3);
    case 2:
        return pow(10, (double)random_below(random, 9000) / 1000 - 3);
    default:
        return 1;
    }
}

static raster random_raster(uint64_t *random, int axes)
{
    static const int in_image[] = {4, 8, 16, 0}, in_volume[] = {6, 18, 26, 26};
    raster r = {.domain = {.axes = axes, .n = {1, 1, 1}}};
    for (int axis = 0; axis < axes; axis++) {
        r.domain.n[axis] = 2 + random_below(random, axes == 2 ? 30 : 9);
    }
    for (int axis = 0; axis < 2; axis++) {
        r.volume.options.cell_size[axis] = (double)random_below(random, 3) * 0.7;
    }
    r.volume.plane_distance = axes == 3 ? (double)random_below(random, 3) * 0.7 : 0;
    int64_t cells = r.domain.n[0] * r.domain.n[1] * r.domain.n[2];
    int64_t walls = random_below(random, 4) * 15, kind = random_below(random, 4);
    double *costs = malloc((size_t)cells * sizeof *costs);
    bool *sources = calloc((size_t)cells, sizeof *sources);
    for (int64_t i = 0; i < cells; i++) {
        bool wall = random_below(random, 100) < walls;
        costs[i] = wall ? HUGE_VAL : random_cost(random, (int)kind);
    }
    for (int64_t i = random_below(random, 4); i >= 0; i--) {
        int64_t cell = random_below(random, cells);
        sources[cell] = true;
        costs[cell] = isfinite(costs[cell]) ? costs[cell] : 1;
    }
    r.costs = costs;
    r.sources = sources;
    r.volume.options.neighbours = (axes == 2 ? in_image : in_volume)[random_below(random, 4)];
    r.volume.options.max_distance = random_below(random, 4) == 0 ? (double)(10 + kind) : 0;
    r.volume.options.quota = random_below(random, 3) == 0 ? 0 : 50 + random_below(random, 200);
    return r;
}

static void check_way(const way *w, uint64_t *random, way_tally *all)
{
    enum { KNIGHTS = 16, KNIGHTS_HALO = 2 };
    raster r = random_raster(random, random_below(random, 3) == 0 ? 3 : 2);
    int64_t depth = r.volume.options.neighbours == KNIGHTS ? KNIGHTS_HALO : 1;
    balance_watch watch = {.text = w->text, .blocks = true};
    const halo_async_options async = {.detector = NULL};
    halo_beat_options how = way_beat_options(w);
    halo_partition partition;
    how.beats_per_exchange = 1;
    how.async = random_below(random, 2) == 0 ? &async : NULL;
    how.balancing = way_balance(w, &watch, depth);
    r.volume.options.instructions = w->of[WAY_instructions];
    way_cut(w, random, &r.domain, depth, &partition);
    double *distances = search(&r);
    check(w->text, &r, &partition, &how, distances);
    free(distances);
    halo_partition_free(&partition);
    way_balance_end(w, &watch, all);
    free((void *)(uintptr_t)r.costs);
    free((void *)(uintptr_t)r.sources);
}

static void test_ways(void)
{
    ways_check(WAY_BIT(cut) | WAY_BIT(boundaries) | WAY_BIT(migrate) | WAY_BIT(exchange) |
                   WAY_BIT(corners) | WAY_BIT(packing) | WAY_BIT(vote) | WAY_BIT(instructions),
               23, check_way);
    EXPECT_AGREED();
}

/* ---- pools, and distances of places ---------------------------------------------------------- */

/* Are distances of all cells, asked for as places, those of the plain search? */
static void check_places(const halo_paths_map *map, const double *distances)
{
    int64_t columns = map->domain->n[1], cells = map->domain->n[0] * columns;
    halo_paths_place *places = malloc((size_t)cells * sizeof *places);
    double *found = malloc((size_t)cells * sizeof *found);
    for (int64_t i = 0; i < cells; i++) {
        places[i] = (halo_paths_place){i / columns, i % columns};
    }
    expect_ok(halo_paths_distances(map, places, cells, found));
    expect(memcmp(found, distances, (size_t)cells * sizeof *found) == 0, "distances of places");
    free(found);
    free(places);
}

static void check_pool(const char *method, uint64_t *random)
{
    raster r = random_raster(random, 2);
    halo_kernel kernel = halo_paths_kernel(&r.volume.options);
    halo_partition strips;
    halo_beat *beat = NULL;
    halo_search_counts counts;
    expect_ok(halo_partition_thick_strips(&strips, &r.domain, halo_world_ranks(mpi_check_world()),
                                          kernel.depth));
    expect_ok(halo_beat_create(&beat, mpi_check_world(), &r.domain, &strips, &kernel,
                               &(halo_beat_options){.kernel_options = &r.volume.options}));
    const halo_paths_map map = {.world = mpi_check_world(),
                                .domain = &r.domain,
                                .partition = halo_beat_partition(beat),
                                .cells = halo_beat_view(beat, 0),
                                .options = &r.volume.options};
    fill(map.cells, &r);
    double *distances = search(&r);
    expect_ok(halo_search_raster(
        &map,
        &(halo_search_options){.method = method, .max_distance = r.volume.options.max_distance},
        &counts));
    expect(count_wrong(map.cells, &r, distances) == 0 && counts.taken > 0, "a %s pool", method);
    check_places(&map, distances);
    free(distances);
    halo_beat_destroy(&beat);
    halo_partition_free(&strips);
    free((void *)(uintptr_t)r.costs);
    free((void *)(uintptr_t)r.sources);
}

static void test_pools(void)
{
    uint64_t random = 77;
    for (int i = 0; i < 10; i++) {
        check_pool("central", &random);
        check_pool("decentral", &random);
    }
    EXPECT_AGREED();
}

/* ---- costs of samples ------------------------------------------------------------------------ */

/* Bytes, words and doubles of the same samples become the same cells, in the memory of the samples.
 */
static void test_costs(void)
{
    enum { SAMPLES = 6 };
    static const uint8_t bytes[SAMPLES] = {0, 7, 9, 255, 3, 1};
    static const uint16_t words[SAMPLES] = {0, 7, 9, 255, 3, 1};
    double reals[SAMPLES] = {0, 7, 9, 255, 3, 1}, refused = 0;
    const void *samples[] = {bytes, words, reals};
    const halo_paths_options options = {.neighbours = 8};
    const halo_paths_barriers barriers = {.missing = 9, .values = {7}, .count = 1};
    for (int i = 0; i < 3; i++) {
        halo_paths_cell cells[SAMPLES];
        halo_paths_cost_range range = HALO_PATHS_NO_COSTS;
        memcpy(cells, samples[i], SAMPLES * (size_t)(i == 2 ? 8 : i + 1));
        expect(halo_paths_take_costs(cells, SAMPLES, i == 2 ? 64 : 8 * (i + 1), &options, &barriers,
                                     &range, &refused) == -1,
               "samples are refused");
        expect(range.barriers == 2 && range.min <= 0 && range.max >= 255 && range.max <= 255,
               "a range of %g to %g", range.min, range.max);
        expect(isinf(cells[1].cost) && isinf(cells[2].cost) && cells[4].cost >= 3 &&
                   cells[4].cost <= 3 && cells[0].distance >= halo_paths_unreached(&options),
               "other costs");
        expect_ok(halo_paths_share_range(mpi_check_world(), &range));
        expect(range.barriers == 2 * halo_world_ranks(mpi_check_world()) && range.max >= 255,
               "ranges of all ranks");
    }
    EXPECT_AGREED();
}

/* NaN, infinity and, if it is asked for, what is below 0 are barriers. */
static void test_odd_costs(void)
{
    halo_paths_cell cells[3];
    const double reals[] = {NAN, -2, HUGE_VAL};
    const halo_paths_options options = {.neighbours = 8};
    halo_paths_barriers barriers = {.missing = NAN};
    halo_paths_cost_range range = HALO_PATHS_NO_COSTS;
    double refused = 0;
    memcpy(cells, reals, sizeof reals);
    expect(halo_paths_take_costs(cells, 3, 64, &options, &barriers, &range, &refused) == 1 &&
               refused < -1,
           "a cost below 0");
    memcpy(cells, reals, sizeof reals);
    barriers.negative = true;
    range = HALO_PATHS_NO_COSTS;
    expect(halo_paths_take_costs(cells, 3, 64, &options, &barriers, &range, &refused) == -1 &&
               range.barriers == 3 && range.min > range.max,
           "barriers alone");
    EXPECT_AGREED();
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void test_bad_instructions(void)
{
    const halo_paths_options options = {.instructions = "abacus"};
    halo_domain domain = {.axes = 2, .n = {24, 20, 1}};
    halo_kernel kernel = halo_paths_kernel(&options);
    halo_partition strips = even_strips(&domain);
    halo_beat *beat = NULL;
    expect_fails(halo_beat_create(&beat, mpi_check_world(), &domain, &strips, &kernel,
                                  &(halo_beat_options){.kernel_options = &options}),
                 HALO_ARGUMENT, "abacus");
    halo_partition_free(&strips);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("paths", {"known rasters", test_known}, {"random rasters in every way", test_ways},
               {"pools", test_pools}, {"costs of samples", test_costs},
               {"barriers among samples", test_odd_costs},
               {"unknown instructions", test_bad_instructions})
