/* Computing without rounds: distances on grids of one to three axes, cut in any way, with
 * boundaries that move at random after every phase, are those of a plain search; failures reach all
 * ranks. */

#include "base/minmax.h"
#include "core/beat/beat.h"
#include "support/blocks.h"
#include "support/failing_memory.h"
#include "support/images.h"
#include "support/mpi_check.h"
#include "support/ways.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t UNREACHED = INT64_C(1) << 40;

/* ---- a kernel -------------------------------------------------------------------------------- */

/* The step from a cell to a neighbour is as long as both cells together. Beyond an edge all is 0.
 */
typedef struct {
    int64_t distance, length;
} path_cell;

/* Cells are looked at in turn, a part of them at each call. */
typedef struct {
    int64_t quota, next, quiet; /* cells: at a call; the next one; looked at since one changed */
    int64_t around;             /* sum of all distances, the halo's too */
    int64_t calls, fails_at;    /* 0: never */
} searching;

static path_cell *cell_at(const halo_view *view, const int64_t at[HALO_AXES])
{
    char *cell = view->origin;
    for (int axis = 0; axis < view->axes; axis++) {
        cell += at[axis] * view->stride[axis];
    }
    return (path_cell *)(void *)cell;
}

static bool is_neighbour(const int by[HALO_AXES], int axes, bool corners)
{
    int steps = 0;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        if (axis >= axes && by[axis] != 0) {
            return false;
        }
        steps += by[axis] != 0;
    }
    return steps == 1 || (corners && steps > 1);
}

/* The distance of a cell by its neighbours. */
static int64_t reach(const halo_view *view, const int64_t at[HALO_AXES], bool corners)
{
    enum { AROUND = 27 };
    const path_cell *cell = cell_at(view, at);
    int64_t best = cell->distance;
    for (int n = 0; n < AROUND; n++) {
        const int by[HALO_AXES] = {n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1};
        if (is_neighbour(by, view->axes, corners)) {
            const int64_t to[HALO_AXES] = {at[0] + by[0], at[1] + by[1], at[2] + by[2]};
            const path_cell *other = cell_at(view, to);
            int64_t distance = other->distance + other->length + cell->length;
            best = other->length > 0 && distance < best ? distance : best;
        }
    }
    return best;
}

static void place_of(const halo_box *box, int64_t i, int64_t at[HALO_AXES])
{
    at[2] = i % box->n[2];
    at[1] = i / box->n[2] % box->n[1];
    at[0] = i / box->n[2] / box->n[1];
}

static int64_t sum_distances(const halo_view *view)
{
    halo_box box = view->owned;
    int64_t sum = 0, at[HALO_AXES];
    for (int axis = 0; axis < view->axes; axis++) {
        box.n[axis] += 2;
    }
    for (int64_t i = 0; i < halo_box_cells(&box); i++) {
        place_of(&box, i, at);
        for (int axis = 0; axis < view->axes; axis++) {
            at[axis]--;
        }
        sum += cell_at(view, at)->distance;
    }
    return sum;
}

static halo_status search(halo_step *step, bool corners)
{
    searching *state = step->state;
    const halo_view *view = step->out;
    int64_t cells = halo_box_cells(&step->todo);
    if (++state->calls == state->fails_at) {
        return halo_fail(HALO_FORMAT, "the search was to fail");
    }
    state->quiet = sum_distances(view) == state->around ? state->quiet : 0;
    for (int64_t i = 0; i < state->quota && state->quiet < cells; i++) {
        int64_t at[HALO_AXES];
        place_of(&view->owned, state->next++ % cells, at);
        int64_t distance = reach(view, at, corners);
        bool better = distance < cell_at(view, at)->distance;
        cell_at(view, at)->distance = distance;
        step->changed += better;
        state->quiet = better ? 0 : state->quiet + 1;
    }
    step->more = state->quiet < cells;
    state->around = sum_distances(view);
    return HALO_OK;
}

static halo_status search_sides(halo_step *step)
{
    return search(step, false);
}

static halo_status search_all(halo_step *step)
{
    return search(step, true);
}

static halo_status create_search(void **state, const halo_domain *domain, const void *options)
{
    (void)domain;
    *state = malloc(sizeof(searching));
    if (*state == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a search");
    }
    memcpy(*state, options, sizeof(searching));
    return HALO_OK;
}

static const halo_kernel by_sides = {.name = "search",
                                     .help = "distances",
                                     .cell_bits = {8 * sizeof(path_cell)},
                                     .depth = 1,
                                     .whole = true,
                                     .in_place = true,
                                     .converges = true,
                                     .monotone_bytes = sizeof(int64_t),
                                     .step = search_sides,
                                     .create = create_search,
                                     .destroy = halo_kernel_free_state};

