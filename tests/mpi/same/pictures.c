/* Kernels of the heartbeat with references of their own: Chan-Vese, clustering, the synthetic one.
 */

#include "same.h"

#include "core/world/collect.h"
#include "kernels/synthetic/chains.h"
#include "kernels/synthetic/profile.h"
#include "support/chan_vese_naive.h"
#include "support/cluster_case.h"
#include "support/images.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Chan-Vese ------------------------------------------------------------------------------- */

typedef struct {
    halo_chan_vese_options options;
    chan_vese_naive naive;
    uint8_t *before[2];   /* the level set one and two beats ago */
    int64_t steady_beats; /* beats since a pixel changed */
    uint64_t trace;       /* of the restored run's report */
} chan_vese;

/* Widths around those of words and vectors; ranks without rows; rows enough for the halo. */
static void make_chan_vese(beat_case *c, uint64_t *random)
{
    static const double lambdas[] = {1, 1, 1, 2, 0.5, 0, 3.7};
    static const int64_t widths[] = {1, 2, 5, 63, 64, 65, 127, 128, 200, 255, 256, 320, 511, 513};
    chan_vese *v = need_zeroed(1, sizeof *v);
    int ranks = all_ranks();
    v->options = (halo_chan_vese_options){.grey_bits = random_below(random, 2) == 0 ? 8 : 16,
                                          .smoothing = (int)random_below(random, 4),
                                          .lambda1 = lambdas[random_below(random, 7)],
                                          .lambda2 = lambdas[random_below(random, 7)],
                                          .instructions = c->way.of[WAY_instructions]};
    int64_t min = ranks == 1 ? 1 : (int64_t)ranks * (1 + 2 * v->options.smoothing);
    c->domain = (halo_domain){
        .axes = 2, .n = {min + random_below(random, 30), widths[random_below(random, 14)], 1}};
    c->kernel = halo_chan_vese_kernel(&v->options);
    c->options = &v->options;
    c->strips = true;
    c->beats = random_below(random, 6) == 0 ? 40 : 8;
    v->naive = chan_vese_naive_make(c->domain.n[0], c->domain.n[1], &v->options);
    chan_vese_naive_draw(&v->naive, random);
    for (int i = 0; i < 2; i++) {
        v->before[i] = need_zeroed((size_t)(c->domain.n[0] * c->domain.n[1]), 1);
    }
    c->reference = v;
}

/* Operators take turns if a beat has an odd number of them: one beat says nothing of the other
 * operator. */
static bool is_settled(const chan_vese *v)
{
    return v->steady_beats > v->options.smoothing % 2;
}

static void end_chan_vese(beat_case *c)
{
    chan_vese *v = c->reference;
    for (int beat = 0; is_settled(v) && beat < 3; beat++) {
        chan_vese_naive_step(&v->naive);
        expect(v->naive.changed == 0, "%s: settled, and changed again", c->text);
    }
    chan_vese_naive_free(&v->naive);
    free(v->before[0]);
    free(v->before[1]);
    free(v);
}

static void begin_chan_vese(beat_case *c, halo_beat *beat, const halo_beat *before)
{
    const chan_vese *v = c->reference;
    chan_vese_naive_put(&v->naive, halo_beat_view(beat, 0), halo_beat_view(beat, 1));
    expect_case_ok(c->text, halo_chan_vese_begin(beat, mpi_check_world()));
    if (before != NULL) {
        halo_chan_vese_report was = halo_chan_vese_get_report(before);
        halo_chan_vese_recall(beat, was.steady_beats, was.trace);
    }
}

static void step_chan_vese(beat_case *c)
{
    chan_vese *v = c->reference;
    uint8_t *older = v->before[1];
    v->before[1] = v->before[0];
    v->before[0] = memcpy(older, v->naive.cells, (size_t)(v->naive.rows * v->naive.columns));
    chan_vese_naive_step(&v->naive);
    c->changed = v->naive.changed;
    v->steady_beats = c->changed == 0 ? v->steady_beats + 1 : 0;
}