static halo_kernel kernel_of(bool corners)
{
    halo_kernel kernel = by_sides;
    kernel.corners = corners;
    kernel.step = corners ? search_all : search_sides;
    return kernel;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static int64_t length_of(const halo_domain *domain, const int64_t at[HALO_AXES])
{
    enum { LENGTHS = 50 };
    uint64_t place = (uint64_t)((at[0] * domain->n[1] + at[1]) * domain->n[2] + at[2]);
    return 1 + (int64_t)(random_next(&place) % LENGTHS);
}

static void fill(const halo_view *view, const halo_domain *domain)
{
    for (int64_t i = 0; i < halo_box_cells(&view->owned); i++) {
        int64_t at[HALO_AXES], place[HALO_AXES];
        place_of(&view->owned, i, at);
        for (int axis = 0; axis < HALO_AXES; axis++) {
            place[axis] = view->owned.lo[axis] + at[axis];
        }
        bool source = place[0] == 0 && place[1] == 0 && place[2] == domain->n[2] / 2;
        *cell_at(view, at) =
            (path_cell){.distance = source ? 0 : UNREACHED, .length = length_of(domain, place)};
    }
}

/* The same by sweeps over an array of all cells. */
static int64_t *expected(const halo_domain *domain, bool corners)
{
    const halo_box all = {.n = {domain->n[0], domain->n[1], domain->n[2]}};
    int64_t cells = halo_box_cells(&all), changed = 1;
    int64_t *distances = malloc((size_t)cells * sizeof *distances);
    for (int64_t i = 0; i < cells; i++) {
        distances[i] = i == domain->n[2] / 2 ? 0 : UNREACHED;
    }
    while (changed > 0) {
        changed = 0;
        for (int64_t i = 0; i < cells * 27; i++) {
            int64_t n = i % 27, at[HALO_AXES], to[HALO_AXES];
            const int by[HALO_AXES] = {(int)(n / 9) - 1, (int)(n / 3 % 3) - 1, (int)(n % 3) - 1};
            bool inside = is_neighbour(by, domain->axes, corners);
            place_of(&all, i / 27, at);
            for (int axis = 0; axis < HALO_AXES; axis++) {
                to[axis] = at[axis] + by[axis];
                bool leaves = to[axis] < 0 || to[axis] >= domain->n[axis];
                inside = inside && (!leaves || domain->periodic[axis]);
                to[axis] = (to[axis] + domain->n[axis]) % domain->n[axis];
            }
            int64_t other = (to[0] * domain->n[1] + to[1]) * domain->n[2] + to[2];
            int64_t reached = inside
                                  ? distances[other] + length_of(domain, to) + length_of(domain, at)
                                  : UNREACHED;
            if (reached < distances[i / 27]) {
                distances[i / 27] = reached;
                changed++;
            }
        }
    }
    return distances;
}

static int64_t count_wrong(const halo_view *view, const halo_domain *domain,
                           const int64_t *distances)
{
    int64_t wrong = 0;
    for (int64_t i = 0; i < halo_box_cells(&view->owned); i++) {
        int64_t at[HALO_AXES], place = 0;
        place_of(&view->owned, i, at);
        for (int axis = 0; axis < HALO_AXES; axis++) {
            place = place * domain->n[axis] + view->owned.lo[axis] + at[axis];
        }
        wrong += cell_at(view, at)->distance != distances[place];
    }
    return wrong;
}

/* ---- every way ------------------------------------------------------------------------------- */

static halo_domain choose_domain(uint64_t *random)
{
    halo_domain domain = {.axes = 1 + (int)random_below(random, HALO_AXES), .n = {1, 1, 1}};
    const int64_t most[HALO_AXES][HALO_AXES] = {{200, 1, 1}, {30, 24, 1}, {11, 10, 9}};
    for (int axis = 0; axis < domain.axes; axis++) {
        domain.n[axis] = 1 + random_below(random, most[domain.axes - 1][axis]);
        domain.periodic[axis] = random_below(random, 3) == 0;
    }
    return domain;
}

static void check_report(const halo_beat *beat, const way *w)
{
    const halo_async_report report = halo_beat_get_async_report(beat);
    const halo_beat_report beats = halo_beat_get_report(beat);
    expect(beats.converged && report.phases == beats.beats && report.ended >= 1 &&
               report.ended <= report.phases,
           "%s: %" PRId64 " phases in %" PRId64 " beats, %" PRId64 " to the end", w->text,
           report.phases, beats.beats, report.ended);
    expect(report.bytes >= report.messages * (int64_t)(sizeof(int64_t) + sizeof(int32_t)),
           "%s: %" PRId64 " bytes in %" PRId64 " messages", w->text, report.bytes, report.messages);
}

static void check_way(const way *w, uint64_t *random, way_tally *all)
{
    static const char *const detectors[] = {NULL, "safra", "ack-tree", "fixed-energy", "dual-ring"};
    halo_domain domain = choose_domain(random);
    way mine = *w;
    mine.strips = w->strips || domain.axes == 1;
    balance_watch watch = {.text = w->text, .blocks = true};
    halo_kernel kernel = kernel_of(random_below(random, 2) == 0);
    halo_beat_options how = way_beat_options(&mine);
    const halo_async_options async = {.detector = detectors[random_below(random, 5)],
                                      .seconds = random_below(random, 2) == 0 ? 1e-6 : 0};
    /* Phases of a single call must get round, or boundaries that move would have it begin anew. */
    const searching options = {.quota = async.seconds > 0 ? 2000 : 1 + random_below(random, 300)};
    struct halo_balancing *balancing = way_balance(&mine, &watch, 1);
    halo_partition partition;
    halo_beat *beat = NULL;
    how.beats_per_exchange = 1;
    how.async = &async;
    how.kernel_options = &options;
    how.balancing = balancing;
    way_cut(&mine, random, &domain, 1, &partition);
    expect_case_ok(w->text,
                   halo_beat_create(&beat, mpi_check_world(), &domain, &partition, &kernel, &how));
    if (beat != NULL) {
        int64_t *distances = expected(&domain, kernel.corners);
        fill(halo_beat_view(beat, 0), &domain);
        expect_case_ok(w->text, halo_beat_run(beat, 0));
        int64_t wrong = count_wrong(halo_beat_view(beat, 0), &domain, distances);
        expect(wrong == 0, "%s, detector %s: %" PRId64 " distances", w->text,
               async.detector != NULL ? async.detector : "default", wrong);
        check_report(beat, w);
        free(distances);
    }
    halo_beat_destroy(&beat);
    halo_partition_free(&partition);
    way_balance_end(&mine, &watch, all);
}

static void test_ways(void)
{
    /* Many ranks take a tenth of a second for each way. */
    unsigned few = WAY_BIT(boundaries) | WAY_BIT(migrate);
    unsigned more =
        WAY_BIT(cut) | WAY_BIT(exchange) | WAY_BIT(corners) | WAY_BIT(packing) | WAY_BIT(vote);
    ways_check(all_ranks() > MANY_RANKS ? few : few | more, 17, check_way);
    EXPECT_AGREED();
}

/* ---- what is refused, and failures ----------------------------------------------------------- */

/* Every rank has a row at least, and computes. */
static halo_domain field_domain(void)
{
    return (halo_domain){.axes = 2, .n = {halo_max(24, all_ranks()), 20, 1}};
}

static halo_status make_parts(halo_beat **out, const halo_kernel *kernel,
                              const halo_partition *parts, const searching *options,
                              const halo_async_options *async)
{
    const halo_beat_options how = {.kernel_options = options, .async = async};
    halo_domain domain = field_domain();
    return halo_beat_create(out, mpi_check_world(), &domain, parts, kernel, &how);
}

static halo_status make(halo_beat **out, const halo_kernel *kernel, const searching *options,
                        const halo_async_options *async)
{
    halo_domain domain = field_domain();
    halo_partition strips = even_strips(&domain);
    halo_status status = make_parts(out, kernel, &strips, options, async);
    halo_partition_free(&strips);
    return status;
}

static void test_refused(void)
{
    const searching options = {.quota = 10};
    halo_beat *beat = NULL;
    halo_kernel kernel = by_sides;
    expect_fails(make(&beat, &kernel, &options, &(halo_async_options){.detector = "safer"}),
                 HALO_ARGUMENT, "use safra, ack-tree");
    kernel.monotone_bytes = 0;
    expect_fails(make(&beat, &kernel, &options, &(halo_async_options){.seconds = 1}), HALO_ARGUMENT,
                 "cannot compute asynchronously");
    kernel.monotone_bytes = 9;
    expect_fails(make(&beat, &kernel, &options, NULL), HALO_ARGUMENT, "9 monotone bytes");
    kernel.monotone_bytes = 8;
    kernel.in_place = false;
    expect_fails(make(&beat, &kernel, &options, NULL), HALO_ARGUMENT, "8 monotone bytes");
    EXPECT_AGREED();
}

/* A rank that fails in the middle of a phase ends it for all. */
static void test_fails(void)
{
    for (int call = 1; call < 4; call++) {
        searching options = {.quota = 7, .fails_at = my_rank() == all_ranks() / 2 ? call : 0};
        halo_beat *beat = NULL;
        expect_ok(make(&beat, &by_sides, &options, &(halo_async_options){.seconds = 10}));
        const halo_domain domain = field_domain();
        fill(halo_beat_view(beat, 0), &domain);
        expect_fails(halo_beat_run(beat, 0), HALO_FORMAT, "was to fail");
        halo_beat_destroy(&beat);
    }
    EXPECT_AGREED();
}

static halo_status run_once(void *context)
{
    const searching options = {.quota = 50};
    halo_beat *beat = NULL;
    halo_status status =
        make_parts(&beat, &by_sides, context, &options, &(halo_async_options){.seconds = 10});
    if (status == HALO_OK) {
        const halo_domain domain = field_domain();
        fill(halo_beat_view(beat, 0), &domain);
        status = halo_beat_run(beat, 0);
    }
    halo_beat_destroy(&beat);
    return status;
}

static void test_memory(void)
{
    halo_domain domain = field_domain();
    halo_partition strips = even_strips(&domain);
    failing_memory_each(run_once, NULL, &strips, false, "computing without rounds");
    halo_partition_free(&strips);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("async", {"every way", test_ways}, {"refused", test_refused}, {"fails", test_fails},
               {"memory", test_memory})