static void check_chan_vese(beat_case *c, const halo_beat *beat)
{
    const chan_vese *v = c->reference;
    int64_t pixels = v->naive.rows * v->naive.columns, inside = 0, greys = 0;
    int64_t differ = chan_vese_naive_differ(&v->naive, halo_beat_view(beat, 0));
    halo_chan_vese_report report = halo_chan_vese_get_report(beat);
    for (int64_t i = 0; i < pixels; i++) {
        inside += v->naive.cells[i];
        greys += v->naive.cells[i] != 0 ? v->naive.greys[i] : 0;
    }
    bool swings =
        c->done > 1 && c->changed > 0 && memcmp(v->naive.cells, v->before[1], (size_t)pixels) == 0;
    expect(differ == 0, "%s: %" PRId64 " pixels differ after beat %" PRId64, c->text, differ,
           c->done);
    expect(report.inside == inside && report.inside_grey_sum == greys,
           "%s: %" PRId64 " pixels inside that add up to %" PRId64 ", not %" PRId64 " to %" PRId64,
           c->text, report.inside, report.inside_grey_sum, inside, greys);
    expect(report.steady_beats == v->steady_beats &&
               (c->done == c->restored || report.settled == is_settled(v)),
           "%s: still for %" PRId64 " beats, settled %d, not for %" PRId64, c->text,
           report.steady_beats, report.settled, v->steady_beats);
    expect(c->done == c->restored || (report.swings == swings && report.changed == c->changed),
           "%s: swings %d, %" PRId64 " pixels changed, not %d, %" PRId64, c->text, report.swings,
           report.changed, swings, c->changed);
}

void same_chan_vese(const way *w, uint64_t *random, way_tally *all)
{
    static const beat_kernel how = {
        make_chan_vese, end_chan_vese, begin_chan_vese, step_chan_vese, check_chan_vese,
        NULL,           NULL};
    same_beats(&how, w, random, all);
}

/* ---- clustering ------------------------------------------------------------------------------ */

typedef struct {
    cluster_case pixels;
    halo_cluster_options options;
} cluster;

/* Leaves with more candidates than numbers for them, regions side by side, tiles cut on all sides.
 */
static const cluster_case large_clusters[] = {
    {.rows = 60, .columns = 61, .cell_bits = 8, .weight = 50, .clusters = 1500},
    {.rows = 40, .columns = 64, .cell_bits = 16, .weight = 50, .clusters = 900},
    {3, 2300, .cell_bits = 8, .picture = CLUSTER_slope, .weight = .02, .clusters = 40},
    {300, 170, .cell_bits = 48, .picture = CLUSTER_slope, .weight = .02, .clusters = 50}};

static cluster_case any_cluster_case(uint64_t *random, int number)
{
    static const int sizes[][2] = {{1, 1},   {1, 70},  {70, 1},    {31, 33},
                                   {9, 140}, {65, 64}, {130, 131}, {50, 290}};
    static const int clusters[] = {1, 2, 7, 64, 300}, bits[] = {8, 16, 48};
    static const double weights[] = {0, .5, 1, 4, 100};
    if (number % 6 == 5 && random_below(random, 8) == 0) {
        return large_clusters[number / 6 % 4];
    }
    const int *size = sizes[random_below(random, 8)];
    cluster_case made = {.rows = size[0],
                         .columns = size[1],
                         .cell_bits = bits[random_below(random, 3)],
                         .picture = (cluster_picture)random_below(random, CLUSTER_PICTURES),
                         .weight = weights[random_below(random, 5)],
                         .clusters = clusters[random_below(random, 5)]};
    int64_t pixels = made.rows * made.columns;
    made.clusters = pixels < made.clusters ? (int)pixels : made.clusters;
    return made;
}

static void make_cluster(beat_case *c, uint64_t *random)
{
    static const char *const engines[] = {NULL, "tiles", "leaves", "brute"};
    cluster *v = need_zeroed(1, sizeof *v);
    v->pixels = any_cluster_case(random, c->way.number);
    v->pixels.seed = random_next(random);
    cluster_case_create(&v->pixels);
    v->options = cluster_case_options(&v->pixels);
    v->options.engine = engines[random_below(random, 4)];
    v->options.instructions = c->way.of[WAY_instructions];
    expect_ok(halo_cluster_kernel(&c->kernel, &v->options, v->pixels.cell_bits));
    c->domain = (halo_domain){.axes = 2, .n = {v->pixels.rows, v->pixels.columns, 1}};
    c->options = &v->options;
    c->strips = true;
    int64_t work = v->pixels.rows * v->pixels.columns * v->pixels.clusters;
    c->beats = work >= 1000000 ? 2 : work < 100000 && random_below(random, 4) == 0 ? 0 : 7;
    c->reference = v;
}

static void end_cluster(beat_case *c)
{
    cluster *v = c->reference;
    cluster_case_free(&v->pixels);
    free(v);
}

static void begin_cluster(beat_case *c, halo_beat *beat, const halo_beat *before)
{
    const cluster *v = c->reference;
    cluster_case_fill(&v->pixels, halo_beat_view(beat, 0));
    halo_status status = before == NULL
                             ? halo_cluster_begin(beat, mpi_check_world())
                             : halo_cluster_restore(beat, halo_cluster_records_before(before),
                                                    halo_cluster_records(before));
    expect_case_ok(c->text, status);
}

static void step_cluster(beat_case *c)
{
    cluster *v = c->reference;
    cluster_case_beat(&v->pixels);
    c->changed = v->pixels.changed;
}

static void check_cluster(beat_case *c, const halo_beat *beat)
{
    const cluster *v = c->reference;
    int64_t differ = cluster_case_differences(&v->pixels, beat);
    expect(differ == 0,
           "%s: %" PRId64 " labels differ after beat %" PRId64
           ": %d bits, picture %d, weight %g, %d clusters, %s",
           c->text, differ, c->done, v->pixels.cell_bits, (int)v->pixels.picture, v->pixels.weight,
           v->pixels.clusters, v->options.engine != NULL ? v->options.engine : "auto");
}

void same_cluster(const way *w, uint64_t *random, way_tally *all)
{
    static const beat_kernel how = {make_cluster,  end_cluster, begin_cluster, step_cluster,
                                    check_cluster, NULL,        NULL};
    same_beats(&how, w, random, all);
}

/* ---- the synthetic kernel -------------------------------------------------------------------- */

typedef struct {
    halo_synthetic_options options;
    uint64_t digest; /* as the run tells it */
    uint64_t wanted; /* of the rows' work since it was begun */
} synthetic;

/* Sizes down to a single row or column, where cells lack neighbours. */
static void make_synthetic(beat_case *c, uint64_t *random)
{
    static const char *const profiles[] = {NULL, "linear:ratio=4", "step:at=.6",
                                           "hot:width=.15,speed=2.5,ratio=6", "random:seed=8"};
    synthetic *v = need_zeroed(1, sizeof *v);
    v->options = (halo_synthetic_options){
        .rows = 1 + random_below(random, c->way.number % 5 == 0 ? 4 : 65),
        .columns = 1 + random_below(random, c->way.number % 3 == 0 ? 4 : 40),
        .profile = profiles[random_below(random, 5)],
        .work = 1 + random_below(random, 30),
        .digest = &v->digest};
    c->domain = (halo_domain){.axes = 2, .n = {v->options.rows, v->options.columns, 1}};
    c->kernel = halo_synthetic_kernel;
    c->options = &v->options;
    c->beats = 1 + random_below(random, 20);
    c->reference = v;
}

static void end_synthetic(beat_case *c)
{
    free(c->reference);
}

static void begin_synthetic(beat_case *c, halo_beat *beat, const halo_beat *before)
{
    synthetic *v = c->reference;
    const halo_view *view = halo_beat_view(beat, 0);
    (void)before;
    v->digest = v->wanted = 0;
    for (int64_t y = 0; y < view->owned.n[0]; y++) {
        uint64_t *row = halo_row(view, y);
        for (int64_t x = 0; x < view->owned.n[1]; x++) {
            row[x] = halo_synthetic_cell(view->owned.lo[0] + y, view->owned.lo[1] + x, c->done);
        }
    }
}

/* Row by row, with plain steps: nothing of the kernel but the cost of a row. */
static void step_synthetic(beat_case *c)
{
    synthetic *v = c->reference;
    synthetic_profile profile;
    expect(synthetic_profile_of(&profile, &v->options) == HALO_OK, "%s", halo_last_message());
    for (int64_t row = 0; row < v->options.rows; row++) {
        int64_t steps = synthetic_profile_steps(&profile, row, c->done);
        v->wanted += synthetic_chains_share(row, c->done, 0, steps, false);
    }
}

static void check_synthetic(beat_case *c, const halo_beat *beat)
{
    const synthetic *v = c->reference;
    const halo_view *view = halo_beat_view(beat, 0);
    int64_t wrong = 0;
    for (int64_t y = 0; y < view->owned.n[0]; y++) {
        const uint64_t *row = halo_row(view, y);
        for (int64_t x = 0; x < view->owned.n[1]; x++) {
            wrong += row[x] !=
                     halo_synthetic_cell(view->owned.lo[0] + y, view->owned.lo[1] + x, c->done);
        }
    }
    expect(wrong == 0 && v->digest == v->wanted,
           "%s: %" PRId64 " wrong cells after beat %" PRId64 ", digest %" PRIx64 ", not %" PRIx64,
           c->text, wrong, c->done, v->digest, v->wanted);
}

void same_synthetic(const way *w, uint64_t *random, way_tally *all)
{
    static const beat_kernel how = {
        make_synthetic, end_synthetic, begin_synthetic, step_synthetic, check_synthetic,
        NULL,           NULL};
    same_beats(&how, w, random, all);
}
